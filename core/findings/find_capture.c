/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with packets, and what the capture does not hold: as findings/find.py and filtered.py. */
#include "find.h"

#include <stdlib.h>

#include "../association/taps.h"
#include "../books/figures.h"
#include "../journal/judgement.h"

static const char *name_sender(const struct sr_association *one, unsigned side, char text[SR_ENDS_TEXT])
{
    sr_findings_ends(one, "Association ", side ? ", b" : ", a", text);
    return text;
}

struct noted {
    uint64_t packets;
    struct sr_look look;
};

static void find_checksums_of(struct sr_findings *findings, const struct sr_association *one, unsigned from,
                              struct noted *noted)
{
    const struct sr_side *side = &one->side[from];
    for (unsigned kind = 0; kind < SR_CHECKSUM_COUNT; kind++) {
        uint32_t count = side->checksums[kind];
        bool right = side->checksums[SR_CHECKSUM_CRC32C] > 0 || side->checksums[SR_CHECKSUM_ADLER32] > 0;
        if (count == 0)
            continue;
        if (kind != SR_CHECKSUM_WRONG || !right) {
            noted[kind].packets += count;
            sr_look_at_lowest(&noted[kind].look, side->checksums_first[kind]);
            continue;
        }
        char sender[SR_ENDS_TEXT];
        struct sr_look look = {{side->checksums_first[kind]}, 1};
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_BAD_CHECKSUM, SR_SENTENCE_BAD_CHECKSUM, &look,
                        SR_VALUES({"sender", name_sender(one, from, sender), 0}, {"wrong", NULL, count},
                                  {"packets", NULL, side->packets}));
    }
}

static void find_checksums(struct sr_findings *findings)
{
    static const struct {
        uint8_t kind, code;
        enum sr_sentence sentence;
    } notes[] = {
        {SR_CHECKSUM_WRONG, SR_FINDING_UNFILLED_CHECKSUM, SR_SENTENCE_UNFILLED_CHECKSUM},
        {SR_CHECKSUM_ZERO, SR_FINDING_ZERO_CHECKSUM, SR_SENTENCE_ZERO_CHECKSUM},
        {SR_CHECKSUM_ADLER32, SR_FINDING_ADLER32_CHECKSUM, SR_SENTENCE_ADLER32_CHECKSUM},
    };
    struct noted noted[SR_CHECKSUM_COUNT] = {{0}};
    const struct sr_association *one;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));)
        for (unsigned from = 0; from < 2; from++)
            find_checksums_of(findings, one, from, noted);
    for (unsigned i = 0; i < sizeof notes / sizeof *notes; i++) {
        const struct noted *of = &noted[notes[i].kind];
        if (of->packets > 0)
            sr_findings_add(findings, SR_SEVERITY_NOTE, notes[i].code, notes[i].sentence, &of->look,
                            SR_VALUES({"packets", NULL, (int64_t)of->packets}));
    }
}

/* `word 3, other word 1`, of counts if there are any; a bit of `left_out` for each word that is not told. */
static void count(struct sr_buffer *text, const uint32_t *counts, unsigned words, const char *const *names,
                  uint32_t left_out)
{
    for (unsigned i = 0; counts && i < words; i++) {
        if (counts[i] == 0 || left_out >> i & 1)
            continue;
        sr_say_text(text, text->length > 0 ? ", " : "");
        sr_say_text(text, names[i]);
        sr_say_text(text, " ");
        sr_say_number(text, counts[i]);
    }
}

/* A sender, and how many of its chunks are of kind `conflicting`. */
struct sender {
    const struct sr_association *association;
    unsigned from;
    const struct sr_side *side;
    int64_t conflicting;
};

