/* SPDX-License-Identifier: BSD-2-Clause */
/* Hellos in parts: their bytes, and a bit for each that is there. */
#include "messages.h"

#include <stdlib.h>
#include <string.h>

#include "../wire/bytes.h"

enum {
    HEADER = 12,
    LONGEST = 16384, /* no ClientHello is longer, with keys that quantum computers do not break a tenth of it */
    MOST = 32,       /* at the same time; the one begun longest ago is given up */
};

/* What all fragments of a message have in common. */
struct about {
    uint64_t flow;
    uint32_t length;
    uint16_t sequence;
    uint8_t type;
};

struct parts {
    struct about about;
    uint64_t begun; /* the how many-th; 0: free */
    uint32_t missing;
    uint8_t body[LONGEST];
    uint8_t there[LONGEST / 8]; /* a bit for each byte */
};

struct sr_messages {
    struct parts *parts[MOST];
    uint64_t begun, given_up;
};

struct sr_messages *sr_messages_new(void)
{
    return calloc(1, sizeof(struct sr_messages));
}

void sr_messages_free(struct sr_messages *messages)
{
    for (int i = 0; messages && i < MOST; i++)
        free(messages->parts[i]);
    free(messages);
}

uint64_t sr_messages_given_up(const struct sr_messages *messages)
{
    return messages->given_up;
}

static uint64_t begun_at(const struct parts *parts)
{
    return parts ? parts->begun : 0;
}

static bool is_same(const struct about *a, const struct about *b)
{
    return a->flow == b->flow && a->length == b->length && a->sequence == b->sequence && a->type == b->type;
}

static struct parts *parts_of(struct sr_messages *messages, const struct about *about)
{
    struct parts **oldest = &messages->parts[0];
    for (struct parts **at = messages->parts; at < messages->parts + MOST; at++) {
        if (begun_at(*at) > 0 && is_same(&(*at)->about, about))
            return *at;
        if (begun_at(*at) < begun_at(*oldest))
            oldest = at;
    }
    messages->given_up += begun_at(*oldest) > 0;
    if (!*oldest && !(*oldest = malloc(sizeof **oldest)))
        return NULL;
    (*oldest)->about = *about;
    (*oldest)->begun = ++messages->begun;
    (*oldest)->missing = about->length;
    memset((*oldest)->there, 0, (about->length + 7) / 8);
    return *oldest;
}

static bool add(struct parts *parts, const uint8_t *bytes, uint32_t from, uint32_t count)
{
    memcpy(parts->body + from, bytes, count);
    for (uint32_t i = from; i < from + count; i++) {
        uint8_t bit = (uint8_t)(1u << i % 8);
        parts->missing -= !(parts->there[i / 8] & bit);
        parts->there[i / 8] |= bit;
    }
    return parts->missing == 0;
}

static uint32_t be24(const uint8_t *at)
{
    return (uint32_t)at[0] << 16 | sr_be16(at + 1);
}

bool sr_messages_next(struct sr_messages *messages, uint64_t flow, const uint8_t **at, const uint8_t *end,
                      struct sr_message *message)
{
    while (end - *at >= HEADER) {
        const uint8_t *header = *at, *bytes = header + HEADER;
        uint32_t from = be24(header + 6), count = be24(header + 9);
        const uint32_t length = be24(header + 1);
        if (count > (uint32_t)(end - bytes) || from > length || count > length - from)
            return false;
        *at = bytes + count;
        *message = (struct sr_message){header[0], bytes, length};
        if (header[0] != SR_CLIENT_HELLO && header[0] != SR_SERVER_HELLO)
            continue;
        if (count == length)
            return true;
        if (length > LONGEST)
            continue;
        struct parts *parts = parts_of(messages, &(struct about){flow, length, sr_be16(header + 4), header[0]});
        if (parts && add(parts, bytes, from, count)) {
            parts->begun = 0;
            message->body = parts->body;
            return true;
        }
    }
    return false;
}
