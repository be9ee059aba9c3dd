/* SPDX-License-Identifier: BSD-2-Clause */
/* What a judge keeps of the data of one side while it walks through the journal. */
#ifndef SR_BOOKS_DIRECTION_H
#define SR_BOOKS_DIRECTION_H

#include "../journal/journal.h"
#include "../journal/tables.h"
#include "../timeline/window.h"
#include "../wire/tsn_reset.h"
#include "karn.h"
#include "rto.h"

enum { SR_DIRECTION_PATHS = 16, SR_DIRECTION_HEARTBEATS = 4, SR_DIRECTION_WARM = 4 };

struct sr_direction_path {
    struct sr_rto rto;
    int64_t min_rtt_ns; /* of samples that nothing delayed: SR_NO_TIME without */
    int64_t reordering_max_ns;
    uint32_t reordering_max_tsn;
    uint32_t path;
    uint32_t measured_row; /* chunks in rows below it were sent before the last measurement for the timeout */
};

/* A question whose answer tells the round-trip time; asked twice, it does not say which of them was answered. */
struct sr_question {
    int64_t time_ns;
    uint32_t path;
    uint32_t value; /* tells it from others */
    uint8_t type;   /* enum sr_chunk_type of the answer; 0: none is waited for */
    bool repeated;
};

/* HEARTBEATs to it since the last answer. */
struct sr_asked_path {
    int64_t time_ns; /* of the latest */
    uint32_t path;
    uint32_t heartbeats;
    uint32_t frame; /* of the first */
    uint32_t value; /* of the latest, and whether all of it was captured */
    bool whole;
};

struct sr_direction {
    struct sr_window window;
    struct sr_karn karn;
    struct sr_direction_figures figures;
    struct sr_direction_path *paths;
    struct sr_asked_path *asked;
    uint32_t asked_paths;
    struct sr_question handshake, heartbeats[SR_DIRECTION_HEARTBEATS];
    int64_t use_ns;           /* up to when the use of the queue was summed up */
    int64_t first_cum_ns;     /* of the first feedback */
    int64_t zero_since_ns;    /* SR_NO_TIME: the window is open */
    uint32_t first_cum_frame; /* 0: no feedback yet */
    uint32_t zero_frame;
    uint32_t suspect;       /* 1 + row of a SACK that may take something back; 0 without */
    uint32_t suspect_row;   /* chunks in rows below it were sent before that one */
    uint32_t withdrawn_by;  /* 1 + row of the SACK that took something back last */
    uint32_t withdrawn_row; /* chunks in rows below it were sent before that was known */
    uint32_t again_row;     /* 1 + row of the latest retransmission; 0 without */
    uint32_t stray_row;     /* 1 + row of a chunk out of reach; 0 without */
    uint32_t most_blocks;   /* in one SACK, in the whole capture */
    uint32_t newest_path;   /* of the latest feedback that nothing had overtaken */
    uint32_t path_before;   /* of the one before it */
    uint32_t suspect_path;  /* of the one before the latest suspect: it overtook it, if any did */
    uint32_t chunks;        /* sent */
    uint64_t taken_back;    /* TSNs, also those of which it showed later that they were not */
    uint64_t sacks;         /* that were taken */
    struct sr_tsn first_cum, cum, abandoned_to;
    struct sr_tsn highest_sent;
    struct sr_tsn complete_from; /* what was sent above it was sent within the capture */
    bool left_out;               /* that SACK may leave out what the receiver had said that it has */
    uint8_t path_count;
    uint8_t next_heartbeat;
    uint8_t feedbacks;         /* with data before them, up to SR_DIRECTION_WARM */
    struct sr_tsn_reset reset; /* that the numbering began with, if any */
    bool sent, abandons;
    bool reports_dups;     /* a SACK had duplicate reports */
    bool from_start;       /* the handshake is in the capture */
    struct sr_tsn initial; /* where `has_initial` is set: of the INIT or INIT ACK */
    bool has_initial;
};

#endif
