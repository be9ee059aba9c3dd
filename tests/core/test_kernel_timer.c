/* SPDX-License-Identifier: BSD-2-Clause */
/* The timer of a Linux kernel is late by up to 8/63 of its timeout: T3-rtx of a second by 126.98 ms. Others are late by
 * what their host takes. */
#include "talk_rows.h"

enum { WAY_US = 20000, HERE_US = 100, AT_US = 3000000, LATE_US = 126984, SECOND_US = 1000000 };

static struct talk *told(enum sr_profile profile)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + profile)});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    return talk;
}

static struct talk *of_linux(void)
{
    return told(SR_PROFILE_LINUX);
}

static struct talk *of_usrsctp(void)
{
    return told(SR_PROFILE_USRSCTP);
}

#define RESENT_AFTER(us) DATA(AT_US, 9), DATA(AT_US + (us), 9), SACK(AT_US + (us) + WAY_US, 9, "")

static struct talk_row rows[] = {
    {"what its kernel may round up is no doubt",
     of_linux,
     {RESENT_AFTER(SECOND_US + LATE_US)},
     {{9, 2, "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"more is one",
     of_linux,
     {RESENT_AFTER(SECOND_US + LATE_US + 1)},
     {{9, 2, "retransmission t3/2 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"and feedback just before it would have moved it",
     of_linux,
     {DATA(AT_US, 9), SACK(AT_US + SECOND_US + 50000, 8, ""), DATA(AT_US + SECOND_US + 60000, 9),
      SACK(AT_US + SECOND_US + 60000 + WAY_US, 9, "")},
     {{9, 2, "retransmission t3_gbn/3 needed/3 S19 K14 acked/3 by 24"}}},
    {"others have 30 ms",
     of_usrsctp,
     {RESENT_AFTER(SECOND_US + 30000)},
     {{9, 2, "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"and no more",
     of_usrsctp,
     {RESENT_AFTER(SECOND_US + LATE_US)},
     {{9, 2, "retransmission t3/2 undetermined/2 S11 K6 acked/2 by 23"}}},
};

int main(void)
{
    return CHECK_ROWS("kernel_timer", rows, check_row);
}
