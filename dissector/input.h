/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the fields that Wireshark found in a frame to SCTP packets. */
#ifndef SR_DISSECTOR_INPUT_H
#define SR_DISSECTOR_INPUT_H

#include "wireshark.h"
/* after it */
#include "wire/packet.h"

/* The fields that are needed; once, when all protocols are there. To be freed by whoever is given it. */
GArray *sr_input_wanted(void);

/* When the frame was captured; SR_NO_TIME where that is not told. */
int64_t sr_input_time(const packet_info *pinfo);

/* False when no more are wanted. */
typedef bool sr_input_take(void *to, const struct sr_packet *packet);

/* All SCTP packets of the frame, in order; in the first pass only. False where `take` was. */
bool sr_input(packet_info *pinfo, proto_tree *tree, sr_input_take *take, void *to);

#endif
