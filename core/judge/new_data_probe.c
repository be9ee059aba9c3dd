/* SPDX-License-Identifier: BSD-2-Clause */
/* Which new data is a tail loss probe. Stacks send none as a probe; a sender that does what RFC 8985 says does. */
#include "cause.h"
#include "evidence.h"

/* RFC 8985 section 7.3: new data where there is some, a segment more than the congestion window takes. That it was full
 * is taken from there having never been more outstanding; else the application may have written just then. A second
 * packet before the next feedback, too, is no probe's. */
void sr_causes_new_data(struct sr_causes *causes, uint32_t row_number, uint32_t outstanding)
{
    const struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, row_number);
    const struct sr_mark_history *history = &causes->history[SR_SENDER_RFC8985];
    uint64_t count = causes->new_data_probes.count;
    struct sr_new_data_probe *last = count > 0 ? sr_spool_visit(&causes->new_data_probes, count - 1) : NULL;
    bool full = outstanding > 0 && outstanding >= causes->most_outstanding;
    if (outstanding > causes->most_outstanding)
        causes->most_outstanding = outstanding;
    if (last && last->feedback_frame == causes->feedback_frame) {
        last->alone &= sr_transmission_at(causes->half->journal, last->row)->frame == row->frame;
        return;
    }
    bool fired = history->has_probe && sr_is_near(row->time_ns, history->probe.time_ns);
    if (!full || !(fired || sr_is_near(row->time_ns, history->pto_ns)))
        return;
    struct sr_new_data_probe *probe = sr_spool_append(&causes->new_data_probes);
    if (!probe)
        causes->failed = true;
    else
        *probe = (struct sr_new_data_probe){
            .row = row_number,
            .feedback_frame = causes->feedback_frame,
            .alone = true,
            .armed_ns = fired ? history->probe.armed_ns : SR_NO_TIME,
            .due_ns = fired ? history->probe.time_ns : history->pto_ns,
        };
}

void sr_causes_decide_new_data(struct sr_causes *causes, unsigned chosen)
{
    if (chosen != SR_SENDER_RFC8985)
        sr_spool_clear(&causes->new_data_probes);
    for (uint64_t i = 0; i < causes->new_data_probes.count; i++) {
        const struct sr_new_data_probe *probe = sr_spool_visit(&causes->new_data_probes, i);
        struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, probe->row);
        if (!probe->alone)
            continue;
        row->probe = SR_PROBE_NEW_DATA;
        row->probe_class = sr_is_vantage(causes->half, SR_VANTAGE_SENDER) ? 3 : 2; /* elsewhere its timer is a guess */
        row->evidence |= sr_bit(SR_EVIDENCE_K10);
    }
}
