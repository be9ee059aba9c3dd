/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of some bytes is a text that a terminal may be given. */
#ifndef SR_TEXT_PRINTABLE_H
#define SR_TEXT_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes up to the first that are no UTF-8 (RFC 3629), or a character that is not seen and may turn what is: control,
 * format, private use, separators but the space. `characters` is how many those are. */
size_t sr_printable(const uint8_t *bytes, size_t length, size_t *characters);

#endif
