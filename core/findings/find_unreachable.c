/* SPDX-License-Identifier: BSD-2-Clause */
/* Where packets do not get to: HEARTBEATs without an answer. As findings/unreachable.py. */
#include <stdio.h>

#include "../books/figures.h"
#include "../text/address_text.h"
#include "find.h"

enum { PATH_TEXT = 2 * (SR_ADDRESS_TEXT + 2) + 1 };

/* An address, IPv6 in brackets. False where no IP header lies below. */
static bool write_address(const uint8_t *bytes, char text[SR_ADDRESS_TEXT + 2])
{
    char address[SR_ADDRESS_TEXT];
    uint8_t family = bytes[16];
    if (family != 4 && family != 6)
        return false;
    sr_address_text(bytes, family, address);
    snprintf(text, SR_ADDRESS_TEXT + 2, family == 6 ? "[%s]" : "%s", address);
    return true;
}

/* `src>dst`, or `?`. */
static void path_text(const struct sr_findings *findings, uint32_t number, char text[PATH_TEXT])
{
    const struct sr_buffer *list = &sr_engine_rows(findings->asked->engine)->paths.list;
    const struct sr_path *paths = (const struct sr_path *)(const void *)list->bytes;
    char source[SR_ADDRESS_TEXT + 2], destination[SR_ADDRESS_TEXT + 2];
    if (number < list->length / sizeof *paths && write_address(paths[number].bytes, source) &&
        write_address(paths[number].bytes + sizeof paths->bytes / 2, destination))
        snprintf(text, PATH_TEXT, "%s>%s", source, destination);
    else
        snprintf(text, PATH_TEXT, "?");
}

static void find_heartbeats(struct sr_findings *findings, const struct sr_association *one,
                            const struct sr_direction_figures *figures)
{
    struct sr_look look = {{0}, 0};
    struct sr_buffer paths = {0};
    char ends[SR_ENDS_TEXT], path[PATH_TEXT];
    for (uint32_t i = 0; i < figures->silent_paths && i < SR_SILENT_PATHS; i++) {
        const struct sr_silent_path *silent = &figures->silent[i];
        path_text(findings, silent->path, path);
        sr_say_text(&paths, i > 0 ? ", " : "");
        sr_say(&paths, SR_SENTENCE_UNANSWERED_HEARTBEATS_PATH,
               SR_VALUES({"heartbeats", NULL, silent->heartbeats}, {"path", path, 0}));
        sr_look_at_lowest(&look, silent->frame);
    }
    sr_findings_ends(one, "", "", ends);
    sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_UNANSWERED_HEARTBEATS, SR_SENTENCE_UNANSWERED_HEARTBEATS,
                    &look, SR_VALUES({"ends", ends, 0}, {"paths", sr_said(&paths), 0}));
    sr_buffer_free(&paths);
}

void sr_find_unreachable(struct sr_findings *findings)
{
    const struct sr_association *one;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));)
        for (unsigned from = 0; from < 2; from++) {
            const struct sr_direction_figures *figures = sr_engine_figures(findings->asked->engine, one->number, from);
            /* of sides whose peer was captured: its answers might have been, too */
            if (figures && figures->silent_paths > 0 && one->side[from ^ 1].packets > 0)
                find_heartbeats(findings, one, figures);
        }
}
