/* SPDX-License-Identifier: BSD-2-Clause */
/* What the walk makes of a sender that lets four packets leave with each answer (RFC 9260 section 6.1 D), whatever that
 * acknowledges. At the sender; the receiver is 20 ms away. */
#include "talk.h"

enum { WAY_US = 20000, HERE_US = 100, BEGIN_US = 1000000, WIDE = 8, ROUNDS = 10, MOST_LESS = 6, MANY = 4 };

struct sender {
    enum sr_profile profile;
    int64_t host_us; /* from the answer to what leaves with it */
    uint16_t bytes;
    uint8_t flags;
    uint32_t first; /* packets of the first burst */
    uint32_t packets;
    uint32_t short_burst; /* number of one that has a packet less, of which the next answer has one more; 0: none */
    int64_t pause_us;     /* before the windows are wide, with nothing outstanding */
    bool fills_window;    /* of the peer, which has room for them and no more */
};

static const struct sender dcsctp = {SR_PROFILE_DCSCTP, 20, 1000, 0, 3, MANY, 0, 0, false};

static int64_t burst_at_us(const struct sender *sender, uint32_t number)
{
    return BEGIN_US + number * (WAY_US + sender->host_us) + (number >= WIDE ? sender->pause_us : 0);
}

/* Eight bursts widen the congestion window, each a packet more than the one before; then each answer leaves a packet
 * more open than the one before. */
static struct talk *talk_of(const struct sender *sender)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + sender->profile)});
    uint32_t sent = 0;
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    talk->bytes = sender->bytes;
    talk->flags = sender->flags;
    for (uint32_t i = 0; i < WIDE + ROUNDS; i++) {
        uint32_t less = i < WIDE ? 0 : i - WIDE < MOST_LESS ? i - WIDE : MOST_LESS;
        uint32_t packets = i < WIDE ? sender->first + i : sender->packets;
        packets -= sender->short_burst > 0 && i == sender->short_burst;
        less -= sender->short_burst > 0 && i == sender->short_burst + 1;
        if (sender->fills_window && i >= WIDE)
            talk->a_rwnd = (less + packets) * sender->bytes;
        if (i > 0)
            sack(talk, burst_at_us(sender, i) - sender->host_us - (i == WIDE ? sender->pause_us : 0), sent - less, "");
        flight(talk, burst_at_us(sender, i), 1 + sent, packets, 10);
        sent += packets;
    }
    sack(talk, burst_at_us(sender, WIDE + ROUNDS) - sender->host_us, sent, "");
    judge(talk);
    return talk;
}

/* What the burst of that number waited for. */
static struct sr_limit_row waited_for(const struct sender *sender, uint32_t number)
{
    struct talk *talk = talk_of(sender);
    struct sr_limit_row found = {.limit = SR_LIMIT_COUNT};
    int64_t at_ns = TALK_NS + burst_at_us(sender, number) * US;
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *row = sr_spool_visit(&judgement->limits, i);
        if (row->from == A && row->begin_ns < at_ns && at_ns <= row->end_ns)
            found = *row;
    }
    talk_free(talk);
    return found;
}

static void expect(const struct sender *sender, uint32_t first, uint32_t last, enum sr_limit limit, uint8_t class)
{
    for (uint32_t number = first; number <= last; number++) {
        struct sr_limit_row row = waited_for(sender, number);
        if (row.limit != limit || row.limit_class != class)
            fail_msg("burst %u: %s/%u, not %s/%u", number, sr_limit_names[row.limit], row.limit_class,
                     sr_limit_names[limit], class);
    }
}

enum { LAST = WIDE + ROUNDS - 1 };

static void four_packets_with_each_answer_and_more_outstanding_are_a_limit_on_bursts(void **state)
{
    (void)state;
    expect(&dcsctp, WIDE, WIDE + 1, SR_LIMIT_CONGESTION_WINDOW, 3);
    expect(&dcsctp, WIDE + 2, LAST, SR_LIMIT_BURST_LIMIT, 3);
}

/* A message that goes on was there. */
static void also_where_no_congestion_window_can_be_full(void **state)
{
    (void)state;
    struct sender small = dcsctp;
    small.bytes = 100;
    expect(&small, WIDE, WIDE + 1, SR_LIMIT_UNKNOWN, 1);
    expect(&small, WIDE + 2, LAST, SR_LIMIT_BURST_LIMIT, 3);
}

