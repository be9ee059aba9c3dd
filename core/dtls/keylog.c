/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table with open addresses. */
#include "keylog.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 256,
    MOST_LOOKED_AT = 128, /* only a hostile key log has more on one place; the rest of it is not kept */
};

struct sr_key_log {
    struct sr_secret *places; /* length 0: free */
    size_t room;              /* a power of two, at least twice what is taken */
    size_t taken;
    uint64_t added;
};

struct sr_key_log *sr_key_log_new(void)
{
    return calloc(1, sizeof(struct sr_key_log));
}

void sr_key_log_free(struct sr_key_log *log)
{
    if (log)
        free(log->places);
    free(log);
}

static bool is_of(const struct sr_secret *secret, uint8_t label, const uint8_t *random)
{
    return secret->label == label && memcmp(secret->random, random, SR_RANDOM_LENGTH) == 0;
}

/* Where it is, or else where it would be; NULL where neither is near. */
static struct sr_secret *place_of(const struct sr_key_log *log, uint8_t label, const uint8_t *random)
{
    uint64_t hash = label;
    for (size_t i = 0; i < SR_RANDOM_LENGTH; i++)
        hash = (hash ^ random[i]) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    for (size_t i = 0; i < MOST_LOOKED_AT && i < log->room; i++) {
        struct sr_secret *place = &log->places[(hash + i) & (log->room - 1)];
        if (place->length == 0 || is_of(place, label, random))
            return place;
    }
    return NULL;
}

const struct sr_secret *sr_key_log_find(const struct sr_key_log *log, enum sr_key_label label, const uint8_t *random)
{
    const struct sr_secret *place = place_of(log, (uint8_t)label, random);
    return place && place->length > 0 ? place : NULL;
}

uint64_t sr_key_log_secrets(const struct sr_key_log *log)
{
    return log->added;
}

static bool grow(struct sr_key_log *log)
{
    struct sr_key_log larger = {.room = log->room ? log->room * 2 : FIRST_ROOM, .added = log->added};
    larger.places = calloc(larger.room, sizeof *larger.places);
    if (!larger.places)
        return false;
    for (size_t i = 0; i < log->room; i++) {
        const struct sr_secret *secret = &log->places[i];
        struct sr_secret *place = secret->length > 0 ? place_of(&larger, secret->label, secret->random) : NULL;
        if (place) {
            *place = *secret;
            larger.taken++;
        }
    }
    free(log->places);
    *log = larger;
    return true;
}

static bool keep(struct sr_key_log *log, const struct sr_secret *secret)
{
    if (log->taken * 2 >= log->room && !grow(log))
        return false;
    struct sr_secret *place = place_of(log, secret->label, secret->random);
    bool is_new = place && place->length == 0;
    if (!place || (is_new && log->taken >= SR_KEY_LOG_LIMIT))
        return true;
    log->taken += is_new;
    log->added++;
    *place = *secret;
    return true;
}

static int digit_of(uint8_t character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    character |= 0x20;
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* Bytes written in hexadecimal from `*at` to a space or the end; 0 where they are none, or more than `most`. */
static size_t take_hex(const uint8_t **at, const uint8_t *end, uint8_t *bytes, size_t most)
{
    size_t count = 0;
    for (; *at < end && **at != ' '; *at += 2) {
        int high = digit_of(**at), low = *at + 1 < end ? digit_of((*at)[1]) : -1;
        if (high < 0 || low < 0 || count == most)
            return 0;
        bytes[count++] = (uint8_t)(high << 4 | low);
    }
    return count;
}

static bool take_label(const uint8_t **at, const uint8_t *end, struct sr_secret *secret)
{
    static const char *const labels[SR_KEY_LABEL_COUNT] = {"CLIENT_RANDOM ", "CLIENT_TRAFFIC_SECRET_0 ",
                                                           "SERVER_TRAFFIC_SECRET_0 "};
    for (uint8_t i = 0; i < SR_KEY_LABEL_COUNT; i++) {
        size_t length = strlen(labels[i]);
        if ((size_t)(end - *at) > length && memcmp(*at, labels[i], length) == 0) {
            *at += length;
            secret->label = i;
            return true;
        }
    }
    return false;
}

static bool take_line(const uint8_t *at, const uint8_t *end, struct sr_secret *secret)
{
    while (end > at && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    if (!take_label(&at, end, secret) || take_hex(&at, end, secret->random, SR_RANDOM_LENGTH) != SR_RANDOM_LENGTH)
        return false;
    if (at == end)
        return false;
    at++;
    secret->length = (uint8_t)take_hex(&at, end, secret->bytes, SR_LONGEST_SECRET);
    return secret->length > 0 && at == end;
}

bool sr_key_log_add(struct sr_key_log *log, const uint8_t *text, size_t length)
{
    for (const uint8_t *end = text + length, *next; text < end; text = next + 1) {
        const uint8_t *line_end = memchr(text, '\n', (size_t)(end - text));
        next = line_end ? line_end : end;
        struct sr_secret secret = {0};
        if (take_line(text, next, &secret) && !keep(log, &secret))
            return false;
        if (!line_end)
            break;
    }
    return true;
}
