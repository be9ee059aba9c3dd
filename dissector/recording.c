/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine of the open file. */
#include "recording.h"

#include <wsutil/report_message.h>

#include "preferences.h"

void sr_recording_begin(struct sr_recording *recording)
{
    struct sr_engine_options options = {
        .tables = 1u << SR_TABLE_TRANSMISSIONS | 1u << SR_TABLE_SACKS | 1u << SR_TABLE_LIMITS,
        .judges = true,
        .verify_checksum = sr_preferences.verify_checksum,
        .told = sr_preferences_told(),
        .memory = (size_t)sr_preferences.memory_mib << 20,
    };
    if (sr_preferences.shows_state)
        options.tables |= 1u << SR_TABLE_RACK_STATE;
    *recording = (struct sr_recording){.engine = sr_engine_new(&options), .latest_ns = SR_NO_TIME};
    recording->has_failed = recording->engine == NULL;
    if (recording->has_failed) /* there are no rows on whose frames it could be said */
        report_failure("sctp_rack: no memory for recording: nothing is said of this file");
    recording->path_texts = g_ptr_array_new_with_free_func(g_free);
    sr_holes_begin(&recording->holes);
    sr_overrides_begin(&recording->overrides, sr_preferences.overrides);
    sr_links_begin(&recording->links);
    sr_limited_begin(&recording->limited);
}

void sr_recording_end(struct sr_recording *recording)
{
    sr_engine_free(recording->engine);
    g_ptr_array_free(recording->path_texts, TRUE);
    sr_holes_end(&recording->holes);
    sr_overrides_end(&recording->overrides);
    sr_links_end(&recording->links);
    sr_limited_end(&recording->limited);
    *recording = (struct sr_recording){0};
}

const struct sr_journal *sr_recording_journal(const struct sr_recording *recording)
{
    return sr_engine_journal(recording->engine);
}

void sr_recording_packet(struct sr_recording *recording, const struct sr_packet *packet)
{
    if (recording->has_failed || !sr_engine_packet(recording->engine, packet)) {
        recording->has_failed = true;
        return;
    }
    const struct sr_journal *journal = sr_recording_journal(recording);
    for (; recording->noted < journal->transmissions.count; recording->noted++)
        sr_holes_note(&recording->holes, sr_transmission_at(journal, recording->noted), recording->noted);
    recording->last_frame = (uint32_t)packet->frame;
    recording->has_ended = false;
}

void sr_recording_frame(struct sr_recording *recording, int64_t time_ns)
{
    if (recording->latest_ns == SR_NO_TIME || time_ns > recording->latest_ns)
        recording->latest_ns = time_ns;
}

void sr_recording_file_ended(struct sr_recording *recording)
{
    recording->has_ended = true;
}

void sr_recording_judge(struct sr_recording *recording)
{
    if (recording->has_failed || recording->is_renumbered) /* nothing is shown then */
        return;
    const struct sr_journal *journal = sr_recording_journal(recording);
    uint64_t judged = recording->judged_transmissions + recording->judged_sacks;
    uint64_t grown = journal->transmissions.count + journal->sacks.count - judged;
    if (grown == 0 || (!recording->has_ended && grown < judged / 4))
        return;
    recording->judgement++;
    sr_engine_lasts_until(recording->engine, recording->latest_ns);
    if (!sr_engine_judge(recording->engine)) {
        recording->has_failed = true;
        recording->judged_transmissions = recording->judged_sacks = 0;
        return;
    }
    sr_links_make(&recording->links, recording->engine, sr_preferences.profile);
    sr_limited_make(&recording->limited, sr_engine_judgement(recording->engine));
    recording->judged_transmissions = journal->transmissions.count;
    recording->judged_sacks = journal->sacks.count;
}
