/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a TSN that comes below others, behind reports that it is missing: whether its sender was asked for it. The
 * tap is at the receiver, its sender 20 ms away; nobody counts packets. TSN 10 comes 20 ms after it was reported, a
 * loop. */
#include "talk_rows.h"

#include "facts/reaction.h"

enum { LOOP_US = 20000, RECEIVER_US = 100, AT_US = 2000000 };

/* FORWARD-TSN, then a list of chunks that begins with it: association/family.c. */
static void init_of_usrsctp(struct talk *talk)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_INIT, 0);
    put32s(&chunk, 2, TALK_TAG + (uint32_t)A, (uint32_t)TALK_WINDOW);
    put16s(&chunk, 2, 10u, 10u);
    put32(&chunk, 1);
    end_element(&chunk, begin_element(&chunk, 0xc000));
    size_t element = begin_element(&chunk, 0x8008);
    put16s(&chunk, 1, 0xc082u);
    end_element(&chunk, element);
    end_chunk(&chunk, start);
    say_with(talk, 0, A, &chunk, true);
}

static struct talk *begun(bool usrsctp, bool pion, bool counts)
{
    struct talk *talk = talk_new();
    if (!counts)
        talk->id[A] = 0;
    if (usrsctp)
        init_of_usrsctp(talk);
    else
        init(talk, 0, A, pion);
    init(talk, RECEIVER_US, B, false);
    control(talk, RECEIVER_US + LOOP_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * RECEIVER_US + LOOP_US, B, SR_CHUNK_COOKIE_ACK, 0);
    warm_up(talk, 8, RECEIVER_US);
    return talk;
}

static struct talk *usrsctp(void)
{
    return begun(true, false, false);
}

static struct talk *usrsctp_that_counts(void)
{
    return begun(true, false, true);
}

/* More reports that 10 is missing than are looked back at. */
static struct talk *usrsctp_that_is_asked_often(void)
{
    struct talk *talk = usrsctp();
    data(talk, AT_US, 9);
    sack(talk, AT_US + RECEIVER_US, 9, "");
    data(talk, AT_US + 40000, 11);
    for (int i = 0; i < 2 * SR_REPORTS; i++)
        sack(talk, AT_US + 40000 + RECEIVER_US + 10 * i, 9, "11");
    return talk;
}

static struct talk *pion(void)
{
    return begun(false, true, false);
}

static struct talk *another(void)
{
    return begun(false, false, false);
}

/* The TSN is sent again, in a packet that has 11, too. */
static void again_with_11(struct talk *talk, const struct event *event)
{
    struct bytes chunks = {0};
    put_chunk(talk, &chunks, event->tsn);
    put_chunk(talk, &chunks, 11);
    say(talk, event->at_us, A, &chunks);
}

/* 9 and 11 come, 10 does not; so many ms after `AT_US`. */
#define CAME(ms, tsn) DATA(AT_US + (ms)*1000, tsn)
#define SAID(ms, cum, also) SACK(AT_US + (ms)*1000 + RECEIVER_US, cum, also)
#define MISSED CAME(0, 9), SAID(0, 9, ""), CAME(40, 11), SAID(40, 9, "11")

static struct row {
    const char *sentence;
    struct talk *(*begins)(void);
    struct event events[MOST_EVENTS + 1];
    enum sr_kind kind; /* of 10 */
} rows[] = {
    {"one report is no reason to send again", usrsctp, {MISSED, CAME(61, 10)}, SR_KIND_REORDERED},
    {"nor are two", usrsctp, {MISSED, CAME(41, 12), SAID(41, 9, "11 12"), CAME(62, 10)}, SR_KIND_REORDERED},
    {"three are",
     usrsctp,
     {MISSED, CAME(41, 12), SAID(41, 9, "11 12"), CAME(42, 13), SAID(42, 9, "11 13"), CAME(63, 10)},
     SR_KIND_RETRANSMISSION},
    {"so are more than one can say", usrsctp_that_is_asked_often, {CAME(63, 10)}, SR_KIND_RETRANSMISSION},
    {"a timer may have expired that began anew 100 ms before",
     usrsctp,
     {MISSED, CAME(120, 10)},
     SR_KIND_RETRANSMISSION},
    {"no timer expires sooner", usrsctp, {MISSED, CAME(117, 10)}, SR_KIND_REORDERED},
    {"what was sent before a timeout may be sent again long after it",
     usrsctp,
     {MISSED, CAME(50, 8), SAID(50, 9, "11 d8"), CAME(72, 10)},
     SR_KIND_RETRANSMISSION},
    {"also in another chunk of what the timer sent",
     usrsctp,
     {CAME(0, 9), SAID(0, 9, ""), {again_with_11, AT_US + 40000, 8, 0, ""}, SAID(40, 9, "11"), CAME(61, 10)},
     SR_KIND_RETRANSMISSION},
    {"what comes behind a silence may be what a timer sent",
     usrsctp,
     {CAME(0, 9), CAME(104, 11), SAID(104, 9, "11"), CAME(125, 10)},
     SR_KIND_RETRANSMISSION},
    {"what a timer sent before it is another matter",
     usrsctp,
     {CAME(0, 8), CAME(1, 9), SAID(1, 9, "d8"), CAME(40, 11), SAID(40, 9, "11"), CAME(61, 10)},
     SR_KIND_REORDERED},
    {"pion with RACK needs no three", pion, {MISSED, CAME(61, 10)}, SR_KIND_RETRANSMISSION},
    {"what an unknown stack needs nobody knows", another, {MISSED, CAME(61, 10)}, SR_KIND_RETRANSMISSION},
    {"a count of packets tells more", usrsctp_that_counts, {MISSED, CAME(61, 10)}, SR_KIND_RETRANSMISSION},
    {"each of several paths has a timer",
     usrsctp,
     {CAME(0, 9), SAID(0, 9, ""), TO(9), CAME(40, 11), SAID(40, 9, "11"), CAME(61, 10)},
     SR_KIND_RETRANSMISSION},
    {"a PACKET-DROP chunk asks at once",
     usrsctp,
     {MISSED, PACKET_DROP(AT_US + 40300, 10), CAME(61, 10)},
     SR_KIND_RETRANSMISSION},
};

static void check(void **state)
{
    const struct row *row = *state;
    struct talk *talk = judged_talk(row->begins, row->events);
    assert_int_equal(row_of(talk, 10, 1)->kind, row->kind);
    talk_free(talk);
}

int main(void)
{
    return CHECK_ROWS("overtaken", rows, check);
}
