/* SPDX-License-Identifier: BSD-2-Clause */
/* What the two sides of associations say that is wrong: handshakes refused or cut, ABORT, ERROR. As
 * findings/signalled.py. */
#include <string.h>

#include "../books/figures.h"
#include "../wire/bytes.h"
#include "../wire/time.h"
#include "cuts.h"
#include "said.h"
#include "those.h"

/* Causes of RFC 9260 section 3.3.10 by their code. */
enum { OUT_OF_RESOURCE = 4, UNKNOWN_CHUNK = 6, UNKNOWN_PARAMETERS = 8, USER = 12, VIOLATION = 13 };

static uint32_t chunks(const struct sr_side *side, uint8_t type)
{
    return sr_side_chunks(side, sr_chunk_counter(type));
}

/* The capture goes on for as long as the answer may take at first. */
static bool waited(const struct sr_findings *findings, const struct sr_association *one)
{
    int64_t waited_ns;
    return sr_elapsed(findings->asked->latest_ns, one->last_time_ns, &waited_ns) && waited_ns >= SR_T1_NS;
}

/* ICMP errors tell of all of them. */
static bool icmp_says_why(const struct sr_findings *findings, struct sr_those *those)
{
    const struct sr_icmp_errors *errors = findings->asked->icmp_errors;
    const struct sr_end *ends = (const struct sr_end *)(const void *)those->ends.bytes;
    size_t count = sr_those_ends(those), told = 0;
    for (size_t at = 0; errors && at < count; at++)
        for (uint32_t i = 0; i < errors->kinds; i++) {
            const struct sr_icmp_error *error = &errors->kept[i];
            if (error->dport != 0 && error->dport == sr_be16(ends[at].port) &&
                memcmp(&error->dst, &ends[at].address, sizeof error->dst) == 0) {
                told++;
                break;
            }
        }
    return told == count;
}

static void find_unanswered(struct sr_findings *findings)
{
    const struct sr_association *one;
    struct sr_those those = {0};
    struct sr_buffer ends = {0};
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        uint32_t inits = chunks(&one->side[SR_SIDE_A], SR_CHUNK_INIT);
        if (one->ended == SR_ENDED_UNANSWERED && (inits > 1 || waited(findings, one)))
            sr_those_add(&those, &one->side[SR_SIDE_B], one->first_frame, inits);
    }
    if (those.count > 0) {
        enum sr_sentence why =
            icmp_says_why(findings, &those) ? SR_SENTENCE_UNANSWERED_INIT_ICMP : SR_SENTENCE_UNANSWERED_INIT_SILENT;
        sr_those_say(&those, &ends);
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_UNANSWERED_INIT, SR_SENTENCE_UNANSWERED_INIT,
                        &those.look,
                        SR_VALUES({"associations", NULL, those.count}, {"inits", NULL, those.amount},
                                  {"ends", sr_said(&ends), 0}, {"why", sr_sentences[why], 0}));
    }
    sr_buffer_free(&ends);
    sr_those_free(findings, &those);
}

static bool is_refused(const struct sr_association *one)
{
    const struct sr_side *a = &one->side[SR_SIDE_A], *b = &one->side[SR_SIDE_B];
    return one->ended == SR_ENDED_ABORT && chunks(a, SR_CHUNK_INIT) > 0 && chunks(b, SR_CHUNK_ABORT) > 0 &&
           chunks(b, SR_CHUNK_INIT) == 0 && chunks(b, SR_CHUNK_INIT_ACK) == 0 && chunks(b, SR_CHUNK_COOKIE_ACK) == 0 &&
           sr_association_is_handshake(one);
}

static void say_causes(struct sr_findings *findings, struct sr_said_list *list, struct sr_buffer *text)
{
    if (!sr_said_sort(findings, list))
        return;
    int64_t kinds = 0;
    for (size_t i = 0; i < sr_said_count(list); i++) {
        if (i > 0 && strcmp(sr_said_at(list, i - 1)->label, sr_said_at(list, i)->label) == 0)
            continue;
        if (kinds++ >= SR_MOST_CAUSES)
            continue;
        sr_say_text(text, i > 0 ? ", " : "");
        sr_say_text(text, sr_said_at(list, i)->label);
    }
    if (kinds > SR_MOST_CAUSES)
        sr_say(text, SR_SENTENCE_REFUSED_INIT_MORE, SR_VALUES({"causes", NULL, kinds - SR_MOST_CAUSES}));
}

