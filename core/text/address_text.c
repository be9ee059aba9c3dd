/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses as text. */
#include "address_text.h"

#include <stdio.h>

#include "../wire/bytes.h"

/* RFC 5952 section 4.2: the longest run of two or more zero groups, the first of equals, is written as "::". */
static void longest_zero_run(const uint8_t *bytes, int *start, int *count)
{
    *start = *count = 0;
    for (int i = 0; i < 8; i++) {
        int run = 0;
        while (i + run < 8 && sr_be16(bytes + (i + run) * 2) == 0)
            run++;
        if (run > *count && run > 1) {
            *start = i;
            *count = run;
        }
        i += run;
    }
}

size_t sr_address_text(const uint8_t *bytes, uint8_t family, char text[SR_ADDRESS_TEXT])
{
    if (family == 4)
        return (size_t)snprintf(text, SR_ADDRESS_TEXT, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
    int start, count;
    size_t length = 0;
    longest_zero_run(bytes, &start, &count);
    for (int i = 0; i < 8; i++) {
        if (count > 0 && i == start) {
            length += (size_t)snprintf(text + length, SR_ADDRESS_TEXT - length, "::");
            i += count - 1;
            continue;
        }
        const char *separator = i == 0 || (count > 0 && i == start + count) ? "" : ":";
        length += (size_t)snprintf(text + length, SR_ADDRESS_TEXT - length, "%s%x", separator, sr_be16(bytes + i * 2));
    }
    return length;
}
