/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of time and of user data by what the sender of each direction waited for, longest first. */
#include "report.h"

#include "ends.h"
#include "fields.h"

struct share {
    int64_t time_ns;
    int64_t class_ns[5]; /* of it, by class */
    uint64_t bytes;
    uint8_t limit;
};

static gint longest_first(gconstpointer one, gconstpointer other)
{
    const struct share *a = one, *b = other;
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    return (int)a->limit - (int)b->limit;
}

/* Half of the time or more has it, or a higher one: as in limits/shares.py. */
static unsigned class_of(const struct share *share)
{
    int64_t left_ns = share->time_ns;
    for (unsigned level = 5; level > 1; level--) {
        left_ns -= share->class_ns[level - 1];
        if (share->class_ns[level - 1] > 0 && 2 * left_ns <= share->time_ns)
            return level;
    }
    return 1;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void write_direction(GString *text, const struct sr_recording *recording, const struct sr_limited *direction)
{
    const struct sr_spool *limits = &sr_engine_judgement(recording->engine)->limits;
    struct share shares[SR_LIMIT_COUNT] = {{0}};
    int64_t time_ns = 0;
    uint64_t bytes = 0;
    for (uint64_t i = direction->rows.first; i < direction->rows.first + direction->rows.count; i++) {
        const struct sr_limit_row *row = sr_spool_at(limits, i);
        struct share *share = &shares[row->limit];
        share->time_ns += row->end_ns - row->begin_ns;
        share->class_ns[row->limit_class - 1] += row->end_ns - row->begin_ns;
        share->bytes += row->bytes;
        time_ns += row->end_ns - row->begin_ns;
        bytes += row->bytes;
    }
    for (uint8_t limit = 0; limit < SR_LIMIT_COUNT; limit++)
        shares[limit].limit = limit;
    qsort(shares, SR_LIMIT_COUNT, sizeof *shares, longest_first);

    char *ends = sr_ends_text(recording, direction->assoc, direction->from);
    g_string_append_printf(text, "%5u  %-3s  %s\n", direction->assoc, sr_dir_names[direction->from], ends);
    g_free(ends);
    for (unsigned i = 0; i < SR_LIMIT_COUNT && shares[i].time_ns > 0; i++)
        g_string_append_printf(text, "%5u  %-3s  %-17s %9.3f %5.1f%% %10" G_GUINT64_FORMAT " %5.1f%%  %5u\n",
                               direction->assoc, sr_dir_names[direction->from], sr_limit_names[shares[i].limit],
                               (double)shares[i].time_ns / 1e9, percent((double)shares[i].time_ns, (double)time_ns),
                               shares[i].bytes, percent((double)shares[i].bytes, (double)bytes), class_of(&shares[i]));
}

void sr_write_limits(GString *text, const struct sr_recording *recording, const struct sr_scope *scope)
{
    const GArray *directions = recording->limited.directions;
    g_string_append(text, "Assoc  Dir  Waited for         Time (s)  Share      Bytes  Share  Class\n");
    for (guint i = 0; directions && i < directions->len; i++) {
        const struct sr_limited *direction = &g_array_index(directions, struct sr_limited, i);
        if (sr_in_scope(scope, direction->assoc))
            write_direction(text, recording, direction);
    }
}
