/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know: each kind of finding of a conversation that has it, and how many are kept. That the sentences
 * are those of Python is tested where both are (tests/plugin/test_findings.py, tests/page/test_findings.py). */
#include "talk.h"

#include "findings/find.h"

enum { WAY_US = 20000, SENDER_US = 100, MANY = 8, S = 1000000 };

static struct talk *at_sender(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, MANY, WAY_US);
    return talk;
}

static bool in_scope(const void *scope, uint32_t assoc)
{
    return *(const uint32_t *)scope == assoc;
}

static uint8_t needed(const void *overrides, const struct sr_transmission_row *row)
{
    (void)overrides;
    (void)row;
    return SR_VERDICT_NEEDED;
}

/* All sentences, worst first, with their frames, as they read: in the text of the talk. */
static const char *told_of(struct talk *talk, struct sr_findings_asked asked)
{
    struct sr_findings findings = {0};
    struct sr_buffer sentence = {0};
    asked.engine = talk->engine;
    assert_true(sr_findings_find(&findings, &asked));
    talk->length = 0;
    add(talk, "%s", "");
    for (uint32_t i = 0; i < sr_findings_count(&findings); i++) {
        const struct sr_finding_told *one = sr_findings_at(&findings, i);
        sentence.length = 0;
        sr_findings_say(&findings, one, &sentence);
        add(talk, "%s %s %s", sr_severity_names[one->severity], sr_finding_names[one->code], sr_said(&sentence));
        for (uint32_t at = 0; at < one->look.count; at++)
            add(talk, " %u", one->look.frames[at]);
        add(talk, "\n");
    }
    sr_buffer_free(&sentence);
    sr_findings_free(&findings);
    return talk->text;
}

static const char *told(struct talk *talk)
{
    judge(talk);
    return told_of(talk, (struct sr_findings_asked){.latest_ns = TALK_NS + 30 * INT64_C(1000000000)});
}

static void expect(struct talk *talk, const char *expected)
{
    const char *text = told(talk);
    if (!strstr(text, expected))
        fail_msg("%s\nin\n%s", expected, text);
    talk_free(talk);
}

static void of_a_quiet_conversation_nothing_is_said(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    assert_string_equal(told(talk), "");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_quiet_conversation_nothing_is_said),
    };
    (void)in_scope; (void)needed; (void)expect;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