static void find_broken(struct sr_findings *findings, const struct sender *sender)
{
    const uint32_t cut = 1u << SR_CHUNK_ANOMALY_SNAPPED | 1u << SR_CHUNK_ANOMALY_BLIND;
    const struct sr_side *side = sender->side;
    struct sr_look look = {{0}, 0}, once = {{0}, 0};
    struct sr_buffer counts = {0};
    char name[SR_ENDS_TEXT];
    count(&counts, side->anomalies, SR_CHUNK_ANOMALY_COUNT, sr_chunk_anomaly_names, cut);
    for (unsigned i = 0; side->anomalies && i < SR_CHUNK_ANOMALY_COUNT; i++)
        if (side->anomalies[i] > 0 && !(cut >> i & 1))
            sr_look_at_lowest(&look, side->anomalies_first[i]);
    for (uint32_t i = 0; i < look.count; i++)
        sr_look_at(&once, look.frames[i]);
    if (counts.length > 0)
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_MALFORMED_CHUNKS, SR_SENTENCE_MALFORMED_CHUNKS, &once,
                        SR_VALUES({"sender", name_sender(sender->association, sender->from, name), 0},
                                  {"counts", sr_said(&counts), 0}));
    sr_buffer_free(&counts);
}

static void find_odd_sacks(struct sr_findings *findings, const struct sender *sender)
{
    const struct sr_side *side = sender->side;
    struct sr_look look = {{side->sacks.malformed_first}, 1};
    struct sr_buffer counts = {0};
    char name[SR_ENDS_TEXT];
    if (side->sacks.chunks > 0)
        count(&counts, side->sacks.malformed, SR_SACK_ANOMALY_COUNT, sr_sack_anomaly_names,
              1u << SR_SACK_ANOMALY_SNAPPED);
    if (counts.length > 0 && side->sacks.malformed_first != 0)
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_MALFORMED_SACKS, SR_SENTENCE_MALFORMED_SACKS, &look,
                        SR_VALUES({"sender", name_sender(sender->association, sender->from, name), 0},
                                  {"counts", sr_said(&counts), 0}));
    sr_buffer_free(&counts);
}

static void find_wrong(struct sr_findings *findings, const struct sender *sender)
{
    const struct sr_sent_data *data = &sender->side->data;
    struct sr_look look = {{data->conflicting_frame}, 1};
    char name[SR_ENDS_TEXT];
    if (data->chunks > 0 && data->conflicting_frame != 0)
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_CONFLICTING_TSNS, SR_SENTENCE_CONFLICTING_TSNS, &look,
                        SR_VALUES({"sender", name_sender(sender->association, sender->from, name), 0},
                                  {"chunks", NULL, sender->conflicting}));
    find_broken(findings, sender);
    find_odd_sacks(findings, sender);
}

static void find_all_wrong(struct sr_findings *findings)
{
    const struct sr_spool *counts = &sr_engine_judgement(findings->asked->engine)->counts;
    uint32_t associations = sr_findings_associations(findings->asked);
    int64_t *conflicting = calloc(2 * (size_t)associations + 1, sizeof *conflicting);
    const struct sr_association *one;
    findings->failed |= !conflicting;
    for (uint64_t i = 0; conflicting && i < counts->count; i++) {
        const struct sr_count_row *row = sr_spool_at(counts, i);
        if (row->what == SR_COUNT_WHAT_KIND && row->word == SR_KIND_CONFLICTING && row->assoc < associations)
            conflicting[2 * row->assoc + row->from] = (int64_t)row->transmissions;
    }
    for (uint32_t next = 0; conflicting && (one = sr_findings_next(findings, &next));)
        for (unsigned from = 0; from < 2; from++)
            find_wrong(findings, &(struct sender){one, from, &one->side[from], conflicting[2 * one->number + from]});
    free(conflicting);
}

