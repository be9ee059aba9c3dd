/* SPDX-License-Identifier: BSD-2-Clause */
/* All that one replayed sender holds beside the shared scoreboard: its clocks' readings, its detectors and its timers.
 */
#ifndef SR_MODEL_SENDER_H
#define SR_MODEL_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/time.h"
#include "model.h"
#include "recovery.h"
#include "reo_wnd.h"
#include "rtt.h"
#include "scoreboard.h"

/* What senders that sample alike have measured of a path. */
struct sr_clock {
    struct sr_rtt_estimator rtt;
    struct sr_min_rtt min_rtt;
};

/* RACK's variables of one path: RFC 8985 section 5.3. */
struct sr_rack {
    struct sr_reo_wnd reo_wnd;
    struct sr_send_time segment; /* RACK.segment: of what was delivered the one sent last */
    int64_t segment_seq;         /* SR_NO_SEQ: nothing was delivered */
    int64_t rtt_ns;
    int64_t fack; /* SR_NO_SEQ: none */
    int64_t reo_wnd_ns;
};

/* Deadlines are absolute; SR_NO_TIME: the timer is off. */
struct sr_sender_path {
    int64_t t3_ns, pto_ns, reo_ns;
    int64_t t3_started_ns;      /* when T3-rtx was (re)started last */
    int64_t t3_armed_ns;        /* when it can have been started at the earliest */
    int64_t t3_off_ns;          /* when it was turned off last */
    int64_t pto_armed_ns;       /* when it was started */
    bool window_probe, t3_kept; /* net->window_probe of usrsctp: T3-rtx is kept running when all is
                                   acknowledged; it is */
    uint32_t backoff;           /* timeouts since the last measurement */
    struct sr_clock *clock;     /* shared with those who sample alike */
    struct sr_rack rack;
};

/* TLP.end_seq and TLP.is_retrans of RFC 8985 section 5.3, and the probe that was seen last. */
struct sr_tlp {
    int64_t end_seq; /* SR_NO_SEQ: no probe is in flight */
    int64_t probe_seq;
    bool is_retrans, rtt_since_probe;
    bool expects, reported;
    struct sr_expectation expected;
    struct sr_probe_report report;
};

/* pion's RACK variables of one association. */
struct sr_pion {
    struct sr_tsn highest_delivered; /* it starts at 0, and is compared by serial arithmetic */
    int64_t delivered_ns;            /* SR_NO_TIME: nothing was */
    int64_t reo_wnd_ns;
    uint32_t keep_inflated;
    bool reordering_seen;
};

enum { SR_THIRD_REPORTS = 8 }; /* of what has waited through more, it is told since the oldest of them */

/* pion: the latest feedback that brought third missing reports, and from which sequence number on. Of lower ones that
 * still wait it had come before. */
struct sr_third_reports {
    struct sr_third_report {
        int64_t from_seq;
        uint32_t frame;
    } at[SR_THIRD_REPORTS];
    uint32_t count;
};

/* Fast retransmissions, in order; until data is acknowledged that was new after one, its chunk gets no reports. */
struct sr_fast_marks {
    struct sr_fast_mark {
        int64_t seq, nxt; /* SND.NXT at it */
    } * at;
    uint32_t first, count, room; /* from `first` on */
};

struct sr_sender {
    struct sr_parameters parameters;
    uint8_t number, bit;
    uint8_t clock; /* which of the clocks of each path it reads */
    struct sr_recovery recovery;
    struct sr_tlp tlp;
    struct sr_pion pion;
    struct sr_third_reports third_reports;
    struct sr_fast_marks fast_marks; /* of a sender that may mark a chunk again after newer data */
    bool gaps_before, express;       /* usrsctp: whether the last feedback had gap blocks, and went the short way */
    struct sr_seq_list window_probe; /* the sequence numbers of the zero window probe that is out */
    int64_t now_ns;
    int64_t due_ns;                              /* no timer is due before it */
    struct sr_sender_path paths[SR_MODEL_PATHS]; /* as the scoreboard's */
};

/* What grew since it was taken last. */
struct sr_outbox {
    struct sr_mark *marks;
    struct sr_expectation *expectations;
    struct sr_probe_report *probes;
    struct sr_withdrawal *withdrawals;
    size_t mark_count, mark_room, expectation_count, expectation_room, probe_count, probe_room;
    size_t withdrawal_count, withdrawal_room;
    bool lost; /* memory was short for one of them */
};

/* What senders share that keep the same books. Those who do not hold the same TSNs to be taken back have another one.
 */
struct sr_model {
    struct sr_model *fork;            /* the next, with senders of its own; null */
    struct sr_outbox *outbox;         /* of the first */
    uint8_t active[SR_MODEL_SENDERS]; /* the senders */
    uint32_t active_count;
    uint8_t reaches; /* a bit for each enum sr_reach of one of them: how far up they look for what was taken back */
    struct sr_board board;
    struct sr_tsn_line line;
    struct sr_receiver receiver;
    struct sr_ack ack;
    struct sr_received received; /* of the feedback at hand */
    struct sr_runs scratch;
    struct sr_seq_list timed_out;
    int64_t now_ns;
    int64_t advanced_peer_ack_point; /* SR_NO_SEQ: no FORWARD-TSN was sent */
    int64_t a_rwnd_bytes;            /* -1: not known */
    int64_t feedback_ns;             /* when the last came; 0 before */
    uint32_t largest_packet_bytes;   /* that was sent: what stands for the path's MTU */
    struct sr_feedback_summary summary;
    int64_t *seqs; /* of the packet at hand, and of each whether it was sent for the first time */
    bool *first;
    size_t packet_room;
    uint32_t sender_count, clock_count;
    uint8_t clock_reader[SR_MODEL_SENDERS]; /* of each clock the first sender that reads it */
    struct sr_clock clocks[SR_MODEL_PATHS][SR_MODEL_SENDERS];
    struct sr_sender senders[SR_MODEL_SENDERS];
};

/* By what a clock is read: the senders that read it have this in common. */
static inline const struct sr_parameters *sr_clock_rules(const struct sr_model *model, uint32_t clock)
{
    return &model->senders[model->clock_reader[clock]].parameters;
}

static inline int64_t sr_min_rtt_of(const struct sr_sender *sender, const struct sr_sender_path *path)
{
    return sr_minimum_ns(&path->clock->min_rtt.model, sender->parameters.min_rtt_window_ns, sender->now_ns);
}

static inline int64_t sr_path_rto_ns(const struct sr_sender *sender, const struct sr_sender_path *path)
{
    return sr_rto_ns(&path->clock->rtt, &sender->parameters.rto, path->backoff);
}

/* No timer of this sender is due before this one. */
static inline void sr_sender_wakes_at(struct sr_sender *sender, int64_t deadline_ns)
{
    if (deadline_ns < sender->due_ns)
        sender->due_ns = deadline_ns;
}

/* Marks a chunk in flight as lost, now. `reo_wnd_ns` is the window that decided it. */
void sr_sender_mark(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, enum sr_trigger trigger,
                    uint32_t by_frame, int64_t reo_wnd_ns);

/* Likewise, of a chunk that is due by missing reports since `due_frame`, that feedback or one before. */
void sr_sender_mark_due(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, uint32_t by_frame,
                        uint32_t due_frame);

bool sr_outbox_add_expectation(struct sr_outbox *outbox, const struct sr_expectation *expectation);
bool sr_outbox_add_withdrawal(struct sr_outbox *outbox, const struct sr_withdrawal *withdrawal);
bool sr_outbox_add_probe(struct sr_outbox *outbox, const struct sr_probe_report *report);

#endif
