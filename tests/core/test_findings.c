/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know: each kind of finding of a conversation that has it, and how many are kept. That the
 * sentences are those of Python is tested where both are (tests/plugin/test_findings.py, tests/page/test_findings.py).
 */
#include "talk.h"

#include "books/figures.h"
#include "findings/find.h"

enum { WAY_US = 20000, SENDER_US = 100, MANY = 8, S = 1000000 };

static struct talk *at_sender(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, MANY, WAY_US);
    return talk;
}

static bool in_scope(const void *scope, uint32_t assoc)
{
    return *(const uint32_t *)scope == assoc;
}

static uint8_t needed(const void *overrides, const struct sr_transmission_row *row)
{
    (void)overrides;
    (void)row;
    return SR_VERDICT_NEEDED;
}

/* Severity, kind and frames of each finding, worst first: in the text of the talk. */
static const char *told_of(struct talk *talk, struct sr_findings_asked asked)
{
    struct sr_findings findings = {0};
    asked.engine = talk->engine;
    assert_true(sr_findings_find(&findings, &asked));
    talk->length = 0;
    add(talk, "%s", "");
    for (uint32_t i = 0; i < sr_findings_count(&findings); i++) {
        const struct sr_finding_told *one = sr_findings_at(&findings, i);
        add(talk, "%s%s %s", i > 0 ? "; " : "", sr_severity_names[one->severity], sr_finding_names[one->code]);
        for (uint32_t at = 0; at < one->look.count; at++)
            add(talk, " %u", one->look.frames[at]);
        add_number(talk, "others", one->others);
    }
    sr_findings_free(&findings);
    return talk->text;
}

static const struct sr_findings_asked all = {.latest_ns = TALK_NS + 30 * INT64_C(1000000000)};

/* All that is said of it. */
static void expect(struct talk *talk, const char *expected)
{
    judge(talk);
    assert_string_equal(told_of(talk, all), expected);
    talk_free(talk);
}

static void of_a_quiet_conversation_nothing_is_said(void **state)
{
    (void)state;
    expect(at_sender(), "");
}

/* Five chunks from TSN 9 on are late; their timeout sends all again. */
static struct talk *storm(void)
{
    struct talk *talk = at_sender();
    flight(talk, 3 * S, 9, 5, 1000);
    data(talk, 4 * S, 9);
    sack(talk, 4100000, 10, "");
    flight(talk, 4100100, 11, 3, 100);
    sack(talk, 4101000, 13, "");
    sack(talk, 4 * S + 100000 + WAY_US, 13, "d9");
    sack(talk, 4100200 + WAY_US, 13, "d11 d12");
    sack(talk, 4100400 + WAY_US, 13, "d13");
    return talk;
}

static void a_timeout_that_sends_again_what_comes_late(void **state)
{
    (void)state;
    expect(storm(), "warning spurious_storm 26 28 29 30; note stall 21");
}

static void what_the_user_knows_better_counts(void **state)
{
    (void)state;
    struct talk *talk = storm();
    judge(talk);
    assert_string_equal(told_of(talk, (struct sr_findings_asked){.latest_ns = SR_NO_TIME, .verdict_of = needed}),
                        "warning tail_loss_timeout 26");
    talk_free(talk);
}

static void of_an_association_that_is_not_asked_for_nothing_is_said(void **state)
{
    (void)state;
    struct talk *talk = storm();
    uint32_t wanted = 0;
    struct sr_findings_asked asked = {.latest_ns = SR_NO_TIME, .in_scope = in_scope, .scope = &wanted};
    judge(talk);
    assert_true(strlen(told_of(talk, asked)) > 0);
    wanted = 1;
    assert_string_equal(told_of(talk, asked), "");
    talk_free(talk);
}

/* Whether a copy arrived is known of a receiver that reports duplicates, as that of the storm. How long the last chunk
 * waited is said of the tail, and not again of a stall. */
