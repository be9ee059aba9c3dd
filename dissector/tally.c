/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which words a transmission counts for. */
#include "tally.h"

const char *const sr_tally_titles[SR_TALLY_COUNT] = {
    "Kind", "Cause", "Verdict", "Outcome", "Tail loss probe", "Marked lost by the chosen profile",
};

static void tally_marks(struct sr_recording *recording, uint32_t frame, uint64_t number, sr_tally_one *one, void *to)
{
    guint count;
    const struct sr_link *links = sr_links_of(&recording->links, frame, &count);
    for (guint i = 0; i < count; i++) {
        if (links[i].what != SR_LINK_MARKED || links[i].row != number)
            continue;
        const struct sr_rack_mark_row *mark =
            sr_spool_at(&sr_engine_judgement(recording->engine)->rack_marks, links[i].number);
        one(to, mark->assoc, mark->from, SR_TALLY_MARK, sr_resolution_names[mark->resolution]);
    }
}

void sr_tally(const struct sr_painted *painted, uint32_t frame, sr_tally_one *one, void *to)
{
    struct sr_recording *recording = painted->recording;
    const struct sr_span *span = &painted->transmissions;
    for (uint64_t number = span->first; number < span->first + span->count; number++) {
        const struct sr_transmission_row *row = sr_transmission_at(sr_recording_journal(recording), number);
        bool is_judged = number < recording->judged_transmissions;
        one(to, row->assoc, row->from, SR_TALLY_KIND, sr_kind_names[is_judged ? row->kind : row->seen_kind]);
        if (!is_judged)
            continue;
        if (row->cause != SR_NO_WORD)
            one(to, row->assoc, row->from, SR_TALLY_CAUSE, sr_cause_names[row->cause]);
        if (row->verdict != SR_NO_WORD)
            one(to, row->assoc, row->from, SR_TALLY_VERDICT,
                sr_verdict_names[sr_verdict_of(&recording->overrides, row)]);
        if (row->outcome != SR_NO_WORD)
            one(to, row->assoc, row->from, SR_TALLY_OUTCOME, sr_outcome_names[row->outcome]);
        if (row->probe != SR_NO_WORD)
            one(to, row->assoc, row->from, SR_TALLY_PROBE, sr_probe_names[row->probe]);
        tally_marks(recording, frame, number, one, to);
    }
}
