/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wireshark's headers, and what differs in them from 4.0 to 4.6. */
#ifndef SR_DISSECTOR_WIRESHARK_H
#define SR_DISSECTOR_WIRESHARK_H

#include <epan/packet.h>
/* after it */
#include <epan/expert.h>
#include <wiretap/wtap.h>
#include <ws_version.h>

#define SR_WIRESHARK (WIRESHARK_VERSION_MAJOR * 100 + WIRESHARK_VERSION_MINOR)

/* gboolean is an int; from 4.2 on it is bool. */
#if SR_WIRESHARK >= 402
typedef bool sr_ws_bool;
#else
typedef gboolean sr_ws_bool;
#endif

#endif