static void a_tail_and_a_retransmission_are_lost(void **state)
{
    (void)state;
    struct talk *talk = storm();
    flight(talk, 5 * S, 14, 2, 1000);
    sack(talk, 5 * S + WAY_US, 14, "");
    data(talk, 6 * S, 15);
    data(talk, 8 * S, 15);
    sack(talk, 8 * S + WAY_US, 15, "");
    data(talk, 9 * S, 16);
    data(talk, 10 * S, 16);
    sack(talk, 10 * S + WAY_US, 16, "");
    expect(
        talk,
        "warning spurious_storm 26 28 29 30; warning lost_retransmission_timeout 39; warning tail_loss_timeout 38 42; "
        "warning stall 21 36");
}

static void a_chunk_is_overtaken(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    flight(talk, 3 * S, 9, 5, 1000);
    sack(talk, 3 * S + 1000 + WAY_US, 8, "10");
    sack(talk, 3 * S + 2000 + WAY_US, 8, "10-11");
    sack(talk, 3 * S + 3000 + WAY_US, 8, "10-12");
    data(talk, 3 * S + 3050 + WAY_US, 9);
    sack(talk, 3 * S + 4000 + WAY_US, 13, "");
    sack(talk, 3 * S + 3050 + 2 * WAY_US, 13, "d9");
    expect(talk, "warning reordering_retransmits 29");
}

static void a_timer_is_shorter_than_the_delay_of_a_sack(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    data(talk, 3 * S, 9);
    data(talk, 3 * S + 150000, 9);
    sack(talk, 3 * S + 160000, 9, "");
    sack(talk, 3 * S + 150000 + WAY_US, 9, "d9");
    expect(talk, "warning timer_before_sack 22");
}

static void a_receiver_takes_back_and_closes_its_window(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    flight(talk, 3 * S, 9, 5, 1000);
    sack(talk, 3002000 + WAY_US, 8, "10-11");
    sack(talk, 3004000 + WAY_US, 8, "10-13");
    sack(talk, 3006000 + WAY_US, 8, "10");
    sack(talk, 3007000 + WAY_US, 8, "10");
    data(talk, 3007100 + WAY_US, 9);
    flight(talk, 3100000, 11, 3, 1000);
    sack(talk, 3007100 + 2 * WAY_US, 10, "");
    talk->a_rwnd = 0;
    sack(talk, 3102000 + WAY_US, 13, "");
    talk->a_rwnd = TALK_WINDOW;
    sack(talk, 5 * S, 13, "");
    expect(talk, "warning zero_window 35 36; warning reneging 28");
}

static void a_sender_falls_silent(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    data(talk, 3 * S, 9);
    data(talk, 4 * S, 9);
    expect(talk, "warning stuck_sender 22");
}

static void what_is_wrong_with_packets(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    struct bytes chunk = {0};
    data(talk, 3 * S, 9);
    sack(talk, 3 * S + WAY_US, 9, "");
    talk->content = 7;
    data(talk, 3200000, 9);
    talk->content = 0;
    talk->broken = true;
    data(talk, 3300000, 10);
    talk->broken = false;
    size_t start = begin_chunk(&chunk, SR_CHUNK_SACK, 0);
    put32(&chunk, 9);
    end_chunk(&chunk, start);
    say(talk, 3400000, B, &chunk);
    sack(talk, 3500000, 9, "14-12");
    talk->ip_id[B]--;
    sack(talk, 3500010, 9, "14-12");
    expect(talk, "warning bad_checksum 24; warning conflicting_tsns 23; warning malformed_chunks 25; warning "
                 "malformed_sacks 26; warning stuck_sender 24; note capture_duplicates 27");
}

static void what_the_capture_misses(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    data(talk, 3 * S, 9);
    data(talk, 3001000, 11);
    sack(talk, 3001000 + WAY_US, 11, "");
    data(talk, 3100000, 2000000);
    expect(talk, "warning capture_loss 23; note unseen_tsns 1");
}

static void only_one_direction_was_captured(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    flight(talk, 3 * S, 9, 2, 1000);
    expect(talk, "warning one_way 1");
}

