/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin registers when Wireshark starts. */
#ifndef SR_DISSECTOR_REGISTER_H
#define SR_DISSECTOR_REGISTER_H

#include "recording.h"

void sr_register_protocol(void);
void sr_register_handoff(void);
void sr_register_stat(void);
/* What was recorded is about to be given back: tables count it before. */
void sr_stat_part_ends(void);
void sr_register_stats_tree(void);
void sr_register_reports(void);
void sr_register_report_menus(void);
/* As sr_stat_part_ends. */
void sr_report_file_ends(void);
void sr_register_dtls(int protocol);

/* Of the open file. */
struct sr_recording *sr_open_recording(void);

#define SR_TAP "sctp_rack"

/* Of a filter: a misspelt field or word is an error of Wireshark's, another text or number that no frame has is not. */
#define SR_NOTHING_PASSES "No frame passes this filter.\n"

#endif
