/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said of a talk, as text, and how it is compared with what is expected. */
#ifndef SR_TESTS_TALK_TEXT_H
#define SR_TESTS_TALK_TEXT_H

#include "talk.h"

static inline void add(struct talk *talk, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int more = vsnprintf(talk->text + talk->length, sizeof talk->text - talk->length, format, values);
    va_end(values);
    assert_true(more >= 0 && talk->length + (size_t)more < sizeof talk->text);
    talk->length += (size_t)more;
}

static inline void add_word(struct talk *talk, const char *const *names, uint8_t word, uint8_t class)
{
    if (word != SR_NO_WORD)
        add(talk, " %s/%u", names[word], class);
}

static inline void add_time(struct talk *talk, const char *name, int64_t time_ns)
{
    if (time_ns != SR_NO_TIME)
        add(talk, " %s %lld", name, (long long)(time_ns >= TALK_NS / 2 ? time_ns - TALK_NS : time_ns));
}

static inline void add_number(struct talk *talk, const char *name, uint64_t number)
{
    if (number != 0)
        add(talk, " %s %llu", name, (unsigned long long)number);
}

static inline void add_sent(struct talk *talk, const struct sr_transmission_row *row)
{
    add(talk, "%s", sr_kind_names[row->kind]);
    add_word(talk, sr_cause_names, row->cause, row->cause_class);
    add_number(talk, "at", row->trigger_frame);
    add_word(talk, sr_probe_names, row->probe, row->probe_class);
    add_word(talk, sr_verdict_names, row->verdict, row->verdict_class);
    for (unsigned code = 0; code < SR_EVIDENCE_COUNT; code++)
        if (row->evidence >> code & 1)
            add(talk, " %s", sr_evidence_names[code]);
    add_word(talk, sr_outcome_names, row->outcome, row->outcome_class);
    add_number(talk, "by", row->acked_frame);
}

/* Of one chunk with data of side A, like "retransmission fast/3 at 9 needed/4 K1 acked/4 by 12". */
static inline void check_sent(struct talk *talk, uint32_t tsn, uint32_t copy, const char *expected)
{
    talk->length = 0;
    add_sent(talk, row_of(talk, tsn, copy));
    if (strcmp(talk->text, expected) != 0)
        fail_msg("TSN %u, copy %u:\n  %s\nnot\n  %s", tsn, copy, talk->text, expected);
}

static inline void add_transmissions(struct talk *talk, const struct sr_journal *journal)
{
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        add(talk, "sent %u %s tsn %u copy %u ", row->frame, row->from == A ? "a" : "b", row->tsn, row->copy);
        add_sent(talk, row);
        add_number(talk, "resolved", row->resolved_frame);
        add_time(talk, "ns", row->acked_time_ns);
        add(talk, "\n");
    }
}

static inline void add_sacks(struct talk *talk, const struct sr_journal *journal)
{
    for (uint64_t i = 0; i < journal->sacks.count; i++) {
        const struct sr_sack_row *row = sr_sack_at(journal, i);
        add(talk, "sack %u cum %u new %u malformed %x queue %u needs %u", row->frame, row->cum_tsn, row->newly_acked,
            row->malformed, row->rtxq_bytes, row->rtxq_necessary_bytes);
        add_time(talk, "rtt", row->rtt_ns);
        if (row->rtt_tag != SR_NO_WORD)
            add(talk, " %s", sr_rtt_tag_names[row->rtt_tag]);
        add(talk, "%s%s", row->stale ? " stale" : "", row->truncated ? " truncated" : "");
        if (row->reneged_count > 0) {
            const uint32_t *tsns = sr_spool_at(&journal->judged, row->reneged);
            add(talk, " takes back/%u", row->reneged_class);
            for (uint32_t j = 0; j < row->reneged_count; j++)
                add(talk, " %u", tsns[j]);
        }
        add(talk, "\n");
    }
}

