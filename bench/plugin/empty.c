/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wants the fields that dissector/input.c wants, and does nothing with them. */
#include <epan/packet.h>
/* after it */
#include <ws_version.h>

const char plugin_version[] = "0";
const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

void plugin_register(void);
guint32 plugin_describe(void);

static dissector_handle_t handle;

static int dissect(tvbuff_t *tvb, packet_info *pinfo _U_, proto_tree *tree _U_, void *data _U_)
{
    return (int)tvb_captured_length(tvb);
}

static void register_protocol(void)
{
    handle = register_dissector("empty", dissect, proto_register_protocol("Empty", "EMPTY", "empty"));
    register_postdissector(handle);
}

static void register_handoff(void)
{
    static const char *const names[] = {
        "sctp.verification_tag", "ip.len", "ipv6.plen", "udp.length", "icmp.type", "icmpv6.type"};
    GArray *wanted = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < array_length(names); i++) {
        int id = proto_registrar_get_id_byname(names[i]);
        g_array_append_val(wanted, id);
    }
    set_postdissector_wanted_hfids(handle, wanted);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocol, register_handoff};
    proto_register_plugin(&plugin);
}

guint32 plugin_describe(void)
{
    return 1;
}
