/* SPDX-License-Identifier: BSD-2-Clause */
/* The recovery model: what several senders, each with its own loss detection, would have made of one direction of an
 * association. Four verbs: data sent, feedback arrived, time passed, marks taken. What was sent and acknowledged is
 * kept once for all senders; each event reaches all of them.
 *
 * The model does not act: if the real sender does something else than a sender of the model would have done, the model
 * learns it from the next transmission. Its oracle is analyzer/sctp_rack/reference/, in files of the same names.
 *
 * Times are int64 nanoseconds on the sender's clock, 0 to SR_MODEL_LAST_NS: feedback has the time at which the sender
 * had it. Events come in order of time. SR_NO_TIME (wire/time.h) stands for a time or duration that is not there. Cost
 * is amortised O(1) for each transmission, each TSN whose state changes and each block of feedback. */
#ifndef SR_MODEL_MODEL_H
#define SR_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../names.h"
#include "../wire/tsn.h"
#include "profiles.h"

enum sr_model_limit {
    SR_MODEL_SENDERS = 8,      /* most senders side by side */
    SR_MODEL_PATHS = 16,       /* most paths; the caller numbers them from 0 */
    SR_MODEL_WINDOW = 1 << 17, /* most TSNs from the lowest that is not acknowledged to the highest sent */
    SR_MODEL_HISTORY = 256,    /* TSNs remembered, at least, below the cumulative one: their paths and copies */
    SR_MODEL_TIMEOUTS = 1000, /* T3-rtx that expires so often, with nothing measured or acknowledged between, stays off:
                                 RFC 9260 section 8.1 gives up after 10 */
    SR_MODEL_TAKEN_BACK = 16, /* TSNs that feedback may take back, for each TSN sent and each feedback so far. What was
                                 taken back must be sent again to be taken back again, so one is enough for a receiver
                                 that does; more looks so where SACKs overtake each other. What more is left out stays
                                 acknowledged */
    SR_MODEL_MIN_SAMPLES = 4096 /* samples kept of which one may become a path's minimum round trip; beyond it the last
                                   two are one, of the earlier's size and the later's time */
};
#define SR_MODEL_LAST_NS (INT64_C(1) << 62)

struct sr_model;

/* One to SR_MODEL_SENDERS senders; they are numbered as here. Null without memory, or for another count. */
struct sr_model *sr_model_new(const struct sr_parameters *senders, size_t count, struct sr_receiver receiver);
void sr_model_free(struct sr_model *model);

/* What a path is taken to have learned before the first event; `path_min_rtt_ns` is the minimum of undelayed samples.
 */
struct sr_warm_start {
    uint32_t path;
    int64_t srtt_ns, rttvar_ns, min_rtt_ns, path_min_rtt_ns;
    bool reordering_seen;
    uint32_t reo_wnd_mult;
};
bool sr_model_warm(struct sr_model *model, const struct sr_warm_start *start);

/* ---- events. False, and nothing has changed but the timers, where an event cannot be taken: time runs backwards or is
 * out of range, the path's number is too high, a TSN is out of SR_MODEL_WINDOW, or memory is short. ---- */

struct sr_model_data {
    struct sr_tsn tsn;
    uint32_t bytes; /* user data */
    bool ack_now;   /* the I bit (RFC 9260 section 3.3.1) */
};

/* A packet with data that the sender sent. Frames number the packets, in the order sent. */
struct sr_model_sent {
    int64_t time_ns;
    uint32_t frame;
    uint32_t path; /* to which it was sent */
    const struct sr_model_data *chunks;
    size_t count;
};
bool sr_model_sent(struct sr_model *model, const struct sr_model_sent *sent);

