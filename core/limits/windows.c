/* SPDX-License-Identifier: BSD-2-Clause */
/* A round trip is from data that leaves to the feedback that acknowledges it; the next one begins with what leaves
 * then. Of each path a sender has a congestion window (RFC 9260 section 7.2): of several it is not told. */
#include "windows.h"

#include "../journal/rows.h"
#include "../wire/time.h"

enum { IPV4_HEADER = 20, IPV6_HEADER = 40, UDP_HEADER = 8 };

static uint64_t below_sctp(const struct sr_half *half)
{
    const struct sr_association *association = half->association;
    const struct sr_side *side = &association->side[half->from];
    bool ipv6 = side->addresses > 0 && side->address[0].family == 6;
    uint64_t ip = ipv6 ? IPV6_HEADER : IPV4_HEADER;
    return association->features & 1u << SR_FEATURE_UDP ? ip + UDP_HEADER : ip;
}

static void add_rules(struct sr_windows *windows, const struct sr_half *half, enum sr_cwnd_rules rules)
{
    struct sr_cwnd cwnd = {.rules = (uint8_t)rules, .below = below_sctp(half)};
    windows->cwnd[windows->rules++] = cwnd;
    cwnd.may_be_larger = true;
    windows->cwnd[windows->rules++] = cwnd;
}

static bool is_told_a_text(const struct sr_half *half)
{
    return half->told.profile > 0 && sr_family_of_profile(half->told.profile - 1u) == SR_FAMILY_UNKNOWN;
}

/* Its stack, or a text, was told, or its INIT tells it; else it may be any but pion. */
static void choose_rules(struct sr_windows *windows, const struct sr_half *half)
{
    if (is_told_a_text(half)) {
        add_rules(windows, half, SR_CWND_RFC9260);
        return;
    }
    switch (sr_sender_family(half)) {
    case SR_FAMILY_PION: add_rules(windows, half, SR_CWND_PION); return;
    case SR_FAMILY_USRSCTP: add_rules(windows, half, SR_CWND_USRSCTP); return;
    case SR_FAMILY_DCSCTP: add_rules(windows, half, SR_CWND_DCSCTP); return;
    case SR_FAMILY_LINUX: add_rules(windows, half, SR_CWND_LINUX); return;
    default: break;
    }
    add_rules(windows, half, SR_CWND_RFC9260);
    add_rules(windows, half, SR_CWND_USRSCTP);
    add_rules(windows, half, SR_CWND_DCSCTP);
    add_rules(windows, half, SR_CWND_LINUX);
}

void sr_windows_begin(struct sr_windows *windows, struct sr_spool *rows, const struct sr_half *half, bool whole)
{
    *windows = (struct sr_windows){
        .rows = rows, .lost_ns = SR_NO_TIME, .a_rwnd = SR_NO_TIME, .a_rwnd_most = SR_NO_TIME, .estimates = whole};
    choose_rules(windows, half);
}

/* Two of the same rules: for either MTU. */
static uint8_t profile_of(const struct sr_windows *windows)
{
    static const uint8_t profiles[SR_CWND_RULES] = {
        [SR_CWND_RFC9260] = SR_PROFILE_RFC9260, [SR_CWND_USRSCTP] = SR_PROFILE_USRSCTP,
        [SR_CWND_PION] = SR_PROFILE_PION,       [SR_CWND_DCSCTP] = SR_PROFILE_DCSCTP,
        [SR_CWND_LINUX] = SR_PROFILE_LINUX,
    };
    return windows->rules == 2 ? profiles[windows->cwnd[0].rules] : SR_NO_WORD;
}

static void tell_cwnd(struct sr_windows *windows)
{
    struct sr_window_row *row = &windows->open;
    row->cwnd_profile = profile_of(windows);
    row->cwnd_least = row->cwnd_most = row->ssthresh = SR_NO_TIME;
    for (uint32_t i = 0; windows->estimates && i < windows->rules; i++) {
        const struct sr_cwnd *cwnd = &windows->cwnd[i];
        int64_t bytes = cwnd->bytes < INT64_MAX ? (int64_t)cwnd->bytes : INT64_MAX;
        if (cwnd->refuted)
            continue;
        if (row->cwnd_least == SR_NO_TIME || bytes < row->cwnd_least)
            row->cwnd_least = bytes;
        if (row->cwnd_most == SR_NO_TIME || bytes > row->cwnd_most)
            row->cwnd_most = bytes;
        if (windows->rules == 2 && !windows->cwnd[1].may_be_larger && cwnd->ssthresh < INT64_MAX)
            row->ssthresh = (int64_t)cwnd->ssthresh;
    }
}

static void end_trip(struct sr_windows *windows)
{
    if (!windows->is_open)
        return;
    tell_cwnd(windows);
    struct sr_window_row *row = windows->rows ? sr_spool_append(windows->rows) : NULL;
    if (row)
        *row = windows->open;
    else
        windows->failed = windows->rows != NULL;
    windows->is_open = windows->has_ended = false;
}

