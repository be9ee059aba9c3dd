/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know about loss recovery: waits that RACK-TLP ends, spurious repetitions. As
 * findings/verdicts.py. */
#include "resends.h"

#include <stdio.h>

#include "../journal/judgement.h"
#include "find.h"
#include "limited.h"

#define MAX_ACK_DELAY_NS INT64_C(200000000) /* RFC 8985 section 7.2, unless told */

struct direction {
    struct sr_findings *findings;
    const struct sr_resends *resends;
    const char *where;
    struct sr_buffer *part; /* of a sentence */
};

static void add(const struct direction *of, uint8_t code, enum sr_sentence sentence, const struct sr_group *rows,
                const struct sr_value *values)
{
    sr_findings_add(of->findings, SR_SEVERITY_WARNING, code, sentence, &rows->look, values);
}

/* Which is written anew each time. */
static const char *part(const struct direction *of, enum sr_sentence sentence, const struct sr_value *values)
{
    of->part->length = 0;
    sr_say(of->part, sentence, values);
    return sr_said(of->part);
}

/* What RACK's own timeout spares: what is younger than a round trip when it comes. */
static const char *young(const struct direction *of, const struct sr_timeout *timeout)
{
    enum sr_sentence sentence = timeout->young > 0 ? SR_SENTENCE_TIMEOUT_YOUNG : SR_SENTENCE_TIMEOUT_NONE_YOUNG;
    return part(of, sentence, SR_VALUES({"young", NULL, timeout->young}));
}

static void find_storm(const struct direction *of, const struct sr_timeout *storm, enum sr_sentence which,
                       const struct sr_value *values)
{
    struct sr_buffer subject = {0}, spurious = {0};
    sr_say(&subject, which, values);
    if (storm->spurious == storm->resent.count)
        sr_say_text(&spurious, "all");
    else
        sr_say_number(&spurious, storm->spurious);
    add(of, SR_FINDING_SPURIOUS_STORM, SR_SENTENCE_SPURIOUS_STORM, &storm->resent,
        SR_VALUES({"where", of->where, 0}, {"which", sr_said(&subject), 0}, {"sent", NULL, storm->resent.count},
                  {"spurious", sr_said(&spurious), 0}, {"bytes", NULL, storm->spurious_bytes},
                  {"young", young(of, storm), 0}));
    sr_buffer_free(&subject);
    sr_buffer_free(&spurious);
}

static void find_storms(const struct direction *of)
{
    const struct sr_resends *resends = of->resends;
    for (uint32_t i = 0; i < sr_resends_storms(resends); i++) {
        const struct sr_timeout *storm = sr_resends_storm(resends, i);
        find_storm(of, storm, SR_SENTENCE_SPURIOUS_STORM_ONE, SR_VALUES({"frame", NULL, storm->frame}));
    }
    if (resends->more_storms > 0)
        find_storm(of, &resends->other_storms, SR_SENTENCE_SPURIOUS_STORM_MORE,
                   SR_VALUES({"timeouts", NULL, resends->more_storms}));
}

/* How long the copies before waited. */
static void say_waited(struct sr_buffer *text, const struct sr_group *rows)
{
    if (rows->waits == 0)
        sr_say_text(text, "for T3-rtx");
    else
        sr_say(text, SR_SENTENCE_WAITED_T3,
               SR_VALUES({"up_to", rows->waits > 1 ? "up to " : "", 0}, {"longest", NULL, rows->longest_ns}));
}

