/* SPDX-License-Identifier: BSD-2-Clause */
/* How much later the packets before came once more, and which of them came last. */
#include "mirror.h"

#include "../wire/chunk.h"

/* The shortest timer that is known: association/kind.h. */
#define SHORTEST_TIMER_NS INT64_C(10000000)
/* By how much a lag differs: packets of the largest size, one after the other, at a gigabit per second take 12 us each;
 * association/taps.c. */
#define APART_NS INT64_C(1000000)

enum {
    SKIPPED = 16, /* packets in a row that a mirror port may leave out, or that overtake each other on the way */
    ENOUGH = 2,   /* one from each side: a network repeats a question, and its answer comes twice from the host */
};

bool sr_waits_for_timer(uint8_t type)
{
    switch ((enum sr_chunk_type)type) {
    case SR_CHUNK_INIT:
    case SR_CHUNK_INIT_ACK:
    case SR_CHUNK_COOKIE_ECHO:
    case SR_CHUNK_COOKIE_ACK:
    case SR_CHUNK_HEARTBEAT:
    case SR_CHUNK_HEARTBEAT_ACK: return true;
    default: return false;
    }
}

static bool follows(const struct sr_mirror *mirror, struct sr_mirrored packet)
{
    int64_t apart_ns = packet.later_ns - mirror->later_ns;
    int32_t ahead = (int32_t)(packet.number - mirror->number);
    return mirror->agreed > 0 && apart_ns < APART_NS && apart_ns > -APART_NS && ahead <= SKIPPED && ahead >= -SKIPPED;
}

bool sr_mirror_has(const struct sr_mirror *mirror, struct sr_mirrored packet)
{
    if (packet.asks && packet.later_ns >= 0 && packet.later_ns < SHORTEST_TIMER_NS)
        return true;
    return mirror->agreed >= ENOUGH && mirror->from_side == 3 && follows(mirror, packet);
}

void sr_mirror_learn(struct sr_mirror *mirror, struct sr_mirrored packet)
{
    bool same = follows(mirror, packet);
    mirror->agreed = same ? mirror->agreed + (mirror->agreed < UINT32_MAX) : 1;
    mirror->from_side = (uint8_t)((same ? mirror->from_side : 0u) | 1u << packet.from);
    mirror->later_ns = packet.later_ns;
    mirror->number = packet.number;
}
