/* SPDX-License-Identifier: BSD-2-Clause */
/* How an address reads: dotted for IPv4, RFC 5952 for IPv6. */
#ifndef SR_TEXT_ADDRESS_TEXT_H
#define SR_TEXT_ADDRESS_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { SR_ADDRESS_TEXT = 46 };

/* `family` is 4 or 6; the text is terminated. Returns its length. */
size_t sr_address_text(const uint8_t *bytes, uint8_t family, char text[SR_ADDRESS_TEXT]);

#endif
