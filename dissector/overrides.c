/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list from the preferences: there are few. */
#include "overrides.h"

#include <wsutil/report_message.h>

#include "names.h"

struct override {
    uint32_t frame, tsn;
    bool any_tsn;
    uint8_t verdict;
};

static bool number(const char **text, uint32_t *value)
{
    char *end = NULL;
    guint64 read = g_ascii_isdigit(**text) ? g_ascii_strtoull(*text, &end, 10) : G_MAXUINT64;
    if (read > UINT32_MAX)
        return false;
    *text = end;
    *value = (uint32_t)read;
    return true;
}

static bool word(const char *text, uint8_t *verdict)
{
    for (uint8_t i = 0; i < SR_VERDICT_COUNT; i++)
        if (strcmp(text, sr_verdict_names[i]) == 0) {
            *verdict = i;
            return true;
        }
    return false;
}

static bool read_one(const char *text, struct override *override)
{
    override->any_tsn = true;
    if (!number(&text, &override->frame))
        return false;
    if (*text == '/') {
        text++;
        override->any_tsn = false;
        if (!number(&text, &override->tsn))
            return false;
    }
    return *text == '=' && word(text + 1, &override->verdict);
}

char *sr_overrides_understood(const char *text)
{
    char **parts = g_strsplit(text, ",", -1);
    GString *good = g_string_new(NULL);
    bool all = true;
    for (char **part = parts; *part; part++) {
        struct override override = {0};
        if (*g_strstrip(*part) == '\0')
            continue;
        if (read_one(*part, &override)) {
            g_string_append_printf(good, "%s%s", good->len > 0 ? "," : "", *part);
            continue;
        }
        all = false;
        report_failure("sctp_rack.override: \"%s\" is not FRAME=VERDICT or FRAME/TSN=VERDICT; a verdict is needed, "
                       "spurious or undetermined",
                       *part);
    }
    g_strfreev(parts);
    return g_string_free(good, all);
}

void sr_overrides_begin(struct sr_overrides *overrides, const char *text)
{
    char **parts = g_strsplit(text, ",", -1);
    overrides->list = g_array_new(FALSE, TRUE, sizeof(struct override));
    for (char **part = parts; *part; part++) {
        struct override override = {0};
        if (read_one(g_strstrip(*part), &override))
            g_array_append_val(overrides->list, override);
    }
    g_strfreev(parts);
}

void sr_overrides_end(struct sr_overrides *overrides)
{
    g_array_free(overrides->list, TRUE);
}

uint8_t sr_overridden(const struct sr_overrides *overrides, const struct sr_transmission_row *row)
{
    uint8_t verdict = SR_NO_WORD;
    for (guint i = 0; row->verdict != SR_NO_WORD && i < overrides->list->len; i++) {
        const struct override *override = &g_array_index(overrides->list, struct override, i);
        if (override->frame == row->frame && (override->any_tsn || override->tsn == row->tsn))
            verdict = override->verdict;
    }
    return verdict;
}

uint8_t sr_verdict_of(const struct sr_overrides *overrides, const struct sr_transmission_row *row)
{
    uint8_t verdict = sr_overridden(overrides, row);
    return verdict == SR_NO_WORD ? row->verdict : verdict;
}
