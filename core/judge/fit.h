/* SPDX-License-Identifier: BSD-2-Clause */
/* How well each sender explains what was sent again (docs/verdict-rules.md): a sender sends what it marks, at
 * the feedback at which it marks it, a probe when that is due, and nothing else again. */
#ifndef SR_JUDGE_FIT_H
#define SR_JUDGE_FIT_H

#include "../association/family.h"
#include "../facts/senders.h"

struct sr_fit {
    uint32_t agrees;    /* resends soon after it marked them, or where its probe is due */
    uint32_t probes;    /* of these, where its probe is due, and it had marked nothing */
    uint32_t at_mark;   /* of these, with no feedback in between */
    uint32_t marked;    /* copies, other than by T3-rtx: that marks all, and what is acknowledged meanwhile stays */
    uint32_t resent;    /* of these, sent again whenever it was */
    uint32_t soon;      /* of these, soon after */
    uint32_t timed_out; /* resends of what a T3-rtx had marked that expired when the real one did */
    uint32_t unmoved;   /* resends that it cannot have sent, of what was passed over: judge/early_pion.h */
    uint32_t probed;    /* resends that it cannot have sent, and a probe's timer has */
};

/* The sender of a family that fits best; no family: of all of them. */
unsigned sr_fit_best(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_stack_family family, uint32_t resends);

/* Less than half of so many resends left soon after it had marked them. */
bool sr_fit_explains_little(const struct sr_fit *fit, uint32_t resends);

/* The variant of a profile that fits. */
unsigned sr_fit_variant(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_profile profile, uint32_t resends);

/* Another variant of its profile fits as well, or nearly. */
bool sr_fit_has_rival(const struct sr_fit fits[SR_SENDER_COUNT], unsigned sender, unsigned rival, uint32_t resends);

/* Whether a sender with RACK fits clearly better than those without, or the other way round. */
enum sr_answer sr_fit_has_rack(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_stack_family family,
                               uint32_t resends);

#endif
