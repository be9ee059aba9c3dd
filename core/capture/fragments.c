/* SPDX-License-Identifier: BSD-2-Clause */
/* IP reassembly (RFC 791 section 3.2, RFC 8200 section 4.5). */
#include "fragments.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_WAIT_NS (60 * INT64_C(1000000000))

enum { UNIT = 8, LARGEST = 65536, UNITS = LARGEST / UNIT };

struct room {
    uint8_t *bytes;
    uint32_t capacity;
};

struct datagram {
    struct sr_fragment key; /* without offset and more */
    uint64_t begun;         /* 0 where the slot is free */
    uint32_t length;        /* of the payload; 0 until the last fragment was seen */
    uint32_t highest_end;   /* of the fragments so far */
    uint32_t units_there;
    uint32_t kept; /* fragments in it */
    struct room room;
    uint8_t there[UNITS / 8]; /* one bit for each unit of eight bytes */
};

struct sr_fragments {
    uint64_t clock;         /* counts datagrams begun */
    uint64_t given_up[256]; /* by protocol */
    struct room complete;   /* the last complete payload: it may hold a fragment in turn, so no slot may reuse it */
    struct datagram datagrams[SR_FRAGMENT_DATAGRAMS];
};

struct sr_fragments *sr_fragments_new(void)
{
    return calloc(1, sizeof(struct sr_fragments));
}

void sr_fragments_free(struct sr_fragments *fragments)
{
    if (!fragments)
        return;
    for (int i = 0; i < SR_FRAGMENT_DATAGRAMS; i++)
        free(fragments->datagrams[i].room.bytes);
    free(fragments->complete.bytes);
    free(fragments);
}

static bool may_carry_sctp(uint32_t protocol, const struct sr_protocols *carriers)
{
    enum { SCTP = 132 };
    return protocol == SCTP || carriers->bits[protocol / 64] >> protocol % 64 & 1;
}

uint64_t sr_fragments_left_over(const struct sr_fragments *fragments, const struct sr_protocols *carriers)
{
    uint64_t count = 0;
    for (uint32_t protocol = 0; protocol < 256; protocol++)
        if (may_carry_sctp(protocol, carriers))
            count += fragments->given_up[protocol];
    for (int i = 0; i < SR_FRAGMENT_DATAGRAMS; i++)
        if (fragments->datagrams[i].begun && may_carry_sctp(fragments->datagrams[i].key.protocol, carriers))
            count += fragments->datagrams[i].kept;
    return count;
}

void sr_fragments_cut(struct sr_fragments *fragments, uint8_t protocol)
{
    fragments->given_up[protocol]++;
}

static void release(struct datagram *datagram)
{
    datagram->begun = 0; /* the buffer stays for the next one */
}

static void give_up(struct sr_fragments *fragments, struct datagram *datagram)
{
    if (datagram->begun)
        fragments->given_up[datagram->key.protocol] += datagram->kept;
    release(datagram);
}

static bool same_datagram(const struct sr_fragment *a, const struct sr_fragment *b)
{
    return a->id == b->id && a->protocol == b->protocol && sr_address_equal(&a->src, &b->src) &&
           sr_address_equal(&a->dst, &b->dst);
}

/* No host waits so long (RFC 1122 section 3.3.2, RFC 8200 section 4.5), and the identification comes round again. */
static bool is_stale(const struct datagram *datagram, const struct sr_fragment *fragment)
{
    int64_t elapsed_ns;
    return sr_elapsed(fragment->time_ns, datagram->key.time_ns, &elapsed_ns) && elapsed_ns > LONGEST_WAIT_NS;
}

static struct datagram *find_or_begin(struct sr_fragments *fragments, const struct sr_fragment *fragment)
{
    struct datagram *oldest = &fragments->datagrams[0];
    for (int i = 0; i < SR_FRAGMENT_DATAGRAMS; i++) {
        struct datagram *candidate = &fragments->datagrams[i];
        if (candidate->begun && is_stale(candidate, fragment))
            give_up(fragments, candidate);
        if (candidate->begun && same_datagram(&candidate->key, fragment))
            return candidate;
        if (candidate->begun < oldest->begun)
            oldest = candidate; /* a free slot counts as the oldest */
    }
    give_up(fragments, oldest);
    oldest->key = *fragment;
    oldest->begun = ++fragments->clock;
    oldest->length = oldest->highest_end = oldest->units_there = oldest->kept = 0;
    memset(oldest->there, 0, sizeof oldest->there);
    return oldest;
}

static bool reserve(struct room *room, uint32_t length)
{
    if (length <= room->capacity)
        return true;
    uint32_t capacity = room->capacity ? room->capacity : 4096;
    while (capacity < length)
        capacity *= 2;
    uint8_t *grown = realloc(room->bytes, capacity);
    if (!grown)
        return false;
    *room = (struct room){grown, capacity};
    return true;
}

static bool is_there(const struct datagram *datagram, uint32_t unit)
{
    return datagram->there[unit / 8] >> unit % 8 & 1;
}

/* False where a unit that is there already differs. */
static bool copy_units(struct datagram *datagram, uint32_t offset, const uint8_t *bytes, uint32_t length)
{
    for (uint32_t done = 0; done < length; done += UNIT) {
        uint32_t unit = (offset + done) / UNIT, run = length - done < UNIT ? length - done : UNIT;
        uint8_t *to = datagram->room.bytes + offset + done;
        if (is_there(datagram, unit)) {
            if (memcmp(to, bytes + done, run) != 0)
                return false;
            continue;
        }
        memcpy(to, bytes + done, run);
        datagram->there[unit / 8] |= (uint8_t)(1u << unit % 8);
        datagram->units_there++;
    }
    return true;
}

enum sr_fragment_step sr_fragments_add(struct sr_fragments *fragments, const struct sr_fragment *fragment,
                                       struct sr_cursor *payload)
{
    uint32_t end = fragment->offset + payload->wire;
    if (payload->wire == 0 || end > LARGEST || (fragment->more && payload->wire % UNIT != 0))
        return SR_FRAGMENT_MALFORMED;

    struct datagram *datagram = find_or_begin(fragments, fragment);
    if (end > datagram->highest_end)
        datagram->highest_end = end;
    uint32_t length = fragment->more ? datagram->length : end;
    bool contradicts =
        (length != 0 && datagram->highest_end > length) || (datagram->length != 0 && datagram->length != length);
    if (contradicts || !reserve(&datagram->room, (end + UNIT - 1) / UNIT * UNIT) ||
        !copy_units(datagram, fragment->offset, payload->bytes, payload->wire)) {
        give_up(fragments, datagram);
        return SR_FRAGMENT_OVERLAP;
    }
    datagram->kept++;
    datagram->length = length;
    if (datagram->length == 0 || datagram->units_there < (datagram->length + UNIT - 1) / UNIT)
        return SR_FRAGMENT_KEPT;
    struct room complete = datagram->room;
    datagram->room = fragments->complete;
    fragments->complete = complete;
    *payload = sr_cursor(complete.bytes, datagram->length, datagram->length);
    release(datagram);
    return SR_FRAGMENT_COMPLETE;
}
