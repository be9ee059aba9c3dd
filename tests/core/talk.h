/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test lets two hosts talk past a tap, and reads what is said of it. Times are microseconds of the tap's clock
 * since the talk began. */
#ifndef SR_TESTS_TALK_H
#define SR_TESTS_TALK_H

#include <stdio.h>

#include "bytes_builder.h"

#include "engine/engine.h"
#include "journal/judgement.h"
#include "wire/time.h"

enum { A, B }; /* sides: A asks for the association, and sends data unless another is named */
enum { TALK_TAG = 0xa0, TALK_BEGAN_S = 1600000000, TALK_TEXT = 1 << 19, TALK_WINDOW = 100000 };

#define US INT64_C(1000)
#define TALK_NS (TALK_BEGAN_S * INT64_C(1000000000))

struct talk {
    struct sr_engine *engine;
    uint32_t frame;
    uint16_t id[2];     /* of the packet before, each side its own; 0 stays: it says nothing */
    uint8_t counts[2];  /* by so many from packet to packet; the host of B sends others in between */
    uint8_t address[2]; /* last byte of the host's */
    uint8_t hop_limit[2];
    uint16_t bytes; /* of user data in a chunk */
    uint32_t a_rwnd;
    uint8_t flags; /* of chunks with data */
    uint8_t sack_flags;
    uint32_t content; /* of user data: another one is another chunk under the same TSN */
    bool fragmentable, broken, cut;
    uint32_t snaplen[2]; /* of the packets of each side; 0: all of them */
    size_t length;
    char text[TALK_TEXT]; /* what is said of it */
};

static inline struct talk *talk_told(struct sr_told told)
{
    struct talk *talk = calloc(1, sizeof *talk);
    struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1, .judges = true, .told = told};
    assert_non_null(talk);
    talk->engine = sr_engine_new(&options);
    assert_non_null(talk->engine);
    talk->id[A] = talk->id[B] = 100;
    talk->counts[A] = 1;
    talk->counts[B] = 2;
    talk->address[A] = 1;
    talk->address[B] = 2;
    talk->bytes = 1000;
    talk->a_rwnd = TALK_WINDOW;
    talk->flags = 3;
    return talk;
}

static inline struct talk *talk_new(void)
{
    return talk_told((struct sr_told){.loop = false});
}

static inline void talk_free(struct talk *talk)
{
    sr_engine_free(talk->engine);
    free(talk);
}

static inline uint32_t captured_of(const struct talk *talk, int from, uint32_t length)
{
    uint32_t captured = length - (talk->cut ? 4 : 0), most = talk->snaplen[from];
    return most != 0 && most < captured ? most : captured;
}

/* A packet of side `from`; without a tag where it is an INIT. */
static inline void say_with(struct talk *talk, int64_t at_us, int from, const struct bytes *chunks, bool init)
{
    struct bytes packet = {0};
    put_common_header(&packet, from == A ? 5000 : 6000, from == A ? 6000 : 5000, init ? 0 : TALK_TAG + 1u - from);
    put(&packet, chunks->at, chunks->length);
    seal(&packet, 0);
    if (talk->broken)
        packet.at[8] ^= 1;
    uint8_t *bytes = exact(packet.at, packet.length);
    if (talk->id[from] != 0)
        talk->id[from] = (uint16_t)(talk->id[from] + talk->counts[from]);
    struct sr_packet as_packet = {
        .frame = ++talk->frame,
        .time_ns = TALK_NS + at_us * US,
        .src = {{10, 0, 0, talk->address[from]}, 4},
        .dst = {{10, 0, 0, talk->address[1 - from]}, 4},
        .id = talk->id[from],
        .hop_limit = talk->hop_limit[from],
        .fragmentable = talk->fragmentable,
        .bytes = bytes,
        .captured = captured_of(talk, from, (uint32_t)packet.length),
        .wire = (uint32_t)packet.length,
    };
    assert_true(sr_engine_packet(talk->engine, &as_packet));
    free_exact(bytes, packet.length);
}

