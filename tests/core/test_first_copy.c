/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which copy came first, and of what that makes of the others (docs/verdict-rules.md, "Which copy came
 * first"): each rule at both sides of its threshold. The receiver is 20 ms away. */
#include "talk_rows.h"

enum {
    WAY_US = 20000,
    FLOOR_US = WAY_US / 16 * 15,
    HALF_US = 10000,
    SENDER_US = 100,
    AT_US = 3000000,
    AGAIN_US = 4000000
};
enum { FAST = 2, SLOW = 4, SLOW_WAY_US = 300000 };

#define SHUTDOWN(at, cum)                                                                                              \
    {                                                                                                                  \
        shutdown_now, at, cum, 0, ""                                                                                   \
    }

static void shutdown_now(struct talk *talk, const struct event *event)
{
    control(talk, event->at_us, B, SR_CHUNK_SHUTDOWN, 1, event->tsn);
}

static struct talk *answered(struct talk *talk, int64_t sender_us, int64_t way_us)
{
    shake_hands(talk, sender_us, way_us, false);
    for (uint32_t i = 1; i <= 8; i++) {
        data(talk, 1000000 + i * 100000, i);
        sack(talk, 1000000 + i * 100000 + way_us, i, "");
    }
    return talk;
}

/* Every second packet waits in a queue. */
static struct talk *behind_a_queue_at_times(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (uint32_t i = 1; i <= 8; i++) {
        data(talk, 1000000 + i * 100000, i);
        sack(talk, 1000000 + i * 100000 + WAY_US + (i % 2 ? HALF_US : 0), i, "");
    }
    return talk;
}

static struct talk *at_the_sender(void)
{
    return answered(talk_new(), SENDER_US, WAY_US);
}

static struct talk *with_duplicates_reported(void)
{
    struct talk *talk = at_the_sender();
    data(talk, 2000000, 8);
    sack(talk, 2000000 + WAY_US, 8, "d8");
    return talk;
}

static struct talk *a_short_way_at_the_sender(void)
{
    return talk_after_eight(SENDER_US, HALF_US, false);
}

static struct talk *a_short_way_in_the_middle(void)
{
    return talk_after_eight(HALF_US, HALF_US, false);
}

static struct talk *told_that_it_is_the_receivers(void)
{
    return talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
}

static struct talk *at_the_receiver(void)
{
    return answered(told_that_it_is_the_receivers(), WAY_US, SENDER_US);
}

static struct talk *with_holes(void)
{
    struct talk *talk = at_the_receiver();
    for (uint32_t tsn = 11; tsn < 19; tsn += 2)
        data(talk, AT_US - 100, tsn);
    return talk;
}

static struct talk *a_silent_receiver(void)
{
    struct talk *talk = told_that_it_is_the_receivers();
    shake_hands(talk, WAY_US, SENDER_US, false);
    return talk;
}

/* Of 40 answers that were seen one came after half the time of the others: no handshake tells how far it is. */
static struct talk *without_handshake(void)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_SENDER});
    for (uint32_t i = 1; i <= 40; i++) {
        data(talk, 500000 + i * 50000, i);
        sack(talk, 500000 + i * 50000 + (i == 30 ? HALF_US : WAY_US), i, "");
    }
    return talk;
}

/* The receiver has a second address, which is as far as that: three answers over each path tell, or one HEARTBEAT. */
static struct talk *two_paths(void)
{
    struct talk *talk = with_duplicates_reported();
    talk->address[B] = SLOW;
    for (uint32_t i = 0; i < 3; i++) {
        data(talk, 2100000 + i * 10000, 9 + i);
        sack(talk, 2100000 + i * 10000 + SLOW_WAY_US, 9 + i, "");
    }
    return talk;
}

static struct talk *two_paths_by_heartbeat(void)
{
    struct talk *talk = with_duplicates_reported();
    talk->address[B] = SLOW;
    heartbeat(talk, 2100000, A, false, 77);
    heartbeat(talk, 2100000 + SLOW_WAY_US, B, true, 77);
    return talk;
}

#define TWICE DATA(AT_US, 9), DATA(AGAIN_US, 9)

