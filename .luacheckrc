-- SPDX-License-Identifier: BSD-2-Clause
-- luacheck lua tests/lua; what Wireshark gives to scripts is global there.
std = "lua52"
max_line_length = 120
files["lua"] = {
    read_globals = {
        "Dissector", "DissectorTable", "Field", "Listener", "MENU_TOOLS_UNSORTED", "NSTime", "Pref", "Proto",
        "ProtoExpert", "ProtoField", "TextWindow", "UInt64", "apply_filter", "base", "browser_open_data_file",
        "expert", "frametype", "get_preference", "gui_enabled", "register_menu", "register_postdissector", "set_filter",
    },
}
files["tests/lua/gui_double.lua"] = { read_globals = { "Listener" } }
