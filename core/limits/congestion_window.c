/* SPDX-License-Identifier: BSD-2-Clause */
/* RFC 9260 section 7.2, and what stacks do otherwise: usrsctp 0.9.5 (netinet/sctp_cc_functions.c), pion 1.12
 * (association.go), dcSCTP 0.1.16 (tx/retransmission_queue.rs) and Linux 6.1 (net/sctp: sctp_transport_raise_cwnd,
 * sctp_transport_lower_cwnd, sctp_packet_can_append_data). */
#include "congestion_window.h"

enum {
    AFTER_TIMEOUT = 4, /* MTUs of ssthresh: section 7.2.3 */
    INITIAL = 4380,    /* as RFC 4960 has it and stacks do; RFC 9260 has 4,404 */
    ETHERNET = 1480,   /* 1,500 bytes without IPv4's header: few paths take larger packets */
    COMMON_HEADER = 12,
    CHUNK_HEADER = 16,
};

struct rules {
    uint8_t header;           /* of a chunk, that is counted with its data */
    uint8_t initial_mtus;     /* 0: as RFC 9260 section 7.2.1 says */
    uint8_t initial_without;  /* of each of them */
    uint8_t most_mtus;        /* that one SACK adds in slow start; 0: as much as there was */
    uint8_t least_mtus;       /* of ssthresh behind a loss that feedback tells of */
    uint8_t burst_mtus;       /* more than outstanding when data leaves; 0: the window is not cut to that */
    bool grows_while_queued;  /* else, while it is full */
    uint8_t full_within_mtus; /* so much may be free then */
    bool limits_bursts;       /* section 6.1 D, outside of a repair */
    bool shrinks_idle;
    bool mtu_of_ip;           /* the path's, with the headers below SCTP's */
    bool grows_by_gaps;       /* also where nothing is acknowledged cumulatively */
    bool forgets_partly;      /* acknowledged bytes, once nothing is in flight */
    bool counts_marked;       /* what is to be sent again is not in flight until it is */
    bool halves_at_heartbeat; /* of a path that was idle, or timed out: then four MTUs are more than it was */
    bool probes_time_out;     /* of a closed window of the peer */
    bool last_is_above;       /* a packet leaves while less than the window is in flight, however large it is */
};

