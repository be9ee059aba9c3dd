/* SPDX-License-Identifier: BSD-2-Clause */
/* One direction on its way through the recovery model: what the files of the replay share. */
#ifndef SR_JUDGE_REPLAYING_H
#define SR_JUDGE_REPLAYING_H

#include "../facts/late.h"
#include "../facts/missing.h"
#include "../facts/round_trips.h"
#include "cause.h"
#include "rack_state.h"
#include "tail.h"

enum {
    SR_REPLAY_PACKET = 256,    /* chunks */
    SR_REPLAY_WAITING = 65536, /* feedback on its way to the sender */
    SR_REPLAY_PATHS = 16,
};

/* Feedback on its way to the sender. */
struct sr_waiting {
    uint32_t row;   /* 1 + row */
    bool with_data; /* in a packet with data of its side, which it may not have waited for */
};

struct sr_replay {
    struct sr_half *half;
    struct sr_causes *causes;
    struct sr_model *model;
    struct sr_waiting *waiting; /* a ring */
    uint32_t waiting_from, waiting_to;
    uint32_t newest;              /* 1 + row of the feedback that passed the tap last; 0: looked at, or none */
    struct sr_crossing *crossing; /* what of it is late; null: nothing */
    uint32_t asked, release;      /* 1 + row of the feedback of which that was asked, and the frame it waits for */
    struct sr_round_trips trips;
    int64_t origin_ns; /* of the model's clock */
    int64_t now_ns;    /* of the capture */
    struct sr_tsn highest;
    bool begun;
    bool had_gaps; /* the feedback before */
    uint32_t paths[SR_REPLAY_PATHS];
    uint32_t path_count;
    struct sr_tail tail;
    struct sr_silence silence;
    struct {
        uint64_t most_flight_bytes;
        uint8_t sender, profile;
    } states[SR_STATES_OF_A_SACK]; /* those of each SACK */
    uint32_t state_count;
    /* the packet that is being put together */
    struct sr_model_data chunks[SR_REPLAY_PACKET];
    uint32_t rows[SR_REPLAY_PACKET];
    uint8_t known[SR_REPLAY_PACKET]; /* enum sr_cause; SR_CAUSE_COUNT: not known */
    uint8_t known_class[SR_REPLAY_PACKET];
    uint32_t count;
    uint32_t frame, path;
    int64_t time_ns;
};

/* replay_model.c: on the model's clock, which starts with the first time that is known and does not run backwards. */
int64_t sr_replay_time(struct sr_replay *replay, int64_t time_ns);

/* What the model says goes to the causes. */
void sr_replay_take(struct sr_replay *replay);

uint32_t sr_replay_path(struct sr_replay *replay, uint32_t path);

/* What leaves the ledger is forgotten. */
void sr_replay_leaves(void *causes, const struct sr_ledger_slot *slot);

/* replay_packet.c. What was skipped below a row, and `itself`, was sent and not seen. */
void sr_replay_fill_hole(struct sr_replay *replay, const struct sr_transmission_row *row, bool itself);
/* The timers that the senders have on a path. */
struct sr_tail_timers sr_replay_timers(struct sr_replay *replay, uint32_t path);
/* The packet that is being put together is sent. */
void sr_replay_send(struct sr_replay *replay);

/* replay_feedback.c: all feedback that the sender has by then, before it sends this frame. */
void sr_replay_deliver_until(struct sr_replay *replay, int64_t time_ns, uint32_t frame);

#endif
