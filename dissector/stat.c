/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics as a table: `-z sctp_rack,stat[,filter]`. Rows are counted when the capture has ended, so that verdicts
 * are there in single-pass tshark as well. */
#include "wireshark.h"
/* before other headers of it */
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "fields.h"
#include "register.h"
#include "tally.h"

/* Frames that passed the filter. */
struct frame {
    struct sr_painted painted;
    uint32_t number;
};

struct stat {
    GArray *frames;
    char *filter;
    GTree *lines; /* line without its count -> count, while it is drawn */
};

static void reset(void *at)
{
    g_array_set_size(((struct stat *)at)->frames, 0);
}

static tap_packet_status take(void *at, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                              tap_flags_t flags _U_)
{
    struct frame frame = {*(const struct sr_painted *)data, pinfo->num};
    g_array_append_val(((struct stat *)at)->frames, frame);
    return TAP_PACKET_REDRAW;
}

static void count(void *at, uint32_t assoc, uint8_t from, enum sr_tally_what what, const char *word)
{
    struct stat *stat = at;
    char where[16] = "-";
    if (assoc != SR_NO_ASSOCIATION)
        snprintf(where, sizeof where, "%5u", assoc);
    char *line = g_strdup_printf("%5s  %-4s %c%-34s %-18s", where, sr_dir_names[from], 'a' + (char)what,
                                 sr_tally_titles[what], word);
    gsize before = GPOINTER_TO_SIZE(g_tree_lookup(stat->lines, line));
    g_tree_replace(stat->lines, line, GSIZE_TO_POINTER(before + 1));
}

static gint by_text(gconstpointer one, gconstpointer two, gpointer data _U_)
{
    return strcmp(one, two);
}

/* A letter orders what is counted; it is left out. */
static gboolean print(gpointer line, gpointer number, gpointer data _U_)
{
    enum { LETTER = 12 };
    printf("%.*s%s %12" G_GSIZE_FORMAT "\n", LETTER, (const char *)line, (const char *)line + LETTER + 1,
           GPOINTER_TO_SIZE(number));
    return FALSE;
}

/* What is not on any frame that was counted. */
static void print_event(enum sr_event event)
{
    printf("%s\n", sr_ei_registrations[event].eiinfo.summary);
}

static void draw(void *at)
{
    struct stat *stat = at;
    struct sr_recording *recording = sr_open_recording();
    sr_recording_file_ended(recording);
    sr_recording_judge(recording);
    stat->lines = g_tree_new_full(by_text, NULL, g_free, NULL);
    for (guint i = 0; i < stat->frames->len; i++) {
        const struct frame *frame = &g_array_index(stat->frames, struct frame, i);
        sr_tally(&frame->painted, frame->number, count, stat);
    }
    printf("\n================================================================================\n");
    printf("SCTP loss recovery%s%s\n", stat->filter ? ", filter: " : "", stat->filter ? stat->filter : "");
    printf("Assoc  Dir  What                               Word               Transmissions\n");
    g_tree_foreach(stat->lines, print, NULL);
    if (recording->is_renumbered)
        print_event(SR_EVENT_RENUMBERED);
    if (recording->has_failed)
        print_event(SR_EVENT_FAILED);
    printf("================================================================================\n");
    g_tree_destroy(stat->lines);
}

static void finish(void *at)
{
    struct stat *stat = at;
    g_array_free(stat->frames, TRUE);
    g_free(stat->filter);
    g_free(stat);
}

static bool begin_counting(const char *argument)
{
    struct stat *stat = g_new0(struct stat, 1);
    const char *filter = g_str_has_prefix(argument, "sctp_rack,stat,") ? argument + strlen("sctp_rack,stat,") : NULL;
    stat->frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
    stat->filter = g_strdup(filter);
    GString *error = register_tap_listener(SR_TAP, stat, filter, 0, reset, take, draw, finish);
    if (!error)
        return true;
    fprintf(stderr, "-z sctp_rack,stat: %s\n", error->str);
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
    .cli_string = "sctp_rack,stat",
    .tap_init_cb = begin,
};

void sr_register_stat(void)
{
    register_stat_tap_ui(&ui, NULL);
}
