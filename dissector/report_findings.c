/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Worst first; of many of one kind the first, as findings/alike.py. Each with the display filter that shows it. */
#include "findings.h"

#include "association/registry.h"
#include "text/address_text.h"

void sr_look_at(struct sr_look *look, uint32_t frame)
{
    for (uint32_t i = 0; i < look->count; i++)
        if (look->frames[i] == frame)
            return;
    if (frame != 0 && look->count < SR_MOST_FRAMES)
        look->frames[look->count++] = frame;
}

void sr_look_at_lowest(struct sr_look *look, uint32_t frame)
{
    uint32_t at = look->count;
    while (at > 0 && look->frames[at - 1] > frame)
        at--;
    if (at == SR_MOST_FRAMES)
        return;
    look->count = MIN(look->count + 1, SR_MOST_FRAMES);
    memmove(look->frames + at + 1, look->frames + at, (look->count - 1 - at) * sizeof *look->frames);
    look->frames[at] = frame;
}

void sr_findings_add(struct sr_findings *findings, enum sr_severity severity, uint8_t code, enum sr_sentence sentence,
                     const struct sr_look *look, const struct sr_value *values)
{
    struct sr_finding_told one = {.severity = (uint8_t)severity, .code = code};
    if (++findings->counts[severity][code] > SR_MOST_ALIKE)
        return;
    GString *text = g_string_new(NULL);
    if (look)
        one.look = *look;
    sr_say(text, sentence, values);
    one.text = g_string_free(text, FALSE);
    g_array_append_val(findings->list, one);
}

const struct sr_association *sr_findings_next(const struct sr_findings *findings, uint32_t *next)
{
    const struct sr_registry *associations = sr_engine_associations(findings->recording->engine);
    for (; *next < sr_registry_count(associations); (*next)++) {
        const struct sr_association *one = sr_registry_at(associations, *next);
        if (!one->joined && sr_in_scope(findings->scope, one->number)) {
            (*next)++;
            return one;
        }
    }
    return NULL;
}

static void append_end(GString *text, const struct sr_side *side, const char *unknown)
{
    char address[SR_ADDRESS_TEXT];
    const char *first = NULL;
    unsigned more = 0;
    for (unsigned i = 0; i < side->addresses; i++) {
        if (side->address[i].family == 0)
            continue;
        more += first != NULL;
        if (!first) {
            sr_address_text(side->address[i].bytes, side->address[i].family, address);
            first = address;
        }
    }
    g_string_append_printf(text, first && strchr(first, ':') ? "[%s]:%u" : "%s:%u", first ? first : unknown,
                           side->port);
    if (more > 0)
        g_string_append_printf(text, " (+%u)", more);
}

char *sr_findings_ends(const struct sr_association *association)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u: ", association->number);
    append_end(text, &association->side[SR_SIDE_A], "a");
    g_string_append(text, " - ");
    append_end(text, &association->side[SR_SIDE_B], "b");
    return g_string_free(text, FALSE);
}

static void write_one(GString *text, const struct sr_finding_told *one, const struct sr_look *look, guint others)
{
    g_string_append_printf(text, "%s  %s", sr_severity_names[one->severity], one->text);
    if (others > 0)
        g_string_append_printf(text, " And %u other finding%s of this kind; `sctp-rack analyze --json` has each.",
                               others, others == 1 ? "" : "s");
    g_string_append_c(text, '\n');
    for (uint32_t i = 0; i < look->count; i++)
        g_string_append_printf(
            text, i == 0 ? (look->count == 1 ? "    frame.number == %u" : "    frame.number in {%u") : ", %u",
            look->frames[i]);
    g_string_append(text, look->count == 0 ? "\n" : look->count == 1 ? "\n\n" : "}\n\n");
}

/* All of one kind, where the first of them stands. */
static void write_kind(GString *text, const struct sr_findings *findings, guint first)
{
    const struct sr_finding_told *of = &g_array_index(findings->list, struct sr_finding_told, first);
    uint32_t count = findings->counts[of->severity][of->code];
    struct sr_look looks = {{0}, 0};
    for (guint i = first; i < findings->list->len; i++) {
        struct sr_finding_told *one = &g_array_index(findings->list, struct sr_finding_told, i);
        if (one->code != of->code || one->severity != of->severity)
            continue;
        one->told = true;
        if (one->look.count > 0)
            looks.frames[looks.count++] = one->look.frames[0];
        if (count <= SR_MOST_ALIKE)
            write_one(text, one, &one->look, 0);
    }
    if (count > SR_MOST_ALIKE)
        write_one(text, of, &looks, count - 1);
}

void sr_write_findings(GString *text, const struct sr_recording *recording, const struct sr_scope *scope)
{
    struct sr_findings findings = {.recording = recording, .scope = scope};
    findings.list = g_array_new(FALSE, FALSE, sizeof(struct sr_finding_told));
    sr_find_capture(&findings);
    sr_find_behaviour(&findings);
    sr_find_resends(&findings);
    for (int severity = SR_SEVERITY_COUNT - 1; severity >= 0; severity--)
        for (guint i = 0; i < findings.list->len; i++) {
            const struct sr_finding_told *one = &g_array_index(findings.list, struct sr_finding_told, i);
            if (one->severity == severity && !one->told)
                write_kind(text, &findings, i);
        }
    if (findings.list->len == 0)
        g_string_append(text, "Nothing.\n\n");
    for (guint i = 0; i < findings.list->len; i++)
        g_free(g_array_index(findings.list, struct sr_finding_told, i).text);
    g_array_free(findings.list, TRUE);
    g_string_append(text,
                    "Not looked for here, and in sctp-rack analyze: stalls, handshakes, ABORT and ERROR, HEARTBEATs, "
                    "ICMP, the file itself\n");
}