static struct talk_row rows[] = {
    /* 20 us, for clocks and hosts. */
    {"what is acknowledged 20 us before a loop may be of the last copy",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US - 20, 9, "")},
     {{9, 1, "original acked/2 by 23"}, {9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"what is acknowledged sooner was acknowledged for the copy before",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US - 21, 9, "")},
     {{9, 1, "original acked/3 by 23"}, {9, 2, "retransmission t3/3 spurious/3 S9 K6 acked/2 by 23"}}},
    {"half a loop is early",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US / 2, 9, "")},
     {{9, 1, "original acked/3 by 23"}, {9, 2, "retransmission t3/3 spurious/3 S9 K6 acked/2 by 23"}}},
    /* There the way to the tap and its queues are no part of it. */
    {"in the middle half a loop is more telling",
     a_short_way_in_the_middle,
     {TWICE, SACK(AGAIN_US + HALF_US / 2, 9, "")},
     {{9, 1, "original acked/4 by 23"}, {9, 2, "retransmission t3/3 spurious/4 S9 K6 acked/2 by 23"}}},
    {"less than half a loop is clearly early",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US / 2 - 1, 9, "")},
     {{9, 1, "original acked/4 by 23"}, {9, 2, "retransmission t3/3 spurious/4 S8 K6 acked/2 by 23"}}},
    {"without a handshake an answer as soon as one before may be of the last copy",
     without_handshake,
     {DATA(AT_US, 41), DATA(AGAIN_US, 41), SACK(AGAIN_US + HALF_US, 41, "")},
     {{41, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 83"}}},
    {"sooner than any it was acknowledged for the copy before",
     without_handshake,
     {DATA(AT_US, 41), DATA(AGAIN_US, 41), SACK(AGAIN_US + HALF_US - 21, 41, "")},
     {{41, 2, "retransmission t3/3 spurious/3 S9 K6 acked/2 by 83"}}},
    {"less than half a loop and a duplicate report are certain",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US / 2 - 1, 9, "d9")},
     {{9, 1, "original acked/5 by 23"}, {9, 2, "retransmission t3/3 spurious/5 S3 S8 K6 acked/4 by 23"}}},
    {"and so are reports of all copies but one",
     at_the_sender,
     {TWICE, DATA(AGAIN_US + 1, 9), SACK(AGAIN_US + FLOOR_US / 2, 9, "d9 d9")},
     {{9, 1, "original acked/5 by 24"}, {9, 2, "retransmission t3/3 spurious/5 S4 S8 K6 acked/4 by 24"}}},
    {"fewer say that one of them came before the last",
     at_the_sender,
     {TWICE, DATA(AGAIN_US + 1, 9), SACK(AGAIN_US + FLOOR_US / 2, 9, "d9")},
     {{9, 1, "original acked/4 by 24"},
      {9, 2, "retransmission t3/3 spurious/4 S5 S8 K6 acked/3 by 24"},
      {9, 3, "retransmission unknown/1 spurious/5 S5 S8 acked/2 by 24"}}},
    {"unless the answer came too soon for all but the first",
     at_the_sender,
     {TWICE, DATA(AGAIN_US + 1, 9), SACK(AGAIN_US + FLOOR_US / 2 - 1, 9, "d9")},
     {{9, 1, "original acked/5 by 24"}, {9, 2, "retransmission t3/3 spurious/5 S5 S8 K6 acked/3 by 24"}}},
    {"half a loop and a duplicate report are not",
     at_the_sender,
     {TWICE, SACK(AGAIN_US + FLOOR_US / 2, 9, "d9")},
     {{9, 1, "original acked/4 by 23"}, {9, 2, "retransmission t3/3 spurious/4 S3 S9 K6 acked/4 by 23"}}},

    {"a receiver that reports duplicates and reports none had one copy",
     with_duplicates_reported,
     {TWICE, SACK(AGAIN_US + WAY_US, 9, "")},
     {{9, 1, "original lost/3 by 25"}, {9, 2, "retransmission t3/3 needed/3 S10 K6 acked/3 by 25"}}},
    {"a receiver that reports it had both",
     with_duplicates_reported,
     {TWICE, SACK(AGAIN_US + WAY_US, 9, "d9")},
     {{9, 1, "original acked/4 by 25"}, {9, 2, "retransmission t3/3 spurious/4 S3 K6 acked/4 by 25"}}},

    /* 200 ms of SACK.Delay (RFC 9260 section 16) and a quarter. */
    {"so late an answer to the last copy comes",
     with_duplicates_reported,
     {TWICE, SACK(AGAIN_US + WAY_US + 250000, 9, "")},
     {{9, 1, "original lost/3 by 25"}, {9, 2, "retransmission t3/3 needed/3 S10 K6 acked/3 by 25"}}},
    {"what comes later than a receiver may wait is no answer to the last copy",
     with_duplicates_reported,
     {TWICE, SACK(AGAIN_US + WAY_US + 250001, 9, "")},
     {{9, 1, "original acked/2 by 25"}, {9, 2, "retransmission t3/3 undetermined/2 S12 K6 acked/2 by 25"}}},

    {"what is sent after its acknowledgement passed the sender's tap is spurious",
     a_short_way_at_the_sender,
     {DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), DATA(AT_US + HALF_US + 1000, 9)},
     {{9, 2, "retransmission unknown/1 spurious/5 S17 acked/2 by 22"}}},
    {"what is sent after its acknowledgement passed a tap in the middle is spurious",
     a_short_way_in_the_middle,
     {DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), DATA(AT_US + HALF_US + 1000, 9)},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/2 by 22"}}},

    /* A copy that others overtook further than the network reorders was lost (S20). */
    {"what was overtaken was lost",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 1000, 10), SACK(AT_US + 1000 + WAY_US, 8, "10"), DATA(AGAIN_US, 9),
      SACK(AGAIN_US + WAY_US, 10, "")},
     {{9, 1, "original lost/4 by 25"}, {9, 2, "retransmission t3/2 needed/4 K6 acked/4 by 25"}}},
    {"what nothing overtook may have come",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 1000, 10), SACK(AT_US + 1000 + WAY_US, 9, ""), DATA(AGAIN_US, 10),
      SACK(AGAIN_US + WAY_US, 10, "")},
     {{10, 1, "original acked/2 by 25"}, {10, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 25"}}},

    /* TSN 9 is overtaken by so much, and comes; then 11, by so much more. A quarter more is allowed for. */
    {"a network that reorders so far may do so again",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10000, 10), SACK(AT_US + 10000 + WAY_US, 8, "10"),
      SACK(AT_US + 10100 + WAY_US, 10, ""), DATA(AT_US + 500000, 11), DATA(AT_US + 512500, 12),
      SACK(AT_US + 512500 + WAY_US, 10, "12"), DATA(AT_US + 1500000, 11), SACK(AT_US + 1500000 + WAY_US, 12, "")},
     {{11, 2, "retransmission t3/2 undetermined/2 S11 K6 acked/2 by 29"}}},
    {"a network that reorders so far does not do so further",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10000, 10), SACK(AT_US + 10000 + WAY_US, 8, "10"),
      SACK(AT_US + 10100 + WAY_US, 10, ""), DATA(AT_US + 500000, 11), DATA(AT_US + 512501, 12),
      SACK(AT_US + 512501 + WAY_US, 10, "12"), DATA(AT_US + 1500000, 11), SACK(AT_US + 1500000 + WAY_US, 12, "")},
     {{11, 2, "retransmission t3/2 needed/3 K6 acked/3 by 29"}}},

    /* RFC 9260 section 6.8. */
    {"a packet with a wrong checksum was not the first",
     at_the_sender,
     {BROKEN_DATA(AT_US, 9), DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/4 K6 acked/4 by 23"}}},
    /* Section 6.2. */
    {"what met a closed window was not the first",
     at_the_sender,
     {DATA(AT_US, 9), WINDOW(999), SACK(AT_US + WAY_US + 20, 8, ""), WINDOW(TALK_WINDOW), DATA(AGAIN_US, 9),
      SACK(AGAIN_US + WAY_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 needed/4 S21 K12 acked/4 by 24"}}},
    /* draft-stewart-tsvwg-sctp-pktdrprep. */
    {"what a PACKET-DROP names was not the first",
     at_the_sender,
     {DATA(AT_US, 9), PACKET_DROP(AT_US + WAY_US, 9), DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/4 K6 acked/4 by 24"}}},

    /* The acknowledgement before was made when the copy had come. */
    {"room for all of it is enough",
     at_the_sender,
     {DATA(AT_US, 9), WINDOW(1000), SACK(AT_US + WAY_US + 20, 8, ""), WINDOW(TALK_WINDOW), DATA(AT_US + 500000, 9),
      SACK(AT_US + 500000 + WAY_US, 9, "")},
     {{9, 1, "original acked/2 by 24"}}},
    {"what was said of the window before it can have come says nothing",
     at_the_sender,
     {DATA(AT_US, 9), WINDOW(999), SACK(AT_US + WAY_US + 19, 8, ""), WINDOW(TALK_WINDOW), DATA(AT_US + 500000, 9),
      SACK(AT_US + 500000 + WAY_US, 9, "")},
     {{9, 1, "original acked/2 by 24"}}},
    {"nor does it before the copy can have come through the queue",
     behind_a_queue_at_times,
     {DATA(AT_US, 9), WINDOW(999), SACK(AT_US + WAY_US + 2 * HALF_US + 19, 8, ""), WINDOW(TALK_WINDOW),
      DATA(AT_US + 500000, 9), SACK(AT_US + 500000 + WAY_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 needed/3 S19 K12 acked/3 by 24"}}},
    {"what met it behind the queue was not the first",
     behind_a_queue_at_times,
     {DATA(AT_US, 9), WINDOW(999), SACK(AT_US + WAY_US + 2 * HALF_US + 20, 8, ""), WINDOW(TALK_WINDOW),
      DATA(AT_US + 500000, 9), SACK(AT_US + 500000 + WAY_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 needed/4 S21 K12 acked/4 by 24"}}},
    {"a window is closed where it is smaller than the chunk",
     at_the_sender,
     {DATA(AT_US, 9), WINDOW(999), SACK(AT_US + WAY_US + 20, 8, ""), WINDOW(TALK_WINDOW), DATA(AT_US + 500000, 9),
      SACK(AT_US + 500000 + WAY_US, 9, "")},
     {{9, 1, "original lost/4 by 24"}}},

    /* dcSCTP's receiver. An answer would have come within 500 ms, and 50 for what hosts take; or it was lost behind a
     * tap that is not at the receiver. */
    {"what meets a closed window may be answered within 550 ms",
     at_the_sender,
     {WINDOW(999), SACK(AT_US - 100000, 8, ""), DATA(AT_US, 9), DATA(AT_US + 550000 - WAY_US / 2, 9),
      WINDOW(TALK_WINDOW), SACK(AT_US + 550000 + WAY_US, 9, "")},
     {{9, 1, "original acked/2 by 24"},
      {9, 2, "retransmission zero_window_probe/2 undetermined/2 S11 K12 acked/2 by 24"}}},
    {"what meets a closed window and is not answered was thrown away",
     at_the_sender,
     {WINDOW(999), SACK(AT_US - 100000, 8, ""), DATA(AT_US, 9), DATA(AT_US + 550001 - WAY_US / 2, 9),
      WINDOW(TALK_WINDOW), SACK(AT_US + 550001 + WAY_US, 9, "")},
     {{9, 1, "original lost/3 by 24"}, {9, 2, "retransmission zero_window_probe/2 needed/3 S21 K12 acked/3 by 24"}}},
    {"what passed its tap, and is answered as soon as any is, has come",
     at_the_receiver,
     {DATA(AT_US, 9), DATA(AT_US + 400000, 9), SACK(AT_US + 550000 + SENDER_US, 9, "")},
     {{9, 1, "original acked/5 by 23"}}},
    {"later it may be another that came",
     at_the_receiver,
     {DATA(AT_US, 9), DATA(AT_US + 400000, 9), SACK(AT_US + 550001 + SENDER_US, 9, "")},
     {{9, 1, "original acked/3 by 23"}}},
    {"what it has twice it reports, wherever the first of them was lost behind the tap",
     at_the_receiver,
     {DATA(AT_US - 500000, 8), SACK(AT_US - 500000 + SENDER_US, 8, "d8"), DATA(AT_US, 9), DATA(AGAIN_US, 9),
      SACK(AGAIN_US + SENDER_US, 9, "")},
     {{9, 1, "original lost/4 by 25"}, {9, 2, "retransmission t3/3 needed/4 S10 K6 acked/4 by 25"}}},
    {"and what it reports it had twice",
     at_the_receiver,
     {DATA(AT_US - 500000, 8), SACK(AT_US - 500000 + SENDER_US, 8, "d8"), DATA(AT_US, 9), DATA(AGAIN_US, 9),
      SACK(AGAIN_US + SENDER_US, 9, "d9")},
     {{9, 1, "original acked/5 by 25"}, {9, 2, "retransmission t3/3 spurious/5 S1 K6 acked/5 by 25"}}},
    {"at its own tap what the receiver says 250 ms later may not tell of it yet",
     at_the_receiver,
     {DATA(AT_US, 9), SACK(AT_US + 250000 + SENDER_US, 8, ""), DATA(AGAIN_US, 9), SACK(AGAIN_US + SENDER_US, 9, "")},
     {{9, 1, "original acked/3 by 24"}, {9, 2, "retransmission t3/3 spurious/3 S1 K6 acked/5 by 24"}}},
    {"what it says later tells of all that it did not throw away",
     at_the_receiver,
     {DATA(AT_US, 9), SACK(AT_US + 250001 + SENDER_US, 8, ""), DATA(AGAIN_US, 9), SACK(AGAIN_US + SENDER_US, 9, "")},
     {{9, 1, "original lost/4 by 24"}, {9, 2, "retransmission t3/3 needed/4 S1 S21 K6 acked/5 by 24"}}},

    {"a copy that overtakes its original before the tap was not needed: the original is on its way",
     a_short_way_in_the_middle,
     {DATA(AT_US - 200000, 9), DATA(AT_US - 100000, 10), SACK(AT_US - 100000 + HALF_US, 10, ""), ID(113),
      DATA(AT_US, 12), SACK(AT_US + HALF_US, 10, "12"), DATA(AGAIN_US, 11), ID(112), DATA(AGAIN_US + 500, 11),
      SACK(AGAIN_US + HALF_US, 12, "")},
     {{11, 2, "reordered acked/2 by 28"}, {11, 1, "retransmission t3/2 spurious/3 S1 K6 acked/4 by 28"}}},
    {"what was not thrown away once is not so again",
     at_the_receiver,
     {DATA(AT_US, 9), SACK(AT_US + 250000 + SENDER_US, 8, ""), DATA(AGAIN_US, 9), DATA(AGAIN_US + 300000, 9),
      SACK(AGAIN_US + 300000 + SENDER_US, 9, "")},
     {{9, 3, "retransmission unknown/1 spurious/3 S1 acked/5 by 25"}}},
    {"what was thrown away once may have been so again",
     at_the_receiver,
     {DATA(AT_US, 9), SACK(AT_US + 250001 + SENDER_US, 8, ""), DATA(AGAIN_US, 9), DATA(AGAIN_US + 300000, 9),
      SACK(AGAIN_US + 300000 + SENDER_US, 9, "")},
     {{9, 3, "retransmission unknown/1 spurious/4 S1 acked/5 by 25"}}},

    /* Before its first SACK nothing says that there is room, as where a capture begins at a closed window. */
    {"before its first word the receiver may be silent for 550 ms",
     a_silent_receiver,
     {DATA(AT_US, 1), DATA(AT_US + 550000, 1), SACK(AT_US + 550000 + SENDER_US, 1, "")},
     {{1, 1, "original acked/5 by 7"}}},
    {"before its first word the receiver may have no room",
     a_silent_receiver,
     {DATA(AT_US, 1), DATA(AT_US + 550000, 1), SACK(AT_US + 550001 + SENDER_US, 1, "")},
     {{1, 1, "original lost/4 by 7"}}},

    /* It has no room for one more block: what lies above the last it does not tell. */
    {"what lies below its blocks the receiver is silent on",
     at_the_receiver,
     {DATA(AT_US - 100, 11), DATA(AT_US, 10), SACK(AT_US + SENDER_US, 8, "11"), SACK(AT_US + 600000, 8, "11"),
      DATA(AGAIN_US, 10), SACK(AGAIN_US + SENDER_US, 8, "10-11")},
     {{10, 1, "reordered lost/4 by 26"}}},
    {"what lies above as many blocks as any has the receiver is not silent on",
     with_holes,
     {DATA(AT_US, 19), SACK(AT_US + SENDER_US, 8, "11 13 15 17"), SACK(AT_US + 600000, 8, "11 13 15 17"),
      DATA(AGAIN_US, 19), SACK(AGAIN_US + SENDER_US, 8, "11 13 15 17 19")},
     {{19, 1, "original acked/3 by 29"}}},
    {"above fewer it had room",
     with_holes,
     {DATA(AT_US, 19), SACK(AT_US + SENDER_US, 8, "11 13 15"), SACK(AT_US + 600000, 8, "11 13 15"), DATA(AGAIN_US, 19),
      SACK(AGAIN_US + SENDER_US, 8, "11 13 15 17 19")},
     {{19, 1, "original lost/4 by 29"}}},
    {"where two copies met a closed window in time nobody knows",
     at_the_receiver,
     {WINDOW(0), SACK(AT_US - 100000, 8, ""), DATA(AT_US, 9), DATA(AT_US + 300000, 9), WINDOW(TALK_WINDOW),
      SACK(AT_US + 300000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 undetermined/2 S11 K12 acked/2 by 24"}}},

    {"nor where it has opened before the second came",
     at_the_receiver,
     {WINDOW(0), SACK(AT_US - 100000, 8, ""), DATA(AT_US, 9), WINDOW(TALK_WINDOW), SACK(AT_US + 200000, 8, ""),
      DATA(AT_US + 300000, 9), SACK(AT_US + 300000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission t3/2 undetermined/2 S11 K6 acked/2 by 25"}}},
    {"what comes again at a closed window is not sure to be taken",
     at_the_receiver,
     {DATA(AT_US, 9), WINDOW(0), SACK(AT_US + SENDER_US, 9, ""), DATA(AT_US + 300000, 9),
      SACK(AT_US + 300000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 spurious/5 S2 acked/4 by 22"}}},
    {"at an open one it is",
     at_the_receiver,
     {DATA(AT_US, 9), SACK(AT_US + SENDER_US, 9, ""), DATA(AT_US + 300000, 9), SACK(AT_US + 300000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/5 by 22"}}},

    /* usrsctp rebuilds a SACK that waits, when its list of duplicates is empty again. */
    {"of copies within a millisecond there may be no report",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1000, 9), SACK(AT_US + WAY_US - 400, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 acked/2 by 25"}}},
    {"of copies further apart there is one",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1001, 9), SACK(AT_US + WAY_US - 400, 9, ""), SACK(AT_US + 1001 + WAY_US, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 lost/2 by 25"}}},

    /* RFC 9260 section 6.2: at once, and with the next SACK alone. So much later an answer may come: 10 ms. */
    {"where nothing said later could have brought the report, it was lost",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1001, 9), SACK(AT_US + WAY_US - 400, 9, ""), SACK(AT_US + 1000 + FLOOR_US, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 acked/2 by 25"}}},
    {"so late it could have",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1001, 9), SACK(AT_US + WAY_US - 400, 9, ""), SACK(AT_US + 11001 + WAY_US, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 lost/2 by 25"}}},
    {"a packet that comes once more brings nothing that it did not bring before",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1001, 9), SACK(AT_US + WAY_US - 400, 9, ""), B_REPEATS,
      SACK(AT_US + 11001 + WAY_US, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 acked/2 by 25"}}},
    {"what is said still later says nothing of the copy",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 1001, 9), SACK(AT_US + WAY_US - 400, 9, ""), SACK(AT_US + 11002 + WAY_US, 9, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 acked/2 by 25"}}},

    /* What is sent in one packet arrives together or not at all: 10 was sent once, and was acknowledged. */
    {"a copy beside a chunk that came came, too",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA_OF(AT_US + 1001, 9, 2), SACK(AT_US + WAY_US - 400, 9, ""),
      SACK(AT_US + 1001 + WAY_US, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 acked/4 by 25"}}},
    {"a copy beside one that was lost was lost",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA_OF(AT_US + 1001, 9, 2), SACK(AT_US + WAY_US - 400, 9, ""),
      SACK(AT_US + 1001 + WAY_US, 9, ""), DATA(AGAIN_US, 10), SACK(AGAIN_US + WAY_US, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 lost/3 by 25"}}},
    {"beside one of which as little is known nobody knows",
     with_duplicates_reported,
     {DATA_OF(AT_US, 9, 2), DATA_OF(AT_US + 1001, 9, 2), SACK(AT_US + WAY_US - 400, 10, ""),
      SACK(AT_US + 1001 + WAY_US, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S9 lost/2 by 25"}}},

    /* No timer of any stack is shorter than 200 ms, but where telephony sets it, to 100 ms at least. Where the first
     * copy ends a silence as long as a timer, both may have been held up on the way. */
    {"what comes again within 100 ms the network may have repeated",
     at_the_receiver,
     {ID(0), DATA(1900000, 9), SACK(1900000 + SENDER_US, 9, ""), DATA(1900000 + 99999, 9)},
     {{9, 2, "retransmission unknown/1 undetermined/2 S2 acked/4 by 22"}}},
    {"what comes again after 100 ms may be a timer's",
     at_the_receiver,
     {ID(0), DATA(1900000, 9), SACK(1900000 + SENDER_US, 9, ""), DATA(1900000 + 100000, 9)},
     {{9, 2, "retransmission t3/1 undetermined/2 S2 acked/4 by 22"}}},
    {"behind a silence what comes again within 200 ms may have been held up",
     at_the_receiver,
     {ID(0), DATA(AT_US, 9), SACK(AT_US + SENDER_US, 9, ""), DATA(AT_US + 199999, 9)},
     {{9, 2, "retransmission t3/1 undetermined/2 S2 acked/4 by 22"}}},
    {"behind a silence what comes again after 200 ms was sent again",
     at_the_receiver,
     {ID(0), DATA(AT_US, 9), SACK(AT_US + SENDER_US, 9, ""), DATA(AT_US + 200000, 9)},
     {{9, 2, "retransmission t3/1 spurious/4 S2 acked/4 by 22"}}},
    {"a sender that counts its packets tells by the count",
     at_the_receiver,
     {ID(500), DATA(AT_US, 9), SACK(AT_US + SENDER_US, 9, ""), DATA(AT_US + 199999, 9)},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/4 by 22"}}},
    {"on the way to the sender's tap the network repeats nothing",
     at_the_sender,
     {ID(0), DATA(AT_US, 9), SACK(AT_US + WAY_US, 9, ""), DATA(AT_US + 2 * WAY_US, 9)},
     {{9, 2, "retransmission unknown/1 spurious/5 S17 acked/2 by 22"}}},

    /* 200 ms of SACK.Delay and a quarter, after the loop of the path that it took. */
    {"an answer comes when the path of its copy has it come",
     two_paths,
     {TO(FAST), DATA(AT_US, 12), TO(SLOW), DATA(AGAIN_US, 12), SACK(AGAIN_US + SLOW_WAY_US + 250000, 12, "")},
     {{12, 2, "retransmission t3/3 needed/3 S10 K16 acked/3 by 31"}}},
    {"no answer comes later than the path of its copy has it come",
     two_paths,
     {TO(FAST), DATA(AT_US, 12), TO(SLOW), DATA(AGAIN_US, 12), SACK(AGAIN_US + SLOW_WAY_US + 250001, 12, "")},
     {{12, 2, "retransmission t3/3 undetermined/2 S12 K16 acked/2 by 31"}}},
    {"an answer comes when a HEARTBEAT on its path has it come",
     two_paths_by_heartbeat,
     {TO(FAST), DATA(AT_US, 12), TO(SLOW), DATA(AGAIN_US, 12), SACK(AGAIN_US + SLOW_WAY_US + 250000, 12, "")},
     {{12, 2, "retransmission t3/3 needed/3 S10 K16 acked/3 by 27"}}},
    {"no answer comes later than a HEARTBEAT on its path has it come",
     two_paths_by_heartbeat,
     {TO(FAST), DATA(AT_US, 12), TO(SLOW), DATA(AGAIN_US, 12), SACK(AGAIN_US + SLOW_WAY_US + 250001, 12, "")},
     {{12, 2, "retransmission t3/3 undetermined/2 S12 K16 acked/2 by 27"}}},
    {"of a path that shows no loop nobody knows when its answers come",
     with_duplicates_reported,
     {DATA(AT_US, 9), TO(SLOW), DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K16 acked/2 by 25"}}},

    /* RTO.Initial: a path that takes longer cannot be used. */
    {"a path that shows no loop may take a second",
     with_duplicates_reported,
     {TO(SLOW), DATA(AT_US, 9), TO(FAST), DATA(AT_US + 1000000 - WAY_US, 10), SACK(AT_US + 1000000, 8, "10"),
      DATA(AT_US + 1100000, 9), SACK(AT_US + 1100000 + WAY_US, 10, "d9")},
     {{9, 2, "retransmission t3/1 spurious/4 S3 K16 acked/4 by 27"}}},
    {"a path that shows no loop takes no longer than a second",
     with_duplicates_reported,
     {TO(SLOW), DATA(AT_US, 9), TO(FAST), DATA(AT_US + 1000001 - WAY_US, 10), SACK(AT_US + 1000001, 8, "10"),
      DATA(AT_US + 1100000, 9), SACK(AT_US + 1100000 + WAY_US, 10, "d9")},
     {{9, 2, "retransmission t3/1 spurious/3 S3 K16 acked/4 by 27"}}},

    /* What is sent later over a faster path comes sooner: that is no reordering, and the copy before was not lost. */
    {"what takes a slower path is overtaken by as much",
     two_paths,
     {DATA(AT_US, 12), TO(FAST), DATA(AT_US + SLOW_WAY_US - WAY_US, 13), SACK(AT_US + SLOW_WAY_US, 11, "13"),
      DATA(AT_US + SLOW_WAY_US + 100000, 12), SACK(AT_US + SLOW_WAY_US + 100000 + WAY_US, 13, "d12")},
     {{12, 2, "retransmission t3/1 spurious/4 S3 acked/4 by 33"}}},
    {"what takes a slower path is not overtaken by more",
     two_paths,
     {DATA(AT_US, 12), TO(FAST), DATA(AT_US + SLOW_WAY_US - WAY_US + 1, 13), SACK(AT_US + SLOW_WAY_US + 1, 11, "13"),
      DATA(AT_US + SLOW_WAY_US + 100000, 12), SACK(AT_US + SLOW_WAY_US + 100000 + WAY_US, 13, "d12")},
     {{12, 2, "retransmission t3/1 spurious/3 S3 acked/4 by 33"}}},

    /* The first was overtaken, and the answer may be to the second or the third. */
    {"what nothing can have come before was needed, whichever came first",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 300000, 9), DATA(AT_US + 600000, 9),
      SACK(AT_US + 600000 + WAY_US, 10, "")},
     {{9, 2, "retransmission t3/2 needed/4 K5 acked/2 by 26"},
      {9, 3, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 26"}}},
    {"what something must have come before was not",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 300000, 9), DATA(AT_US + 600000, 9),
      DATA(AT_US + 600000 + WAY_US - 1000, 9), SACK(AT_US + 600000 + WAY_US, 10, "")},
     {{9, 2, "retransmission t3/2 needed/4 K5 acked/2 by 27"},
      {9, 3, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 27"},
      {9, 4, "retransmission unknown/1 spurious/4 S8 acked/2 by 27"}}},
    {"less surely where it came sooner by less than half a loop",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 300000, 9), DATA(AT_US + 600000, 9),
      DATA(AT_US + 600000 + HALF_US - 1000, 9), SACK(AT_US + 600000 + WAY_US, 10, "")},
     {{9, 4, "retransmission unknown/1 spurious/3 S9 acked/2 by 27"}}},
    {"nor where reports tell how many came of those before",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 300000, 9), DATA(AT_US + 600000, 9),
      DATA(AT_US + 600000 + WAY_US - 2000, 9), DATA(AT_US + 600000 + WAY_US - 1000, 9),
      SACK(AT_US + 600000 + WAY_US, 10, "d9")},
     {{9, 4, "retransmission unknown/1 spurious/4 S5 acked/2 by 28"}}},

    {"what is never acknowledged stays open",
     at_the_sender,
     {TWICE},
     {{9, 1, "original unresolved/1"}, {9, 2, "retransmission t3/3 undetermined/2 K6 unresolved/1"}}},
    {"unless feedback was sent when the copy before had come, if it did",
     at_the_sender,
     {TWICE, SACK(AT_US + WAY_US + 10001, 8, "")},
     {{9, 2, "retransmission t3/3 needed/3 K6 unresolved/1"}}},
    {"in a SACK: a SHUTDOWN does not say what lies above a gap",
     at_the_sender,
     {TWICE, SHUTDOWN(AT_US + WAY_US + 10001, 8)},
     {{9, 2, "retransmission t3/3 undetermined/2 K6 unresolved/1"}}},
    {"a little more than a loop later",
     at_the_sender,
     {TWICE, SACK(AT_US + WAY_US + 10000, 8, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 K6 unresolved/1"}}},
    {"and had room for it",
     at_the_sender,
     {DATA_OF(AT_US, 9, 8), DATA(AGAIN_US, 16), SACK(AT_US + 500000, 8, "9 11 13 15")},
     {{16, 2, "retransmission t3/3 undetermined/2 K6 unresolved/1"}}},
    {"what is given up and never acknowledged is that",
     at_the_sender,
     {TWICE, FORWARD_TSN(AGAIN_US + 100000, 9)},
     {{9, 1, "original abandoned/1"}, {9, 2, "retransmission t3/3 undetermined/2 K6 abandoned/1"}}},
    {"behind its acknowledgement, over another path, it may be its original that was held up there",
     a_short_way_in_the_middle,
     {ID(200), TO(SLOW), DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), ID(100), TO(FAST), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission t3/1 undetermined/2 S11 acked/2 by 22"}}},
    {"but not over one that new data does not take: a copy does",
     a_short_way_in_the_middle,
     {ID(200), DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), ID(100), TO(SLOW), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission t3/1 spurious/4 S2 acked/2 by 22"}}},
    {"unless its sender counted it later",
     a_short_way_in_the_middle,
     {ID(100), TO(SLOW), DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), ID(200), TO(FAST), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/2 by 22"}}},
    {"or it takes the path of the copy before",
     a_short_way_in_the_middle,
     {TO(SLOW), DATA(AT_US, 9), SACK(AT_US + HALF_US, 9, ""), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/2 by 22"}}},
};

int main(void)
{
    return CHECK_ROWS("first_copy", rows, check_row);
}