static void find_filtered(struct sr_findings *findings)
{
    const struct sr_engine *engine = findings->asked->engine;
    const struct sr_association *one;
    struct sr_look look = {{0}, 0};
    uint64_t overdue = 0;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));)
        for (unsigned from = 0; from < 2; from++) {
            const struct sr_direction_figures *figures = sr_engine_figures(engine, one->number, from);
            if (!figures || one->side[from].data.chunks == 0)
                continue;
            overdue += figures->overdue_tsns;
            if (figures->overdue_frame != 0)
                sr_look_at_lowest(&look, figures->overdue_frame);
        }
    sr_findings_add(
        findings, SR_SEVERITY_WARNING, SR_FINDING_FILTERED, SR_SENTENCE_FILTERED, &look,
        SR_VALUES({"packets", NULL, (int64_t)sr_engine_totals(engine).packets}, {"tsns", NULL, (int64_t)overdue}));
}

static int64_t one_way(const struct sr_association *one)
{
    bool data = one->side[0].data.chunks > 0 || one->side[1].data.chunks > 0;
    return data && (one->side[0].packets == 0 || one->side[1].packets == 0);
}

static int64_t several_interfaces(const struct sr_association *one)
{
    return one->several_interfaces;
}

static int64_t two_taps(const struct sr_association *one)
{
    return sr_has_two_taps(one);
}

static int64_t unseen_tsns(const struct sr_association *one)
{
    int64_t unseen = 0;
    for (unsigned from = 0; from < 2; from++) {
        const struct sr_sent_data *data = &one->side[from].data;
        if (data->chunks > 0 && data->board.jumps == 0)
            unseen +=
                (int64_t)data->span_before + (uint32_t)(data->highest_tsn - data->lowest_tsn) + INT64_C(1) - data->tsns;
    }
    return unseen;
}

/* One finding for all associations that have it. */
static void find_shared(struct sr_findings *findings, int64_t (*has)(const struct sr_association *),
                        enum sr_severity severity, uint8_t code, enum sr_sentence sentence, const char *what)
{
    const struct sr_association *one;
    struct sr_look look = {{0}, 0};
    int64_t count = 0;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));) {
        int64_t number = has(one);
        count += number;
        if (number != 0)
            sr_look_at_lowest(&look, one->first_frame);
    }
    if (count != 0)
        sr_findings_add(findings, severity, code, sentence, &look, SR_VALUES({what, NULL, count}));
}

static void find_jumps(struct sr_findings *findings, const struct sr_association *one)
{
    int64_t jumps = 0;
    for (unsigned from = 0; from < 2; from++)
        if (one->side[from].data.chunks > 0)
            jumps += (int64_t)one->side[from].data.board.jumps;
    if (jumps == 0)
        return;
    char ends[SR_ENDS_TEXT];
    struct sr_look look = {{one->first_frame}, 1};
    sr_findings_ends(one, "", "", ends);
    sr_findings_add(findings, SR_SEVERITY_NOTE, SR_FINDING_NUMBERING_JUMPS, SR_SENTENCE_NUMBERING_JUMPS, &look,
                    SR_VALUES({"ends", ends, 0}, {"jumps", NULL, jumps}));
}

void sr_find_wrong(struct sr_findings *findings)
{
    find_checksums(findings);
    find_all_wrong(findings);
    if (sr_engine_filtered(findings->asked->engine))
        find_filtered(findings);
}

void sr_find_capture(struct sr_findings *findings)
{
    bool filtered = sr_engine_filtered(findings->asked->engine);
    const struct sr_association *one;
    if (!filtered)
        find_shared(findings, one_way, SR_SEVERITY_WARNING, SR_FINDING_ONE_WAY, SR_SENTENCE_ONE_WAY, "associations");
    find_shared(findings, several_interfaces, SR_SEVERITY_WARNING, SR_FINDING_SEVERAL_INTERFACES,
                SR_SENTENCE_SEVERAL_INTERFACES, "associations");
    find_shared(findings, two_taps, SR_SEVERITY_WARNING, SR_FINDING_TWO_TAPS, SR_SENTENCE_TWO_TAPS, "associations");
    if (!filtered)
        find_shared(findings, unseen_tsns, SR_SEVERITY_NOTE, SR_FINDING_UNSEEN_TSNS, SR_SENTENCE_UNSEEN_TSNS, "tsns");
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));)
        find_jumps(findings, one);
}