/* A chunk of causes, each without a value. */
static void causes(struct talk *talk, int64_t at_us, int from, uint8_t type, uint8_t flags, int count, ...)
{
    struct bytes chunk = {0};
    va_list codes;
    size_t start = begin_chunk(&chunk, type, flags);
    va_start(codes, count);
    for (int i = 0; i < count; i++)
        put16s(&chunk, 2, va_arg(codes, unsigned), 4u);
    va_end(codes);
    end_chunk(&chunk, start);
    say(talk, at_us, from, &chunk);
}

static void an_init_is_not_answered(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    init(talk, 0, A, false);
    init(talk, S, A, false);
    expect(talk, "warning unanswered_init 1");
}

/* T1 has not expired yet. */
static void an_init_may_still_be_answered(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    init(talk, 0, A, false);
    judge(talk);
    struct sr_findings_asked soon = {.latest_ns = TALK_NS + 999999999}, late = {.latest_ns = TALK_NS + 1000000000};
    assert_string_equal(told_of(talk, soon), "");
    assert_string_equal(told_of(talk, late), "warning unanswered_init 1");
    talk_free(talk);
}

static void an_init_is_refused(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    init(talk, 0, A, false);
    causes(talk, WAY_US, B, SR_CHUNK_ABORT, 0, 0);
    expect(talk, "warning refused_init 1");
}

