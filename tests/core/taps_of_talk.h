/* SPDX-License-Identifier: BSD-2-Clause */
/* Talks that begin with a handshake and some data, by where the tap is. */
#ifndef SR_TESTS_TAPS_OF_TALK_H
#define SR_TESTS_TAPS_OF_TALK_H

#include "talk.h"

enum { SENDER_US = 100, WAY_US = 20000, HALF_US = 10000, MANY = 8 };

static inline struct talk *at_sender(bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, pion);
    warm_up(talk, MANY, WAY_US);
    return talk;
}

static inline struct talk *in_the_middle(bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, HALF_US, HALF_US, pion);
    warm_up(talk, MANY, HALF_US);
    return talk;
}

static inline struct talk *at_receiver(bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, WAY_US, SENDER_US, pion);
    warm_up(talk, MANY, SENDER_US);
    return talk;
}

/* The tap is at the receiver. 9 is lost, and known to be: what is missing is of this association. */
static inline struct talk *behind_a_loss(bool pion)
{
    struct talk *talk = at_receiver(pion);
    talk->id[A] += 1;
    data(talk, 3000000, 10);
    sack(talk, 3000000 + SENDER_US, 8, "10");
    data(talk, 4000000, 9);
    sack(talk, 4000000 + SENDER_US, 10, "");
    return talk;
}

#endif
