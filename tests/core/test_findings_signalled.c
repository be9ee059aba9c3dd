/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on what the sides say that is wrong: handshakes, ABORT and ERROR, HEARTBEATs without an answer, and ICMP. */
#include "findings_of_talk.h"

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
        struct talk *talk = at_sender(false);
        if (cases[i].outstanding)
            data(talk, 3 * S, 9);
        causes(talk, 3 * S + 1000, A, SR_CHUNK_ABORT, cases[i].flags, 1, cases[i].cause);
        expect(talk, cases[i].told);
    }
}

static void causes_of_error_chunks(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    causes(talk, 3 * S, B, SR_CHUNK_ERROR, 0, 6, 3u, 6u, 100u, 101u, 102u, 103u);
    causes(talk, 4 * S, B, SR_CHUNK_ERROR, 0, 1, 3u);
    expect(talk,
           "warning error_causes 21; warning error_causes 21; warning error_causes 21; note error_causes 21; note "
           "error_causes 1");
}

static void heartbeats_are_not_answered(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    talk->address[A] = 3;
    heartbeat(talk, 3 * S, A, false, 1);
    heartbeat(talk, 4 * S, A, false, 2);
    sack(talk, 10 * S, MANY, "");
    expect(talk, "warning unanswered_heartbeats 21");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_init_is_not_answered),     cmocka_unit_test(an_init_may_still_be_answered),
        cmocka_unit_test(an_init_is_refused),          cmocka_unit_test(a_handshake_is_never_completed),
        cmocka_unit_test(an_association_is_aborted),   cmocka_unit_test(causes_of_error_chunks),
        cmocka_unit_test(heartbeats_are_not_answered), cmocka_unit_test(icmp_errors_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
