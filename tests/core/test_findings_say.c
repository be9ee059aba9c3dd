/* SPDX-License-Identifier: BSD-2-Clause */
/* How a sentence of findings.toml reads with its values, as in Python. */
#include "findings_of_talk.h"

static void check_said(enum sr_sentence sentence, const struct sr_value *values, const char *expected)
{
    struct sr_buffer text = {0};
    sr_say(&text, sentence, values);
    assert_string_equal(sr_said(&text), expected);
    assert_int_equal(text.length, strlen(expected));
    sr_buffer_free(&text);
}

static void numbers_and_times_read_as_in_python(void **state)
{
    (void)state;
    check_said(SR_SENTENCE_ZERO_CHECKSUM, SR_VALUES({"packets", NULL, 1}),
               "1 packet: checksum zero (RFC 9653, or left to the network card).");
    check_said(SR_SENTENCE_ZERO_CHECKSUM, SR_VALUES({"packets", NULL, 1234567}),
               "1,234,567 packets: checksum zero (RFC 9653, or left to the network card).");
    static const struct {
        int64_t ns;
        const char *text;
    } durations[] = {
        {999499, ", about 999 \302\265s here"},
        {999500, ", about 1.0 ms here"},
        {99949999, ", about 99.9 ms here"},
        {99950000, ", about 100 ms here"},
        {999499999, ", about 999 ms here"},
        {999500000, ", about 1.00 s here"},
        {1234567000000, ", about 1,234.57 s here"},
        {-1500000, ", about -1.5 ms here"},
        {INT64_MIN, ", about -9,223,372,036.85 s here"},
        {0, ", about 0 \302\265s here"},
    };
    for (unsigned i = 0; i < sizeof durations / sizeof *durations; i++)
        check_said(SR_SENTENCE_TAIL_LOSS_TIMEOUT_WHEN, SR_VALUES({"after", NULL, durations[i].ns}), durations[i].text);
    check_said(SR_SENTENCE_FEEDBACK_SPARED, SR_VALUES({"count", NULL, 1}),
               "RACK-TLP (RFC 8985) would not have sent it");
    check_said(SR_SENTENCE_FEEDBACK_SPARED, SR_VALUES({"count", NULL, 2}),
               "RACK-TLP (RFC 8985) would have sent none of them");
    check_said(SR_SENTENCE_SPURIOUS_STORM_ONE, SR_VALUES({"frame", NULL, 1234}), "the timeout at frame 1234");
}

static void of_many_the_sentence_says_how_many(void **state)
{
    (void)state;
    struct sr_findings findings = {0};
    struct sr_buffer text = {0};
    for (int i = 0; i < 10; i++)
        sr_findings_add(&findings, SR_SEVERITY_NOTE, SR_FINDING_ZERO_CHECKSUM, SR_SENTENCE_SPURIOUS_STORM_ONE, NULL,
                        SR_VALUES({"frame", NULL, i}));
    struct sr_finding_told one = {.others = 9};
    sr_findings_say(&findings, &one, &text);
    assert_string_equal(sr_said(&text), "the timeout at frame 0 And 9 other findings of this kind; `sctp-rack analyze "
                                        "--json` has each.");
    assert_int_equal(findings.told.length, 8 * sizeof one);
    sr_buffer_free(&text);
    sr_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_times_read_as_in_python),
        cmocka_unit_test(of_many_the_sentence_says_how_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