static inline void say(struct talk *talk, int64_t at_us, int from, const struct bytes *chunks)
{
    say_with(talk, at_us, from, chunks, false);
}

static inline void put_chunk(struct talk *talk, struct bytes *to, uint32_t tsn)
{
    size_t start = begin_chunk(to, SR_CHUNK_DATA, talk->flags);
    put32(to, tsn);
    put16s(to, 2, 1u, tsn & 0xffff);
    put32(to, 51);
    put32(to, tsn + talk->content);
    put_zeros(to, talk->bytes - 4u);
    end_chunk(to, start);
}

/* A packet with `count` chunks from `tsn` on. */
static inline void data_of(struct talk *talk, int64_t at_us, int from, uint32_t tsn, uint32_t count)
{
    struct bytes chunks = {0};
    for (uint32_t i = 0; i < count; i++)
        put_chunk(talk, &chunks, tsn + i);
    say(talk, at_us, from, &chunks);
}

static inline void data(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    data_of(talk, at_us, A, tsn, 1);
}

/* `count` packets, so far apart. */
static inline void flight(struct talk *talk, int64_t at_us, uint32_t tsn, uint32_t count, int64_t apart_us)
{
    for (uint32_t i = 0; i < count; i++)
        data(talk, at_us + i * apart_us, tsn + i);
}

/* A SACK of side `from`, or an NR-SACK where a block begins with n. `also` has its blocks in TSNs, like "7-9 12", and
 * its duplicates, like "d5". */
static inline void sack_of(struct talk *talk, int64_t at_us, int from, uint32_t cum, const char *also)
{
    struct bytes chunk = {0};
    uint32_t block[2][64][2], counts[2] = {0, 0}, dups[64], dup_count = 0;
    bool nr = strchr(also, 'n') != NULL;
    for (const char *at = also; *at;) {
        char *end;
        bool dup = *at == 'd', kept = *at == 'n';
        uint32_t first = (uint32_t)strtoul(at + (dup || kept), &end, 10), last = first;
        if (*end == '-')
            last = (uint32_t)strtoul(end + 1, &end, 10);
        if (dup) {
            dups[dup_count++] = first;
        } else {
            block[kept][counts[kept]][0] = first - cum;
            block[kept][counts[kept]++][1] = last - cum;
        }
        at = *end == ' ' ? end + 1 : end;
    }
    size_t start = begin_chunk(&chunk, nr ? SR_CHUNK_NR_SACK : SR_CHUNK_SACK, talk->sack_flags);
    put32s(&chunk, 2, cum, talk->a_rwnd);
    if (nr)
        put16s(&chunk, 4, counts[0], counts[1], dup_count, 0u);
    else
        put16s(&chunk, 2, counts[0], dup_count);
    for (int kept = 0; kept < 2; kept++)
        for (uint32_t i = 0; i < counts[kept]; i++)
            put16s(&chunk, 2, block[kept][i][0], block[kept][i][1]);
    for (uint32_t i = 0; i < dup_count; i++)
        put32(&chunk, dups[i]);
    end_chunk(&chunk, start);
    say(talk, at_us, from, &chunk);
}

static inline void sack(struct talk *talk, int64_t at_us, uint32_t cum, const char *also)
{
    sack_of(talk, at_us, B, cum, also);
}

/* A chunk with these numbers of 32 bits. */
static inline void control(struct talk *talk, int64_t at_us, int from, uint8_t type, int count, ...)
{
    struct bytes chunk = {0};
    va_list values;
    size_t start = begin_chunk(&chunk, type, 0);
    va_start(values, count);
    for (int i = 0; i < count; i++)
        put32(&chunk, va_arg(values, uint32_t));
    va_end(values);
    end_chunk(&chunk, start);
    say(talk, at_us, from, &chunk);
}

