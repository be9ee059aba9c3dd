/* SPDX-License-Identifier: BSD-2-Clause */
/* Two-sided: what a sender explains speaks for it, what it marked and nobody sent speaks against it. */
#include "fit.h"

static int64_t score_of(const struct sr_fit *fit)
{
    return (int64_t)fit->resent + fit->timed_out + fit->agrees + fit->at_mark - ((int64_t)fit->marked - fit->resent);
}

/* What it cannot have sent, by the two points that explaining it would give. Of what was passed over one or two may be
 * of feedback that the capture missed. */
static int64_t against(const struct sr_fit *fit)
{
    return 2 * (int64_t)fit->probed + (fit->unmoved > 2 ? 2 * (int64_t)fit->unmoved : 0);
}

/* Of a variant of a stack. They send the same again, with RACK sooner: what was sent long after its mark would speak
 * for the one that marks more. A probe that did not come tells nothing: where data waits pion sends that when a probe
 * is due, if its windows let it, and whether data waited the tap cannot know. */
static int64_t score_of_variant(const struct sr_fit *fit)
{
    return score_of(fit) - ((int64_t)fit->resent - fit->soon) - against(fit);
}

/* How far that with RACK is ahead. */
static int64_t lead_of_pion(const struct sr_fit fits[SR_SENDER_COUNT])
{
    return score_of_variant(&fits[SR_SENDER_PION]) - score_of_variant(&fits[SR_SENDER_EARLY_PION]);
}

static bool has_rack(unsigned sender)
{
    return sender == SR_SENDER_PION || sender == SR_SENDER_RFC8985;
}

static bool is_of_family(unsigned sender, enum sr_stack_family family)
{
    unsigned profile = sr_profile_of_sender(sender);
    if (family == SR_FAMILY_UNKNOWN)
        return true;
    return family == SR_FAMILY_OTHER ? profile != SR_PROFILE_PION : profile == sr_profile_of_family(family);
}

/* No stack is known that does what RFC 8985 says to the letter: it must explain clearly more, and half of them. At two
 * points for a resend that it explains and the others do not, these are three resends and every fifth. A heuristic, see
 * docs/verdict-rules.md. */
static int64_t handicap_of(unsigned sender, uint32_t resends)
{
    return sender == SR_SENDER_RFC8985 ? 2 * (3 + (int64_t)resends / 5) : 0;
}

bool sr_fit_explains_little(const struct sr_fit *fit, uint32_t resends)
{
    return 2 * (uint64_t)fit->agrees < resends;
}

static unsigned best_of(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_stack_family family, uint32_t resends,
                        bool with_rack)
{
    unsigned best = SR_SENDER_COUNT;
    int64_t most = 0;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        int64_t score = score_of(&fits[sender]) - handicap_of(sender, resends);
        if (!is_of_family(sender, family) || (has_rack(sender) && !with_rack) ||
            (sender == SR_SENDER_RFC8985 && sr_fit_explains_little(&fits[sender], resends)) ||
            (best != SR_SENDER_COUNT && score <= most))
            continue;
        best = sender;
        most = score;
    }
    return best;
}

/* A resend or two may come when RACK or a probe would have sent it: unless the handshake shows a stack that has them,
 * more must. */
unsigned sr_fit_best(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_stack_family family, uint32_t resends)
{
    if (family == SR_FAMILY_PION)
        return sr_fit_variant(fits, SR_PROFILE_PION, resends);
    return best_of(fits, family, resends, sr_fit_has_rack(fits, family, resends) == SR_ANSWER_YES);
}

/* A resend in so many may come at a mark by chance. A heuristic, see docs/verdict-rules.md. */
static int64_t by_chance(uint32_t resends)
{
    return resends / 10;
}

/* Half of all, and a timeout did not, RACK alone had marked at any time before they were sent again. */
static bool marks_half_alone(const struct sr_fit fits[SR_SENDER_COUNT], uint32_t resends)
{
    const struct sr_fit *with = &fits[SR_SENDER_PION], *without = &fits[SR_SENDER_EARLY_PION];
    return 2 * ((int64_t)with->resent - without->resent - without->timed_out) > resends;
}

/* Since 1.10 a pion that has RACK says so by listing I-DATA, unless its program asks it not to. Without that its
 * handshake is the same as of a pion without, of str0m (sctp-proto) and of webrtc-rs: of two that explain as much it is
 * the one without, unless it left half unmarked. */
unsigned sr_fit_variant(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_profile profile, uint32_t resends)
{
    if (profile != SR_PROFILE_PION)
        return sr_sender_of_profile(profile);
    int64_t lead = lead_of_pion(fits);
    bool rack = lead > by_chance(resends) || (lead >= 0 && marks_half_alone(fits, resends));
    return rack ? SR_SENDER_PION : SR_SENDER_EARLY_PION;
}

/* More than the two points that one resend may give. */
static int64_t clearly(uint32_t resends)
{
    return 2 + by_chance(resends);
}

bool sr_fit_has_rival(const struct sr_fit fits[SR_SENDER_COUNT], unsigned sender, unsigned rival, uint32_t resends)
{
    return rival != sender && sr_profile_of_sender(rival) == sr_profile_of_sender(sender) &&
           score_of_variant(&fits[sender]) - score_of_variant(&fits[rival]) <= clearly(resends);
}

static enum sr_answer answer_of(int64_t ahead, uint32_t resends)
{
    return ahead > clearly(resends) ? SR_ANSWER_YES : ahead < -clearly(resends) ? SR_ANSWER_NO : SR_ANSWER_UNKNOWN;
}

enum sr_answer sr_fit_has_rack(const struct sr_fit fits[SR_SENDER_COUNT], enum sr_stack_family family, uint32_t resends)
{
    if (family == SR_FAMILY_PION)
        return answer_of(lead_of_pion(fits), resends);
    int64_t best[2] = {INT64_MIN, INT64_MIN};
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        int64_t *of = &best[has_rack(sender)], score = score_of(&fits[sender]);
        if ((sender == SR_SENDER_RFC8985 || is_of_family(sender, family)) && score > *of)
            *of = score;
    }
    return answer_of(best[true] - best[false], resends);
}