/* A retransmission was lost, which missing reports do not show (RFC 9260 section 7.2.4). */
static void find_lost_again(const struct direction *of)
{
    const struct sr_resends *resends = of->resends;
    const struct sr_group *rows = &resends->lost_again;
    if (rows->count == 0)
        return;
    const char *rack = resends->led == 0
                           ? sr_sentences[SR_SENTENCE_LOST_RETRANSMISSION_TIMEOUT_SAME]
                           : part(of, SR_SENTENCE_LOST_RETRANSMISSION_TIMEOUT_EARLIER,
                                  SR_VALUES({"led", NULL, resends->led}, {"up_to", resends->led > 1 ? "up to " : "", 0},
                                            {"lead", NULL, resends->longest_lead_ns}));
    struct sr_buffer waited = {0};
    say_waited(&waited, rows);
    add(of, SR_FINDING_LOST_RETRANSMISSION_TIMEOUT, SR_SENTENCE_LOST_RETRANSMISSION_TIMEOUT, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"waited", sr_said(&waited), 0},
                  {"rack", rack, 0}));
    sr_buffer_free(&waited);
}

/* First copies lost behind which nothing was acknowledged: only T3-rtx repairs them. */
static void find_tail(const struct direction *of)
{
    const struct sr_group *rows = &of->resends->tail;
    const struct sr_told *told = &sr_engine_judgement(of->findings->asked->engine)->told;
    int64_t delay_ns = told->max_ack_delay ? told->max_ack_delay_ns : MAX_ACK_DELAY_NS;
    if (rows->count == 0)
        return;
    struct sr_buffer when = {0}, alone = {0}, waited = {0};
    if (of->resends->srtt_ns > 0)
        sr_say(&when, SR_SENTENCE_TAIL_LOSS_TIMEOUT_WHEN, SR_VALUES({"after", NULL, 2 * of->resends->srtt_ns}));
    if (of->resends->srtt_ns > 0 && delay_ns > 0)
        sr_say(&alone, SR_SENTENCE_TAIL_LOSS_TIMEOUT_ALONE, SR_VALUES({"delay", NULL, delay_ns}));
    say_waited(&waited, rows);
    add(of, SR_FINDING_TAIL_LOSS_TIMEOUT, SR_SENTENCE_TAIL_LOSS_TIMEOUT, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->packets}, {"waited", sr_said(&waited), 0},
                  {"when", sr_said(&when), 0}, {"alone", sr_said(&alone), 0}));
    sr_buffer_free(&waited);
    sr_buffer_free(&when);
    sr_buffer_free(&alone);
}

/* A timer that expired before a SACK held back by the receiver could come. */
static void find_timer_too_short(const struct direction *of)
{
    const struct sr_resends *resends = of->resends;
    const struct sr_group *rows = &resends->too_soon;
    if (rows->count == 0)
        return;
    int64_t delay_ns = resends->sack_delay_ns; /* what a timer is held to: resends.c */
    bool seen = delay_ns >= SR_SACK_DELAY_NS, probes = resends->too_soon_probes == rows->count;
    const char *held = part(of, seen ? SR_SENTENCE_TIMER_BEFORE_SACK_SEEN : SR_SENTENCE_TIMER_BEFORE_SACK_ALLOWED,
                            SR_VALUES({"delay", NULL, seen ? delay_ns : SR_SACK_DELAY_NS}));
    enum sr_sentence cure = probes ? SR_SENTENCE_TIMER_BEFORE_SACK_PTO : SR_SENTENCE_TIMER_BEFORE_SACK_RTO;
    add(of, SR_FINDING_TIMER_BEFORE_SACK, SR_SENTENCE_TIMER_BEFORE_SACK, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->packets}, {"soonest", NULL, rows->shortest_ns},
                  {"timer", probes ? "PTO" : "RTO", 0}, {"held", held, 0}, {"cure", sr_sentences[cure], 0}));
}

/* What RACK-TLP would have done of them, some of which it never marked. */
static const char *without(const struct direction *of, const struct sr_group *rows)
{
    if (rows->spared == 0)
        return part(of, SR_SENTENCE_FEEDBACK_TOO, SR_VALUES({"count", NULL, rows->count}));
    if (rows->spared == rows->count)
        return part(of, SR_SENTENCE_FEEDBACK_SPARED, SR_VALUES({"count", NULL, rows->count}));
    return part(of, SR_SENTENCE_FEEDBACK_SOME, SR_VALUES({"spared", NULL, rows->spared}));
}

