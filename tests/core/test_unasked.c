/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what no feedback can have asked for (docs/verdict-rules.md, "Why it was sent again"), and what comes sooner
 * after its first copy than a timer takes that was started with it. The sender is Linux, 100 us away. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = AT_US + 35000 };

/* One answer takes 300 ms, and nothing is sent again meanwhile: no timer is as short as what comes then. */
static struct talk *warm(struct talk *talk)
{
    warm_up(talk, 7, WAY_US);
    data(talk, AT_US - 500000, 8);
    sack(talk, AT_US - 200000, 8, "");
    return talk;
}

static struct talk *of(unsigned profile)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + profile)});
    shake_hands(talk, SENDER_US, WAY_US, false);
    return talk;
}

static struct talk *linux_warm(void)
{
    return warm(of(SR_PROFILE_LINUX));
}

static struct talk *with_rack(void)
{
    return warm(of(SR_PROFILE_RFC8985));
}

static struct talk *of_a_stack_that_is_not_known(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    return warm(talk);
}

static struct talk *without_feedback(void)
{
    struct talk *talk = of(SR_PROFILE_LINUX);
    flight(talk, 1000000, 1, 8, 100000);
    return talk;
}

static struct talk_row rows[] = {
    {"T3-rtx has sent it, and all in its packet",
     linux_warm,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 30000, 11),
      DATA_OF(AGAIN_US, 9, 3)},
     {{9, 2, "retransmission t3/2 undetermined/2 unresolved/1"},
      {11, 2, "retransmission t3/2 undetermined/2 unresolved/1"}}},
    {"a packet that holds none of these may be of something else",
     linux_warm,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + WAY_US, 8, "10"), DATA(AT_US + 30000, 11), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
    {"with feedback comes what a timeout had marked before",
     linux_warm,
     {DATA(AT_US, 9), SACK(AGAIN_US - 100, 8, ""), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission t3_gbn/3 needed/3 K14 unresolved/1"}}},
    {"what is passed over while it is outstanding may have been asked for",
     linux_warm,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + WAY_US, 8, "11"),
      DATA_OF(AGAIN_US, 9, 2)},
     {{10, 2, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
    {"a probe of RACK-TLP may have sent it",
     with_rack,
     {DATA(AT_US, 9), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
    {"and any timer of a stack that is not known",
     of_a_stack_that_is_not_known,
     {DATA(AT_US, 9), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
    {"where no feedback passes the tap it may have asked for anything",
     without_feedback,
     {DATA(AT_US, 9), DATA(AGAIN_US, 9)},
     {{9, 2, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
};

int main(void)
{
    return CHECK_ROWS("unasked", rows, check_row);
}
