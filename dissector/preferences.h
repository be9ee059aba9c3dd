/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user can choose. */
#ifndef SR_DISSECTOR_PREFERENCES_H
#define SR_DISSECTOR_PREFERENCES_H

#include "wireshark.h"

struct sr_preferences {
    gint profile; /* enum sr_profile: whose marks are shown */
    sr_ws_bool verify_checksum;
    sr_ws_bool shows_info;
    sr_ws_bool shows_experts;
    sr_ws_bool shows_sacks;
    sr_ws_bool shows_state;
    guint memory_mib;
};

extern struct sr_preferences sr_preferences;

void sr_preferences_register(int protocol);

#endif
