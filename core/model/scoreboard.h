/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the books that all senders share: which TSN is outstanding, acknowledged or given up, on which path, and sent
 * when. It decides nothing about loss; the senders do, and have it noted here. RFC 8985 section 4 point 1. */
#ifndef SR_MODEL_SCOREBOARD_H
#define SR_MODEL_SCOREBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chunk.h"
#include "model.h"
#include "rtt_samples.h"
#include "runs.h"
#include "seq_set.h"

enum { SR_NO_PATH = 255 };

/* What is outstanding on a path. A path is a destination address (RFC 9260 section 6.3: an RTO for each). */
struct sr_board_path {
    struct sr_seq_sets outstanding;
    struct sr_seq_sets missing;       /* for each sender what can get missing reports */
    struct sr_seq_sets waiting;       /* usrsctp: what is missing but for that newer data is to be acknowledged
                                         first; pion: what has its reports and is to be sent */
    struct sr_seq_sets sent;          /* the same, by order of sending */
    struct sr_seq_sets unmarked;      /* likewise, what each sender has not marked */
    struct sr_seq_sets once;          /* of that, what was sent once: for those with RACK as pion */
    int64_t before[SR_MODEL_SENDERS]; /* of each an order: so far all was sent before RACK.segment */
    uint32_t outstanding_chunks, sacked_chunks, sacked_packets; /* sacked: acknowledged out of order */
    uint64_t outstanding_bytes;
    uint32_t lost_chunks[SR_MODEL_SENDERS]; /* of what is outstanding, what each sender has marked */
    uint64_t lost_bytes[SR_MODEL_SENDERS];
    struct sr_timing timing;
    struct sr_path_news news; /* of the last feedback */
    uint8_t number;           /* the caller's */
};

/* A packet of which something is on the board. */
struct sr_board_packet {
    uint32_t chunks, sacked;
};

struct sr_seq_list {
    int64_t *at;
    size_t count, room;
};

/* A chunk that was retransmitted, at the moment it is acknowledged. */
struct sr_resent {
    struct sr_send_time sent;
    int64_t seq;
    uint8_t path;
};

/* What a TSN that is not below the cumulative ack point may be, a set each. */
enum sr_board_set {
    SR_SET_PRESENT,
    SR_SET_WANTED, /* not given up */
    SR_SET_OUTSTANDING,
    SR_SET_GAP_ACKED,
    SR_SET_PROMISED, /* acknowledged for good, and reported so far */
    SR_SET_COUNT,
};

/* What one feedback changed; the paths' part is in their news. */
struct sr_ack {
    int64_t cum, top;   /* `top`: the highest TSN that it speaks of */
    int64_t htna;       /* the highest newly acknowledged; SR_NO_SEQ without one */
    int64_t newest_seq; /* of the newly acknowledged, and of what was given up and is passed over, the one sent last, by
                           time alone, then the lowest: as pion has it */
    int64_t newest_time_ns; /* SR_NO_TIME without one */
    uint32_t newly_chunks, newly_bytes;
    uint32_t first_frame; /* of what is newly acknowledged */
    bool several_packets, ack_now;
    bool has_gaps, cum_advanced;
    struct sr_resent *resent;
    size_t resent_count, resent_room;
    struct sr_seq_list taken_back, broken_promises;
};

/* Feedback, on the line of sequence numbers. */
struct sr_received {
    int64_t cum, top;
    struct sr_runs gaps;          /* all above `cum` that was received */
    struct sr_runs non_renegable; /* what of it the receiver keeps for good */
    size_t blocks;
    bool tells_gaps; /* false where a missing TSN means nothing */
    bool overtaken;  /* it left the receiver before feedback that was taken already */
};