/* Once with an INIT ACK alone, once with a COOKIE ECHO, too. */
static void a_handshake_is_never_completed(void **state)
{
    (void)state;
    for (int echoes = 0; echoes < 2; echoes++) {
        struct talk *talk = talk_new();
        init(talk, 0, A, false);
        init(talk, WAY_US, B, false);
        for (int i = 0; i < echoes; i++)
            control(talk, WAY_US + 100, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
        expect(talk, "warning incomplete_handshake 1");
    }
}

/* Of an application that closed it, with and without data outstanding, and of a host that knows none. */
static void an_association_is_aborted(void **state)
{
    (void)state;
    static const struct {
        bool outstanding;
        uint8_t flags;
        unsigned cause;
        const char *told;
    } cases[] = {
        {false, 0, 12, "note abort 21"},
        {true, 0, 12, "warning abort 22"},
        {false, 0, 13, "warning abort 21"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk *talk = at_sender();
        if (cases[i].outstanding)
            data(talk, 3 * S, 9);
        causes(talk, 3 * S + 1000, A, SR_CHUNK_ABORT, cases[i].flags, 1, cases[i].cause);
        expect(talk, cases[i].told);
    }
}

static void causes_of_error_chunks(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    causes(talk, 3 * S, B, SR_CHUNK_ERROR, 0, 6, 3u, 6u, 100u, 101u, 102u, 103u);
    causes(talk, 4 * S, B, SR_CHUNK_ERROR, 0, 1, 3u);
    expect(talk,
           "warning error_causes 21; warning error_causes 21; warning error_causes 21; note error_causes 21; note "
           "error_causes 1");
}

static void heartbeats_are_not_answered(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    talk->address[A] = 3;
    heartbeat(talk, 3 * S, A, false, 1);
    heartbeat(talk, 4 * S, A, false, 2);
    sack(talk, 10 * S, MANY, "");
    expect(talk, "warning unanswered_heartbeats 21");
}

/* Out of reach, and again near it. */
static void numbering_begins_anew(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    flight(talk, 3 * S, 9 + (1u << 30), 2, 1000);
    sack(talk, 3 * S + WAY_US, 10 + (1u << 30), "");
    expect(talk, "note numbering_jumps 1");
}

/* What has passed one comes to the other later; the way back is longer. */
static void a_capture_was_merged_of_two_places(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        int64_t at_us = tsn * S;
        data(talk, at_us, tsn);
        talk->ip_id[A]--;
        data(talk, at_us + WAY_US / 2, tsn);
        sack(talk, at_us + WAY_US / 2 + 100, tsn, "");
        talk->ip_id[B]--;
        sack(talk, at_us + WAY_US + 2000, tsn, "");
    }
    expect(talk, "warning two_taps 1; note capture_duplicates 6; note capture_duplicates 8");
}

static void packets_without_data_were_filtered_out(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    for (uint32_t i = 0; i < 5; i++) {
        data_of(talk, i * S, A, 1 + i, 1);
        data_of(talk, i * S + WAY_US, B, 1000 + i, 1);
    }
    expect(talk, "warning filtered 1 2");
}

static void marks_are_left_out(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    judge(talk);
    sr_figures_kept(sr_engine_judgement(talk->engine), 0)->marks_left_out = 1;
    assert_string_equal(told_of(talk, all), "warning mark_limit");
    talk_free(talk);
}

/* Its retransmission comes, and so had what was sent before: a SACK that acknowledges that came late. */
static void a_receiver_reports_no_duplicates(void **state)
{
    (void)state;
    struct talk *talk = storm();
    judge(talk);
    struct sr_path_row *path = sr_spool_at(&sr_engine_judgement(talk->engine)->paths, 0);
    path->dup_capable = SR_ANSWER_NO;
    assert_string_equal(told_of(talk, all),
                        "warning spurious_storm 26 28 29 30; note no_duplicate_reports; note stall 21");
    talk_free(talk);
}

/* What the first finding of a kind says, in the text of the talk; nothing without. */
static const char *text_of(struct talk *talk, struct sr_findings_asked asked, uint8_t code)
{
    struct sr_findings findings = {0};
    struct sr_buffer text = {0};
    asked.engine = talk->engine;
    assert_true(sr_findings_find(&findings, &asked));
    for (uint32_t i = sr_findings_count(&findings); i-- > 0;)
        if (sr_findings_at(&findings, i)->code == code) {
            text.length = 0;
            sr_findings_say(&findings, sr_findings_at(&findings, i), &text);
        }
    talk->length = 0;
    add(talk, "%s", sr_said(&text));
    sr_buffer_free(&text);
    sr_findings_free(&findings);
    return talk->text;
}

/* One chunk that is sent at 3 s, again at each of these, and acknowledged at the last. */
static struct talk *stalled(int count, const int64_t *at_us)
{
    struct talk *talk = at_sender();
    data(talk, 3 * S, 9);
    for (int i = 0; i + 1 < count; i++)
        data(talk, at_us[i], 9);
    sack(talk, at_us[count - 1], 9, "");
    judge(talk);
    return talk;
}

static void check_stall(struct talk *talk, const char *expected)
{
    if (!strstr(text_of(talk, all, SR_FINDING_STALL), expected) || (*expected == '\0' && talk->text[0] != '\0'))
        fail_msg("%s\nnot\n%s", talk->text, expected);
    talk_free(talk);
}

static void a_stall_says_what_became_of_its_chunk(void **state)
{
    (void)state;
    check_stall(stalled(3, (int64_t[]){4 * S, 6 * S, 6 * S + WAY_US}),
                "Association 0, a to b: data was outstanding and made no progress for 3.02 s, 2.00 s after the first "
                "data: TSN 9, the next to be acknowledged, was lost, and lost again when it was sent again: 2 timeouts "
                "in a row.");
    check_stall(stalled(2, (int64_t[]){4 * S, 4 * S + WAY_US}), "was lost and waited for a timeout.");
    check_stall(stalled(2, (int64_t[]){4 * S, 4 * S + 10}),
                "was sent again once, spuriously, and its answer came late: the path or the receiver held it back.");
}

/* What a receiver may hold back, and a repair by feedback: 500 ms and two round trips of 20 ms. */
static void a_short_wait_is_no_stall(void **state)
{
    (void)state;
    check_stall(stalled(2, (int64_t[]){3400000, 3 * S + 540000}), "");
    check_stall(stalled(2, (int64_t[]){3400000, 3 * S + 545000}), "no progress for 545 ms");
}

/* Up to the end, 30 s after it began; a sender that falls silent has a finding of its own. */
static void a_stall_without_an_answer(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    for (int64_t at_us = 3 * S; at_us < 30 * S; at_us += 9 * S)
        data(talk, at_us, 9);
    judge(talk);
    check_stall(talk,
                "no progress for 27.00 s, 2.00 s after the first data: TSN 9, the next to be acknowledged, was sent "
                "again twice and is not acknowledged up to the end: the peer is gone, or the path to it or back.");
    talk = at_sender();
    data(talk, 3 * S, 9);
    data(talk, 4 * S, 9);
    judge(talk);
    assert_string_equal(told_of(talk, all), "warning stuck_sender 22");
    talk_free(talk);
}

/* By what there are most of; the longest is told of. A TSN between them is never seen. */
static void several_stalls_are_one_finding(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    for (uint32_t i = 0; i < 3; i++) {
        int64_t at_us = (3 + 20 * (int64_t)i) * S;
        data(talk, at_us, 9 + 2 * i);
        data(talk, at_us + S, 9 + 2 * i);
        if (i > 0)
            data(talk, at_us + (2 + i) * S, 9 + 2 * i);
        sack(talk, at_us + (i > 0 ? 2 + i : 1) * S + (i > 0 ? WAY_US : 10), 9 + 2 * i, "");
    }
    judge(talk);
    check_stall(talk, "3 stalls, 8.04 s together (2 by timeouts, 1 by late answers). The longest: data was outstanding "
                      "and made no progress for 4.02 s, 42.00 s after the first data: TSN 13,");
}

/* This does, for so long; then nothing does, and then nobody knows what, for as long each. */
static const char *limited(struct talk *talk, uint8_t limit, uint8_t limit_class, int64_t ns, int64_t others_ns,
                           uint64_t bytes)
{
    struct sr_spool *limits = &((struct sr_judgement *)(uintptr_t)sr_engine_judgement(talk->engine))->limits;
    sr_spool_clear(limits);
    for (int i = 0; i < 3; i++) {
        struct sr_limit_row *row = sr_spool_append(limits);
        assert_non_null(row);
        *row = (struct sr_limit_row){
            .begin_ns = i == 0 ? 0 : ns + (i - 1) * others_ns,
            .end_ns = ns + i * others_ns,
            .bytes = i == 0 ? bytes : 0,
            .outstanding_bytes = 4000,
            .a_rwnd = i == 0 ? 5000 : SR_NO_TIME,
            .begin_frame = 7,
            .limit = i == 0   ? limit
                     : i == 1 ? SR_LIMIT_APPLICATION
                              : SR_LIMIT_UNKNOWN,
            .limit_class = limit_class,
        };
    }
    return text_of(talk, all, SR_FINDING_TRANSFER_LIMITED);
}

static void a_transfer_is_limited(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    judge(talk);
    assert_string_equal(limited(talk, SR_LIMIT_PEER_WINDOW, 3, 2000000000, 1000000000, 65536),
                        "Association 0, a to b: 50.0 % of the time (2.00 s) it waited for the peer's window of at most "
                        "5,000 bytes; at this round trip (20.0 ms) that allows 2.00 Mbit/s.");
    assert_string_equal(
        limited(talk, SR_LIMIT_SEND_BUFFER, 3, 6000000000, 1000000000, 65536),
        "Association 0, a to b: 75.0 % of the time (6.00 s) it waited for room in its send buffer, with "
        "4,000 bytes outstanding at most; at this round trip (20.0 ms) that allows 1.60 Mbit/s.");
    assert_string_equal(
        limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000000, 65536),
        "Association 0, a to b: 50.0 % of the time (2.00 s) it repaired losses that feedback or a probe "
        "told of.");
    assert_string_equal(told_of(talk, all), "note transfer_limited 7");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 2, 2000000000, 1000000000, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 1999999999, 1, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000001, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000000, 65535), "");
    assert_string_equal(limited(talk, SR_LIMIT_UNKNOWN, 3, 2000000000, 1000000000, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_APPLICATION, 3, 2000000000, 1000000000, 65536), "");
    talk_free(talk);
}

