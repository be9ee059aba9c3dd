/* SPDX-License-Identifier: BSD-2-Clause */
/* Stalls that a user feels: from when, for how long, and why. One of a closed window has a finding of its own; so has
 * the end of a flight, or a retransmission, that was lost and waited for one timeout. As findings/stalled.py. */
#include <stdio.h>

#include "../books/figures.h"
#include "../wire/time.h"
#include "cuts.h"
#include "find.h"
#include "resends.h"
#include "stalls.h"

static uint8_t cause_of(const struct sr_stall *stall)
{
    if (stall->end_ns == SR_NEVER)
        return SR_STALL_CAUSE_NO_ANSWER;
    if (stall->window_probes > 0)
        return SR_STALL_CAUSE_CLOSED_WINDOW;
    if (stall->needed_timeouts > 0)
        return SR_STALL_CAUSE_TIMEOUTS;
    return stall->needed > 0 ? SR_STALL_CAUSE_LOSS : SR_STALL_CAUSE_LATE_ANSWER;
}

/* Those of a direction that are told of, summed up. */
struct told {
    const struct sr_stall *longest;
    int64_t length_ns; /* of it */
    int64_t count, together_ns;
    int64_t by_cause[SR_STALL_CAUSE_COUNT];
    uint8_t causes[SR_STALL_CAUSE_COUNT], kinds; /* in the order in which they come first */
    struct sr_look look;
};

/* While data is outstanding a timer runs, and its expiry sends again (RFC 9260 section 6.3). Where nothing was sent
 * again the sender did not wait: the capture missed the feedback or stood still, or it ends, or holds no feedback. */
static bool lasts(const struct sr_stall *stall, int64_t last_ns, int64_t *length_ns)
{
    int64_t end_ns = stall->end_ns == SR_NEVER ? last_ns : stall->end_ns;
    return stall->resent > 0 && sr_elapsed(end_ns, stall->begin_ns, length_ns) && *length_ns > SR_HEALTHY_NS;
}

static bool is_told_here(const struct sr_stall *stall, bool stuck)
{
    uint8_t cause = cause_of(stall);
    if (cause == SR_STALL_CAUSE_NO_ANSWER)
        return !stuck;
    return cause != SR_STALL_CAUSE_CLOSED_WINDOW && !(stall->needed_timeouts == 1 && stall->has_finding == 1);
}

static void take(struct told *told, const struct sr_stall *stall, int64_t length_ns)
{
    uint8_t cause = cause_of(stall);
    if (told->count++ == 0 || length_ns > told->length_ns) {
        told->longest = stall;
        told->length_ns = length_ns;
    }
    told->together_ns += length_ns;
    if (told->by_cause[cause]++ == 0)
        told->causes[told->kinds++] = cause;
    sr_look_at_lowest(&told->look, stall->frame);
}

/* By what there are most of. */
static void say_causes(struct sr_buffer *text, const struct told *told)
{
    static const enum sr_sentence sentences[SR_STALL_CAUSE_COUNT] = {
        [SR_STALL_CAUSE_TIMEOUTS] = SR_SENTENCE_STALL_BY_TIMEOUTS,
        [SR_STALL_CAUSE_LOSS] = SR_SENTENCE_STALL_BY_LOSSES,
        [SR_STALL_CAUSE_LATE_ANSWER] = SR_SENTENCE_STALL_BY_LATE_ANSWERS,
        [SR_STALL_CAUSE_NO_ANSWER] = SR_SENTENCE_STALL_WITHOUT_ANSWER,
    };
    bool said[SR_STALL_CAUSE_COUNT] = {false};
    for (uint8_t i = 0; i < told->kinds; i++) {
        int most = -1;
        for (uint8_t at = 0; at < told->kinds; at++)
            if (!said[at] && (most < 0 || told->by_cause[told->causes[at]] > told->by_cause[told->causes[most]]))
                most = at;
        said[most] = true;
        sr_say_text(text, i > 0 ? ", " : "");
        sr_say(text, sentences[told->causes[most]], SR_VALUES({"count", NULL, told->by_cause[told->causes[most]]}));
    }
}