static void find_refused(struct sr_findings *findings)
{
    const struct sr_association *one;
    struct sr_those those = {0};
    struct sr_buffer ends = {0}, causes = {0};
    struct sr_said_list list = {{0}, {0}};
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        if (!is_refused(one))
            continue;
        sr_those_add(&those, &one->side[SR_SIDE_B], one->first_frame, 0);
        for (uint32_t i = 0; i < one->errors.kinds; i++)
            if (one->errors.kept[i].from == SR_SIDE_B)
                sr_said_note(&list, &one->errors.kept[i], (struct sr_said){0});
    }
    if (those.count > 0) {
        sr_those_say(&those, &ends);
        say_causes(findings, &list, &causes);
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_REFUSED_INIT, SR_SENTENCE_REFUSED_INIT, &those.look,
                        SR_VALUES({"associations", NULL, those.count}, {"ends", sr_said(&ends), 0},
                                  {"causes", sr_said(&causes), 0}));
    }
    sr_said_list_free(&list);
    sr_buffer_free(&ends);
    sr_buffer_free(&causes);
    sr_those_free(findings, &those);
}

/* What follows INIT ACK or COOKIE ECHO did not come, though both sides were captured. */
static void find_incomplete(struct sr_findings *findings)
{
    const struct sr_association *one;
    struct sr_those those = {0}, from_b = {0};
    struct sr_buffer a = {0}, b = {0};
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        const struct sr_side *side = one->side;
        if (one->ended != SR_ENDED_OPEN || !sr_association_is_handshake(one) || side[0].packets == 0 ||
            side[1].packets == 0 || !waited(findings, one))
            continue;
        bool echoed = chunks(&side[0], SR_CHUNK_COOKIE_ECHO) > 0 || chunks(&side[1], SR_CHUNK_COOKIE_ECHO) > 0;
        sr_those_add(&those, &side[SR_SIDE_A], one->first_frame, echoed);
        sr_those_add(&from_b, &side[SR_SIDE_B], one->first_frame, 0);
    }
    if (those.count > 0) {
        sr_those_say(&those, &a);
        sr_those_say(&from_b, &b);
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_INCOMPLETE_HANDSHAKE,
                        SR_SENTENCE_INCOMPLETE_HANDSHAKE, &those.look,
                        SR_VALUES({"associations", NULL, those.count}, {"a", sr_said(&a), 0}, {"b", sr_said(&b), 0},
                                  {"begun", NULL, those.count - those.amount}, {"echoed", NULL, those.amount}));
    }
    sr_buffer_free(&a);
    sr_buffer_free(&b);
    sr_those_free(findings, &those);
    sr_those_free(findings, &from_b);
}

/* Bytes that were sent and never acknowledged. */
static int64_t outstanding(const struct sr_findings *findings, const struct sr_association *one)
{
    int64_t bytes = 0;
    for (unsigned from = 0; from < 2; from++) {
        const struct sr_direction_figures *figures =
            one->side[from].data.chunks > 0 ? sr_engine_figures(findings->asked->engine, one->number, from) : NULL;
        bytes += figures ? (int64_t)figures->necessary_bytes : 0;
    }
    return bytes;
}

/* All of a kind: `said` is the first of them. */
static void add_abort(struct sr_findings *findings, const struct sr_said *said, struct sr_those *those)
{
    const char *why = "";
    struct sr_buffer left = {0}, ends = {0};
    if (said->reflected)
        why = sr_sentences[SR_SENTENCE_ABORT_REFLECTED];
    else if (said->has_cause && said->cause == OUT_OF_RESOURCE)
        why = sr_sentences[SR_SENTENCE_ABORT_NO_ROOM];
    else if (said->has_cause && said->cause == USER)
        why = sr_sentences[SR_SENTENCE_ABORT_APPLICATION];
    else if (said->has_cause && said->cause == VIOLATION)
        why = sr_sentences[SR_SENTENCE_ABORT_VIOLATION];
    if (those->amount > 0)
        sr_say(&left, SR_SENTENCE_ABORT_LEFT, SR_VALUES({"bytes", NULL, those->amount}));
    sr_those_say(those, &ends);
    sr_findings_add(findings, said->clean ? SR_SEVERITY_NOTE : SR_SEVERITY_WARNING, SR_FINDING_ABORT, SR_SENTENCE_ABORT,
                    &those->look,
                    SR_VALUES({"associations", NULL, those->count},
                              {"when", said->established ? "" : sr_sentences[SR_SENTENCE_ABORT_EARLY], 0},
                              {"ends", sr_said(&ends), 0}, {"cause", said->label, 0}, {"why", why, 0},
                              {"left", sr_said(&left), 0}));
    sr_buffer_free(&left);
    sr_buffer_free(&ends);
}