static void messages_that_begin_may_have_been_written_so(void **state)
{
    (void)state;
    struct sender messages = dcsctp;
    messages.flags = 3;
    expect(&messages, WIDE, LAST, SR_LIMIT_CONGESTION_WINDOW, 3);
}

static void as_many_again_are_that_limit_with_as_much_outstanding_too(void **state)
{
    (void)state;
    struct sender uneven = dcsctp;
    uneven.short_burst = WIDE + MOST_LESS + 1;
    expect(&uneven, WIDE + 2, uneven.short_burst, SR_LIMIT_BURST_LIMIT, 3);
    expect(&uneven, uneven.short_burst + 1, uneven.short_burst + 1, SR_LIMIT_CONGESTION_WINDOW, 3);
    expect(&uneven, uneven.short_burst + 2, LAST, SR_LIMIT_BURST_LIMIT, 3);
}

/* That of usrsctp has grown by less. */
static void a_congestion_window_without_room_is_no_limit_on_bursts(void **state)
{
    (void)state;
    struct sender usrsctp = dcsctp;
    usrsctp.profile = SR_PROFILE_USRSCTP;
    expect(&usrsctp, WIDE + 2, LAST, SR_LIMIT_CONGESTION_WINDOW, 3);
}

static void a_window_of_the_peer_without_room_is_none_either(void **state)
{
    (void)state;
    struct sender filling = dcsctp;
    filling.fills_window = true;
    expect(&filling, WIDE + 1, LAST, SR_LIMIT_PEER_WINDOW, 4);
}

static void another_number_of_packets_is_a_limit_where_it_comes_again(void **state)
{
    (void)state;
    struct sender five = dcsctp;
    five.packets = 5;
    expect(&five, WIDE, WIDE + 2, SR_LIMIT_CONGESTION_WINDOW, 3);
    expect(&five, WIDE + 3, LAST - 3, SR_LIMIT_BURST_LIMIT, 3);
}

/* By the bursts before: in which burst packets left is not seen then. */
static void of_a_slow_host_less_outstanding_than_before_and_room_for_more_tell(void **state)
{
    (void)state;
    struct sender slow = dcsctp;
    slow.host_us = 4000;
    expect(&slow, WIDE, WIDE, SR_LIMIT_CONGESTION_WINDOW, 3);
    expect(&slow, WIDE + 1, LAST - 3, SR_LIMIT_BURST_LIMIT, 3);
    expect(&slow, LAST - 2, LAST, SR_LIMIT_CONGESTION_WINDOW, 3);
}

/* RFC 9260 section 7.2.1: it shrinks the window then, and by how much is not known. */
static void behind_a_pause_a_window_that_may_have_shrunk_has_no_room(void **state)
{
    (void)state;
    struct sender rfc = dcsctp;
    rfc.profile = SR_PROFILE_RFC9260;
    rfc.first = 5; /* they fill its first window, and so each that is larger */
    expect(&rfc, WIDE + 2, LAST, SR_LIMIT_BURST_LIMIT, 3);
    rfc.pause_us = 400000 - rfc.host_us; /* as soon as any stack's T3-rtx expires: that of dcsctp */
    expect(&rfc, WIDE + 2, LAST, SR_LIMIT_CONGESTION_WINDOW, 3);
    rfc.pause_us--;
    expect(&rfc, WIDE + 2, LAST, SR_LIMIT_BURST_LIMIT, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_packets_with_each_answer_and_more_outstanding_are_a_limit_on_bursts),
        cmocka_unit_test(also_where_no_congestion_window_can_be_full),
        cmocka_unit_test(as_many_again_are_that_limit_with_as_much_outstanding_too),
        cmocka_unit_test(messages_that_begin_may_have_been_written_so),
        cmocka_unit_test(a_congestion_window_without_room_is_no_limit_on_bursts),
        cmocka_unit_test(a_window_of_the_peer_without_room_is_none_either),
        cmocka_unit_test(another_number_of_packets_is_a_limit_where_it_comes_again),
        cmocka_unit_test(behind_a_pause_a_window_that_may_have_shrunk_has_no_room),
        cmocka_unit_test(of_a_slow_host_less_outstanding_than_before_and_room_for_more_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
