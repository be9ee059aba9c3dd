/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules, row by row; tests/always.py has those that need several tables too. */
#include "invariants.h"

#include <stdio.h>
#include <stdlib.h>

#include "../association/kind.h"
#include "evidence.h"

#define HOLDS_IN(of_frame, condition)                                                                                  \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: frame %lu: does not hold: %s\n", __FILE__, __LINE__, (unsigned long)(of_frame),    \
                    #condition);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#define HOLDS(condition) HOLDS_IN(row->frame, condition)

#define BIT(code) sr_bit(SR_EVIDENCE_##code)

static bool come_together(uint8_t word, uint8_t class)
{
    return word == SR_NO_WORD ? class == 0 : class >= 1 && class <= 5;
}

static bool may_be_certain(uint64_t evidence)
{
    bool told_twice = (evidence & BIT(S8)) && (evidence & (BIT(S3) | BIT(S4) | BIT(S5)));
    return told_twice || (evidence & (BIT(S1) | BIT(S2) | BIT(S17)));
}

static void check_verdict(const struct sr_transmission_row *row)
{
    HOLDS(row->verdict != SR_VERDICT_SPURIOUS || row->verdict_class < 5 || may_be_certain(row->evidence));
    HOLDS(row->verdict != SR_VERDICT_NEEDED || row->verdict_class <= 4);
    HOLDS(row->verdict != SR_VERDICT_UNDETERMINED || row->verdict_class <= 2);
    HOLDS(!(row->evidence & (BIT(S2) | BIT(S17))) || (row->acked_frame != 0 && row->acked_frame <= row->frame));
    HOLDS(row->cause != SR_CAUSE_UNKNOWN || row->cause_class == 1);
}

static void check_transmission(const struct sr_transmission_row *row)
{
    bool again = row->kind == SR_KIND_RETRANSMISSION;
    HOLDS(come_together(row->cause, row->cause_class) && come_together(row->verdict, row->verdict_class));
    HOLDS(come_together(row->outcome, row->outcome_class) && come_together(row->probe, row->probe_class));
    HOLDS(row->outcome != SR_NO_WORD);
    HOLDS((row->cause != SR_NO_WORD) == again && (row->verdict != SR_NO_WORD) == again);
    HOLDS(row->trigger_frame == 0 || (again && row->trigger_frame < row->frame));
    HOLDS(row->first_frame <= row->frame && row->prev_frame <= row->frame);
    HOLDS(row->outcome != SR_OUTCOME_ACKED || row->acked_frame != 0);
    HOLDS(row->dup_frame == 0 || (again && row->dup_frame >= row->frame));
    HOLDS(row->resolved_frame == 0 ||
          (row->resolved_frame >= row->frame && row->verdict == SR_NO_WORD && row->outcome != SR_OUTCOME_UNRESOLVED));
    HOLDS(row->probe == SR_NO_WORD ||
          (row->probe == SR_PROBE_RETRANSMISSION ? row->cause == SR_CAUSE_TLP : row->kind == SR_KIND_ORIGINAL));
    if (again)
        check_verdict(row);
}

static void check_sack(const struct sr_sack_row *row)
{
    HOLDS((row->rtt_ns == SR_NO_TIME) == (row->rtt_tag == SR_NO_WORD) &&
          (row->rtt_ns == SR_NO_TIME || row->rtt_ns >= 0));
    HOLDS((row->reneged_count > 0) == (row->reneged_class > 0));
    HOLDS(row->rtxq_necessary_bytes <= row->rtxq_bytes);
}

static void check_mark(const struct sr_rack_mark_row *row)
{
    bool by_timer = row->trigger == SR_TRIGGER_TIMER || row->trigger == SR_TRIGGER_RTO;
    HOLDS(by_timer == (row->by_frame == 0));
    HOLDS(row->frame != 0 || row->resolution == SR_RESOLUTION_UNKNOWN);
}

static void check_storm(const struct sr_storm_row *row)
{
    HOLDS(row->retransmissions >= 3 && row->spurious <= row->retransmissions);
    HOLDS(2 * row->spurious >= row->retransmissions);
    HOLDS(row->recent <= row->retransmissions && row->avoidable <= row->retransmissions);
}

static void check_limit(const struct sr_limit_row *before, const struct sr_limit_row *row)
{
    bool touches = before->end_ns == row->begin_ns && before->limit != row->limit;
    bool same = before->begin_ns < before->end_ns && before->assoc == row->assoc && before->from == row->from;
    HOLDS_IN(row->begin_frame, row->begin_ns < row->end_ns && row->limit < SR_LIMIT_COUNT);
    HOLDS_IN(row->begin_frame, (row->limit == SR_LIMIT_UNKNOWN) == (row->limit_class == 1));
    HOLDS_IN(row->begin_frame, !same || touches);
    HOLDS_IN(row->begin_frame, row->held_ns >= 0 && row->held_ns <= row->end_ns - row->begin_ns);
}

static void check_window(const struct sr_window_row *row)
{
    HOLDS_IN(row->begin_frame, row->begin_ns <= row->end_ns);
    HOLDS_IN(row->begin_frame, row->a_rwnd <= row->a_rwnd_most);
    HOLDS_IN(row->begin_frame, row->cwnd_least <= row->cwnd_most);
    HOLDS_IN(row->begin_frame, (row->cwnd_least == SR_NO_TIME) == (row->cwnd_most == SR_NO_TIME));
}

void sr_invariants(const struct sr_journal *journal, const struct sr_judgement *judgement)
{
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (row->assoc != SR_NO_ASSOCIATION && sr_is_own(judgement->share, row->assoc)) /* others judge the rest */
            check_transmission(row);
    }
    for (uint64_t i = 0; i < journal->sacks.count; i++)
        check_sack(sr_sack_at(journal, i));
    for (uint64_t i = 0; i < judgement->rack_marks.count; i++)
        check_mark(sr_spool_visit(&judgement->rack_marks, i));
    for (uint64_t i = 0; i < judgement->storms.count; i++)
        check_storm(sr_spool_visit(&judgement->storms, i));
    for (uint64_t i = 0; i < judgement->windows.count; i++)
        check_window(sr_spool_visit(&judgement->windows, i));
    struct sr_limit_row before = {.begin_ns = 0};
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *row = sr_spool_visit(&judgement->limits, i);
        check_limit(&before, row);
        before = *row;
    }
}
