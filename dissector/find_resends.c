/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person should know about loss recovery: waits that RACK-TLP ends, spurious repetitions. As
 * findings/verdicts.py. */
#include "resends.h"

#define MAX_ACK_DELAY_NS INT64_C(200000000) /* RFC 8985 section 7.2, unless told */

struct direction {
    struct sr_findings *findings;
    const struct sr_resends *resends;
    const char *where;
    GString *part; /* of a sentence */
};

static void add(const struct direction *of, uint8_t code, enum sr_sentence sentence, const struct sr_group *rows,
                const struct sr_value *values)
{
    sr_findings_add(of->findings, SR_SEVERITY_WARNING, code, sentence, &rows->look, values);
}

/* Which is written anew each time. */
static const char *part(const struct direction *of, enum sr_sentence sentence, const struct sr_value *values)
{
    g_string_truncate(of->part, 0);
    sr_say(of->part, sentence, values);
    return of->part->str;
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
    GString *subject = g_string_new(NULL), *spurious = g_string_new(NULL);
    sr_say(subject, which, values);
    if (storm->spurious == storm->resent.count)
        g_string_append(spurious, "all");
    else
        sr_say_number(spurious, storm->spurious);
    add(of, SR_FINDING_SPURIOUS_STORM, SR_SENTENCE_SPURIOUS_STORM, &storm->resent,
        SR_VALUES({"where", of->where, 0}, {"which", subject->str, 0}, {"sent", NULL, storm->resent.count},
                  {"spurious", spurious->str, 0}, {"bytes", NULL, storm->spurious_bytes},
                  {"young", young(of, storm), 0}));
    g_string_free(subject, TRUE);
    g_string_free(spurious, TRUE);
}

static void find_storms(const struct direction *of)
{
    const struct sr_resends *resends = of->resends;
    for (guint i = 0; i < resends->storms->len; i++) {
        const struct sr_timeout *storm = &g_array_index(resends->storms, struct sr_timeout, i);
        find_storm(of, storm, SR_SENTENCE_SPURIOUS_STORM_ONE, SR_VALUES({"frame", NULL, storm->frame}));
    }
    if (resends->more_storms > 0)
        find_storm(of, &resends->other_storms, SR_SENTENCE_SPURIOUS_STORM_MORE,
                   SR_VALUES({"timeouts", NULL, resends->more_storms}));
}

/* How long the copies before waited. To be freed. */
static char *for_t3(const struct sr_group *rows)
{
    GString *text = g_string_new(NULL);
    if (rows->waits == 0)
        g_string_append(text, "for T3-rtx");
    else
        sr_say(text, SR_SENTENCE_WAITED_T3,
               SR_VALUES({"up_to", rows->waits > 1 ? "up to " : "", 0}, {"longest", NULL, rows->longest_ns}));
    return g_string_free(text, FALSE);
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
    char *waited = for_t3(rows);
    add(of, SR_FINDING_LOST_RETRANSMISSION_TIMEOUT, SR_SENTENCE_LOST_RETRANSMISSION_TIMEOUT, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"waited", waited, 0}, {"rack", rack, 0}));
    g_free(waited);
}

/* First copies lost behind which nothing was acknowledged: only T3-rtx repairs them. */
static void find_tail(const struct direction *of)
{
    const struct sr_group *rows = &of->resends->tail;
    const struct sr_told *told = &sr_engine_judgement(of->findings->recording->engine)->told;
    int64_t delay_ns = told->max_ack_delay ? told->max_ack_delay_ns : MAX_ACK_DELAY_NS;
    if (rows->count == 0)
        return;
    GString *when = g_string_new(NULL), *alone = g_string_new(NULL);
    if (of->resends->srtt_ns > 0)
        sr_say(when, SR_SENTENCE_TAIL_LOSS_TIMEOUT_WHEN, SR_VALUES({"after", NULL, 2 * of->resends->srtt_ns}));
    if (of->resends->srtt_ns > 0 && delay_ns > 0)
        sr_say(alone, SR_SENTENCE_TAIL_LOSS_TIMEOUT_ALONE, SR_VALUES({"delay", NULL, delay_ns}));
    char *waited = for_t3(rows);
    add(of, SR_FINDING_TAIL_LOSS_TIMEOUT, SR_SENTENCE_TAIL_LOSS_TIMEOUT, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"waited", waited, 0}, {"when", when->str, 0},
                  {"alone", alone->str, 0}));
    g_free(waited);
    g_string_free(when, TRUE);
    g_string_free(alone, TRUE);
}

/* A timer that expired before a SACK held back by the receiver could come. */
static void find_timer_too_short(const struct direction *of)
{
    const struct sr_resends *resends = of->resends;
    const struct sr_group *rows = &resends->too_soon;
    if (rows->count == 0)
        return;
    int64_t delay_ns = MAX(resends->sack_delay_ns, SR_SACK_DELAY_NS); /* what a timer is held to: resends.c */
    bool seen = delay_ns == resends->sack_delay_ns, probes = resends->too_soon_probes == rows->count;
    const char *held = part(of, seen ? SR_SENTENCE_TIMER_BEFORE_SACK_SEEN : SR_SENTENCE_TIMER_BEFORE_SACK_ALLOWED,
                            SR_VALUES({"delay", NULL, delay_ns}));
    enum sr_sentence cure = probes ? SR_SENTENCE_TIMER_BEFORE_SACK_PTO : SR_SENTENCE_TIMER_BEFORE_SACK_RTO;
    add(of, SR_FINDING_TIMER_BEFORE_SACK, SR_SENTENCE_TIMER_BEFORE_SACK, rows,
        SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"soonest", NULL, rows->shortest_ns},
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
    GString *wrongly = g_string_new(NULL);
    if (of->resends->false_marks > 0)
        sr_say(wrongly, SR_SENTENCE_REORDERING_RETRANSMITS_WRONGLY,
               SR_VALUES({"marks", NULL, of->resends->false_marks}));
    if (rows->count > 0)
        add(of, SR_FINDING_REORDERING_RETRANSMITS, SR_SENTENCE_REORDERING_RETRANSMITS, rows,
            SR_VALUES({"where", of->where, 0}, {"count", NULL, rows->count}, {"rack", without(of, rows), 0},
                      {"wrongly", wrongly->str, 0}));
    g_string_free(wrongly, TRUE);
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

void sr_find_resends(struct sr_findings *findings)
{
    GArray *resends = sr_resends_of(findings->recording, findings->scope);
    for (guint i = 0; i < resends->len; i++) {
        const struct sr_resends *one = &g_array_index(resends, struct sr_resends, i);
        struct direction of = {findings, one, NULL, NULL};
        if (!one->has_paths)
            continue;
        char *where = g_strdup_printf("Association %u, %s", one->assoc, one->from ? "b to a" : "a to b");
        of.where = where;
        of.part = g_string_new(NULL);
        find_storms(&of);
        find_lost_again(&of);
        find_tail(&of);
        find_timer_too_short(&of);
        find_reordering(&of);
        find_under_way(&of);
        find_go_back_n(&of);
        find_no_reports(&of);
        g_string_free(of.part, TRUE);
        g_free(where);
    }
    sr_resends_free(resends);
}