/* First copies that missing reports or RACK called lost, and that came late. */
static void find_reordering(const struct direction *of)
{
    const struct sr_group *rows = &of->resends->reordered;
    struct sr_buffer wrongly = {0};
    if (of->resends->false_marks > 0)
        sr_say(&wrongly, SR_SENTENCE_REORDERING_RETRANSMITS_WRONGLY,
               SR_VALUES({"marks", NULL, of->resends->false_marks}));
    if (rows->count > 0)
        add(of, SR_FINDING_REORDERING_RETRANSMITS, SR_SENTENCE_REORDERING_RETRANSMITS, rows,
            SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"rack", without(of, rows), 0},
                      {"wrongly", sr_said(&wrongly), 0}));
    sr_buffer_free(&wrongly);
}

/* Retransmissions that were repeated before they could be answered. */
static void find_under_way(const struct direction *of)
{
    const struct sr_group *rows = &of->resends->under_way;
    if (rows->count > 0)
        add(of, SR_FINDING_RESENT_UNDER_WAY, SR_SENTENCE_RESENT_UNDER_WAY, rows,
            SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"rack", without(of, rows), 0}));
}

/* What a timeout marked though it had arrived, where that is no storm already. */
static void find_go_back_n(const struct direction *of)
{
    const struct sr_group *rows = &of->resends->calm.arrived;
    if (rows->count > 0)
        add(of, SR_FINDING_GO_BACK_N_ARRIVED, SR_SENTENCE_GO_BACK_N_ARRIVED, rows,
            SR_VALUES({"where", of->where, 0}, {"chunks", NULL, rows->count},
                      {"young", young(of, &of->resends->calm), 0}));
}

static void find_no_reports(const struct direction *of)
{
    const char *cost = "";
    if (!of->resends->reports_no_duplicates)
        return;
    if (of->resends->undetermined > 0)
        cost = part(of, SR_SENTENCE_NO_DUPLICATE_REPORTS_COST, SR_VALUES({"open", NULL, of->resends->undetermined}));
    sr_findings_add(of->findings, SR_SEVERITY_NOTE, SR_FINDING_NO_DUPLICATE_REPORTS, SR_SENTENCE_NO_DUPLICATE_REPORTS,
                    NULL, SR_VALUES({"where", of->where, 0}, {"cost", cost, 0}));
}

static void find_direction(struct sr_findings *findings, const struct sr_resends *one, struct sr_buffer *scratch)
{
    char where[40];
    struct direction of = {findings, one, where, scratch};
    snprintf(where, sizeof where, "Association %u, %s", (unsigned)one->assoc, one->from ? "b to a" : "a to b");
    find_storms(&of);
    find_lost_again(&of);
    find_tail(&of);
    find_timer_too_short(&of);
    find_reordering(&of);
    find_under_way(&of);
    find_go_back_n(&of);
    find_no_reports(&of);
}

void sr_find_recovery(struct sr_findings *findings, const struct sr_resends_list *list)
{
    struct sr_buffer part = {0}, limited = {0};
    if (!sr_engine_filtered(findings->asked->engine))
        sr_limited_find(&limited, findings->asked);
    const struct sr_limited_direction *next = (const void *)limited.bytes;
    size_t left = limited.length / sizeof *next;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct sr_resends *one = &list->of[i];
        for (; left > 0 && 2 * next->assoc + next->from < 2 * one->assoc + one->from; left--)
            sr_limited_tell(findings, next++);
        if (one->has_paths)
            find_direction(findings, one, &part);
    }
    for (; left > 0; left--)
        sr_limited_tell(findings, next++);
    findings->failed |= limited.failed;
    sr_buffer_free(&part);
    sr_buffer_free(&limited);
}
