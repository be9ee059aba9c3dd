/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a text is written: when the capture has ended, of each file of a ring buffer before the next one begins, and
 * when its window is opened. A filter chooses associations: those of which a frame passes. */
#include "report.h"

#include "wireshark.h"
/* before other headers of it */
#include <epan/funnel.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "paint.h"
#include "register.h"

struct kind {
    const char *name; /* on the command line */
    const char *title, *in_menu;
    sr_report_write *write;
};

static const struct kind kinds[] = {
    {"sctp_rack,findings", "SCTP: what a person should know", "SCTP loss recovery/Findings", sr_write_findings},
    {"sctp_rack,limits", "SCTP: what senders waited for", "SCTP loss recovery/What senders waited for",
     sr_write_limits},
};

struct report {
    const struct kind *kind;
    struct sr_scope scope;
    char *filter;
    GString *before; /* of the files that have ended */
    uint32_t files;  /* that have, with SCTP in them */
};

static GSList *reports;

static void write_now(GString *text, const struct kind *kind, const struct sr_scope *scope)
{
    struct sr_recording *recording = sr_open_recording();
    sr_recording_file_ended(recording);
    sr_recording_judge(recording);
    if (recording->is_renumbered)
        g_string_append_printf(text, "%s\n", sr_ei_registrations[SR_EVENT_RENUMBERED].eiinfo.summary);
    else if (recording->has_failed)
        g_string_append_printf(text, "%s\n", sr_ei_registrations[SR_EVENT_FAILED].eiinfo.summary);
    else if (scope->associations && g_hash_table_size(scope->associations) == 0)
        g_string_append(text, SR_NOTHING_PASSES);
    else
        kind->write(text, recording, scope);
}

static bool has_packets(void)
{
    const struct sr_recording *recording = sr_open_recording();
    return recording->engine && sr_engine_totals(recording->engine).packets > 0;
}

static void begin_scope(struct report *report)
{
    if (report->filter && report->scope.associations)
        g_hash_table_remove_all(report->scope.associations);
    else if (report->filter)
        report->scope.associations = g_hash_table_new(NULL, NULL);
}

static void write_file(struct report *report, bool alone)
{
    if (!alone)
        g_string_append_printf(report->before, "File %u, by itself:\n", report->files + 1);
    write_now(report->before, report->kind, &report->scope);
}

void sr_report_file_ends(void)
{
    for (GSList *item = has_packets() ? reports : NULL; item; item = item->next) {
        struct report *report = item->data;
        write_file(report, false);
        report->files++;
        begin_scope(report);
    }
}

static void reset(void *at)
{
    struct report *report = at;
    g_string_truncate(report->before, 0);
    report->files = 0;
    begin_scope(report);
}

static void choose(struct report *report, uint32_t association)
{
    if (association != SR_NO_ASSOCIATION)
        g_hash_table_add(report->scope.associations, GUINT_TO_POINTER(association));
}

static tap_packet_status take(void *at, packet_info *pinfo _U_, epan_dissect_t *edt _U_, const void *data,
                              tap_flags_t flags _U_)
{
    struct report *report = at;
    const struct sr_painted *painted = data;
    const struct sr_journal *journal = sr_recording_journal(painted->recording);
    for (uint64_t i = 0; report->filter && i < painted->transmissions.count; i++)
        choose(report, sr_transmission_at(journal, painted->transmissions.first + i)->assoc);
    for (uint64_t i = 0; report->filter && i < painted->sacks.count; i++)
        choose(report, sr_sack_at(journal, painted->sacks.first + i)->assoc);
    return TAP_PACKET_REDRAW;
}

static void draw(void *at)
{
    struct report *report = at;
    gsize before = report->before->len;
    if (has_packets() || report->files == 0)
        write_file(report, report->files == 0);
    printf("\n================================================================================\n");
    printf("%s%s%s\n", report->kind->title, report->filter ? ", of the associations that have frames with: " : "",
           report->filter ? report->filter : "");
    printf("%s", report->before->str);
    printf("================================================================================\n");
    g_string_truncate(report->before, before);
}

static void finish(void *at)
{
    struct report *report = at;
    reports = g_slist_remove(reports, report);
    if (report->scope.associations)
        g_hash_table_destroy(report->scope.associations);
    g_string_free(report->before, TRUE);
    g_free(report->filter);
    g_free(report);
}

static bool begin_report(const char *argument, const struct kind *kind)
{
    struct report *report = g_new0(struct report, 1);
    const char *filter = argument + strlen(kind->name);
    if (*filter != '\0' && *filter != ',') {
        fprintf(stderr, "-z %s: it is %s, or %s,FILTER\n", argument, kind->name, kind->name);
        return false;
    }
    report->kind = kind;
    report->filter = *filter == ',' ? g_strdup(filter + 1) : NULL;
    report->before = g_string_new(NULL);
    begin_scope(report);
    reports = g_slist_append(reports, report);
    GString *error = register_tap_listener(SR_TAP, report, report->filter, 0, reset, take, draw, finish);
    if (!error)
        return true;
    fprintf(stderr, "-z %s: %s\n", kind->name, error->str);
    g_string_free(error, TRUE);
    finish(report);
    return false;
}

#if SR_WIRESHARK >= 406
static bool begin(const char *argument, void *kind)
{
    return begin_report(argument, kind);
}
#else
static void begin(const char *argument, void *kind)
{
    if (!begin_report(argument, kind))
        exit(1);
}
#endif

/* The window stays as it is when the capture changes. */
static void show(void *at)
{
    const struct kind *kind = at;
    const funnel_ops_t *gui = funnel_get_funnel_ops();
    if (!gui || !gui->new_text_window || !gui->set_text)
        return;
    GString *text = g_string_new(NULL);
    if (has_packets())
        write_now(text, kind, &(struct sr_scope){NULL});
    else
        g_string_append(text, "No SCTP packet.\n");
    gui->set_text(gui->new_text_window(gui->ops_id, kind->title), text->str);
    g_string_free(text, TRUE);
}

void sr_register_reports(void)
{
    static stat_tap_ui uis[G_N_ELEMENTS(kinds)];
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        uis[i] = (stat_tap_ui){
            .group = REGISTER_STAT_GROUP_GENERIC,
            .title = kinds[i].title,
            .cli_string = kinds[i].name,
            .tap_init_cb = begin,
        };
        register_stat_tap_ui(&uis[i], (void *)(uintptr_t)&kinds[i]);
    }
}

void sr_register_report_menus(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
        funnel_register_menu(kinds[i].in_menu, REGISTER_TOOLS_GROUP_UNSORTED, show, (void *)(uintptr_t)&kinds[i], NULL,
                             FALSE);
}
