/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that are rows of a table: a sentence, how the talk begins, what happens then, and what is said of it. */
#ifndef SR_TESTS_TALK_ROWS_H
#define SR_TESTS_TALK_ROWS_H

#include "rows.h"
#include "talk_text.h"

enum { MOST_EVENTS = 11, MOST_SAID = 4 };

/* In a row. `WINDOW` is a_rwnd from now on, `TO` the receiver's address, `ID` the number of the sender's packet
 * before the next. */
#define DATA(at, tsn)                                                                                                  \
    {                                                                                                                  \
        data_now, at, tsn, 1, ""                                                                                       \
    }
#define DATA_OF(at, tsn, count)                                                                                        \
    {                                                                                                                  \
        data_now, at, tsn, count, ""                                                                                   \
    }
#define BROKEN_DATA(at, tsn)                                                                                           \
    {                                                                                                                  \
        broken_data_now, at, tsn, 1, ""                                                                                \
    }
#define SACK(at, cum, also)                                                                                            \
    {                                                                                                                  \
        sack_now, at, cum, 0, also                                                                                     \
    }
#define BROKEN_SACK(at, cum, also)                                                                                     \
    {                                                                                                                  \
        broken_sack_now, at, cum, 0, also                                                                              \
    }
#define FORWARD_TSN(at, tsn)                                                                                           \
    {                                                                                                                  \
        forward_tsn_now, at, tsn, 0, ""                                                                                \
    }
#define PACKET_DROP(at, tsn)                                                                                           \
    {                                                                                                                  \
        packet_drop_now, at, tsn, 0, ""                                                                                \
    }
#define WINDOW(bytes)                                                                                                  \
    {                                                                                                                  \
        window_from_now_on, 0, 0, bytes, ""                                                                            \
    }
#define TO(address)                                                                                                    \
    {                                                                                                                  \
        address_from_now_on, 0, 0, address, ""                                                                         \
    }
#define ID(number)                                                                                                     \
    {                                                                                                                  \
        id_from_now_on, 0, 0, number, ""                                                                               \
    }
/* What B sends next repeats the packet before, if its bytes do. */
#define B_REPEATS                                                                                                      \
    {                                                                                                                  \
        b_repeats, 0, 0, 0, ""                                                                                         \
    }
/* Packets of B are lost before the tap. */
#define B_LOST(packets)                                                                                                \
    {                                                                                                                  \
        b_lost, 0, 0, packets, ""                                                                                      \
    }

struct event {
    void (*happens)(struct talk *talk, const struct event *event); /* null behind the last */
    int64_t at_us;
    uint32_t tsn, number;
    const char *also;
};

struct talk_row {
    const char *sentence;
    struct talk *(*begins)(void);
    struct event events[MOST_EVENTS + 1];
    struct {
        uint32_t tsn, copy;
        const char *text; /* null behind the last */
    } said[MOST_SAID + 1];
};

static inline void data_now(struct talk *talk, const struct event *event)
{
    data_of(talk, event->at_us, A, event->tsn, event->number);
}

static inline void broken_data_now(struct talk *talk, const struct event *event)
{
    talk->broken = true;
    data_now(talk, event);
    talk->broken = false;
}

static inline void sack_now(struct talk *talk, const struct event *event)
{
    sack(talk, event->at_us, event->tsn, event->also);
}

static inline void broken_sack_now(struct talk *talk, const struct event *event)
{
    talk->broken = true;
    sack_now(talk, event);
    talk->broken = false;
}

static inline void forward_tsn_now(struct talk *talk, const struct event *event)
{
    forward_tsn(talk, event->at_us, event->tsn);
}

static inline void packet_drop_now(struct talk *talk, const struct event *event)
{
    packet_drop(talk, event->at_us, event->tsn);
}

static inline void window_from_now_on(struct talk *talk, const struct event *event)
{
    talk->a_rwnd = event->number;
}

static inline void address_from_now_on(struct talk *talk, const struct event *event)
{
    talk->address[B] = (uint8_t)event->number;
}

static inline void id_from_now_on(struct talk *talk, const struct event *event)
{
    talk->id[A] = (uint16_t)event->number;
}

static inline void b_repeats(struct talk *talk, const struct event *event)
{
    (void)event;
    talk->id[B] -= talk->counts[B];
}

static inline void b_lost(struct talk *talk, const struct event *event)
{
    talk->id[B] = (uint16_t)(talk->id[B] + event->number * talk->counts[B]);
}

static inline struct talk *judged_talk(struct talk *(*begins)(void), const struct event *events)
{
    struct talk *talk = begins();
    for (const struct event *event = events; event->happens; event++)
        event->happens(talk, event);
    judge(talk);
    return talk;
}

static inline void check_row(void **state)
{
    const struct talk_row *row = *state;
    struct talk *talk = judged_talk(row->begins, row->events);
    for (int i = 0; row->said[i].text; i++)
        check_sent(talk, row->said[i].tsn, row->said[i].copy, row->said[i].text);
    talk_free(talk);
}

#endif