static inline void add_tables(struct talk *talk, const struct sr_judgement *judgement)
{
    for (uint64_t i = 0; i < judgement->rtt_samples.count; i++) {
        const struct sr_rtt_sample_row *row = sr_spool_visit(&judgement->rtt_samples, i);
        add(talk, "sample %u of %u path %u %lld %s\n", row->frame, row->from, row->path, (long long)row->rtt_ns,
            sr_rtt_tag_names[row->tag]);
    }
    for (uint64_t i = 0; i < judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *row = sr_spool_visit(&judgement->rack_marks, i);
        add(talk, "mark tsn %u copy %u frame %u by %u sender %u profile %u %s %s", row->tsn, row->copy, row->frame,
            row->by_frame, row->sender, row->profile, sr_trigger_names[row->trigger],
            sr_resolution_names[row->resolution]);
        add_time(talk, "at", row->time_ns);
        add_time(talk, "lead", row->sender_lead_ns);
        add_time(talk, "window", row->reo_wnd_ns);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->rack_state.count; i++) {
        const struct sr_rack_state_row *row = sr_spool_visit(&judgement->rack_state, i);
        add(talk, "state %u profile %u tsn %u flight %llu of %llu%s%s", row->frame, row->profile, row->rack_tsn,
            (unsigned long long)row->flight_bytes, (unsigned long long)row->cwnd_hint_bytes,
            row->reordering_seen ? " reorders" : "", row->in_recovery ? " recovers" : "");
        add_time(talk, "srtt", row->srtt_ns);
        add_time(talk, "least", row->min_rtt_ns);
        add_time(talk, "rack", row->rack_rtt_ns);
        add_time(talk, "sent", row->rack_xmit_ns);
        add_time(talk, "window", row->reo_wnd_ns);
        add_time(talk, "rto", row->rto_ns);
        add_time(talk, "pto", row->pto_ns);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->probes.count; i++) {
        const struct sr_probe_row *row = sr_spool_visit(&judgement->probes, i);
        add(talk, "probe tsn %u frame %u %s/%u %s", row->tsn, row->frame, sr_probe_names[row->kind], row->class,
            sr_probe_outcome_names[row->outcome]);
        add_time(talk, "from", row->anchor_ns);
        add_time(talk, "pto", row->pto_ns);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->storms.count; i++) {
        const struct sr_storm_row *row = sr_spool_visit(&judgement->storms, i);
        add(talk, "storm frame %u: %u again, %u spurious, %u recent, %u avoidable, %llu bytes wasted in %lld\n",
            row->frame, row->retransmissions, row->spurious, row->recent, row->avoidable,
            (unsigned long long)row->bytes_wasted, (long long)row->duration_ns);
    }
    for (uint64_t i = 0; i < judgement->counts.count; i++) {
        const struct sr_count_row *row = sr_spool_visit(&judgement->counts, i);
        add(talk, "count of %u %u %u: %llu of %llu TSNs, %llu bytes\n", row->from, row->what, row->word,
            (unsigned long long)row->transmissions, (unsigned long long)row->tsns, (unsigned long long)row->bytes);
    }
    for (uint64_t i = 0; i < judgement->paths.count; i++) {
        const struct sr_path_row *row = sr_spool_visit(&judgement->paths, i);
        add(talk, "path %u of %u", row->path, row->from);
        add_word(talk, sr_vantage_names, row->vantage, row->vantage_class);
        add_word(talk, sr_profile_names, row->profile, 0);
        if (row->profile_score >= 0)
            add(talk, " explains %.3f", (double)row->profile_score);
        add_word(talk, sr_answer_names, row->sender_has_rack, 0);
        add_word(talk, sr_answer_names, row->dup_capable, 0);
        add_time(talk, "loop", row->loop_lo_ns);
        add_time(talk, "to", row->loop_hi_ns);
        add_time(talk, "srtt", row->srtt_ns);
        add_time(talk, "least", row->min_rtt_ns);
        add_time(talk, "rto", row->rto_ns);
        add_number(talk, "reordered", row->reordering_max_tsn);
        add_number(talk, "by", (uint64_t)row->reordering_max_ns);
        add_number(talk, "told", row->told);
        add(talk, "\n");
    }
}

