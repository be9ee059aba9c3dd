/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a sender always has as much outstanding as before, and no more: what a full send buffer does. */
#ifndef SR_LIMITS_SEND_BUFFER_H
#define SR_LIMITS_SEND_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

/* A burst of data leaves. */
struct sr_send_buffer_burst {
    uint64_t sent_bytes; /* before it, by this sender in all */
    int64_t time_ns;
    int64_t round_trip_ns;
    uint64_t largest_bytes;  /* user data of the largest packet so far */
    uint64_t before_bytes;   /* outstanding before the feedback that it leaves with */
    uint64_t left_bytes;     /* outstanding behind that feedback */
    uint64_t late_bytes;     /* acknowledged just before, which the host may not have taken yet */
    uint32_t packets_before; /* in the burst before */
    bool heard;              /* it comes with data of the other side, which an application may answer */
    bool had_it;             /* it goes on with a message that the buffer has as a whole */
};

struct sr_send_buffer {
    uint64_t peak_bytes;         /* the most that was outstanding since the last burst began */
    uint64_t window_peak_bytes;  /* likewise, since as much was sent as is outstanding, or for a round trip */
    uint64_t window_bound_bytes; /* so much it may have been, where the host had not taken what had passed its tap */
    uint64_t window_bytes;       /* sent before that */
    int64_t window_begin_ns;
    uint64_t message_bytes;           /* of the one that leaves */
    uint64_t largest_message_bytes;   /* so far */
    uint64_t least_bytes, most_bytes; /* of those of windows, one after the other; 0: none */
    uint64_t begin_bytes;             /* sent before they began */
    uint64_t known_bytes;             /* the least of those that were long enough; 0: none were */
    uint64_t left_bytes, late_bytes;  /* likewise, of the last burst */
    uint64_t low_bytes;               /* the least that was left where a burst filled the level again */
    uint64_t mark_bytes;              /* the most that was left where one left that feedback before had made room for */
    uint32_t bursts, heard, had;      /* so many; with data of the other side; in the midst of a message */
    uint32_t cut;                     /* as long as a limit on bursts lets be */
};

enum sr_send_buffer_says {
    SR_SEND_BUFFER_PERHAPS, /* it may be full */
    SR_SEND_BUFFER_FULL,    /* it was, since this level began */
    SR_SEND_BUFFER_ANSWERS, /* likewise, or so many answers were waited for */
    SR_SEND_BUFFER_HAD_IT,  /* what left was in it already: feedback lets leave as many packets as it takes away */
};

/* A chunk leaves for the first time; so much is outstanding with it. `flags`: of RFC 9260 section 3.3.1. */
void sr_send_buffer_sent(struct sr_send_buffer *buffer, uint8_t flags, uint64_t bytes, uint64_t outstanding_bytes);

/* A burst leaves with feedback that makes room, and nothing else is known to have let it. Its chunks follow. */
enum sr_send_buffer_says sr_send_buffer_burst(struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst);

/* Whether another level began with the wait before that burst. */
bool sr_send_buffer_begins(const struct sr_send_buffer *buffer);

/* A burst leaves without such feedback: a level that is known may go on. */
void sr_send_buffer_pass(struct sr_send_buffer *buffer);

/* The peer's window was waited for, or data is sent again. */
void sr_send_buffer_break(struct sr_send_buffer *buffer);

#endif
