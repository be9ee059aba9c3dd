/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether bytes that no header names are an SCTP packet, as those inside DTLS. */
#ifndef SR_WIRE_PLAUSIBLE_H
#define SR_WIRE_PLAUSIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* True where chunks fill them exactly, the padding of the last one included or not, and the checksum is right or zero
 * (RFC 9653: in DTLS it may be left out). */
bool sr_plausible(const uint8_t *bytes, uint32_t length);

#endif