static inline void add_figures(struct talk *talk, int from)
{
    const struct sr_direction_figures *figures = sr_engine_figures(talk->engine, 0, (unsigned)from);
    if (!figures)
        return;
    add(talk, "figures of %d use %.0f/%.0f in loss %.0f/%.0f", from, figures->use.necessary_ns, figures->use.busy_ns,
        figures->use_in_loss.necessary_ns, figures->use_in_loss.busy_ns);
    const struct {
        const char *name;
        uint64_t number;
    } numbers[] = {
        {"acked", figures->acked_tsns},
        {"bytes", figures->acked_bytes},
        {"abandoned", figures->abandoned_tsns},
        {"unseen", figures->unseen_tsns},
        {"unseen at", figures->unseen_frame},
        {"withdrawn", figures->withdrawn_tsns},
        {"proven", figures->withdrawn_proven_tsns},
        {"withdrawn at", figures->withdrawn_frame},
        {"beyond", figures->withdrawn_beyond},
        {"withdrawn resent", figures->withdrawn_resent},
        {"marks left out", figures->marks_left_out},
        {"queued", figures->queued_bytes},
        {"necessary", figures->necessary_bytes},
        {"sacks of 1", figures->sacks_of_packets[0]},
        {"of 2", figures->sacks_of_packets[1]},
        {"of 3", figures->sacks_of_packets[2]},
        {"of more", figures->sacks_of_packets[3]},
        {"lost", figures->lost_tsns},
        {"inverted", figures->inverted},
        {"inverted at", figures->inverted_frame},
        {"steps", figures->clock_steps},
        {"step at", figures->clock_step_frame},
        {"step of", (uint64_t)figures->clock_step_ns},
        {"duplicates", figures->capture_duplicates},
        {"duplicate at", figures->capture_duplicate_frame},
        {"stale", figures->stale_sacks},
        {"stale at", figures->stale_frame},
        {"truncated", figures->truncated_sacks},
        {"truncated at", figures->truncated_frame},
        {"blocks", figures->truncated_blocks},
        {"closed", figures->zero_windows},
        {"closed at", figures->zero_window_frame},
        {"opened at", figures->zero_window_end_frame},
        {"closed for", (uint64_t)figures->zero_window_longest_ns},
        {"last data at", figures->last_data_frame},
        {"again at the end", figures->sent_again_since_feedback},
        {"overdue", figures->overdue_tsns},
        {"overdue at", figures->overdue_frame},
        {"silent", figures->silent_paths},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(talk, numbers[i].name, numbers[i].number);
    for (uint32_t i = 0; i < figures->silent_paths && i < SR_SILENT_PATHS; i++)
        add(talk, " path %u: %u from %u", figures->silent[i].path, figures->silent[i].heartbeats,
            figures->silent[i].frame);
    add_time(talk, "first data", figures->first_data_ns);
    add_time(talk, "last data", figures->last_data_ns);
    add_time(talk, "last acked", figures->last_acked_ns);
    add_time(talk, "longest delay", figures->delay_longest_ns);
    add_time(talk, "base", figures->delay_base_ns);
    add_time(talk, "rto", figures->rto_ns);
    add(talk, "\n");
}

/* All of it, into its text. */
static inline void tell_all(struct talk *talk)
{
    judge(talk);
    talk->length = 0;
    add_transmissions(talk, sr_engine_journal(talk->engine));
    add_sacks(talk, sr_engine_journal(talk->engine));
    add_tables(talk, sr_engine_judgement(talk->engine));
    add_figures(talk, A);
    add_figures(talk, B);
}

static inline void add_parameters(struct talk *talk, const struct sr_path_row *row)
{
    add(talk, "parameters of %u", row->path);
    add_time(talk, "fitted", row->loop_fitted_ns);
    add_time(talk, "first rto", row->rto_initial_lo_ns);
    add_time(talk, "to", row->rto_initial_hi_ns);
    add_time(talk, "least rto", row->rto_min_lo_ns);
    add_time(talk, "to", row->rto_min_hi_ns);
    add_time(talk, "most rto", row->rto_max_lo_ns);
    add_time(talk, "to", row->rto_max_hi_ns);
    add_time(talk, "delay", row->sack_delay_lo_ns);
    add_time(talk, "to", row->sack_delay_hi_ns);
    add(talk, " times %.3f to %.3f of %u %u %u %u %u", (double)row->rto_backoff_lo, (double)row->rto_backoff_hi,
        row->rto_initial_count, row->rto_min_count, row->rto_max_count, row->rto_backoff_count, row->sack_delay_count);
    add(talk, " packets %u to %u of %u reports %u to %u of %u known %u\n", row->sack_frequency_lo,
        row->sack_frequency_hi, row->sack_frequency_count, row->missing_reports_lo, row->missing_reports_hi,
        row->missing_reports_count, row->sender_known);
}

static inline void add_limits(struct talk *talk, const struct sr_judgement *judgement)
{
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *row = sr_spool_visit(&judgement->limits, i);
        add(talk, "limit of %u from %u to %u %u/%u bytes %llu of %llu", row->from, row->begin_frame, row->end_frame,
            row->limit, row->limit_class, (unsigned long long)row->bytes, (unsigned long long)row->outstanding_bytes);
        add_time(talk, "from", row->begin_ns);
        add_time(talk, "to", row->end_ns);
        add_time(talk, "window", row->a_rwnd);
        add_time(talk, "held", row->held_ns);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->windows.count; i++) {
        const struct sr_window_row *row = sr_spool_visit(&judgement->windows, i);
        add(talk, "window of %u from %u to %u bytes %llu acked %llu in %u %u as %u", row->from, row->begin_frame,
            row->end_frame, (unsigned long long)row->outstanding_bytes, (unsigned long long)row->acked_bytes,
            row->packets, row->chunks, row->cwnd_profile);
        add_time(talk, "from", row->begin_ns);
        add_time(talk, "to", row->end_ns);
        add_time(talk, "window", row->a_rwnd);
        add_time(talk, "most", row->a_rwnd_most);
        add_time(talk, "cwnd", row->cwnd_least);
        add_time(talk, "most", row->cwnd_most);
        add_time(talk, "ssthresh", row->ssthresh);
        add(talk, "\n");
    }
}

