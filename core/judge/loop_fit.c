/* SPDX-License-Identifier: BSD-2-Clause */
/* Away from the sender the handshake tells the loop to it, once: a host that took its time over that, or a queue that
 * was not there yet, makes it another than that of feedback later. Then the replay has feedback when its sender had
 * not, marks what was sent again already or much sooner, and explains little. The loop that leaves fewest unexplained
 * is the sender's. */
#include "loop_fit.h"

/* Percent of the handshake's, from half of it to twice as much, closest where it most likely is. */
static const uint8_t percents[] = {95, 105, 90, 115, 80, 130, 65, 160, 50, 200};

enum {
    FEWEST = 10,     /* resends, as many as loops that are tried: of fewer chance explains as many */
    CHANCE = 20,     /* one resend more, and one in so many, any loop may explain */
    LOOKED_AT = 256, /* resends that each loop is tried on: a limit on what it costs */
};

static bool explains_little(const struct sr_causes *causes)
{
    return sr_fit_explains_little(&causes->fit[sr_causes_chosen(causes)], causes->telling_count);
}

/* A probe is due two SRTT after the last news (RFC 8985 section 7.2), and an SRTT is as long as the loop: there is one
 * with which any time between two packets is that. So probes tell nothing of it.
 * What came late may be taken for sent again because it comes when that was due: such a row is explained by any loop
 * that makes one of it, and would speak for that if what is explained were counted. */
static int64_t unexplained(const struct sr_causes *causes)
{
    const struct sr_fit *fit = &causes->fit[sr_causes_chosen(causes)];
    return (int64_t)causes->telling_count - (fit->agrees - fit->probes);
}

bool sr_loop_fit(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders)
{
    struct sr_measured *measured = &half->measured;
    int64_t best_ns = SR_NO_TIME;
    if (sr_is_vantage(half, SR_VANTAGE_SENDER) || half->told.loop || measured->adrift || measured->feedback_ns == 0 ||
        causes->telling_count < FEWEST || !explains_little(causes))
        return true;
    if (causes->telling_count > LOOKED_AT && !sr_replay_again(half, causes, senders, LOOKED_AT))
        return false;
    int64_t fewest = unexplained(causes) - 1 - causes->telling_count / CHANCE;
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        measured->fitted_ns = measured->feedback_ns / 100 * percents[i];
        if (!sr_replay_again(half, causes, senders, LOOKED_AT))
            return false;
        if (unexplained(causes) < fewest) {
            fewest = unexplained(causes);
            best_ns = measured->fitted_ns;
        }
    }
    measured->fitted_ns = best_ns;
    return sr_replay_again(half, causes, senders, UINT32_MAX);
}
