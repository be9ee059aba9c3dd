/* SPDX-License-Identifier: BSD-2-Clause */
/* Two forms, told by the first byte. */
#include "relay.h"

#include "../wire/bytes.h"

enum { LAST_STUN = 3, FIRST_CHANNEL = 64, LAST_CHANNEL = 79 }; /* first bytes: RFC 7983 section 7 */
enum { STUN_HEADER = 20, CHANNEL_HEADER = 4, ATTRIBUTE_HEADER = 4, COOKIE_AT = 4 };
enum { SEND_INDICATION = 0x0016, DATA_INDICATION = 0x0017, DATA_ATTRIBUTE = 0x0013 }; /* RFC 8656 sections 17 and 18 */

#define MAGIC_COOKIE UINT32_C(0x2112a442) /* RFC 8489 section 5 */

/* The value of the attribute DATA. */
static struct sr_cursor relayed_in_stun(struct sr_cursor datagram)
{
    struct sr_cursor at = datagram;
    uint16_t type = sr_be16(at.bytes);
    if (sr_be32(at.bytes + COOKIE_AT) != MAGIC_COOKIE || (type != SEND_INDICATION && type != DATA_INDICATION))
        return datagram;
    sr_cursor_skip(&at, STUN_HEADER);
    while (at.captured >= ATTRIBUTE_HEADER) {
        uint32_t length = sr_be16(at.bytes + 2), padded = (length + 3) & ~UINT32_C(3);
        bool is_data = sr_be16(at.bytes) == DATA_ATTRIBUTE;
        sr_cursor_skip(&at, ATTRIBUTE_HEADER);
        if (is_data && length <= at.wire) {
            sr_cursor_limit(&at, length);
            return at;
        }
        if (padded > at.captured)
            break;
        sr_cursor_skip(&at, padded);
    }
    return datagram;
}

struct sr_cursor sr_relayed(struct sr_cursor datagram)
{
    if (datagram.captured < CHANNEL_HEADER)
        return datagram;
    uint8_t first = datagram.bytes[0];
    if (first <= LAST_STUN && datagram.captured >= STUN_HEADER)
        return relayed_in_stun(datagram);
    uint16_t length = sr_be16(datagram.bytes + 2);
    if (first < FIRST_CHANNEL || first > LAST_CHANNEL || length > datagram.wire - CHANNEL_HEADER)
        return datagram;
    sr_cursor_skip(&datagram, CHANNEL_HEADER);
    sr_cursor_limit(&datagram, length);
    return datagram;
}
