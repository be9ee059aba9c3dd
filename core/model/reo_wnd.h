/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides how long RACK waits for reordering to resolve: RFC 8985 section 6.2 step 4. The window grows once per round
 * trip with a report of duplicates, and shrinks back after sixteen recoveries without one. */
#ifndef SR_MODEL_REO_WND_H
#define SR_MODEL_REO_WND_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles.h"

struct sr_reo_wnd {
    int64_t dsack_round; /* SR_NO_SEQ: none */
    uint32_t mult;
    uint32_t persist; /* recoveries that an inflated window still lasts */
    bool reordering_seen;
};

void sr_reo_wnd_init(struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters);

/* Takes notice of one feedback, with SND.UNA and SND.NXT after it. */
void sr_reo_wnd_adapt(struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters, int64_t una,
                      int64_t nxt, bool duplicates, bool exiting_recovery);

/* RACK.reo_wnd; 0 without a round-trip estimate (SR_NO_TIME). */
int64_t sr_reo_wnd_ns(const struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters,
                      int64_t min_rtt_ns, int64_t srtt_ns, bool in_recovery, uint32_t segs_sacked);

#endif
