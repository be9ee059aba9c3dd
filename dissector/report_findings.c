/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person should know about the open file, by the core's rules (core/findings), each with the display filter that
 * shows it. */
#include "report.h"

#include "findings/findings.h"

static bool in_scope(const void *scope, uint32_t assoc)
{
    return sr_in_scope(scope, assoc);
}

static uint8_t verdict_of(const void *overrides, const struct sr_transmission_row *row)
{
    return sr_verdict_of(overrides, row);
}

static void write_look(GString *text, const struct sr_look *look)
{
    for (uint32_t i = 0; i < look->count; i++)
        g_string_append_printf(
            text, i == 0 ? (look->count == 1 ? "    frame.number == %u" : "    frame.number in {%u") : ", %u",
            look->frames[i]);
    g_string_append(text, look->count == 0 ? "\n" : look->count == 1 ? "\n\n" : "}\n\n");
}

static void write_all(GString *text, const struct sr_findings *findings)
{
    struct sr_buffer sentence = {0};
    for (uint32_t i = 0; i < sr_findings_count(findings); i++) {
        const struct sr_finding_told *one = sr_findings_at(findings, i);
        sentence.length = 0;
        sr_findings_say(findings, one, &sentence);
        g_string_append_printf(text, "%s  %.*s\n", sr_severity_names[one->severity], (int)sentence.length,
                               (const char *)sentence.bytes);
        write_look(text, &one->look);
    }
    sr_buffer_free(&sentence);
}

void sr_write_findings(GString *text, const struct sr_recording *recording, const struct sr_scope *scope)
{
    struct sr_findings findings = {0};
    struct sr_findings_asked asked = {
        .engine = recording->engine,
        .latest_ns = recording->latest_ns,
        .in_scope = in_scope,
        .scope = scope,
        .verdict_of = verdict_of,
        .overrides = &recording->overrides,
    };
    if (!sr_findings_find(&findings, &asked))
        g_string_append(text, "Memory has run out.\n\n");
    else if (sr_findings_count(&findings) == 0)
        g_string_append(text, "Nothing.\n\n");
    else
        write_all(text, &findings);
    sr_findings_free(&findings);
    g_string_append(text, "Not looked for here, and in sctp-rack analyze: ICMP, the file itself\n");
}