/* A SACK, an NR-SACK, or the cumulative TSN of a SHUTDOWN. Blocks are absolute, in any order, as on the wire. */
struct sr_model_feedback {
    int64_t time_ns;
    uint32_t frame;
    struct sr_tsn cum_tsn;
    const struct sr_tsn_range *gaps, *nr_gaps;
    size_t gap_count, nr_gap_count;
    const struct sr_tsn *dups;
    size_t dup_count;
    uint32_t a_rwnd_bytes;
    bool has_a_rwnd;
    uint8_t kind;           /* enum sr_sack_kind */
    uint8_t packets;        /* that it answers, as far as it says (CMT with DAC); 0: it does not */
    bool all_non_renegable; /* the NR-SACK A bit */
    bool lists_cut;         /* the capture cut the lists: what is not in them may have been */
    bool overtaken;         /* it left the receiver before one that was taken already (SR_REACH_IN_ORDER) */
};
bool sr_model_feedback(struct sr_model *model, const struct sr_model_feedback *feedback);

/* A FORWARD-TSN or I-FORWARD-TSN that the sender sent (RFC 3758, RFC 8260). */
bool sr_model_forward_tsn(struct sr_model *model, int64_t time_ns, struct sr_tsn new_cum);

/* A round-trip sample that does not come from data: handshake or HEARTBEAT. */
bool sr_model_rtt(struct sr_model *model, int64_t time_ns, uint32_t path, int64_t rtt_ns, enum sr_rtt_tag tag);

/* An SSN/TSN reset took effect (RFC 6525 section 5.2.4): the next new TSN is this one. */
bool sr_model_tsn_reset(struct sr_model *model, int64_t time_ns, struct sr_tsn next);

/* Fires all timers that are due by this time. */
bool sr_model_time_passed(struct sr_model *model, int64_t now_ns);

/* When a sender's next timer is due; SR_NO_TIME: none runs. */
int64_t sr_model_next_timer_ns(const struct sr_model *model, uint32_t sender);

/* Ends the association: an open probe is closed. Only answers are asked for afterwards. */
void sr_model_finish(struct sr_model *model);

/* ---- answers. Each list has what came since it was last taken, for each sender in order of time, and stays until the
 * next event. Take them after each event, or as often as memory asks for it. ---- */

/* Whether one of the lists has anything: after most events none has. */
bool sr_model_has_news(const struct sr_model *model);

/* A transmission that a sender holds to be lost, and what it knew when it said so. */
struct sr_mark {
    int64_t time_ns;
    int64_t reo_wnd_ns, rack_rtt_ns, min_rtt_ns; /* SR_NO_TIME where the sender has no such value */
    struct sr_tsn tsn;
    uint32_t copy;
    uint32_t frame;     /* of the marked transmission */
    uint32_t by_frame;  /* the feedback; 0 for a timer */
    uint32_t due_frame; /* the same, or one before: since that it waited, with its third missing report */
    uint8_t sender, profile, path;
    uint8_t trigger; /* enum sr_trigger */
};
const struct sr_mark *sr_model_take_marks(struct sr_model *model, size_t *count);

enum sr_action {
    SR_ACTION_PROBE, /* send a tail loss probe: new data if there is any, else the named TSN again */
    SR_ACTION_T3,    /* send the named TSN, the earliest outstanding one, again */
};

/* What a sender's timer makes it do; the capture may show something else. */
struct sr_expectation {
    int64_t time_ns;
    int64_t armed_ns; /* when the timer was last started: its duration is the difference */
    struct sr_tsn tsn;
    uint8_t sender, path;
    uint8_t action; /* enum sr_action */
};
const struct sr_expectation *sr_model_take_expectations(struct sr_model *model, size_t *count);

enum { SR_PROBE_WITHOUT_OUTCOME = 255 };

/* A tail loss probe that was seen, when it is known what came of it. */
struct sr_probe_report {
    int64_t armed_ns, expected_ns, sent_ns;
    struct sr_tsn tsn; /* the highest in its packet */
    uint32_t frame;
    uint8_t sender, path;
    uint8_t kind;    /* enum sr_probe */
    uint8_t outcome; /* enum sr_probe_outcome; SR_PROBE_WITHOUT_OUTCOME while it is open, and for new data that was
                        delivered in order: nothing was lost and nothing was repeated */
};
const struct sr_probe_report *sr_model_take_probes(struct sr_model *model, size_t *count);

