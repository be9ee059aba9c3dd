/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Wireshark looks for in a plugin. */
#include "register.h"
#include "wireshark.h"
/* after it */
#include <epan/tap.h>

#if defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
#endif

EXPORTED const char plugin_version[] = SCTP_RACK_VERSION;
EXPORTED const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
EXPORTED const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

EXPORTED void plugin_register(void);
EXPORTED uint32_t plugin_describe(void);

static void register_listeners(void)
{
    sr_register_stat();
    sr_register_stats_tree();
    sr_register_reports();
}

void plugin_register(void)
{
    static proto_plugin dissector = {sr_register_protocol, sr_register_handoff};
    static tap_plugin listeners = {register_listeners};
    proto_register_plugin(&dissector);
    tap_register_plugin(&listeners);
}

/* Asked for from 4.2 on: WS_PLUGIN_DESC_DISSECTOR and WS_PLUGIN_DESC_TAP_LISTENER of wsutil/plugins.h, which 4.0's
 * packages leave out. */
uint32_t plugin_describe(void)
{
    return 1u << 0 | 1u << 4;
}
