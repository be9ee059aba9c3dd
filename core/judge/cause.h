/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a TSN was sent again: what each replayed sender had marked or expected just before. */
#ifndef SR_JUDGE_CAUSE_H
#define SR_JUDGE_CAUSE_H

#include "../facts/ack_habit.h"
#include "../facts/half.h"
#include "../facts/reaction.h"
#include "../facts/timeouts.h"
#include "../facts/timer_bounds.h"
#include "../journal/judgement.h"
#include "../wire/time.h"
#include "fit.h"

enum { SR_MARK_EVENTS = 32 };

/* More than hosts take is not jitter. */
#define SR_MOST_JITTER_NS INT64_C(20000000)

/* Of the answers of the receiver. */
static inline int64_t sr_jitter_of(const struct sr_measured *measured)
{
    int64_t jitter_ns = measured->receiver.jitter_ns;
    return jitter_ns < SR_MOST_JITTER_NS ? jitter_ns : SR_MOST_JITTER_NS;
}

static inline struct sr_timer_view sr_timer_view_of(const struct sr_half *half)
{
    return (struct sr_timer_view){sr_jitter_of(&half->measured), sr_is_vantage(half, SR_VANTAGE_SENDER)};
}

/* A sender acts on what it has marked within this: userland timers tick every 10 ms, hosts take a few. */
#define SR_REACTS_WITHIN_NS INT64_C(12000000)

/* When a sender marked something, and why. */
struct sr_instant {
    int64_t time_ns;
    uint32_t by_frame;
    uint32_t due_frame; /* the same, or that since which it waited */
    uint32_t event;     /* counts those of this sender that differ in time or trigger */
    uint8_t trigger;
};

/* What a sender last said of a TSN. A timeout may mark a whole window, each TSN by every sender: so it is small. */
struct sr_saying {
    uint32_t instant;  /* 1 + its number; 0: it said nothing */
    uint32_t mark_row; /* 1 + its row in rack_marks; 0: there is none */
    uint32_t copy;
};

struct sr_tsn_marks {
    struct sr_saying of[SR_SENDER_COUNT];
    uint32_t next_free; /* 1 + index, in the pool's list */
};

/* An instant at which a sender marked something, and the first packet that was sent again because of it. */
struct sr_mark_event {
    int64_t time_ns;
    uint32_t number;
    uint32_t first_frame; /* 0: none so far */
    int64_t last_ns;      /* of the packets that were sent one right after the other because of it */
    uint8_t trigger;
    bool on_time; /* the first of them, soon after it */
};

struct sr_mark_history {
    uint32_t events;  /* so far */
    uint32_t instant; /* 1 + number of the latest; 0: none so far */
    struct sr_mark_event event[SR_MARK_EVENTS];
    bool has_probe;
    struct sr_expectation probe; /* the latest */
    struct sr_expectation t3;    /* likewise, its timeout; all 0 before */
    int64_t pto_ns;              /* when the next is due; SR_NO_TIME: not at all */
    int64_t t3_started_ns;       /* of T3-rtx; SR_NO_TIME: it does not run */
    int64_t unclamped_rto_ns;    /* SRTT + 4 RTTVAR; SR_NO_TIME: nothing was measured */
    int64_t rto_ns;              /* RTO; SR_NO_TIME: nothing was sent on the path */
};