/* A mark of which it showed later that the sender did not make it: it gave the chunk up instead. */
struct sr_withdrawal {
    struct sr_tsn tsn;
    uint32_t copy;
    uint8_t sender;
};
const struct sr_withdrawal *sr_model_take_withdrawals(struct sr_model *model, size_t *count);

/* The last probe of a sender, open or not; null before the first. */
const struct sr_probe_report *sr_model_last_probe(const struct sr_model *model, uint32_t sender);

/* Whether a mark, an expectation or a probe was left out, or Karn's rule went blind, because memory was short. */
bool sr_model_short_of_memory(const struct sr_model *model);

/* TSNs whose gap acknowledgement the last event took back (RFC 9260 section 6.2.1 D.iii) in a sender's view, and those
 * that the receiver had promised to keep and does not report any more; in order of TSN. Up to `room` of them are
 * written; all are counted. */
size_t sr_model_reneged(const struct sr_model *model, uint32_t sender, struct sr_tsn *tsns, size_t room);
size_t sr_model_broken_promises(const struct sr_model *model, uint32_t sender, struct sr_tsn *tsns, size_t room);

/* Feedback so far that left out more than it may take back (SR_MODEL_TAKEN_BACK), for the senders of whom most did. */
uint64_t sr_model_beyond(const struct sr_model *model);

/* What one sender knows of one path. Deadlines are absolute. */
struct sr_path_snapshot {
    int64_t srtt_ns, rttvar_ns, rto_ns, min_rtt_ns;
    int64_t rack_rtt_ns, rack_xmit_ns, reo_wnd_ns;
    int64_t t3_ns, pto_ns, reo_ns;
    int64_t t3_started_ns; /* means something while T3-rtx runs */
    uint64_t flight_bytes;
    struct sr_tsn rack_tsn; /* means something unless rack_xmit_ns is SR_NO_TIME */
    uint32_t reo_wnd_mult;
    bool reordering_seen, in_recovery;
};
/* False for a path that nothing is known of. */
bool sr_model_snapshot(const struct sr_model *model, uint32_t sender, uint32_t path, struct sr_path_snapshot *snapshot);

/* What the last feedback was, for the senders that look furthest for what was taken back. */
struct sr_feedback_summary {
    uint32_t newly_chunks, newly_bytes;
    bool stale; /* passed over: older than what was taken before */
    bool cum_advanced;
    uint8_t rtt_tag; /* enum sr_rtt_tag: why the receiver sent it when it did */
    int64_t rtt_ns;  /* Karn-clean sample of the newest chunk, on whichever path; SR_NO_TIME without one */
};
struct sr_feedback_summary sr_model_last_feedback(const struct sr_model *model);

/* A sender's retransmission queue (NR-SACK paper, section IV.B): what it holds, and what of that is necessary. */
struct sr_queue_step {
    uint64_t chunks, necessary_chunks;
    uint64_t bytes, necessary_bytes;
};
struct sr_queue_step sr_model_queue(const struct sr_model *model, uint32_t sender);

enum sr_tsn_state {
    SR_TSN_NEVER_SENT, /* or forgotten */
    SR_TSN_IN_FLIGHT,
    SR_TSN_LOST,
    SR_TSN_GAP_ACKED,
    SR_TSN_NR_ACKED,
    SR_TSN_CUM_ACKED,
    SR_TSN_ABANDONED,
};
enum sr_tsn_state sr_model_state_of(const struct sr_model *model, uint32_t sender, struct sr_tsn tsn);

/* Missing reports of a TSN in flight, -1 for any other. */
int sr_model_misses(const struct sr_model *model, uint32_t sender, struct sr_tsn tsn);

/* TSNs and blocks looked at so far: the cost, for tests that bound it without a clock. */
uint64_t sr_model_steps(const struct sr_model *model);

#endif