struct sr_board {
    struct sr_chunk *chunks; /* ring: slot of a TSN is its sequence number modulo the capacity */
    uint8_t *misses;         /* of each slot one for each of SR_MODEL_SENDERS */
    uint32_t *fast_nxt;      /* likewise one for each of those as usrsctp: SND.NXT at the fast retransmission, where
                                `fast` is set */
    uint32_t fast_lanes;     /* of them */
    uint32_t capacity;
    struct sr_board_packet *packets;
    uint32_t *free_packets;
    uint32_t free_count;
    int64_t una, nxt;
    int64_t lowest; /* that was ever sent in this numbering */
    bool acked_anything;
    int64_t *by_order; /* ring: whose transmission has an order. Twice as large, for what was sent again */
    uint32_t orders;   /* its capacity */
    int64_t order_first,
        order_next;            /* none below is outstanding, or acknowledged by a block; of the next transmission */
    struct sr_seq_sets states; /* enum sr_board_set */
    int64_t reported_below[SR_SET_COUNT];       /* all that was put into the set by sr_board_report */
    uint64_t may_be_taken_back;                 /* TSNs: SR_MODEL_TAKEN_BACK */
    uint64_t beyond;                            /* feedback that left out more than that */
    struct sr_board_path paths[SR_MODEL_PATHS]; /* in the order in which they were seen */
    uint32_t path_count;
    uint8_t place_of_path[SR_MODEL_PATHS];
    uint32_t on_board, abandoned;
    uint64_t outstanding_chunks, outstanding_bytes, gap_acked_chunks, gap_acked_bytes;
    uint32_t senders;
    uint8_t never_again;                  /* a bit for each sender that marks a TSN by missing reports only once */
    uint8_t as_usrsctp, as_pion;          /* a bit for each that counts them so */
    uint8_t split_paths;                  /* of those as usrsctp a bit for each with CMT */
    uint8_t thresholds[SR_MODEL_SENDERS]; /* of missing reports */
    uint8_t strikers[SR_MODEL_SENDERS];   /* the senders that count as usrsctp */
    uint32_t striker_count;
    uint8_t fast_lane[SR_MODEL_SENDERS];      /* of those that count as usrsctp: which of `fast_nxt` is theirs */
    uint64_t counts_misses[SR_MODEL_SENDERS]; /* all ones for a sender that counts missing reports */
    uint64_t active[SR_MODEL_SENDERS],
        once[SR_MODEL_SENDERS]; /* all ones for a sender that is here; with RACK as pion */
    struct sr_karn_fence fence;
    uint64_t steps;
};

bool sr_board_init(struct sr_board *board, const struct sr_parameters *senders, uint32_t count);
void sr_board_free(struct sr_board *board);

/* A copy in another's place, which is not freed. False without memory; it is to be freed all the same. */
bool sr_board_copy(struct sr_board *to, const struct sr_board *from);

/* From now on only the senders with these bits are there. */
void sr_board_keep(struct sr_board *board, uint8_t senders);
void sr_ack_free(struct sr_ack *ack);

/* The path, new if it was not seen before; null without memory. */
struct sr_board_path *sr_board_path(struct sr_board *board, uint32_t number);

static inline int64_t sr_board_first(const struct sr_board *board)
{
    return board->una > board->lowest ? board->una : board->lowest;
}

/* From where on what lies above the cumulative TSN may be on the board: below the lowest that was ever sent a slot
 * holds another TSN, whatever blocks say of it. */
static inline int64_t sr_board_above(const struct sr_board *board, int64_t cum)
{
    return cum + 1 > board->lowest ? cum + 1 : board->lowest;
}

/* The first in this state from `from` on and before `end`; `end` where there is none. */
static inline int64_t sr_board_next(struct sr_board *board, enum sr_board_set set, int64_t from, int64_t end)
{
    return sr_seq_set_next(&board->states, set, from, end);
}

/* TSNs that are acknowledged out of order. */
static inline uint32_t sr_board_sacked(const struct sr_board *board)
{
    uint32_t sacked = 0;
    for (uint32_t i = 0; i < board->path_count; i++)
        sacked += board->paths[i].sacked_chunks;
    return sacked;
}

/* A block reports it: SR_SET_GAP_ACKED, SR_SET_PROMISED. */
static inline void sr_board_report(struct sr_board *board, enum sr_board_set set, int64_t seq)
{
    sr_seq_set_add(&board->states, set, seq);
    board->reported_below[set] = seq >= board->reported_below[set] ? seq + 1 : board->reported_below[set];
}

