/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics as a table: `-z sctp_rack,stat[,filter]`. Rows are counted when the capture has ended, so that verdicts
 * are there in single-pass tshark as well. Where a ring buffer begins another file, or -M another session, what was
 * recorded is given back: it is counted before, as a part of the whole. */
#include "wireshark.h"
/* before other headers of it */
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "ends.h"
#include "fields.h"
#include "register.h"
#include "tally.h"

#define SR_STAT "sctp_rack,stat"

/* Frames that passed the filter. */
struct frame {
    struct sr_painted painted;
    uint32_t number;
};

/* What one number counts. */
struct line {
    uint32_t assoc;
    uint8_t from;
    enum sr_tally_what what;
    const char *ends, *word;
};

struct stat {
    GArray *frames; /* of the part that goes on */
    GTree *part;    /* struct line -> what they count; NULL: not counted yet */
    guint counted;  /* frames, when they were */
    uint32_t judgement;
    GTree *before;      /* of the parts that have ended, by their ends */
    uint32_t parts;     /* that have, with SCTP in them */
    uint32_t events;    /* 1 << enum sr_event: what cannot be on a frame that is counted */
    GStringChunk *ends; /* texts of lines */
    struct line last;   /* whose ends were asked for last */
    char *filter;
};

static GSList *stats;

static gint compare(gconstpointer one, gconstpointer other, gpointer data _U_)
{
    const struct line *a = one, *b = other;
    if (a->assoc != b->assoc)
        return a->assoc + 1 < b->assoc + 1 ? -1 : 1; /* those without one first */
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    int ends = strcmp(a->ends, b->ends);
    if (ends != 0)
        return ends;
    return a->what != b->what ? (a->what < b->what ? -1 : 1) : strcmp(a->word, b->word);
}

static GTree *new_lines(void)
{
    return g_tree_new_full(compare, NULL, g_free, NULL);
}

static void add(GTree *lines, const struct line *line, gsize number)
{
    gpointer key, before;
    if (g_tree_lookup_extended(lines, line, &key, &before))
        g_tree_insert(lines, g_memdup2(line, sizeof *line), GSIZE_TO_POINTER(GPOINTER_TO_SIZE(before) + number));
    else
        g_tree_insert(lines, g_memdup2(line, sizeof *line), GSIZE_TO_POINTER(number));
}

static gboolean add_line(gpointer line, gpointer number, gpointer lines)
{
    add(lines, line, GPOINTER_TO_SIZE(number));
    return FALSE;
}

/* Which association is number 0, and which of its sides is a, differs from part to part: the ends do not. */
static gboolean add_by_ends(gpointer at, gpointer number, gpointer lines)
{
    struct line line = *(const struct line *)at;
    line.assoc = *line.ends ? 0 : SR_NO_ASSOCIATION;
    line.from = 0;
    add(lines, &line, GPOINTER_TO_SIZE(number));
    return FALSE;
}

static void forget_part(struct stat *stat)
{
    g_array_set_size(stat->frames, 0);
    if (stat->part)
        g_tree_destroy(stat->part);
    stat->part = NULL;
    stat->last.ends = NULL;
}

static void reset(void *at)
{
    struct stat *stat = at;
    forget_part(stat);
    g_tree_destroy(stat->before);
    stat->before = new_lines();
    stat->parts = stat->events = 0;
}

static tap_packet_status take(void *at, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                              tap_flags_t flags _U_)
{
    struct frame frame = {*(const struct sr_painted *)data, pinfo->num};
    g_array_append_val(((struct stat *)at)->frames, frame);
    return TAP_PACKET_REDRAW;
}

static const char *ends_of(struct stat *stat, uint32_t assoc, uint8_t from)
{
    if (!stat->last.ends || stat->last.assoc != assoc || stat->last.from != from) {
        char *text = sr_ends_text(sr_open_recording(), assoc, from);
        stat->last = (struct line){.assoc = assoc, .from = from};
        stat->last.ends = g_string_chunk_insert_const(stat->ends, text);
        g_free(text);
    }
    return stat->last.ends;
}

static void count(void *at, uint32_t assoc, uint8_t from, enum sr_tally_what what, const char *word)
{
    struct stat *stat = at;
    struct line line = {assoc, from, what, ends_of(stat, assoc, from), word};
    add(stat->part, &line, 1);
}

static void count_part(struct stat *stat)
{
    struct sr_recording *recording = sr_open_recording();
    sr_recording_file_ended(recording);
    sr_recording_judge(recording);
    if (recording->is_renumbered)
        stat->events |= UINT32_C(1) << SR_EVENT_RENUMBERED;
    if (recording->has_failed)
        stat->events |= UINT32_C(1) << SR_EVENT_FAILED;
    if (stat->part && stat->counted == stat->frames->len && stat->judgement == recording->judgement)
        return;
    if (stat->part)
        g_tree_destroy(stat->part);
    stat->part = new_lines();
    stat->counted = stat->frames->len;
    stat->judgement = recording->judgement;
    for (guint i = 0; i < stat->frames->len; i++) {
        const struct frame *frame = &g_array_index(stat->frames, struct frame, i);
        sr_tally(&frame->painted, frame->number, count, stat);
    }
}

