/* SPDX-License-Identifier: BSD-2-Clause */
/* From a snapshot of the model to a row. */
#include "rack_state.h"

#include "../wire/time.h"

uint32_t sr_states_of_a_sack(const struct sr_judgement *judgement)
{
    return judgement->told.profile != 0 && judgement->told.profile != 1 + SR_PROFILE_RFC8985 ? 2 : 1;
}

bool sr_states_begin(const struct sr_journal *journal, struct sr_judgement *judgement)
{
    uint32_t each = sr_states_of_a_sack(judgement);
    for (uint64_t i = 0; judgement->wants_states && i < journal->sacks.count * each; i++) {
        const struct sr_sack_row *sack = sr_sack_at(journal, i / each);
        struct sr_rack_state_row *row = sr_spool_append(&judgement->rack_state);
        if (!row)
            return false;
        *row = (struct sr_rack_state_row){
            .srtt_ns = SR_NO_TIME,
            .rttvar_ns = SR_NO_TIME,
            .min_rtt_ns = SR_NO_TIME,
            .rack_rtt_ns = SR_NO_TIME,
            .rack_xmit_ns = SR_NO_TIME,
            .reo_wnd_ns = SR_NO_TIME,
            .rto_ns = SR_NO_TIME,
            .pto_ns = SR_NO_TIME,
            .frame = sack->frame,
            .chunk = sack->chunk,
            .profile = SR_NO_WORD,
        };
    }
    return true;
}

/* A time of the model on the capture's clock. */
static int64_t on_capture(int64_t origin_ns, int64_t time_ns)
{
    return time_ns == SR_NO_TIME ? SR_NO_TIME : sr_time_after(origin_ns, time_ns);
}

void sr_state_note(struct sr_judgement *judgement, const struct sr_state_note *note)
{
    const struct sr_path_snapshot *snapshot = note->snapshot;
    uint64_t number = (uint64_t)note->sack * sr_states_of_a_sack(judgement) + note->which;
    struct sr_rack_state_row *row = sr_spool_at(&judgement->rack_state, number);
    row->profile = note->profile;
    row->srtt_ns = snapshot->srtt_ns;
    row->rttvar_ns = snapshot->rttvar_ns;
    row->min_rtt_ns = snapshot->min_rtt_ns;
    row->rack_rtt_ns = snapshot->rack_rtt_ns;
    row->rack_xmit_ns = on_capture(note->origin_ns, snapshot->rack_xmit_ns);
    row->rack_tsn = snapshot->rack_tsn.value;
    row->reo_wnd_ns = snapshot->reo_wnd_ns;
    row->rto_ns = snapshot->rto_ns;
    row->pto_ns = on_capture(note->origin_ns, snapshot->pto_ns);
    row->flight_bytes = snapshot->flight_bytes;
    row->cwnd_hint_bytes = note->most_flight_bytes;
    row->reordering_seen = snapshot->reordering_seen;
    row->in_recovery = snapshot->in_recovery;
}