static struct sr_icmp_error icmp_error(uint8_t type, uint8_t code, uint32_t frame, uint16_t dport)
{
    return (struct sr_icmp_error){
        .reporter = {{10, 0, 0, 9}, 4},
        .src = {{10, 0, 0, 1}, 4},
        .dst = {{10, 0, 0, 2}, 4},
        .count = 2,
        .frames = {frame, frame + 1},
        .sport = 5000,
        .dport = dport,
        .version = 4,
        .type = type,
        .code = code,
    };
}

/* Frames of errors that are not kept, or drop nothing, are counted. */
static void icmp_errors_say_why(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    struct sr_icmp_errors errors = {
        .kept = {icmp_error(3, 4, 2, 6000), icmp_error(3, 3, 4, 6000), icmp_error(3, 3, 6, 0), icmp_error(5, 0, 8, 7)},
        .kinds = 4,
    };
    struct sr_findings_asked asked = {
        .latest_ns = TALK_NS + 30 * INT64_C(1000000000),
        .icmp_errors = &errors,
        .icmp_quotes = 9,
        .icmp_quotes_first = 2,
    };
    errors.kept[0].mtu = 1400;
    init(talk, 0, A, false);
    judge(talk);
    assert_string_equal(
        told_of(talk, asked),
        "warning unanswered_init 1; warning icmp_unreachable 4 5 6 7; warning icmp_too_big 2 3; note icmp_quotes 2");
    assert_string_equal(text_of(talk, asked, SR_FINDING_UNANSWERED_INIT),
                        "INIT was never answered in 1 association (1 INIT to 10.0.0.2:6000): ICMP errors say why.");
    assert_string_equal(
        text_of(talk, asked, SR_FINDING_ICMP_UNREACHABLE),
        "ICMP says 'port unreachable' of 4 SCTP packets from 10.0.0.1:5000 to 10.0.0.2:6000 and 1 other "
        "pair of ends, by 10.0.0.9: nothing listens there, or a firewall says so in its place.");
    assert_string_equal(text_of(talk, asked, SR_FINDING_ICMP_TOO_BIG),
                        "ICMP says that a packet is too big for the next link, whose MTU is 1,400 bytes, of 2 SCTP "
                        "packets from 10.0.0.1:5000 to 10.0.0.2:6000, by 10.0.0.9: its sender has to send smaller ones "
                        "from now on, or to let them be fragmented.");
    assert_string_equal(text_of(talk, asked, SR_FINDING_ICMP_QUOTES),
                        "3 frames are ICMP errors that quote an SCTP packet too; the quotes are not counted.");
    errors.kept[0].dport = errors.kept[1].dport = 6001;
    assert_non_null(strstr(text_of(talk, asked, SR_FINDING_UNANSWERED_INIT), "the host is down or elsewhere"));
    talk_free(talk);
}

