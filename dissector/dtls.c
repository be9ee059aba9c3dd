/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCTP inside DTLS (RFC 8261), as WebRTC's data channels have it, without Decode As: whatever looks like a whole SCTP
 * packet is one. */
#include "register.h"
#include "wireshark.h"
/* after it */
#include "wire/plausible.h"

static dissector_handle_t sctp;

static sr_ws_bool dissect_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    guint length = tvb_captured_length(tvb);
    if (length < tvb_reported_length(tvb) || !sr_plausible(tvb_get_ptr(tvb, 0, (gint)length), length))
        return FALSE;
    call_dissector_with_data(sctp, tvb, pinfo, tree, data);
    return TRUE;
}

void sr_register_dtls(int protocol)
{
    sctp = find_dissector("sctp");
    if (!sctp)
        return;
    /* Under the plugin's protocol: whoever disables that has neither. Under SCTP's, frame.protocols says it twice. */
    heur_dissector_add("dtls", dissect_dtls, "SCTP over DTLS", "sctp_rack_dtls", protocol, HEURISTIC_ENABLE);
#if SR_WIRESHARK < 402 /* later ones have it */
    dissector_add_for_decode_as("dtls.port", sctp);
#endif
}
