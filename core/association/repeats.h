/* SPDX-License-Identifier: BSD-2-Clause */
/* Which packets were seen before: the capture holds them more than once, or the network repeats them. Nobody sent them
 * a second time, so nothing counts them. */
#ifndef SR_ASSOCIATION_REPEATS_H
#define SR_ASSOCIATION_REPEATS_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/packet.h"
#include "registry.h"

enum {
    SR_REPEATS_KEPT = 4096, /* packets of all associations, the latest, in sets of SR_REPEATS_WAYS */
    SR_REPEATS_WAYS = 4,
    SR_REPEATS_SETS = SR_REPEATS_KEPT / SR_REPEATS_WAYS,
};

/* A packet that may come once more. */
struct sr_seen_packet {
    int64_t time_ns;
    uint32_t fingerprint; /* equal for equal bytes */
    uint32_t frame;       /* 0: there is none */
    uint32_t assoc;
    uint32_t path;
    uint32_t wire;     /* its length */
    uint32_t number;   /* among those of its association */
    uint32_t fills_at; /* the first TSN with which it does */
    uint16_t id;
    uint8_t hop_limit;
    uint8_t from;
    bool only_acknowledges; /* it has a SACK and nothing else */
    bool sent_again;        /* all its data was seen before */
    bool fills_gap;         /* none of its data is an original, some is seen for the first time */
    bool came_again;        /* the capture has it twice already */
    bool asks;              /* nobody sends it again so soon: sr_waits_for_timer */
};

struct sr_repeats {
    uint32_t fingerprint[SR_REPEATS_KEPT]; /* of those seen: most packets are like none, and need no more to know it */
    uint8_t latest[SR_REPEATS_SETS];       /* of each set which is */
    struct sr_seen_packet seen[SR_REPEATS_KEPT];
};

/* How the packet looks to who compares it; `path` is the number of its two addresses, `first` its first chunk, NULL
 * without. */
struct sr_seen_packet sr_seen_packet(const struct sr_packet *packet, uint32_t fingerprint, uint32_t path,
                                     const struct sr_chunk *first);

/* What it repeats; NULL where nothing is known of that. Its bytes are the same and so is its identification, which a
 * sender changes with every packet (RFC 6864 section 4, RFC 9147 section 4); where that says nothing it comes within
 * SR_CAPTURED_TWICE_NS. A receiver that is sent much again may say the same so soon: then a quarter of the side's
 * packets must come again. A sender that takes several SACKs at once may send the same again for each, as dcSCTP,
 * usrsctp and aiortc were seen to: then the capture must have had another packet of the side twice. Of what fills a gap
 * that may be the first that was seen of several, so there a third tells, or that the receiver had such a one twice
 * (filled_again.h). With other addresses it is one that a router has translated, which takes one off its hop limit.
 * Where all packets come once more by the same time later, it does so too (mirror.h). `alike`, where it repeats
 * nothing: one with the same bytes, which may have been sent again; NULL without. */
struct sr_seen_packet *sr_repeats_find(struct sr_repeats *repeats, const struct sr_registry *associations,
                                       const struct sr_seen_packet *packet, const struct sr_seen_packet **alike);

/* Keeps it, in place of the oldest of its set, and gives it as it is kept, until the next one is. */
struct sr_seen_packet *sr_repeats_keep(struct sr_repeats *repeats, const struct sr_seen_packet *packet);

/* The capture has a packet twice: it soon comes again, or from another link of the path, or all do, by `mirror`.
 * Otherwise the network may have repeated it. */
bool sr_is_captured_twice(const struct sr_mirror *mirror, const struct sr_seen_packet *before,
                          const struct sr_seen_packet *packet);

/* What its association learns from a packet that comes once more. */
struct sr_mirrored sr_mirrored(const struct sr_seen_packet *before, const struct sr_seen_packet *packet);

#endif