/* Of more than eight of a kind the first; each with what is behind its own. */
static void of_many_of_a_kind_the_first_is_told(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    uint32_t tsn = 9;
    for (int64_t at_us = 3 * S; tsn < 9 + 9 * 3; at_us += 4 * S, tsn += 3) {
        flight(talk, at_us, tsn, 3, 1000);
        data(talk, at_us + S, tsn);
        sack(talk, at_us + S + 10, tsn + 2, "");
        flight(talk, at_us + S + 20, tsn + 1, 2, 10);
        sack(talk, at_us + S + WAY_US, tsn + 2, "d1");
    }
    expect(talk, "warning spurious_storm 24 32 40 48 56 64 72 80 others 8; note stall 21 29 37 45 53 61 69 77");
}

static void check_said(enum sr_sentence sentence, const struct sr_value *values, const char *expected)
{
    struct sr_buffer text = {0};
    sr_say(&text, sentence, values);
    assert_string_equal(sr_said(&text), expected);
    assert_int_equal(text.length, strlen(expected));
    sr_buffer_free(&text);
}

static void numbers_and_times_read_as_in_python(void **state)
{
    (void)state;
    check_said(SR_SENTENCE_ZERO_CHECKSUM, SR_VALUES({"packets", NULL, 1}),
               "1 packet: checksum zero (RFC 9653, or left to the network card).");
    check_said(SR_SENTENCE_ZERO_CHECKSUM, SR_VALUES({"packets", NULL, 1234567}),
               "1,234,567 packets: checksum zero (RFC 9653, or left to the network card).");
    static const struct {
        int64_t ns;
        const char *text;
    } durations[] = {
        {999499, ", about 999 \302\265s here"},
        {999500, ", about 1.0 ms here"},
        {99949999, ", about 99.9 ms here"},
        {99950000, ", about 100 ms here"},
        {999499999, ", about 999 ms here"},
        {999500000, ", about 1.00 s here"},
        {1234567000000, ", about 1,234.57 s here"},
        {-1500000, ", about -1.5 ms here"},
        {INT64_MIN, ", about -9,223,372,036.85 s here"},
        {0, ", about 0 \302\265s here"},
    };
    for (unsigned i = 0; i < sizeof durations / sizeof *durations; i++)
        check_said(SR_SENTENCE_TAIL_LOSS_TIMEOUT_WHEN, SR_VALUES({"after", NULL, durations[i].ns}), durations[i].text);
    check_said(SR_SENTENCE_FEEDBACK_SPARED, SR_VALUES({"count", NULL, 1}),
               "RACK-TLP (RFC 8985) would not have sent it");
    check_said(SR_SENTENCE_FEEDBACK_SPARED, SR_VALUES({"count", NULL, 2}),
               "RACK-TLP (RFC 8985) would have sent none of them");
    check_said(SR_SENTENCE_SPURIOUS_STORM_ONE, SR_VALUES({"frame", NULL, 1234}), "the timeout at frame 1234");
}

