/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops that a handshake shows come first, then hop limits, then loops that follow from other things. What was lost on
 * one side of the tap shows that it is not at that side. */
#include "vantage.h"

#include "../wire/time.h"

#define MS INT64_C(1000000)
/* So much longer a host takes for a handshake than for feedback, or a sixteenth of the loop: association/kind.c. */
#define HANDSHAKE_NS INT64_C(200000)

/* A loop that is an eighth of the round trip, or a millisecond, is that of a host (section 16.1 asks for a twentieth;
 * hosts that take a few milliseconds to answer are common). */
static bool is_near(int64_t loop_ns, int64_t other_ns)
{
    return loop_ns <= MS || loop_ns < (loop_ns + other_ns) / 8;
}

struct near {
    bool sender, receiver;
};

static struct near near_to(const struct sr_measured *measured)
{
    int64_t sender_ns = measured->handshake_ns[1], receiver_ns = measured->receiver.least_ns;
    /* A loop that follows from other things may be shorter: that nothing is far from it does not make this near. */
    return (struct near){is_near(sender_ns, receiver_ns), is_near(receiver_ns, measured->inferred ? 0 : sender_ns)};
}

/* Both are within a host or a rack: how long hosts take is more than the ways differ by. */
static bool is_open(struct near near)
{
    return near.sender && near.receiver;
}

static enum sr_vantage by_loops(const struct sr_measured *measured, enum sr_vantage hops)
{
    int64_t sender_ns = measured->handshake_ns[1], receiver_ns = measured->receiver.least_ns;
    if (sender_ns == SR_NO_TIME || receiver_ns == SR_NO_TIME)
        return SR_VANTAGE_UNKNOWN;
    struct near near = near_to(measured);
    if (is_open(near) && (hops == SR_VANTAGE_SENDER || hops == SR_VANTAGE_RECEIVER))
        return hops;
    if (near.sender && !(near.receiver && receiver_ns < sender_ns))
        return SR_VANTAGE_SENDER;
    return near.receiver ? SR_VANTAGE_RECEIVER : SR_VANTAGE_MIDDLE;
}

static enum sr_vantage by_hops(const struct sr_half *half)
{
    const struct sr_side *side = half->association->side;
    if (sr_is_at_tap(half->association, half->from))
        return SR_VANTAGE_SENDER;
    if (sr_is_at_tap(half->association, 1 - half->from))
        return SR_VANTAGE_RECEIVER;
    return sr_hops_some(side[0].hops) && sr_hops_some(side[1].hops) ? SR_VANTAGE_MIDDLE : SR_VANTAGE_UNKNOWN;
}

/* Where a bridge, as that of a wireless network, lies between the tap and the receiver, no router tells of it, but what
 * it takes does, and it may lose what passed the tap. */
static bool may_be_behind_bridge(const struct sr_measured *measured)
{
    return measured->vantage == SR_VANTAGE_RECEIVER && measured->receiver.least_ns > MS;
}

/* A handshake on both sides of the tap and hop limits are two proofs that have nothing in common. One of them alone is
 * likely; what both do not agree on, or follows from other things, is less. */
static uint8_t class_of(const struct sr_measured *measured, enum sr_vantage hops)
{
    enum sr_vantage vantage = (enum sr_vantage)measured->vantage;
    bool seen = measured->handshake_ns[0] != SR_NO_TIME && measured->handshake_ns[1] != SR_NO_TIME;
    if (vantage == SR_VANTAGE_UNKNOWN)
        return 1;
    if (!seen || measured->inferred || (hops != SR_VANTAGE_UNKNOWN && hops != vantage))
        return 3;
    return hops == vantage && !is_open(near_to(measured)) && !may_be_behind_bridge(measured) ? 5 : 4;
}

/* Routers on both sides may be in the hosts: there loops tell more. */
static void conclude(struct sr_half *half)
{
    struct sr_measured *measured = &half->measured;
    enum sr_vantage hops = by_hops(half), vantage = by_loops(measured, hops);
    bool handshake = half->association->started != SR_STARTED_MIDDLE; /* for a heartbeat a host may take its time */
    bool seen = vantage != SR_VANTAGE_UNKNOWN && !measured->inferred && handshake;
    measured->sender_loop_ns = measured->handshake_ns[1] != SR_NO_TIME ? measured->handshake_ns[1] : 0;
    if (!seen && hops == SR_VANTAGE_SENDER && vantage != hops)
        measured->sender_loop_ns = 0;
    if (!seen && hops != SR_VANTAGE_UNKNOWN && (hops != SR_VANTAGE_MIDDLE || vantage == SR_VANTAGE_UNKNOWN))
        vantage = hops;
    if (vantage != hops && sr_losses_contradict(&measured->losses, vantage))
        vantage = SR_VANTAGE_MIDDLE;
    measured->vantage = (uint8_t)vantage;
    measured->vantage_class = class_of(measured, hops);
}

/* At the sender, an answer that took longer than the way did so in the host: feedback is there at once. */
static void be_told(struct sr_measured *measured, struct sr_told told)
{
    if (told.vantage || told.loop)
        measured->vantage_class = 0;
    if (!told.vantage)
        return;
    bool near = measured->vantage == SR_VANTAGE_SENDER;
    measured->vantage = told.vantage - 1;
    if (measured->vantage == SR_VANTAGE_SENDER && !near && !told.loop)
        measured->sender_loop_ns = 0;
}

/* At its own tap the loop is the time of the host, which is longer for a handshake than for an acknowledgement, and at
 * any time another: all that is known is that feedback was there. */
static void conclude_feedback(struct sr_measured *measured, struct sr_told told)
{
    bool at_host = measured->vantage == SR_VANTAGE_SENDER && !told.loop;
    int64_t share_ns = measured->sender_loop_ns / 16, sooner_ns = share_ns < HANDSHAKE_NS ? share_ns : HANDSHAKE_NS;
    measured->feedback_ns = at_host ? 0 : measured->sender_loop_ns - (told.loop ? 0 : sooner_ns);
    measured->fitted_ns = SR_NO_TIME;
}

void sr_conclude_vantage(struct sr_half *half)
{
    conclude(half);
    be_told(&half->measured, half->told);
    half->measured.adrift = !sr_is_vantage(half, SR_VANTAGE_SENDER) && half->measured.handshake_ns[1] == SR_NO_TIME;
    conclude_feedback(&half->measured, half->told);
}