static inline void heartbeat(struct talk *talk, int64_t at_us, int from, bool answer, uint32_t information)
{
    control(talk, at_us, from, answer ? SR_CHUNK_HEARTBEAT_ACK : SR_CHUNK_HEARTBEAT, 2, 0x00010008u, information);
}

static inline void forward_tsn(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    control(talk, at_us, A, SR_CHUNK_FORWARD_TSN, 1, tsn);
}

/* A PACKET-DROP chunk of side B that has the packet with this TSN. */
static inline void packet_drop(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_PACKET_DROP, 0);
    put32s(&chunk, 2, 100000u, 0u);
    put16s(&chunk, 2, 0u, 0u);
    put_common_header(&chunk, 5000, 6000, TALK_TAG + 1);
    put_chunk(talk, &chunk, tsn);
    end_chunk(&chunk, start);
    say(talk, at_us, B, &chunk);
}

/* INIT or INIT ACK, as pion writes it or as others do; TSNs begin at 1 for side A, at 1000 for side B. */
static inline void init(struct talk *talk, int64_t at_us, int from, bool pion)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, from == A ? SR_CHUNK_INIT : SR_CHUNK_INIT_ACK, 0);
    put32s(&chunk, 2, TALK_TAG + (uint32_t)from, (uint32_t)TALK_WINDOW);
    put16s(&chunk, 2, pion ? 0xffffu : 10u, pion ? 0xffffu : 10u);
    put32(&chunk, from == A ? 1 : 1000);
    size_t element = begin_element(&chunk, pion ? 0x8008 : 0xc000);
    if (pion)
        put16s(&chunk, 1, 0xc082u); /* FORWARD-TSN, RE-CONFIG */
    end_element(&chunk, element);
    end_chunk(&chunk, start);
    say_with(talk, at_us, from, &chunk, from == A);
}

/* From 0 on; so long it takes from the tap to side A and back, and to side B and back. */
static inline void shake_hands(struct talk *talk, int64_t sender_us, int64_t receiver_us, bool pion)
{
    init(talk, 0, A, pion);
    init(talk, receiver_us, B, pion);
    control(talk, receiver_us + sender_us, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * receiver_us + sender_us, B, SR_CHUNK_COOKIE_ACK, 0);
}

/* From 1 s on, `count` packets alone from TSN 1 on, each acknowledged a loop later; a tenth of a second apart. */
static inline int64_t warm_up(struct talk *talk, uint32_t count, int64_t receiver_us)
{
    int64_t at_us = 1000000;
    for (uint32_t i = 1; i <= count; i++, at_us += 100000) {
        data(talk, at_us, i);
        sack(talk, at_us + receiver_us, i, "");
    }
    return at_us;
}

/* Behind a handshake and eight packets alone, side A so long from the tap and back, and side B. */
static inline struct talk *talk_after_eight(int64_t sender_us, int64_t receiver_us, bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, sender_us, receiver_us, pion);
    warm_up(talk, 8, receiver_us);
    return talk;
}

static inline void judge(struct talk *talk)
{
    assert_true(sr_engine_judge(talk->engine));
}

static inline const struct sr_transmission_row *row_of(const struct talk *talk, uint32_t tsn, uint32_t copy)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (row->tsn == tsn && row->copy == copy && row->from == A && row->kind != SR_KIND_CAPTURE_DUPLICATE)
            return row;
    }
    fail_msg("TSN %u was not sent %u times", tsn, copy);
    return NULL;
}

/* ---- what is said, as text ---- */

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

static inline const struct sr_direction_figures *figures_of(const struct talk *talk, int from)
{
    const struct sr_direction_figures *figures = sr_engine_figures(talk->engine, 0, (unsigned)from);
    assert_non_null(figures);
    return figures;
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
    snprintf(path, sizeof path, "%.*stalks/%s.rows", (int)(strlen(here) - strlen("talk.h")), here, name);
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