static void of_many_the_sentence_says_how_many(void **state)
{
    (void)state;
    struct sr_findings findings = {0};
    struct sr_buffer text = {0};
    for (int i = 0; i < 10; i++)
        sr_findings_add(&findings, SR_SEVERITY_NOTE, SR_FINDING_ZERO_CHECKSUM, SR_SENTENCE_SPURIOUS_STORM_ONE, NULL,
                        SR_VALUES({"frame", NULL, i}));
    struct sr_finding_told one = {.others = 9};
    sr_findings_say(&findings, &one, &text);
    assert_string_equal(sr_said(&text), "the timeout at frame 0 And 9 other findings of this kind; `sctp-rack analyze "
                                        "--json` has each.");
    assert_int_equal(findings.told.length, 8 * sizeof one);
    sr_buffer_free(&text);
    sr_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_times_read_as_in_python),
        cmocka_unit_test(of_many_the_sentence_says_how_many),
        cmocka_unit_test(of_a_quiet_conversation_nothing_is_said),
        cmocka_unit_test(a_timeout_that_sends_again_what_comes_late),
        cmocka_unit_test(what_the_user_knows_better_counts),
        cmocka_unit_test(of_an_association_that_is_not_asked_for_nothing_is_said),
        cmocka_unit_test(a_tail_and_a_retransmission_are_lost),
        cmocka_unit_test(a_chunk_is_overtaken),
        cmocka_unit_test(a_timer_is_shorter_than_the_delay_of_a_sack),
        cmocka_unit_test(a_receiver_takes_back_and_closes_its_window),
        cmocka_unit_test(a_sender_falls_silent),
        cmocka_unit_test(what_is_wrong_with_packets),
        cmocka_unit_test(what_the_capture_misses),
        cmocka_unit_test(only_one_direction_was_captured),
        cmocka_unit_test(of_many_of_a_kind_the_first_is_told),
        cmocka_unit_test(an_init_is_not_answered),
        cmocka_unit_test(an_init_may_still_be_answered),
        cmocka_unit_test(an_init_is_refused),
        cmocka_unit_test(a_handshake_is_never_completed),
        cmocka_unit_test(an_association_is_aborted),
        cmocka_unit_test(causes_of_error_chunks),
        cmocka_unit_test(heartbeats_are_not_answered),
        cmocka_unit_test(numbering_begins_anew),
        cmocka_unit_test(a_capture_was_merged_of_two_places),
        cmocka_unit_test(packets_without_data_were_filtered_out),
        cmocka_unit_test(marks_are_left_out),
        cmocka_unit_test(a_stall_says_what_became_of_its_chunk),
        cmocka_unit_test(a_short_wait_is_no_stall),
        cmocka_unit_test(a_stall_without_an_answer),
        cmocka_unit_test(several_stalls_are_one_finding),
        cmocka_unit_test(a_transfer_is_limited),
        cmocka_unit_test(icmp_errors_say_why),
        cmocka_unit_test(a_receiver_reports_no_duplicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
