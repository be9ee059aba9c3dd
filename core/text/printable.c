/* SPDX-License-Identifier: BSD-2-Clause */
/* UTF-8, and which characters are not seen. */
#include "printable.h"

#include <stdbool.h>

/* General categories Cc, Cf, Co, Cs, Zl, Zp and Zs of Unicode 15 but for the space, with what is not assigned between
 * them, and U+FFFD, which stands for what was no text. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x0000, 0x001f},    {0x007f, 0x00a0},   {0x00ad, 0x00ad},   {0x0600, 0x0605},   {0x061c, 0x061c},
    {0x06dd, 0x06dd},    {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},   {0x1680, 0x1680},
    {0x180e, 0x180e},    {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f},   {0x3000, 0x3000},
    {0xd800, 0xf8ff},    {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0xfffd, 0xfffd},   {0x110bd, 0x110bd},
    {0x110cd, 0x110cd},  {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe007f},
    {0xf0000, 0x10ffff},
};

static bool is_seen(uint32_t character)
{
    for (unsigned i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (character >= unseen[i].first && character <= unseen[i].last)
            return false;
    return true;
}

/* How many bytes the next character has; 0 where it is none. */
static size_t next(const uint8_t *bytes, size_t length, uint32_t *character)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000}; /* of so many bytes: section 3 */
    uint8_t first = bytes[0];
    size_t count = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (count > length || (first >= 0x80 && first < 0xc0) || first > 0xf7)
        return 0;
    *character = count == 1 ? first : first & (0xffu >> (count + 1));
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (bytes[i] & 0x3f);
    }
    return *character >= lowest[count] && *character <= 0x10ffff ? count : 0;
}

size_t sr_printable(const uint8_t *bytes, size_t length, size_t *characters)
{
    size_t at = 0, count;
    uint32_t character;
    *characters = 0;
    while (at < length && (count = next(bytes + at, length - at, &character)) > 0 && is_seen(character)) {
        at += count;
        ++*characters;
    }
    return at;
}
