/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for that sent data again, and until when it repairs the loss. */
#include "repair.h"

void sr_repair_end(struct sr_limits_walk *walk, int64_t time_ns, uint32_t frame)
{
    sr_send_buffer_break(&walk->buffer);
    sr_limits_add(walk, time_ns, frame, walk->repair.limit, walk->repair.class);
    walk->repair.limit = SR_LIMIT_COUNT;
    walk->last = SR_LIMIT_COUNT;
    walk->fed_ns = SR_NO_TIME;
    walk->reduced = true;
}

/* Away from the sender a repair begins on when feedback came, as far as the tap can tell. */
static uint8_t class_of(const struct sr_limits_walk *walk, enum sr_limit limit)
{
    return limit == SR_LIMIT_RECOVERY && sr_limits_away(walk) ? SR_LIMITS_LEAST : sr_limits_class(walk, limit);
}

/* Data that was sent again, and not by an acknowledgement that had come: it is known what that timer waited for. */
static enum sr_limit repair_by(const struct sr_limits_walk *walk, const struct sr_transmission_row *row)
{
    bool elsewhere = row->prev_row != 0 && sr_half_tx(walk->half, row->prev_row)->path != row->path;
    switch ((enum sr_cause)row->cause) {
    case SR_CAUSE_T3:
    case SR_CAUSE_T3_GBN: return elsewhere ? SR_LIMIT_PATH_FAILURE : SR_LIMIT_TIMEOUT;
    case SR_CAUSE_FAILOVER: return SR_LIMIT_PATH_FAILURE;
    case SR_CAUSE_ZERO_WINDOW_PROBE: return SR_LIMIT_PEER_WINDOW;
    case SR_CAUSE_UNKNOWN:
    case SR_CAUSE_HANDSHAKE: return SR_LIMIT_UNKNOWN;
    default: return SR_LIMIT_RECOVERY;
    }
}

/* Nothing was sent before a timer or feedback had something sent again: the peer's window was closed, or what was
 * waited for before is still; where feedback came meanwhile and nothing left with it, there was nothing to send. */
static enum sr_limit quiet(const struct sr_limits_walk *walk, struct sr_wait now, bool feedback_came)
{
    bool unsure;
    now.packet_bytes = 1;
    if (sr_wait_is_closed(&now, &unsure))
        return SR_LIMIT_PEER_WINDOW;
    bool lasts = walk->last == SR_LIMIT_CONGESTION_WINDOW || walk->last == SR_LIMIT_BURST_LIMIT ||
                 walk->last == SR_LIMIT_SEND_BUFFER;
    return lasts && !feedback_came ? walk->last : SR_LIMIT_APPLICATION;
}

/* By the network, with what was sent before: else the timer ran since then, as long as timers do. */
static bool was_held_up(const struct sr_limits_walk *walk)
{
    return sr_limits_since(walk->now_ns, walk->sent_ns) < walk->half->measured.shortest_rto_ns;
}

void sr_repair_sent(struct sr_limits_walk *walk, const struct sr_transmission_row *row, struct sr_wait now)
{
    enum sr_limit limit = repair_by(walk, row);
    bool by_timer = row->cause == SR_CAUSE_T3 || row->cause == SR_CAUSE_FAILOVER;
    uint8_t class = class_of(walk, limit);
    sr_send_buffer_break(&walk->buffer);
    if (row->cause_class < class)
        class = row->cause_class;
    if (limit == SR_LIMIT_PEER_WINDOW) {
        sr_limits_add(walk, walk->now_ns, row->frame, limit, class);
        return;
    }
    if (by_timer && walk->silence)
        sr_intervals_decide(&walk->intervals, was_held_up(walk) ? limit : SR_LIMIT_APPLICATION);
    walk->silence = false;
    if (!by_timer && walk->repair.limit != SR_LIMIT_COUNT) {
        sr_limits_add(walk, walk->now_ns, row->frame, walk->repair.limit, walk->repair.class);
        return;
    }
    if (by_timer && walk->acked_ns != SR_NO_TIME) {
        bool repairs = walk->repair.limit != SR_LIMIT_COUNT;
        sr_limits_add(walk, walk->acked_ns, walk->acked_frame, repairs ? walk->repair.limit : quiet(walk, now, true),
                      repairs ? walk->repair.class : walk->class);
    }
    if (by_timer || limit == SR_LIMIT_UNKNOWN) {
        sr_limits_add(walk, walk->now_ns, row->frame, limit, class);
    } else {
        enum sr_limit before = quiet(walk, now, false);
        sr_limits_add(walk, walk->now_ns, row->frame, before, sr_limits_class(walk, before));
    }
    walk->repair = (struct sr_repair){limit, class, walk->highest};
}
