/* SPDX-License-Identifier: BSD-2-Clause */
/* HEARTBEATs on each path since the last answer. */
#include "heartbeats.h"

#include <stdlib.h>

#include "../wire/time.h"

/* RTO.Initial (RFC 9260 section 16): until then an answer to the last may still come. */
#define ANSWER_NS INT64_C(1000000000)

/* One alone may have been lost, or its answer. */
enum { SEVERAL = 2 };

static struct sr_asked_path *path_of(struct sr_direction *direction, uint32_t path)
{
    for (uint32_t i = 0; i < direction->asked_paths; i++)
        if (direction->asked[i].path == path)
            return &direction->asked[i];
    return NULL;
}

bool sr_heartbeats_asked(struct sr_direction *direction, const struct sr_control_row *control)
{
    struct sr_asked_path *asked = path_of(direction, control->path);
    if (!asked) {
        if (direction->asked_paths == SR_DIRECTION_PATHS)
            return true;
        struct sr_asked_path *more = realloc(direction->asked, (direction->asked_paths + 1u) * sizeof *more);
        if (!more)
            return false;
        direction->asked = more;
        asked = &more[direction->asked_paths++];
        *asked = (struct sr_asked_path){.path = control->path};
    }
    if (asked->heartbeats++ == 0)
        asked->frame = control->frame;
    asked->time_ns = control->time_ns;
    asked->value = control->value;
    asked->whole = control->whole;
    return true;
}

void sr_heartbeats_work(struct sr_direction *direction, uint32_t path)
{
    struct sr_asked_path *asked = path_of(direction, path);
    if (asked)
        asked->heartbeats = 0;
}

/* Its information is that of the question. Where one of them is cut it may answer any. */
void sr_heartbeats_answered(struct sr_direction *direction, const struct sr_control_row *control)
{
    for (uint32_t i = 0; i < direction->asked_paths; i++) {
        struct sr_asked_path *asked = &direction->asked[i];
        if (!control->whole || !asked->whole || asked->value == control->value)
            asked->heartbeats = 0;
    }
}

void sr_heartbeats_end(struct sr_direction *direction, int64_t end_ns)
{
    struct sr_direction_figures *figures = &direction->figures;
    for (uint32_t i = 0; i < direction->asked_paths; i++) {
        struct sr_asked_path *asked = &direction->asked[i];
        int64_t since_ns;
        if (asked->heartbeats > 0 && (!sr_elapsed(end_ns, asked->time_ns, &since_ns) || since_ns < ANSWER_NS))
            asked->heartbeats--;
        if (asked->heartbeats < SEVERAL)
            continue;
        if (figures->silent_paths < SR_SILENT_PATHS)
            figures->silent[figures->silent_paths] =
                (struct sr_silent_path){asked->path, asked->heartbeats, asked->frame};
        figures->silent_paths++;
    }
}
