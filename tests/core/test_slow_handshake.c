/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a host that takes its time for the handshake: the loop to it is shorter than that. What is not explained by
 * its third missing report looks like two copies that were held up together. The tap is in the middle,
 * 10 ms from the receiver and back. */
#include "talk_rows.h"

enum { WAY_US = 10000, LOOP_US = 30000, AT_US = 3000000 };

static struct talk *slow(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, LOOP_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    return talk;
}

static struct talk *as_told(void)
{
    struct talk *talk = talk_told((struct sr_told){.loop = true, .loop_ns = LOOP_US * INT64_C(1000)});
    shake_hands(talk, LOOP_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    return talk;
}

static struct talk *of_pion(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, LOOP_US, WAY_US, true);
    warm_up(talk, 8, WAY_US);
    return talk;
}

/* TSN 9 is lost; it is sent again so long after the third missing report passes the tap. */
#define LOSES_9(again_us)                                                                                              \
    DATA(AT_US, 9), DATA(AT_US + 1000, 10), DATA(AT_US + 2000, 11), DATA(AT_US + 3000, 12),                            \
        SACK(AT_US + 1000 + WAY_US, 8, "10"), SACK(AT_US + 2000 + WAY_US, 8, "10-11"),                                 \
        SACK(AT_US + 3000 + WAY_US, 8, "10-12"), DATA(AT_US + 3000 + WAY_US + (again_us), 9),                          \
        SACK(AT_US + 3000 + 2 * WAY_US + (again_us), 12, "")

static struct talk_row rows[] = {
    {"what is sent again when the loop of the handshake is over is fast",
     slow,
     {LOSES_9(LOOP_US)},
     {{9, 2, "retransmission fast/2 at 27 needed/4 K3 acked/4 by 29"}}},
    {"what is sent again sooner is so, too, by as much as hosts take",
     slow,
     {LOSES_9(LOOP_US - 15000)},
     {{9, 2, "retransmission fast/2 at 27 needed/4 K3 acked/4 by 29"}}},
    {"not what is so by more",
     slow,
     {LOSES_9(LOOP_US - 21000)},
     {{9, 2, "retransmission t3/1 needed/4 acked/4 by 29"}}},
    {"nor of pion, which may not have waited for the third report",
     of_pion,
     {LOSES_9(LOOP_US - 15000)},
     {{9, 2, "retransmission t3/2 needed/4 acked/4 by 29"}}},
    {"nor where the loop was told",
     as_told,
     {LOSES_9(LOOP_US - 15000)},
     {{9, 2, "retransmission t3/1 needed/4 acked/4 by 29"}}},
};

int main(void)
{
    return CHECK_ROWS("slow_handshake", rows, check_row);
}
