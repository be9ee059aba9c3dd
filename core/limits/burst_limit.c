/* SPDX-License-Identifier: BSD-2-Clause */
/* RFC 9260 section 6.1 D: when feedback comes, no more than Max.Burst packets of new data leave. The congestion window
 * then has room for more, and data waits for the next feedback all the same. It is always as many packets, whatever was
 * acknowledged: where that is less, more is outstanding than before. A full send buffer lets leave what was
 * acknowledged, and as much is outstanding again. usrsctp (use_cwnd_based_maxburst), Linux (net/sctp/transport.c) and
 * dcSCTP (socket/context.rs) do so; pion 1.12 limits bursts in a repair alone. Where bursts run into one another what
 * tells is that the window had room, and less was outstanding than before. */
#include "burst_limit.h"

enum {
    RECOMMENDED = 4, /* packets: section 16, and the default of those stacks */
    KNOWN = 2,       /* times: another number, that one burst had, may be chance */
};

void sr_burst_limit_sent(struct sr_burst_limit *limit, uint64_t packet_bytes, uint64_t flight_bytes,
                         uint64_t room_bytes)
{
    limit->flight_bytes = flight_bytes;
    if (flight_bytes > limit->most_bytes)
        limit->most_bytes = flight_bytes;
    limit->room_bytes = room_bytes;
    if (packet_bytes > limit->largest_bytes)
        limit->largest_bytes = packet_bytes;
}

/* Fewer packets than it is known to be left for another reason; more refute it. */
static void see(struct sr_burst_limit *limit, uint32_t packets)
{
    if (limit->packets == packets) {
        limit->times++;
    } else if (packets > limit->packets || limit->times < KNOWN) {
        limit->packets = packets;
        limit->times = packets == RECOMMENDED ? KNOWN : 1;
    }
}

static bool grew_by_a_packet(const struct sr_burst_limit *limit)
{
    return limit->before_bytes > 0 && limit->flight_bytes >= limit->before_bytes + limit->largest_bytes;
}

enum sr_burst_limit_says sr_burst_limit_next(struct sr_burst_limit *limit, uint32_t packets, uint64_t packet_bytes,
                                             bool waited)
{
    bool grew = grew_by_a_packet(limit), cut = waited && packet_bytes <= limit->room_bytes;
    limit->before_bytes = limit->flight_bytes;
    if (cut && grew)
        see(limit, packets);
    if (!cut || packets != limit->packets || limit->times < KNOWN)
        return SR_BURST_LIMIT_NO;
    return grew ? SR_BURST_LIMIT_CUT : SR_BURST_LIMIT_PERHAPS;
}

/* A buffer that is full lets as much be outstanding again, and one that let more be has room. A packet more, as what is
 * outstanding is not known so well. */
enum sr_burst_limit_says sr_burst_limit_spread(struct sr_burst_limit *limit, uint64_t packet_bytes, bool waited)
{
    bool fell = limit->before_bytes >= limit->flight_bytes + limit->largest_bytes;
    bool differs = fell || grew_by_a_packet(limit), was_more = limit->flight_bytes + packet_bytes <= limit->most_bytes;
    limit->before_bytes = limit->flight_bytes;
    bool has_room = packet_bytes + limit->largest_bytes <= limit->room_bytes;
    return waited && differs && was_more && has_room ? SR_BURST_LIMIT_SUPPOSED : SR_BURST_LIMIT_NO;
}