/* One resend, as each sender explains it. */
struct sr_explained {
    uint32_t row;
    uint32_t trigger[SR_SENDER_COUNT];    /* frame of the feedback; 0: a timer, or not explained */
    uint8_t cause[SR_SENDER_COUNT];       /* enum sr_cause */
    uint8_t doubts[SR_SENDER_COUNT];      /* whether a fast retransmission came at its mark or later */
    int64_t probe_armed_ns, probe_due_ns; /* of the timer, where it is a probe; SR_NO_TIME: not known */
    int64_t silent_ns;                    /* since the data before; SR_NO_TIME: there was none */
    bool released;                        /* shortly before, a silence as long as a timeout ended at the tap */
    bool at_feedback;                     /* the sender had feedback just before */
    bool reneged;                         /* the receiver had taken its acknowledgement back */
    bool passed_over;                     /* a later TSN was reported before */
    bool never_missed;                    /* no feedback before it has passed it over, in whatever order */
    bool alone_again;                     /* no other TSN since the copy before, and nothing reordered */
    bool by_timer;                        /* a timer sent the packet, whatever else it holds */
    bool sent_again_before;               /* so was the copy before */
    bool asked_for;                       /* three times in a row it was reported as missing */
    bool last_open;                       /* all above are acknowledged */
    struct sr_tsn top;                    /* the highest that had passed the tap */
    bool highest, alone;                  /* nothing above was sent; nothing else is outstanding */
    bool no_room;                         /* the receiver had no room for it */
    uint8_t reports;                      /* that it is missing, one after the other, before */
    uint32_t dropped;                     /* frame of the PACKET-DROP chunk that named it; 0: none */
    int64_t probe_late_ns;                /* since pion's probe was due; SR_NO_TIME: none was */
    uint8_t certain;                      /* class of what holds whatever the sender is; 0: none */
    uint8_t silent_for_rto;               /* a bit for each sender: no data for as long as its RTO */
    uint8_t late;                         /* a bit for each sender: its timeout was too long ago to have sent it */
    uint8_t on_time;                      /* a bit for each sender: what it had marked then was first sent soon after */
};

/* It marks what was sent once. */
static inline bool sr_is_of_rack(enum sr_cause cause)
{
    return cause == SR_CAUSE_RACK || cause == SR_CAUSE_RACK_TIMER;
}

/* New data that came alone when the probe of RFC 8985 was due. */
struct sr_new_data_probe {
    uint32_t row;
    uint32_t feedback_frame;  /* of the feedback before */
    bool alone;               /* nothing new followed before other feedback */
    int64_t armed_ns, due_ns; /* SR_NO_TIME: not known; of its timer */
};

enum { SR_DROPS = 8 /* that are looked back at */ };

/* The TSNs that a PACKET-DROP chunk names, when the sender has it. */
struct sr_drop {
    int64_t time_ns;
    uint64_t lists; /* index into the pool of numbers */
    uint32_t count, frame;
};

struct sr_causes {
    struct sr_half *half;
    struct sr_judgement *tables;
    uint64_t first_mark;        /* row in rack_marks: of this direction */
    struct sr_tsn_marks *marks; /* pool */
    uint32_t marks_count, marks_room, free;
    bool reordered;   /* before the tap, so far */
    uint8_t in_wheel; /* a bit for each sender: its T3-rtx is a timer of the Linux kernel */
    struct sr_mark_history history[SR_SENDER_COUNT];
    struct sr_spool instants;  /* struct sr_instant */
    struct sr_spool explained; /* struct sr_explained: as many as there are resends */
    uint32_t explained_count;
    uint32_t telling_count;              /* of them, those that tell whose loss detection sent them */
    uint64_t marks_left, marks_left_out; /* rows of rack_marks */
    uint64_t beyond;                     /* feedback that takes back more than the model follows */
    struct sr_spool new_data_probes;     /* struct sr_new_data_probe */
    uint32_t most_outstanding;           /* TSNs, so far */
    struct sr_drop drops[SR_DROPS];      /* the latest, a ring */
    uint32_t drop_count;
    struct sr_fit fit[SR_SENDER_COUNT];
    struct sr_timeouts timeouts;
    struct sr_ack_habit ack_habit;                /* of the receiver */
    uint32_t sent_at_report[SR_MOST_REPORTS + 1]; /* fast retransmissions after so many missing reports */
    struct sr_reports reports;                    /* that passed the tap */
    int64_t reaction_ns, deviation_ns;            /* how long after its mark a resend passes the tap: running means */
    uint32_t reactions;
    uint32_t a_rwnd;                    /* the last; UINT32_MAX before */
    int64_t data_ns;                    /* of the packet before; SR_NO_TIME before the first */
    int64_t silence_ns, silence_end_ns; /* the last as long as a timeout; SR_NO_TIME without */
    int64_t feedback_ns;                /* the last, when the sender had it; SR_NO_TIME before */
    uint32_t feedback_frame;
    struct sr_tsn reported; /* the highest TSN acknowledged */
    bool has_reported;
    bool failed; /* memory ran out */
};

