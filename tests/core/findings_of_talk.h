/* SPDX-License-Identifier: BSD-2-Clause */
/* What is found of a conversation: for tests of findings. */
#ifndef SR_TESTS_FINDINGS_OF_TALK_H
#define SR_TESTS_FINDINGS_OF_TALK_H

#include "talk_text.h"
#include "taps_of_talk.h"

#include "findings/find.h"

enum { S = 1000000 };

/* Severity, kind and frames of each finding, worst first: in the text of the talk. */
static inline const char *told_of(struct talk *talk, struct sr_findings_asked asked)
{
    struct sr_findings findings = {0};
    asked.engine = talk->engine;
    assert_true(sr_findings_find(&findings, &asked));
    talk->length = 0;
    add(talk, "%s", "");
    for (uint32_t i = 0; i < sr_findings_count(&findings); i++) {
        const struct sr_finding_told *one = sr_findings_at(&findings, i);
        add(talk, "%s%s %s", i > 0 ? "; " : "", sr_severity_names[one->severity], sr_finding_names[one->code]);
        for (uint32_t at = 0; at < one->look.count; at++)
            add(talk, " %u", one->look.frames[at]);
        add_number(talk, "others", one->others);
    }
    sr_findings_free(&findings);
    return talk->text;
}

static const struct sr_findings_asked all = {.latest_ns = TALK_NS + 30 * INT64_C(1000000000)};

/* All that is said of it. */
static inline void expect(struct talk *talk, const char *expected)
{
    judge(talk);
    assert_string_equal(told_of(talk, all), expected);
    talk_free(talk);
}

/* What the first finding of a kind says, in the text of the talk; nothing without. */
static inline const char *text_of(struct talk *talk, struct sr_findings_asked asked, uint8_t code)
{
    struct sr_findings findings = {0};
    struct sr_buffer text = {0};
    asked.engine = talk->engine;
    assert_true(sr_findings_find(&findings, &asked));
    for (uint32_t i = sr_findings_count(&findings); i-- > 0;)
        if (sr_findings_at(&findings, i)->code == code) {
            text.length = 0;
            sr_findings_say(&findings, sr_findings_at(&findings, i), &text);
        }
    talk->length = 0;
    add(talk, "%s", sr_said(&text));
    sr_buffer_free(&text);
    sr_findings_free(&findings);
    return talk->text;
}

#endif
