/* SPDX-License-Identifier: BSD-2-Clause */
/* What the checksum field of an SCTP packet holds: CRC32c, Adler-32, zero, or neither. It never judges whether that
 * is corruption: a wrong checksum of an outgoing packet is usually left to the network card. */
#ifndef SR_WIRE_CHECKSUM_H
#define SR_WIRE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../names.h"

/* CRC32c of RFC 9260 appendix A over `length` bytes, continuing from `crc` (0 to start). */
uint32_t sr_crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

/* Adler-32 of RFC 2960 appendix B over `length` bytes, continuing from `adler` (1 to start). */
uint32_t sr_adler32(uint32_t adler, const uint8_t *bytes, size_t length);

/* Whether the whole packet of `length` bytes (at least the 12 of the common header) carries its CRC32c. */
bool sr_crc32c_is_right(const uint8_t *packet, size_t length);

/* Of a packet of `wire` bytes of which `captured` are there (at least the 12 of the common header). */
enum sr_checksum sr_checksum_of(const uint8_t *packet, size_t captured, size_t wire);

#endif