/* Of what is only unknown to the peer, and skipped, a note. */
static void add_error(struct sr_findings *findings, const struct sr_said *said, struct sr_those *those)
{
    bool skipped = said->has_cause && (said->cause == UNKNOWN_CHUNK || said->cause == UNKNOWN_PARAMETERS);
    struct sr_buffer ends = {0};
    sr_those_say(those, &ends);
    sr_findings_add(findings, skipped ? SR_SEVERITY_NOTE : SR_SEVERITY_WARNING, SR_FINDING_ERROR_CAUSES,
                    SR_SENTENCE_ERROR_CAUSES, &those->look,
                    SR_VALUES({"errors", NULL, those->amount}, {"ends", sr_said(&ends), 0},
                              {"associations", NULL, those->count}, {"cause", said->label, 0},
                              {"skipped", skipped ? sr_sentences[SR_SENTENCE_ERROR_CAUSES_SKIPPED] : "", 0}));
    sr_buffer_free(&ends);
}

static void add_kinds(struct sr_findings *findings, struct sr_said_list *list,
                      void (*add)(struct sr_findings *, const struct sr_said *, struct sr_those *))
{
    size_t count = sr_said_sort_by_place(findings, list) ? sr_said_count(list) : 0;
    for (size_t i = 0, next; i < count; i = next) {
        struct sr_those those = {0};
        for (next = i; next < count && sr_said_at(list, next)->kind_place == sr_said_at(list, i)->place; next++)
            sr_those_add(&those, sr_said_at(list, next)->side, sr_said_at(list, next)->frame,
                         sr_said_at(list, next)->amount);
        add(findings, sr_said_at(list, i), &those);
        sr_those_free(findings, &those);
    }
    sr_said_list_free(list);
}

static void find_aborted(struct sr_findings *findings)
{
    const struct sr_association *one;
    struct sr_said_list list = {{0}, {0}};
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        const struct sr_error *first = NULL;
        for (uint32_t i = 0; !first && i < one->errors.kinds; i++)
            first = one->errors.kept[i].chunk == SR_CHUNK_ABORT ? &one->errors.kept[i] : NULL;
        if (one->ended != SR_ENDED_ABORT || !first || is_refused(one))
            continue;
        int64_t lost = outstanding(findings, one);
        bool established = !sr_association_is_handshake(one);
        sr_said_note(&list, first,
                     (struct sr_said){.reflected = first->reflected,
                                      .established = established,
                                      .clean = established && lost == 0 && first->has_cause && first->cause == USER,
                                      .side = &one->side[first->from],
                                      .amount = lost});
    }
    add_kinds(findings, &list, add_abort);
}

static void find_errors(struct sr_findings *findings)
{
    const struct sr_association *one;
    struct sr_said_list list = {{0}, {0}};
    struct sr_look look = {{0}, 0};
    int64_t more = 0;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        for (uint32_t i = 0; i < one->errors.kinds; i++) {
            const struct sr_error *error = &one->errors.kept[i];
            if (error->chunk == SR_CHUNK_ERROR)
                sr_said_note(&list, error, (struct sr_said){.side = &one->side[error->from], .amount = error->count});
        }
        more += one->errors.more;
        if (one->errors.more > 0)
            sr_look_at_lowest(&look, one->first_frame);
    }
    add_kinds(findings, &list, add_error);
    if (more > 0)
        sr_findings_add(findings, SR_SEVERITY_NOTE, SR_FINDING_ERROR_CAUSES, SR_SENTENCE_ERROR_CAUSES_MORE, &look,
                        SR_VALUES({"causes", NULL, more}));
}

void sr_find_signalled(struct sr_findings *findings)
{
    find_unanswered(findings);
    find_refused(findings);
    find_incomplete(findings);
    find_aborted(findings);
    find_errors(findings);
}