/* What `tell_all` leaves out, behind that. */
static inline void tell_rest(struct talk *talk)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        add(talk, "sent %u by gap %u", row->frame, row->acked_by_gap);
        add_number(talk, "twice at", row->dup_frame);
        add_number(talk, "first at", row->first_frame);
        add_number(talk, "before at", row->prev_frame);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *row = sr_spool_visit(&judgement->rack_marks, i);
        add(talk, "mark of %u path %u", row->from, row->path);
        add_time(talk, "rack", row->rack_rtt_ns);
        add_time(talk, "least", row->min_rtt_ns);
        add(talk, "\n");
    }
    for (uint64_t i = 0; i < judgement->paths.count; i++)
        add_parameters(talk, sr_spool_visit(&judgement->paths, i));
    add_limits(talk, judgement);
}

/* Its text is what talks/NAME.rows has. Those files are written again by SCTP_RACK_TALKS=write; read git diff before
 * you commit. */
static inline void check_text(struct talk *talk, const char *name)
{
    const char *here = __FILE__;
    char path[4096];
    snprintf(path, sizeof path, "%.*stalks/%s.rows", (int)(strlen(here) - strlen("talk_text.h")), here, name);
    const char *wish = getenv("SCTP_RACK_TALKS");
    FILE *file = fopen(path, wish && strcmp(wish, "write") == 0 ? "wb" : "rb");
    assert_non_null(file);
    if (wish && strcmp(wish, "write") == 0) {
        assert_int_equal(fwrite(talk->text, 1, talk->length, file), talk->length);
    } else {
        char *expected = calloc(1, TALK_TEXT);
        assert_non_null(expected);
        expected[fread(expected, 1, TALK_TEXT - 1, file)] = '\0';
        const char *said = talk->text, *wanted = expected;
        while (*said && *said == *wanted)
            said++, wanted++;
        while (said > talk->text && said[-1] != '\n')
            said--, wanted--;
        if (*said || *wanted)
            fail_msg("%s:\n  %.*s\nnot\n  %.*s", path, (int)strcspn(said, "\n"), said, (int)strcspn(wanted, "\n"),
                     wanted);
        free(expected);
    }
    fclose(file);
}

static inline void check_all(struct talk *talk, const char *name)
{
    tell_all(talk);
    check_text(talk, name);
    talk_free(talk);
}

/* FNV-1a of its text. */
static inline uint64_t digest_of(const struct talk *talk)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < talk->length; i++)
        digest = (digest ^ (uint8_t)talk->text[i]) * UINT64_C(0x100000001b3);
    return digest;
}

#endif