static const struct rules rules_of[SR_CWND_RULES] = {
    [SR_CWND_RFC9260] = {.header = 16, .most_mtus = 1, .least_mtus = 4, .limits_bursts = true, .shrinks_idle = true},
    [SR_CWND_USRSCTP] = {.header = 16,
                         .initial_mtus = 3,
                         .initial_without = COMMON_HEADER,
                         .most_mtus = 2,
                         .least_mtus = 2,
                         .burst_mtus = 4,
                         .limits_bursts = true},
    [SR_CWND_PION] = {.least_mtus = 4, .grows_while_queued = true},
    [SR_CWND_DCSCTP] = {.header = 16,
                        .initial_mtus = 10,
                        .most_mtus = 1,
                        .least_mtus = 4,
                        .full_within_mtus = 1,
                        .limits_bursts = true},
    [SR_CWND_LINUX] = {.most_mtus = 1,
                       .least_mtus = 4,
                       .limits_bursts = true,
                       .mtu_of_ip = true,
                       .grows_by_gaps = true,
                       .forgets_partly = true,
                       .counts_marked = true,
                       .halves_at_heartbeat = true,
                       .probes_time_out = true,
                       .last_is_above = true},
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t counted(const struct sr_cwnd *cwnd, struct sr_amount amount)
{
    return amount.bytes + rules_of[cwnd->rules].header * amount.chunks;
}

uint64_t sr_cwnd_flight(const struct sr_cwnd *cwnd, struct sr_amount outstanding)
{
    uint64_t bytes = counted(cwnd, outstanding);
    return bytes - least(bytes, cwnd->marked_bytes);
}

/* Smaller and larger windows differ by so much. */
static uint64_t step(const struct sr_cwnd *cwnd)
{
    return cwnd->mtu + (rules_of[cwnd->rules].mtu_of_ip ? cwnd->below : 0);
}

static uint64_t initial(const struct rules *rules, uint64_t mtu)
{
    if (rules->initial_mtus == 0)
        return least(4 * mtu, most(2 * mtu, INITIAL));
    return (mtu - rules->initial_without) * rules->initial_mtus;
}

/* A packet is full where its message goes on (RFC 9260 section 6.9). pion and usrsctp begin with the peer's window for
 * a threshold; it may be as high as that (section 7.2.1). */
static void see_packet(struct sr_cwnd *cwnd, const struct sr_cwnd_packet *packet)
{
    const struct rules *rules = &rules_of[cwnd->rules];
    uint64_t seen = (packet->bytes + 3) / 4 * 4 + CHUNK_HEADER + COMMON_HEADER;
    bool was_larger = packet->full && cwnd->may_be_larger;
    if (cwnd->mtu == 0)
        cwnd->ssthresh = packet->peer_window > 0 ? (uint64_t)packet->peer_window : UINT64_MAX;
    if (packet->full)
        cwnd->may_be_larger = false;
    uint64_t mtu = (cwnd->may_be_larger ? most(seen, ETHERNET) : seen);
    if (mtu <= cwnd->mtu && !was_larger)
        return;
    cwnd->mtu = mtu;
    if (!cwnd->touched)
        cwnd->bytes = initial(rules, step(cwnd));
}

static void grow(struct sr_cwnd *cwnd, uint64_t acked, bool full)
{
    const struct rules *rules = &rules_of[cwnd->rules];
    cwnd->touched = true;
    if (cwnd->bytes <= cwnd->ssthresh) {
        if (full)
            cwnd->bytes += least(acked, rules->most_mtus > 0 ? rules->most_mtus * step(cwnd) : cwnd->bytes);
        return;
    }
    cwnd->partly_acked += acked; /* section 7.2.2 */
    if (cwnd->partly_acked < cwnd->bytes)
        return;
    if (full) {
        cwnd->partly_acked -= cwnd->bytes;
        cwnd->bytes += step(cwnd);
    } else {
        cwnd->partly_acked = cwnd->bytes;
    }
}

void sr_cwnd_queued(struct sr_cwnd *cwnd, bool queued, bool surely)
{
    if (queued && (surely || cwnd->was_full) && cwnd->queued_bytes > 0)
        grow(cwnd, cwnd->queued_bytes, true);
    cwnd->queued_bytes = 0;
    cwnd->was_full = false;
}

void sr_cwnd_sent(struct sr_cwnd *cwnd, const struct sr_cwnd_packet *packet, struct sr_amount outstanding)
{
    const struct rules *rules = &rules_of[cwnd->rules];
    uint64_t flight = sr_cwnd_flight(cwnd, outstanding);
    see_packet(cwnd, packet);
    if (rules->burst_mtus > 0 && flight + rules->burst_mtus * cwnd->mtu < cwnd->bytes) {
        cwnd->ssthresh = most(cwnd->ssthresh, cwnd->bytes);
        cwnd->uncut_bytes = cwnd->bytes;
        cwnd->bytes = flight + rules->burst_mtus * cwnd->mtu;
        cwnd->touched = true;
    }
    if (flight >= cwnd->bytes + cwnd->mtu) /* section 6.1 B; the last packet may be above it */
        cwnd->refuted = true;
}

void sr_cwnd_acked(struct sr_cwnd *cwnd, struct sr_amount acked, struct sr_amount outstanding, struct sr_tsn cum,
                   bool moved)
{
    const struct rules *rules = &rules_of[cwnd->rules];
    cwnd->uncut_bytes = 0;
    if (cwnd->mtu == 0)
        return;
    bool ends = cwnd->recovers && sr_tsn_distance(cum, cwnd->until) >= 0;
    if (ends)
        cwnd->recovers = false;
    uint64_t bytes = counted(cwnd, acked), flight = sr_cwnd_flight(cwnd, outstanding);
    if ((moved || rules->grows_by_gaps) && !cwnd->recovers) {
        if (rules->grows_while_queued) {
            cwnd->queued_bytes += bytes;
            cwnd->was_full |= ends || flight + cwnd->mtu > cwnd->bytes;
        } else {
            grow(cwnd, bytes, flight + rules->full_within_mtus * cwnd->mtu >= cwnd->bytes);
        }
    }
    if (rules->forgets_partly && bytes >= flight)
        cwnd->partly_acked = 0;
    cwnd->marked_bytes =
        least(cwnd->marked_bytes, counted(cwnd, outstanding) - least(counted(cwnd, outstanding), bytes));
}

/* Section 7.2.1: it is halved then; neither usrsctp nor dcSCTP do, and Linux does with each HEARTBEAT. */
void sr_cwnd_idle(struct sr_cwnd *cwnd)
{
    cwnd->idle = cwnd->idle || rules_of[cwnd->rules].shrinks_idle;
}

uint64_t sr_cwnd_room(const struct sr_cwnd *cwnd, struct sr_amount outstanding)
{
    const struct rules *rules = &rules_of[cwnd->rules];
    uint64_t flight = sr_cwnd_flight(cwnd, outstanding), bytes = most(cwnd->bytes, cwnd->uncut_bytes);
    bool tells = rules->limits_bursts && !cwnd->idle;
    return tells && bytes > flight ? bytes - flight + (rules->last_is_above ? cwnd->mtu : 0) : 0;
}

void sr_cwnd_heartbeat(struct sr_cwnd *cwnd)
{
    if (!rules_of[cwnd->rules].halves_at_heartbeat || cwnd->mtu == 0)
        return;
    cwnd->ssthresh = cwnd->bytes = most(cwnd->bytes / 2, AFTER_TIMEOUT * step(cwnd));
    cwnd->partly_acked = 0;
    cwnd->touched = true;
}

void sr_cwnd_probed(struct sr_cwnd *cwnd, struct sr_tsn highest, struct sr_amount outstanding)
{
    if (rules_of[cwnd->rules].probes_time_out)
        sr_cwnd_lost(cwnd, true, highest, outstanding);
}

void sr_cwnd_resent(struct sr_cwnd *cwnd, uint64_t bytes)
{
    cwnd->marked_bytes -= least(cwnd->marked_bytes, bytes);
}

void sr_cwnd_lost(struct sr_cwnd *cwnd, bool by_timer, struct sr_tsn highest, struct sr_amount outstanding)
{
    if (by_timer && rules_of[cwnd->rules].counts_marked)
        cwnd->marked_bytes = outstanding.bytes;
    if (cwnd->mtu == 0 || (!by_timer && cwnd->recovers))
        return;
    uint64_t mtus = by_timer ? AFTER_TIMEOUT : rules_of[cwnd->rules].least_mtus;
    cwnd->ssthresh = most(cwnd->bytes / 2, mtus * step(cwnd));
    cwnd->bytes = by_timer ? step(cwnd) : cwnd->ssthresh;
    cwnd->partly_acked = cwnd->queued_bytes = 0;
    cwnd->recovers = !by_timer;
    cwnd->until = highest;
    cwnd->touched = true;
}
