/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin that stands in for Wireshark's window in tshark: it has an open file with the display filter of the
 * environment's FILTER, and prints what it is asked to filter with. REDISSECT is the number of frames of a file that is
 * dissected anew. With MENUS it opens every window of our menu when the file was read, and prints what is in it. */
#include <epan/packet.h>
/* after it */
#include <cfile.h>
#include <epan/funnel.h>
#include <epan/plugin_if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ws_version.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char plugin_version[] = "0";
EXPORTED const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
EXPORTED const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
EXPORTED void plugin_register(void);
EXPORTED uint32_t plugin_describe(void);

static capture_file file;
static funnel_ops_t ops;

static void set_filter(funnel_ops_id_t *id, const char *filter)
{
    (void)id;
    fprintf(stderr, "double: set %s\n", filter);
}

static void apply_filter(funnel_ops_id_t *id)
{
    (void)id;
    fprintf(stderr, "double: apply\n");
}

static void get_file(GHashTable *asked)
{
    plugin_if_capture_file_cb take = (plugin_if_capture_file_cb)g_hash_table_lookup(asked, "extract_cb");
    *(void **)g_hash_table_lookup(asked, "ret_value_ptr") = take(&file, NULL);
}

static funnel_text_window_t *new_text_window(funnel_ops_id_t *id, const char *title)
{
    (void)id;
    fprintf(stderr, "double: window %s\n", title);
    return (funnel_text_window_t *)&file;
}

static void set_text(funnel_text_window_t *window, const char *text)
{
    (void)window;
    fprintf(stderr, "%s", text);
}

#if WIRESHARK_VERSION_MAJOR > 4 || WIRESHARK_VERSION_MINOR >= 2
static void open_window(const char *name, register_stat_group_t group, funnel_menu_callback open, void *data,
                        bool retap)
#else
static void open_window(const char *name, register_stat_group_t group, funnel_menu_callback open, void *data,
                        gboolean retap)
#endif
{
    (void)group, (void)retap;
    if (strncmp(name, "SCTP loss recovery/", 19) == 0)
        open(data);
}

static void file_was_read(void)
{
    if (getenv("MENUS"))
        funnel_register_all_menus(open_window);
}

static void handoff(void)
{
    const char *frames = getenv("REDISSECT");
    file.dfilter = getenv("FILTER");
    file.redissecting = frames != NULL;
    file.count = frames ? (unsigned)atoi(frames) : 0;
    ops.set_filter = set_filter;
    ops.apply_filter = apply_filter;
    ops.new_text_window = new_text_window;
    ops.set_text = set_text;
    register_postseq_cleanup_routine(file_was_read);
    funnel_set_funnel_ops(&ops);
    plugin_if_register_gui_cb(PLUGIN_IF_GET_CAPTURE_FILE, get_file);
}

void plugin_register(void)
{
    static proto_plugin plugin = {NULL, handoff};
    proto_register_plugin(&plugin);
}

uint32_t plugin_describe(void)
{
    return 1u << 0;
}