static bool is_part(const struct sr_recording *recording)
{
    return recording->engine && sr_engine_totals(recording->engine).packets > 0;
}

void sr_stat_part_ends(void)
{
    for (GSList *item = is_part(sr_open_recording()) ? stats : NULL; item; item = item->next) {
        struct stat *stat = item->data;
        count_part(stat);
        g_tree_foreach(stat->part, add_by_ends, stat->before);
        stat->parts++;
        forget_part(stat);
    }
}

struct printing {
    const struct line *last; /* that was printed */
    bool by_ends;
};

static gboolean print(gpointer at, gpointer number, gpointer data)
{
    struct printing *printing = data;
    const struct line *line = at, *last = printing->last;
    char assoc[16] = "-";
    if (printing->by_ends && *line->ends)
        snprintf(assoc, sizeof assoc, "*");
    else if (line->assoc != SR_NO_ASSOCIATION)
        snprintf(assoc, sizeof assoc, "%u", line->assoc);
    const char *direction = printing->by_ends ? "*" : sr_dir_names[line->from];
    bool same = last && last->assoc == line->assoc && last->from == line->from && strcmp(last->ends, line->ends) == 0;
    if (!same && *line->ends)
        printf("%5s  %-4s %s\n", assoc, direction, line->ends);
    printf("%5s  %-4s %-34s %-18s %12" G_GSIZE_FORMAT "\n", assoc, direction, sr_tally_titles[line->what], line->word,
           GPOINTER_TO_SIZE(number));
    printing->last = line;
    return FALSE;
}

static void print_whole(const struct stat *stat, bool by_ends)
{
    GTree *whole = new_lines();
    struct printing printing = {.by_ends = by_ends};
    g_tree_foreach(stat->before, add_line, whole);
    g_tree_foreach(stat->part, by_ends ? add_by_ends : add_line, whole);
    g_tree_foreach(whole, print, &printing);
    if (stat->filter && g_tree_nnodes(whole) == 0)
        printf("%s", SR_NOTHING_PASSES);
    g_tree_destroy(whole);
}

static void draw(void *at)
{
    struct stat *stat = at;
    count_part(stat);
    uint32_t parts = stat->parts + is_part(sr_open_recording());
    printf("\n================================================================================\n");
    printf("SCTP loss recovery%s%s\n", stat->filter ? ", filter: " : "", stat->filter ? stat->filter : "");
    if (parts > 1)
        printf("The sum of %u files (or sessions of -M) by their ends: each is judged by itself, as if nothing came "
               "before or after\n",
               parts);
    printf("Assoc  Dir  What                               Word               Transmissions\n");
    print_whole(stat, parts > 1);
    for (unsigned event = 0; event < SR_EVENT_COUNT; event++)
        if (stat->events >> event & 1)
            printf("%s\n", sr_ei_registrations[event].eiinfo.summary);
    printf("================================================================================\n");
}

static void finish(void *at)
{
    struct stat *stat = at;
    stats = g_slist_remove(stats, stat);
    forget_part(stat);
    g_tree_destroy(stat->before);
    g_string_chunk_free(stat->ends);
    g_array_free(stat->frames, TRUE);
    g_free(stat->filter);
    g_free(stat);
}

static bool begin_counting(const char *argument)
{
    const char *filter = g_str_has_prefix(argument, SR_STAT ",") ? argument + strlen(SR_STAT ",") : NULL;
    if (!filter && strcmp(argument, SR_STAT) != 0) {
        fprintf(stderr, "-z %s: it is " SR_STAT ", or " SR_STAT ",FILTER\n", argument);
        return false;
    }
    struct stat *stat = g_new0(struct stat, 1);
    stat->frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
    stat->before = new_lines();
    stat->ends = g_string_chunk_new(256);
    stat->filter = g_strdup(filter);
    stats = g_slist_append(stats, stat);
    GString *error = register_tap_listener(SR_TAP, stat, filter, 0, reset, take, draw, finish);
    if (!error)
        return true;
    fprintf(stderr, "-z " SR_STAT ": %s\n", error->str);
    g_string_free(error, TRUE);
    finish(stat);
    return false;
}

#if SR_WIRESHARK >= 406
static bool begin(const char *argument, void *data _U_)
{
    return begin_counting(argument);
}
#else
static void begin(const char *argument, void *data _U_)
{
    if (!begin_counting(argument))
        exit(1);
}
#endif

static stat_tap_ui ui = {
    .group = REGISTER_STAT_GROUP_GENERIC,
    .title = "SCTP loss recovery",
    .cli_string = SR_STAT,
    .tap_init_cb = begin,
};

void sr_register_stat(void)
{
    register_stat_tap_ui(&ui, NULL);
}
