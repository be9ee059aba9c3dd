/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applying waits in Qt's queue until Wireshark is done with the file: what Lua's gui.set_filter and gui.apply_filter
 * do. */
#include "again.h"

#include "wireshark.h"
/* after it */
#include <cfile.h>
#include <epan/funnel.h>
#include <epan/plugin_if.h>

static void *take(capture_file *file, void *data _U_)
{
    return file;
}

capture_file *sr_gui_file(void)
{
    return plugin_if_get_capture_file(take, NULL);
}

bool sr_gui_ends_with(const capture_file *file, uint32_t frame)
{
    return file->redissecting && frame == file->count;
}

void sr_gui_filter_again(const capture_file *file)
{
    const funnel_ops_t *gui = funnel_get_funnel_ops();
    if (!file->dfilter || !*file->dfilter || !gui || !gui->set_filter || !gui->apply_filter)
        return;
    gui->set_filter(gui->ops_id, file->dfilter);
    gui->apply_filter(gui->ops_id);
}