static void begin_trip(struct sr_windows *windows, const struct sr_transmission_row *row, int64_t now_ns)
{
    windows->is_open = true;
    windows->until = sr_tsn(row->tsn);
    windows->open = (struct sr_window_row){
        .begin_ns = now_ns,
        .end_ns = now_ns,
        .a_rwnd = windows->a_rwnd,
        .a_rwnd_most = windows->a_rwnd_most,
        .assoc = row->assoc,
        .begin_frame = row->frame,
        .end_frame = row->frame,
        .from = row->from,
    };
}

void sr_windows_told(struct sr_windows *windows, int64_t a_rwnd)
{
    windows->a_rwnd = windows->open.a_rwnd = a_rwnd;
    if (a_rwnd > windows->a_rwnd_most)
        windows->a_rwnd_most = windows->open.a_rwnd_most = a_rwnd;
}

void sr_windows_sent(struct sr_windows *windows, const struct sr_transmission_row *row, int64_t now_ns,
                     uint64_t packet_bytes, struct sr_amount outstanding, enum sr_limit waited_for)
{
    bool full = !(row->flags & 1); /* not the E bit: RFC 9260 section 3.3.1 */
    struct sr_cwnd_packet packet = {.bytes = packet_bytes, .peer_window = windows->a_rwnd, .full = full};
    bool queued = waited_for != SR_LIMIT_APPLICATION && waited_for != SR_LIMIT_SEND_BUFFER;
    for (uint32_t i = 0; i < windows->rules; i++)
        sr_cwnd_queued(&windows->cwnd[i], queued, waited_for == SR_LIMIT_PEER_WINDOW);
    if (windows->has_ended)
        end_trip(windows);
    if (!windows->is_open)
        begin_trip(windows, row, now_ns);
    if (windows->has_path && windows->path != row->path)
        windows->estimates = false;
    windows->path = row->path;
    windows->has_path = true;
    windows->open.packets++;
    for (uint32_t i = 0; i < windows->rules; i++)
        sr_cwnd_sent(&windows->cwnd[i], &packet, outstanding);
    if (outstanding.bytes + packet_bytes > windows->open.outstanding_bytes)
        windows->open.outstanding_bytes = outstanding.bytes + packet_bytes;
}

void sr_windows_chunk(struct sr_windows *windows)
{
    windows->open.chunks += windows->is_open;
}

void sr_windows_resent(struct sr_windows *windows, const struct sr_transmission_row *row, int64_t now_ns,
                       struct sr_tsn highest, uint64_t packet_bytes, struct sr_amount outstanding)
{
    bool by_timer = row->cause == SR_CAUSE_T3 || row->cause == SR_CAUSE_FAILOVER;
    bool by_feedback = row->cause == SR_CAUSE_FAST || row->cause == SR_CAUSE_RACK;
    bool probes = row->cause == SR_CAUSE_ZERO_WINDOW_PROBE;
    bool lost = (by_timer || by_feedback) && windows->lost_ns != now_ns;
    windows->probed |= probes;
    if (lost)
        windows->lost_ns = now_ns;
    for (uint32_t i = 0; i < windows->rules; i++) {
        if (lost)
            sr_cwnd_lost(&windows->cwnd[i], by_timer, highest, outstanding);
        else if (probes)
            sr_cwnd_probed(&windows->cwnd[i], highest, outstanding);
        sr_cwnd_resent(&windows->cwnd[i], packet_bytes);
    }
}

void sr_windows_heartbeat(struct sr_windows *windows)
{
    for (uint32_t i = 0; i < windows->rules; i++)
        sr_cwnd_heartbeat(&windows->cwnd[i]);
}

void sr_windows_acked(struct sr_windows *windows, const struct sr_sack_row *row, int64_t now_ns,
                      struct sr_amount outstanding)
{
    struct sr_tsn cum = sr_tsn(row->cum_tsn);
    bool moved = !windows->has_cum || sr_tsn_after(cum, windows->cum);
    struct sr_amount acked = {row->newly_acked_bytes, row->newly_acked};
    for (uint32_t i = 0; i < windows->rules && row->newly_acked > 0; i++)
        sr_cwnd_acked(&windows->cwnd[i], acked, outstanding, cum, moved);
    if (moved)
        windows->cum = cum;
    windows->has_cum = true;
    if (row->kind != SR_SACK_KIND_SHUTDOWN)
        sr_windows_told(windows, row->a_rwnd);
    if (!windows->is_open || windows->has_ended || row->newly_acked == 0)
        return;
    windows->open.acked_bytes += row->newly_acked_bytes;
    windows->open.end_ns = now_ns;
    windows->open.end_frame = row->frame;
    windows->has_ended = sr_tsn_distance(cum, windows->until) >= 0;
}

/* Also by rules that let less be outstanding than was: the window is larger than by them. */
uint64_t sr_windows_room(const struct sr_windows *windows, struct sr_amount outstanding)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < windows->rules; i++) {
        uint64_t room = sr_cwnd_room(&windows->cwnd[i], outstanding);
        if (room < least)
            least = room;
    }
    return windows->estimates && !windows->probed ? least : 0;
}

void sr_windows_idle(struct sr_windows *windows)
{
    for (uint32_t i = 0; i < windows->rules; i++)
        sr_cwnd_idle(&windows->cwnd[i]);
}

void sr_windows_finish(struct sr_windows *windows)
{
    end_trip(windows);
}
