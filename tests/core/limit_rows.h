/* SPDX-License-Identifier: BSD-2-Clause */
/* Talks of which it is said what limits them: rows of a sentence, what begins them, what follows, and the limits of
 * side A. The receiver is 20 ms away. */
#ifndef SR_TESTS_LIMIT_ROWS_H
#define SR_TESTS_LIMIT_ROWS_H

#include "limits_of_talk.h"
#include "talk_rows.h"

enum { WAY_US = 20000, HERE_US = 100, AT_US = 3000000 };

/* Of the DATA chunks that follow. */
#define FLAGS(bits)                                                                                                    \
    {                                                                                                                  \
        flags_from_now_on, 0, 0, bits, ""                                                                              \
    }

#define SEVEN(at, tsn)                                                                                                 \
    DATA(at, tsn), DATA((at) + 10, (tsn) + 1), DATA((at) + 20, (tsn) + 2), DATA((at) + 30, (tsn) + 3),                 \
        DATA((at) + 40, (tsn) + 4), DATA((at) + 50, (tsn) + 5), DATA((at) + 60, (tsn) + 6)

static inline void flags_from_now_on(struct talk *talk, const struct event *event)
{
    talk->flags = (uint8_t)event->number;
}

struct row {
    const char *sentence;
    struct talk *(*begins)(void);
    struct event events[MOST_EVENTS + 8];
    const char *said; /* in ms, with the most that was outstanding, and what was held back of SACKs; null: whatever
                         keeps what the table promises */
};

static inline struct talk *at_the_sender(void)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    return talk;
}

static inline void check(void **state)
{
    const struct row *row = *state;
    struct talk *talk = judged_talk(row->begins, row->events);
    const char *said = limits_of(talk);
    if (row->said && strcmp(said, row->said) != 0)
        fail_msg("\n  %s\nnot\n  %s", said, row->said);
    talk_free(talk);
}

#endif