/* What became of it. */
static void say_why(struct sr_buffer *text, const struct sr_stall *stall)
{
    struct sr_buffer times = {0};
    if (stall->resent < 3)
        sr_say_text(&times, stall->resent == 1 ? "once" : "twice");
    else
        sr_say_many(&times, stall->resent, "time");
    enum sr_sentence sentence = SR_SENTENCE_STALL_LATE_ANSWER;
    uint8_t cause = cause_of(stall);
    if (cause == SR_STALL_CAUSE_NO_ANSWER)
        sentence = SR_SENTENCE_STALL_NO_ANSWER;
    else if (cause == SR_STALL_CAUSE_LOSS)
        sentence = SR_SENTENCE_STALL_LOSS;
    else if (cause == SR_STALL_CAUSE_TIMEOUTS)
        sentence = stall->timeouts > 1 ? SR_SENTENCE_STALL_LOST_AGAIN
                   : stall->resent > 1 ? SR_SENTENCE_STALL_TIMEOUT_AT_LAST
                                       : SR_SENTENCE_STALL_TIMEOUT;
    const char *in_a_row = stall->timeouts == stall->resent ? sr_sentences[SR_SENTENCE_STALL_IN_A_ROW] : "";
    sr_say(text, sentence,
           SR_VALUES({"times", sr_said(&times), 0}, {"timeouts", NULL, stall->timeouts}, {"in_a_row", in_a_row, 0}));
    sr_buffer_free(&times);
}

static void say(struct sr_findings *findings, const struct sr_resends *of, const struct sr_direction_figures *figures,
                const struct told *told)
{
    struct sr_buffer several = {0}, causes = {0}, since = {0}, why = {0};
    char where[40];
    snprintf(where, sizeof where, "Association %u, %s", (unsigned)of->assoc, of->from ? "b to a" : "a to b");
    say_causes(&causes, told);
    say_why(&why, told->longest);
    if (told->count > 1)
        sr_say(&several, SR_SENTENCE_STALL_SEVERAL,
               SR_VALUES({"stalls", NULL, told->count}, {"together", NULL, told->together_ns},
                         {"causes", sr_said(&causes), 0}));
    if (figures->first_data_ns != SR_NO_TIME)
        sr_say(&since, SR_SENTENCE_STALL_SINCE,
               SR_VALUES({"since", NULL, sr_between(told->longest->begin_ns, figures->first_data_ns)}));
    sr_findings_add(findings, told->length_ns >= SR_LONG_NS ? SR_SEVERITY_WARNING : SR_SEVERITY_NOTE, SR_FINDING_STALL,
                    SR_SENTENCE_STALL, &told->look,
                    SR_VALUES({"where", where, 0}, {"several", sr_said(&several), 0}, {"length", NULL, told->length_ns},
                              {"since", sr_said(&since), 0}, {"tsn", NULL, told->longest->tsn},
                              {"why", sr_said(&why), 0}));
    sr_buffer_free(&several);
    sr_buffer_free(&causes);
    sr_buffer_free(&since);
    sr_buffer_free(&why);
}

static void find_direction(struct sr_findings *findings, const struct sr_resends *of)
{
    const struct sr_engine *engine = findings->asked->engine;
    const struct sr_association *one = sr_registry_at(sr_engine_associations(engine), of->assoc);
    const struct sr_direction_figures *figures = sr_engine_figures(engine, of->assoc, of->from);
    struct told told = {0};
    if (!figures || figures->acked_tsns == 0)
        return;
    int64_t last_ns = one->ended == SR_ENDED_OPEN ? findings->asked->latest_ns : one->last_time_ns, length_ns;
    bool stuck = sr_is_stuck(findings, one, figures);
    for (uint32_t i = 0; i < sr_stalls_count(&of->stalls); i++) {
        const struct sr_stall *stall = sr_stalls_at(&of->stalls, i);
        if (lasts(stall, last_ns, &length_ns) && is_told_here(stall, stuck))
            take(&told, stall, length_ns);
    }
    if (told.count > 0)
        say(findings, of, figures, &told);
}

void sr_find_stalled(struct sr_findings *findings, const struct sr_resends_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        find_direction(findings, &list->of[i]);
}
