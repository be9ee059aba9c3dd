/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the packets of two copies. */
#include "repeated.h"

#include "../wire/time.h"

bool sr_comes_as_repeated(const struct sr_half *half, const struct sr_transmission_row *row, int64_t within_ns)
{
    if (row->prev_row == 0 || row->ip_id != 0 || row->fingerprint == 0 || sr_is_vantage(half, SR_VANTAGE_SENDER))
        return false;
    const struct sr_transmission_row *before = sr_half_left(half, row->prev_row);
    int64_t age_ns;
    return before->fingerprint == row->fingerprint && before->ip_id == 0 &&
           sr_elapsed(row->time_ns, before->time_ns, &age_ns) && age_ns < within_ns;
}
