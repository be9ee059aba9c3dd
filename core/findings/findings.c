/* SPDX-License-Identifier: BSD-2-Clause */
/* Worst first; of many of one kind the first, as findings/alike.py. */
#include "find.h"

#include <stdio.h>
#include <string.h>

#include "../text/address_text.h"
#include "resends.h"

/* Of one kind the first are kept, so that a hundred thousand take no memory. */
enum { MOST_ALIKE = 8 };

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
    look->count += look->count < SR_MOST_FRAMES;
    memmove(look->frames + at + 1, look->frames + at, (look->count - 1 - at) * sizeof *look->frames);
    look->frames[at] = frame;
}

void sr_findings_add(struct sr_findings *findings, enum sr_severity severity, uint8_t code, enum sr_sentence sentence,
                     const struct sr_look *look, const struct sr_value *values)
{
    struct sr_finding_told one = {.severity = (uint8_t)severity, .code = code, .text = findings->text.length};
    if (++findings->counts[severity][code] > MOST_ALIKE)
        return;
    if (look)
        one.look = *look;
    sr_say(&findings->text, sentence, values);
    sr_buffer_append(&findings->text, "", 1);
    sr_buffer_append(&findings->told, &one, sizeof one);
}

uint32_t sr_findings_associations(const struct sr_findings_asked *asked)
{
    return sr_registry_count(sr_engine_associations(asked->engine));
}

bool sr_findings_tell_of(const struct sr_findings_asked *asked, uint32_t assoc)
{
    return assoc < sr_findings_associations(asked) && (!asked->in_scope || asked->in_scope(asked->scope, assoc));
}

const struct sr_association *sr_findings_next(const struct sr_findings *findings, uint32_t *next)
{
    const struct sr_registry *associations = sr_engine_associations(findings->asked->engine);
    while (*next < sr_registry_count(associations)) {
        const struct sr_association *one = sr_registry_at(associations, (*next)++);
        if (!one->joined && sr_findings_tell_of(findings->asked, one->number))
            return one;
    }
    return NULL;
}

static const struct sr_address *next_address(const struct sr_side *side, unsigned *at)
{
    while (*at < side->addresses) {
        const struct sr_address *address = &side->address[(*at)++];
        if (address->family != 0)
            return address;
    }
    return NULL;
}

const struct sr_address *sr_findings_address(const struct sr_side *side)
{
    unsigned at = 0;
    return next_address(side, &at);
}

void sr_findings_end(const struct sr_address *address, unsigned port, const char *unknown, char text[SR_END_TEXT])
{
    char known[SR_ADDRESS_TEXT];
    uint8_t family = address ? address->family : 0;
    if (family != 0)
        sr_address_text(address->bytes, family, known);
    snprintf(text, SR_END_TEXT, family == 6 ? "[%s]:%u" : "%s:%u", family != 0 ? known : unknown, port);
}

/* With how many addresses it has beside the first. */
static void end_of(const struct sr_side *side, const char *unknown, char text[SR_END_TEXT])
{
    unsigned count = 0, at = 0;
    sr_findings_end(sr_findings_address(side), side->port, unknown, text);
    while (next_address(side, &at))
        count++;
    if (count > 1)
        snprintf(text + strlen(text), SR_END_TEXT - strlen(text), " (+%u)", count - 1);
}

void sr_findings_ends(const struct sr_association *association, const char *before, const char *behind,
                      char text[SR_ENDS_TEXT])
{
    char a[SR_END_TEXT], b[SR_END_TEXT];
    end_of(&association->side[SR_SIDE_A], "a", a);
    end_of(&association->side[SR_SIDE_B], "b", b);
    snprintf(text, SR_ENDS_TEXT, "%s%u: %s - %s%s", before, (unsigned)association->number, a, b, behind);
}

static struct sr_finding_told *told_at(const struct sr_findings *findings, size_t at)
{
    return (struct sr_finding_told *)(void *)findings->told.bytes + at;
}

/* All of one kind, where the first of them stands. */
static void show_kind(struct sr_findings *findings, size_t first, size_t count)
{
    struct sr_finding_told *of = told_at(findings, first), together = *of;
    uint32_t alike = findings->counts[of->severity][of->code];
    together.look.count = 0;
    together.others = alike - 1;
    for (size_t i = first; i < count; i++) {
        struct sr_finding_told *one = told_at(findings, i);
        if (one->code != of->code || one->severity != of->severity)
            continue;
        one->shown = true;
        if (one->look.count > 0)
            together.look.frames[together.look.count++] = one->look.frames[0];
        if (alike <= MOST_ALIKE)
            sr_buffer_append(&findings->shown, one, sizeof *one);
    }
    if (alike > MOST_ALIKE)
        sr_buffer_append(&findings->shown, &together, sizeof together);
}

bool sr_findings_find(struct sr_findings *findings, const struct sr_findings_asked *asked)
{
    struct sr_resends_list resends = {0};
    findings->asked = asked;
    sr_find_wrong(findings);
    sr_find_signalled(findings);
    sr_find_icmp(findings);
    sr_find_unreachable(findings);
    sr_find_capture(findings);
    sr_find_behaviour(findings);
    findings->failed |= !sr_resends_find(&resends, asked);
    if (!findings->failed) {
        sr_find_recovery(findings, &resends);
        sr_find_stalled(findings, &resends);
    }
    sr_resends_free(&resends);
    size_t count = findings->told.length / sizeof(struct sr_finding_told);
    for (int severity = SR_SEVERITY_COUNT - 1; severity >= 0; severity--)
        for (size_t i = 0; i < count; i++)
            if (told_at(findings, i)->severity == severity && !told_at(findings, i)->shown)
                show_kind(findings, i, count);
    return !findings->failed && !findings->told.failed && !findings->shown.failed && !findings->text.failed;
}

void sr_findings_free(struct sr_findings *findings)
{
    sr_buffer_free(&findings->told);
    sr_buffer_free(&findings->shown);
    sr_buffer_free(&findings->text);
}

uint32_t sr_findings_count(const struct sr_findings *findings)
{
    return (uint32_t)(findings->shown.length / sizeof(struct sr_finding_told));
}

const struct sr_finding_told *sr_findings_at(const struct sr_findings *findings, uint32_t at)
{
    return (const struct sr_finding_told *)(const void *)findings->shown.bytes + at;
}

void sr_findings_say(const struct sr_findings *findings, const struct sr_finding_told *one, struct sr_buffer *to)
{
    sr_say_text(to, (const char *)findings->text.bytes + one->text);
    if (one->others == 0)
        return;
    sr_say_text(to, " And ");
    sr_say_many(to, one->others, "other finding");
    sr_say_text(to, " of this kind; `sctp-rack analyze --json` has each.");
}