/* As sr_board_next, of those: mostly nothing lies above the last block. */
static inline int64_t sr_board_next_reported(struct sr_board *board, enum sr_board_set set, int64_t from, int64_t end)
{
    return from >= board->reported_below[set] ? end : sr_board_next(board, set, from, end);
}

static inline struct sr_chunk *sr_board_slot(const struct sr_board *board, int64_t seq)
{
    return &board->chunks[(uint32_t)seq & (board->capacity - 1)];
}

/* Likewise the first that is missing for a sender, on any path, and the first that waits. */
static inline int64_t sr_board_next_missing(struct sr_board *board, uint32_t sender, int64_t from, int64_t end)
{
    for (uint32_t i = 0; i < board->path_count; i++)
        end = sr_seq_set_next(&board->paths[i].missing, sender, from, end);
    return end;
}

static inline int64_t sr_board_next_waiting(struct sr_board *board, uint32_t sender, int64_t from, int64_t end)
{
    for (uint32_t i = 0; i < board->path_count; i++)
        end = sr_seq_set_next(&board->paths[i].waiting, sender, from, end);
    return end;
}

/* Null for one that was never sent, or is forgotten. */
static inline struct sr_chunk *sr_board_find(const struct sr_board *board, int64_t seq)
{
    struct sr_chunk *chunk = sr_board_slot(board, seq);
    return chunk->seq == seq && chunk->state != SR_CHUNK_STATE_NONE ? chunk : NULL;
}

static inline uint8_t *sr_board_misses(const struct sr_board *board, int64_t seq)
{
    return &board->misses[(size_t)((uint32_t)seq & (board->capacity - 1)) * SR_MODEL_SENDERS];
}

static inline uint32_t *sr_board_fast_nxt(const struct sr_board *board, int64_t seq, uint32_t sender)
{
    size_t slot = (uint32_t)seq & (board->capacity - 1);
    return &board->fast_nxt[slot * board->fast_lanes + board->fast_lane[sender]];
}

/* Whether a path has something in flight for a sender: outstanding, and not marked. */
static inline bool sr_in_flight_on(const struct sr_board_path *path, uint32_t sender)
{
    return path->outstanding_chunks > path->lost_chunks[sender];
}

/* The earliest and the highest outstanding sequence number of a path; it has one. */
int64_t sr_board_earliest(struct sr_board *board, struct sr_board_path *path);
int64_t sr_board_highest(const struct sr_board *board, struct sr_board_path *path);

/* The highest outstanding one of all paths; SND.UNA without one. */
int64_t sr_board_highest_outstanding(struct sr_board *board);

/* Room for `count` transmissions of these sequence numbers; false where there is none, or they are out of the window.
 */
bool sr_board_reach(struct sr_board *board, int64_t lowest, int64_t highest, size_t count);

uint32_t sr_board_packet_begin(struct sr_board *board);
void sr_board_packet_end(struct sr_board *board, uint32_t packet);

/* Records a transmission; true if the TSN is sent for the first time. A TSN that was acknowledged or given up before
 * stays so: its new copy is redundant. */
bool sr_board_send(struct sr_board *board, const struct sr_model_data *data, int64_t seq, uint8_t path,
                   struct sr_send_time sent, uint32_t packet);

/* Takes it from the first feedback that the capture began after this was acknowledged. */
void sr_board_begins_at(struct sr_board *board, int64_t seq);

/* Notes that a sender has marked a chunk in flight. */
void sr_board_mark_lost(struct sr_board *board, uint32_t sender, struct sr_chunk *chunk);

/* Applies feedback that is not out of date: RFC 9260 section 6.2.1. The lists have room. What was acknowledged up to
 * `reach`, and is not now, was taken back. */
void sr_board_acknowledge(struct sr_board *board, const struct sr_received *received, int64_t reach,
                          struct sr_ack *ack);

/* Room for whatever feedback may change. */
bool sr_board_reserve(const struct sr_board *board, struct sr_ack *ack);

/* Gives up all that is outstanding up to `seq`. */
void sr_board_abandon(struct sr_board *board, int64_t seq);

/* All is as if acknowledged, and the next TSN sent is `next`. */
void sr_board_restart(struct sr_board *board, int64_t next);

#endif
