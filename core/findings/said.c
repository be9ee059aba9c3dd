/* SPDX-License-Identifier: BSD-2-Clause */
/* Of a hundred thousand associations each may give a reason of its own: they are sorted, not searched. */
#include "said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../wire/layout.h"

static void say_label(struct sr_buffer *text, const struct sr_error *error)
{
    const struct sr_layout *layout = error->has_cause ? sr_cause_layout(error->cause) : NULL;
    char name[16], reason[SR_ERROR_TEXT + 8];
    uint32_t length;
    const unsigned char *begin = error->has_cause ? sr_error_reason(error, &length) : NULL;
    snprintf(name, sizeof name, "cause %u", (unsigned)error->cause);
    sr_say_text(text, !error->has_cause ? "no cause given" : layout ? layout->name : name);
    if (begin) {
        snprintf(reason, sizeof reason, ", \"%.*s\"", (int)length, (const char *)begin);
        sr_say_text(text, reason);
    }
    sr_buffer_append(text, "", 1);
}

void sr_said_note(struct sr_said_list *list, const struct sr_error *error, struct sr_said of)
{
    of.label_at = list->labels.length;
    of.place = (uint32_t)sr_said_count(list);
    of.frame = error->first_frame;
    of.has_cause = error->has_cause;
    of.cause = error->cause;
    say_label(&list->labels, error);
    sr_buffer_append(&list->said, &of, sizeof of);
}

static int compare_kinds(const struct sr_said *one, const struct sr_said *other)
{
    int by_label = strcmp(one->label, other->label);
    if (by_label != 0)
        return by_label;
    if (one->cause != other->cause)
        return one->cause < other->cause ? -1 : 1;
    int flags = one->reflected << 2 | one->established << 1 | one->clean;
    return flags - (other->reflected << 2 | other->established << 1 | other->clean);
}

static int by_kind(const void *left, const void *right)
{
    const struct sr_said *one = left, *other = right;
    int order = compare_kinds(one, other);
    return order != 0 ? order : one->place < other->place ? -1 : 1;
}

static int by_place_of_kind(const void *left, const void *right)
{
    const struct sr_said *one = left, *other = right;
    if (one->kind_place != other->kind_place)
        return one->kind_place < other->kind_place ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

bool sr_said_sort(struct sr_findings *findings, struct sr_said_list *list)
{
    size_t count = sr_said_count(list);
    findings->failed |= list->said.failed || list->labels.failed;
    if (findings->failed || count == 0)
        return false;
    for (size_t i = 0; i < count; i++)
        sr_said_at(list, i)->label = (const char *)list->labels.bytes + sr_said_at(list, i)->label_at;
    qsort(sr_said_at(list, 0), count, sizeof(struct sr_said), by_kind);
    return true;
}

bool sr_said_sort_by_place(struct sr_findings *findings, struct sr_said_list *list)
{
    if (!sr_said_sort(findings, list))
        return false;
    for (size_t i = 0; i < sr_said_count(list); i++) {
        bool first = i == 0 || compare_kinds(sr_said_at(list, i - 1), sr_said_at(list, i)) != 0;
        sr_said_at(list, i)->kind_place = first ? sr_said_at(list, i)->place : sr_said_at(list, i - 1)->kind_place;
    }
    qsort(sr_said_at(list, 0), sr_said_count(list), sizeof(struct sr_said), by_place_of_kind);
    return true;
}

void sr_said_list_free(struct sr_said_list *list)
{
    sr_buffer_free(&list->said);
    sr_buffer_free(&list->labels);
}
