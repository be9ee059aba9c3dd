/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user can choose. */
#ifndef SR_DISSECTOR_PREFERENCES_H
#define SR_DISSECTOR_PREFERENCES_H

#include "wireshark.h"
/* after it */
#include "journal/told.h"

struct sr_preferences {
    gint profile;              /* enum sr_profile: whose marks are shown */
    gint vantage;              /* 1 + enum sr_vantage; 0: measured */
    gint sender;               /* 1 + enum sr_profile; 0: measured */
    const char *loop;          /* milliseconds as text; empty: measured */
    const char *max_ack_delay; /* milliseconds as text; empty: as the profile has it */
    const char *overrides;     /* as overrides.h has it */
    sr_ws_bool verify_checksum;
    sr_ws_bool shows_info;
    sr_ws_bool shows_experts;
    sr_ws_bool shows_sacks;
    sr_ws_bool shows_state;
    guint memory_mib;
};

extern struct sr_preferences sr_preferences;

void sr_preferences_register(int protocol);

/* Of the built-in dissector: its Info column has relative TSNs. */
bool sr_preferences_relative_tsns(void);

/* What the user says of tap and sender. */
struct sr_told sr_preferences_told(void);

#endif
