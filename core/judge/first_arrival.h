/* SPDX-License-Identifier: BSD-2-Clause */
/* Which copy of a TSN arrived first. */
#ifndef SR_JUDGE_FIRST_ARRIVAL_H
#define SR_JUDGE_FIRST_ARRIVAL_H

#include "../facts/half.h"

/* The copy that arrived first, and how sure that is. */
struct sr_first_arrival {
    uint32_t row; /* 1 + row; 0: not known */
    uint8_t class;
    uint64_t evidence;
    bool counted; /* of those after it all that is known is how many arrived */
};

/* Nothing that rests on feedback which may be forged is certain. Nor is anything where not all was captured, as another
 * copy may have come unseen, or where the receiver drops what it had acknowledged. */
uint8_t sr_class_of_certain(const struct sr_half *half, const struct sr_ledger_slot *slot);

/* What is seen at the receiver's tap has arrived: that is as sure as it is that the tap is there, and that a receiver
 * keeps what comes. */
uint8_t sr_class_of_seen(const struct sr_half *half);

/* The same where something else may have happened, which is never certain; `elsewhere`: at another tap. */
uint8_t sr_class_of_likely(const struct sr_half *half, uint8_t elsewhere);

/* How sure it is that no copy before the first candidate arrived, and by what. */
uint8_t sr_class_of_ruled_out(const struct sr_half *half, const struct sr_ledger_slot *slot);
uint64_t sr_evidence_of_ruled_out(const struct sr_ledger_slot *slot);

/* The answer came less than half of the least loop after a copy: to that it was none. At the receiver's tap nothing is
 * too soon, nor over a path of which nothing shows how soon it answers. */
bool sr_is_clearly_too_soon(const struct sr_half *half, int64_t answered_ns, uint32_t path);

/* That one before this copy arrived is told in two ways: the answer came clearly too soon for it, and a duplicate was
 * reported. */
bool sr_is_told_twice(const struct sr_half *half, const struct sr_ledger_slot *slot,
                      const struct sr_transmission_row *copy);

struct sr_first_arrival sr_first_arrival_of(const struct sr_half *half, const struct sr_ledger_slot *slot);

#endif