static inline bool sr_is_near(int64_t time_ns, int64_t other_ns)
{
    int64_t apart_ns;
    return sr_elapsed(time_ns, other_ns, &apart_ns) && apart_ns <= SR_REACTS_WITHIN_NS &&
           apart_ns >= -SR_REACTS_WITHIN_NS;
}

/* In a loop over all of them, in order. */
static inline struct sr_explained *sr_causes_explained(struct sr_causes *causes, uint32_t i)
{
    const uint32_t kept = 4096;
    if (i % kept == kept - 1)
        sr_spool_done_before(&causes->explained, i);
    return sr_spool_at(&causes->explained, i);
}

/* A sender marks a copy of a TSN, on a path of the capture. */
void sr_causes_mark(struct sr_causes *causes, const struct sr_mark *mark, uint32_t path);

/* The sender did not make it after all. */
void sr_causes_withdraw(struct sr_causes *causes, const struct sr_withdrawal *withdrawal);

void sr_causes_expect(struct sr_causes *causes, const struct sr_expectation *expectation);

/* A TSN is sent again; `copy` is that of the model. True where a timeout may have sent it. */
bool sr_causes_resent(struct sr_causes *causes, uint32_t row, const struct sr_ledger_slot *slot, uint32_t copy);

/* The receiver has acknowledged a TSN. */
void sr_causes_reported(struct sr_causes *causes, struct sr_tsn tsn);

/* A packet with data passes the tap. */
void sr_causes_data(struct sr_causes *causes, int64_t time_ns);

/* The sender has feedback. */
void sr_causes_feedback(struct sr_causes *causes, int64_t time_ns, uint32_t frame);

/* New data is sent in a packet, where so many TSNs are outstanding before it. */
void sr_causes_new_data(struct sr_causes *causes, uint32_t row, uint32_t outstanding);

/* Those that are a probe, if this is the sender. */
void sr_causes_decide_new_data(struct sr_causes *causes, unsigned chosen);

/* The frame of the PACKET-DROP chunk that the sender had just before, and that names a TSN; 0 without. */
uint32_t sr_causes_dropped_by(const struct sr_causes *causes, struct sr_tsn tsn, int64_t time_ns);

/* The sender has a PACKET-DROP chunk. */
void sr_causes_dropped(struct sr_causes *causes, const struct sr_control_row *row, int64_t time_ns);

/* A resend whose cause is known by other means. */
void sr_causes_known(struct sr_causes *causes, uint32_t row, enum sr_cause cause, uint8_t class);

/* A chunk too far from all others for anything to be known of its TSN. */
void sr_causes_out_of_reach(const struct sr_causes *causes, uint32_t row);

/* This copy comes when a sender of the real one's family, which had marked the copy before, would send it again. One
 * that its sender counted before what was seen before it does not. */
bool sr_causes_expected(const struct sr_causes *causes, const struct sr_ledger_slot *slot,
                        const struct sr_transmission_row *row, int64_t tolerance_ns);

/* The TSN is done with. */
void sr_causes_forget(struct sr_causes *causes, uint32_t mark_index);

/* Of all senders, the one that is believed so far. */
unsigned sr_causes_chosen(const struct sr_causes *causes);

/* Chooses the sender, and fills the columns on causes and probes. */
void sr_causes_decide(struct sr_causes *causes);

/* Says which marks were right, when the outcomes are known. */
void sr_causes_resolve(struct sr_causes *causes);

/* Forgets all; what held it holds the next direction. */
void sr_causes_begin(struct sr_causes *causes);

/* Forgets all of this direction, which is replayed again. */
void sr_causes_begin_again(struct sr_causes *causes);

void sr_causes_free(struct sr_causes *causes);

#endif
