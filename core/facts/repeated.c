/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the packets of two copies. */
#include "repeated.h"

#include "../wire/time.h"

/* There no network lies before the tap. What hop limits contradict, or only other loops tell, has class 3. */
static bool is_surely_at_sender(const struct sr_half *half)
{
    enum { DOUBTED = 3 };
    return sr_is_vantage(half, SR_VANTAGE_SENDER) && half->measured.vantage_class != DOUBTED;
}

bool sr_comes_as_repeated(const struct sr_half *half, const struct sr_transmission_row *row, int64_t within_ns)
{
    enum { LOOKED_AT = 8 }; /* a limit on what a TSN with thousands of copies costs */
    if (row->packet_id != 0 || row->fingerprint == 0 || is_surely_at_sender(half))
        return false;
    uint32_t number = row->prev_row;
    for (int i = 0; i < LOOKED_AT && number != 0; i++) {
        const struct sr_transmission_row *before = sr_half_left(half, number);
        int64_t age_ns;
        if (!sr_elapsed(row->time_ns, before->time_ns, &age_ns) || age_ns >= within_ns)
            return false;
        if (before->fingerprint == row->fingerprint && before->packet_id == 0)
            return true;
        number = before->prev_row;
    }
    return false;
}

bool sr_is_within_round_trip(const struct sr_half *half, const struct sr_transmission_row *row, int64_t time_ns)
{
    int64_t age_ns;
    return row->prev_row != 0 && sr_elapsed(time_ns, sr_half_tx(half, row->prev_row)->time_ns, &age_ns) &&
           age_ns < half->measured.receiver.typical_ns + half->measured.sender_loop_ns;
}
