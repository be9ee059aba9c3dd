/* SPDX-License-Identifier: BSD-2-Clause */
/* What a direction had under way in each round trip, what came of it, and its windows: rows of `windows`. */
#ifndef SR_LIMITS_WINDOWS_H
#define SR_LIMITS_WINDOWS_H

#include "../facts/half.h"
#include "../journal/tables.h"
#include "congestion_window.h"

struct sr_windows {
    struct sr_spool *rows; /* struct sr_window_row; NULL: none are wanted */
    struct sr_window_row open;
    struct sr_tsn until;                    /* what the open round trip began with */
    struct sr_cwnd cwnd[2 * SR_CWND_RULES]; /* those that the sender may have */
    uint32_t rules;                         /* so many */
    uint32_t path;                          /* that all of its data took so far */
    struct sr_tsn cum;
    int64_t lost_ns;
    int64_t a_rwnd, a_rwnd_most; /* as told last, and the largest told so far; SR_NO_TIME: not told */
    bool is_open, has_ended, has_cum, has_path;
    bool estimates; /* the congestion window */
    bool probed;    /* a closed window of the peer: dcSCTP takes that for a timeout, others do not */
    bool failed;
};

/* `whole`: the capture has all from the handshake on, and tells when feedback came. */
void sr_windows_begin(struct sr_windows *windows, struct sr_spool *rows, const struct sr_half *half, bool whole);

/* The receiver tells its window, in its INIT or INIT ACK or with feedback. */
void sr_windows_told(struct sr_windows *windows, int64_t a_rwnd);

/* The first chunk of a packet leaves for the first time, while `outstanding` is, and left after that wait. */
void sr_windows_sent(struct sr_windows *windows, const struct sr_transmission_row *row, int64_t now_ns,
                     uint64_t packet_bytes, struct sr_amount outstanding, enum sr_limit waited_for);

/* One chunk of a packet leaves for the first time. */
void sr_windows_chunk(struct sr_windows *windows);

/* A packet leaves again, its first chunk that. */
void sr_windows_resent(struct sr_windows *windows, const struct sr_transmission_row *row, int64_t now_ns,
                       struct sr_tsn highest, uint64_t packet_bytes, struct sr_amount outstanding);

/* The sender asks whether an idle path is there (RFC 9260 section 8.3). */
void sr_windows_heartbeat(struct sr_windows *windows);

/* Feedback comes while `outstanding` is. */
void sr_windows_acked(struct sr_windows *windows, const struct sr_sack_row *row, int64_t now_ns,
                      struct sr_amount outstanding);

/* So much more the congestion window lets be outstanding at least, but for a limit on bursts. */
uint64_t sr_windows_room(const struct sr_windows *windows, struct sr_amount outstanding);

/* Nothing is outstanding, and was not for as long as T3-rtx takes. */
void sr_windows_idle(struct sr_windows *windows);

/* Nothing follows. */
void sr_windows_finish(struct sr_windows *windows);

#endif
