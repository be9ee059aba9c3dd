/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know about the capture, sentence by sentence. */
#include "gather.h"

#include "findings/findings.h"

static struct sr_findings findings;
static struct sr_buffer sentence;

void page_findings_free(void)
{
    sr_findings_free(&findings);
    findings = (struct sr_findings){0};
    sr_buffer_free(&sentence);
}

/* How many there are, after judging; -1 when memory runs out. */
EXPORTED(find) int32_t page_find(void)
{
    struct sr_session_totals totals = sr_session_totals(page_session());
    struct sr_findings_asked asked = {
        .engine = sr_session_engine(page_session()),
        .latest_ns = totals.latest_ns,
        .icmp_errors = sr_session_icmp_errors(page_session()),
        .icmp_quotes = totals.skipped[SR_SKIP_ICMP_QUOTE],
        .icmp_quotes_first = (uint32_t)totals.skipped_first[SR_SKIP_ICMP_QUOTE],
    };
    page_findings_free();
    return sr_findings_find(&findings, &asked) ? (int32_t)sr_findings_count(&findings) : -1;
}

/* An enum sr_severity. */
EXPORTED(finding_severity) uint32_t page_finding_severity(uint32_t at)
{
    return sr_findings_at(&findings, at)->severity;
}

/* An enum sr_finding. */
EXPORTED(finding_code) uint32_t page_finding_code(uint32_t at)
{
    return sr_findings_at(&findings, at)->code;
}

/* It is there until the next one is asked for. */
EXPORTED(finding_text) const char *page_finding_text(uint32_t at)
{
    sentence.length = 0;
    sr_findings_say(&findings, sr_findings_at(&findings, at), &sentence);
    return sentence.bytes ? (const char *)sentence.bytes : "";
}

EXPORTED(finding_frames) const uint32_t *page_finding_frames(uint32_t at)
{
    return sr_findings_at(&findings, at)->look.frames;
}

EXPORTED(finding_frame_count) uint32_t page_finding_frame_count(uint32_t at)
{
    return sr_findings_at(&findings, at)->look.count;
}
