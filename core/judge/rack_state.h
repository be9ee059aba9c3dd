/* SPDX-License-Identifier: BSD-2-Clause */
/* The table rack_state: what RACK-TLP knows when its sender has a SACK, and what the profile that was asked for does.
 */
#ifndef SR_JUDGE_RACK_STATE_H
#define SR_JUDGE_RACK_STATE_H

#include "../journal/journal.h"
#include "../journal/judgement.h"
#include "../model/model.h"

enum { SR_STATES_OF_A_SACK = 2 /* most rows */ };

/* Rows for each row of `sacks`: the first is of RFC 8985, the second of the profile that was told, if it is another. */
uint32_t sr_states_of_a_sack(const struct sr_judgement *judgement);

/* All rows, in which nothing is known yet; none where they are not wanted. False without memory. */
bool sr_states_begin(const struct sr_journal *journal, struct sr_judgement *judgement);

struct sr_state_note {
    uint32_t sack;  /* row of `sacks` */
    uint32_t which; /* of its rows */
    uint8_t profile;
    const struct sr_path_snapshot *snapshot;
    uint64_t most_flight_bytes; /* so far */
    int64_t origin_ns;          /* of the model's clock */
};
void sr_state_note(struct sr_judgement *judgement, const struct sr_state_note *note);

#endif
