/* SPDX-License-Identifier: BSD-2-Clause */
/* Sender, link and receiver in time slots: in each the sender takes at most one SACK and sends at most one packet. */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "wire/chunk.h"

enum {
    RING = 131072,      /* TSNs and transmissions remembered; a power of two */
    MOST_AHEAD = 65000, /* TSNs that the sender may be ahead of the cumulative one: a gap block reaches 65535 */
    MOST_BLOCKS = 363,  /* in a packet of 1500 bytes */
    MOST_DUPS = 8,
    REORDERING = 3,      /* sent so many transmissions before one that arrived: lost */
    DELAYED_SACK = 20,   /* slots after which a SACK is sent even for one packet */
    LOST_IN = 100,       /* one packet in so many */
    DUPLICATED_IN = 500, /* by the link */
    COALESCED_IN = 6,    /* packets for which a busy receiver sends no SACK of their own, gaps or not */
    STREAMS = 4,
    POOL = 1 << 16, /* random bytes, of which every payload is a part */
    SLOT_US = 10,
};

#define START_US UINT64_C(1700000000000000)
#define RECEIVE_WINDOW UINT32_C(4194304)

static const uint32_t vtags[2] = {0x5c7a11ed, 0x0badcafe}; /* by the side that chose it */
static const uint32_t first_tsn = 0xfffff000;              /* it wraps early */

struct sack {
    bool sent;
    uint32_t cum_tsn, a_rwnd;
    uint32_t blocks, dups;
    struct {
        uint32_t first, last;
    } block[MOST_BLOCKS];
    uint32_t dup[MOST_DUPS];
};

struct transmission {
    bool sent, lost, duplicated;
    uint32_t tsn;
};

struct sender {
    uint32_t next_tsn, cum_tsn;
    uint32_t flight; /* neither acknowledged nor held for lost */
    uint64_t transmissions;
    uint64_t newest_acked; /* transmission */
    uint64_t judged;       /* transmissions up to it are acknowledged, sent again or held for lost */
    uint32_t lost;         /* TSNs that are to be sent again */
    uint32_t sent[RING];   /* TSN of each transmission */
    struct {
        uint64_t transmission; /* the last one */
        bool acked, lost;
    } tsns[RING];
};

struct receiver {
    uint32_t cum_tsn, highest_tsn;
    uint32_t waiting; /* packets since the last SACK */
    uint32_t waited;  /* slots since the last packet */
    uint32_t beyond;  /* TSNs received beyond the cumulative one */
    uint32_t dups, dup[MOST_DUPS];
    bool received[RING];
};

struct traffic {
    const struct traffic_options *options;
    struct frames *frames;
    uint64_t random;
    struct sender sender;
    struct receiver receiver;
    uint32_t delay;                   /* slots, one way: the window just fills the link */
    struct transmission *to_receiver; /* one for each slot of the delay */
    struct sack *to_sender;
    uint8_t pool[POOL];
};

static bool after(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

/* splitmix64 */
static uint64_t random_next(struct traffic *traffic)
{
    uint64_t mixed = traffic->random += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static bool one_in(struct traffic *traffic, uint32_t count)
{
    return random_next(traffic) % count == 0;
}

static bool write_data(struct traffic *traffic, uint32_t tsn, uint64_t time_us)
{
    enum { FIXED = 16, BEGIN_AND_END = 3, PPID_BINARY = 53 };
    uint32_t index = tsn - first_tsn, payload = traffic->options->payload;
    uint8_t *chunk = frames_chunk(traffic->frames, SR_CHUNK_DATA, BEGIN_AND_END, FIXED + payload);
    put_32(chunk + 4, tsn);
    put_16(chunk + 8, index % STREAMS);
    put_16(chunk + 10, index / STREAMS);
    put_32(chunk + 12, PPID_BINARY);
    memcpy(chunk + FIXED, traffic->pool + index % (POOL - payload), payload);
    return frames_send(traffic->frames, CLIENT, vtags[SERVER], time_us);
}

static bool write_sack(struct traffic *traffic, const struct sack *sack, uint64_t time_us)
{
    enum { FIXED = 16, ENTRY = 4 };
    size_t length = FIXED + (sack->blocks + sack->dups) * ENTRY;
    uint8_t *chunk = frames_chunk(traffic->frames, SR_CHUNK_SACK, 0, length), *at = chunk + FIXED;
    put_32(chunk + 4, sack->cum_tsn);
    put_32(chunk + 8, sack->a_rwnd);
    put_16(chunk + 12, sack->blocks);
    put_16(chunk + 14, sack->dups);
    for (uint32_t i = 0; i < sack->blocks; i++, at += ENTRY) {
        put_16(at, sack->block[i].first - sack->cum_tsn);
        put_16(at + 2, sack->block[i].last - sack->cum_tsn);
    }
    for (uint32_t i = 0; i < sack->dups; i++, at += ENTRY)
        put_32(at, sack->dup[i]);
    return frames_send(traffic->frames, SERVER, vtags[CLIENT], time_us);
}

static void acknowledge(struct sender *sender, uint32_t tsn)
{
    uint32_t slot = tsn % RING;
    if (sender->tsns[slot].acked)
        return;
    sender->tsns[slot].acked = true;
    if (sender->tsns[slot].transmission > sender->newest_acked)
        sender->newest_acked = sender->tsns[slot].transmission;
    if (sender->tsns[slot].lost)
        sender->lost--;
    else
        sender->flight--;
}

/* Those sent `REORDERING` transmissions before one that arrived. */
static void find_lost(struct sender *sender)
{
    while (sender->judged + 1 + REORDERING <= sender->newest_acked) {
        uint64_t transmission = ++sender->judged;
        uint32_t slot = sender->sent[transmission % RING] % RING;
        if (sender->tsns[slot].transmission != transmission || sender->tsns[slot].acked)
            continue;
        sender->tsns[slot].lost = true;
        sender->lost++;
        sender->flight--;
    }
}

static void take_sack(struct sender *sender, const struct sack *sack)
{
    while (sender->cum_tsn != sack->cum_tsn)
        acknowledge(sender, ++sender->cum_tsn);
    for (uint32_t i = 0; i < sack->blocks; i++)
        for (uint32_t tsn = sack->block[i].first; !after(tsn, sack->block[i].last); tsn++)
            acknowledge(sender, tsn);
    find_lost(sender);
}

/* The TSN to send in this slot: the lowest lost one, else a new one as the window allows. False for none. */
static bool choose(struct sender *sender, uint32_t window, uint32_t *tsn)
{
    uint32_t most_ahead = window * 10 + 48 < MOST_AHEAD ? window * 10 + 48 : MOST_AHEAD;
    if (sender->flight >= window)
        return false;
    *tsn = sender->lost > 0 ? sender->cum_tsn + 1 : sender->next_tsn;
    while (*tsn != sender->next_tsn && (!sender->tsns[*tsn % RING].lost || sender->tsns[*tsn % RING].acked))
        ++*tsn;
    if (*tsn != sender->next_tsn)
        sender->lost--;
    else if (sender->next_tsn++ - sender->cum_tsn >= most_ahead) {
        sender->next_tsn--;
        return false;
    }
    sender->tsns[*tsn % RING].transmission = ++sender->transmissions;
    sender->sent[sender->transmissions % RING] = *tsn;
    sender->tsns[*tsn % RING].acked = sender->tsns[*tsn % RING].lost = false;
    sender->flight++;
    return true;
}

static void receive(struct receiver *receiver, uint32_t tsn)
{
    receiver->waiting++;
    receiver->waited = 0;
    if (!after(tsn, receiver->cum_tsn) || receiver->received[tsn % RING]) {
        if (receiver->dups < MOST_DUPS)
            receiver->dup[receiver->dups++] = tsn;
        return;
    }
    receiver->received[tsn % RING] = true;
    receiver->beyond++;
    if (after(tsn, receiver->highest_tsn))
        receiver->highest_tsn = tsn;
    while (receiver->received[(receiver->cum_tsn + 1) % RING]) {
        receiver->received[++receiver->cum_tsn % RING] = false;
        receiver->beyond--;
    }
}

static void find_blocks(const struct receiver *receiver, struct sack *sack)
{
    uint32_t beyond = receiver->highest_tsn + 1;
    for (uint32_t tsn = receiver->cum_tsn + 1; after(beyond, tsn) && sack->blocks < MOST_BLOCKS; tsn++) {
        if (!receiver->received[tsn % RING])
            continue;
        sack->block[sack->blocks].first = tsn;
        while (receiver->received[(tsn + 1) % RING])
            tsn++;
        sack->block[sack->blocks++].last = tsn;
    }
}

static bool is_sack_due(struct traffic *traffic)
{
    struct receiver *receiver = &traffic->receiver;
    if (receiver->waiting == 0)
        return false;
    if (receiver->waiting >= 2 || receiver->waited++ >= DELAYED_SACK)
        return true;
    return (receiver->beyond > 0 || receiver->dups > 0) && !one_in(traffic, COALESCED_IN);
}

static struct sack answer(struct traffic *traffic)
{
    struct receiver *receiver = &traffic->receiver;
    struct sack sack = {.sent = is_sack_due(traffic), .cum_tsn = receiver->cum_tsn};
    if (!sack.sent)
        return sack;
    sack.a_rwnd = RECEIVE_WINDOW - receiver->beyond * traffic->options->payload;
    find_blocks(receiver, &sack);
    sack.dups = receiver->dups;
    memcpy(sack.dup, receiver->dup, sizeof sack.dup);
    receiver->dups = receiver->waiting = 0;
    return sack;
}

/* One slot: what comes out of each direction of the link has been under way for the delay. */
static bool run_slot(struct traffic *traffic, uint64_t slot)
{
    struct sack *sack = &traffic->to_sender[slot % traffic->delay];
    struct transmission *transmission = &traffic->to_receiver[slot % traffic->delay], arriving = *transmission;
    uint64_t time_us = START_US + slot * SLOT_US;

    if (sack->sent) {
        if (!write_sack(traffic, sack, time_us))
            return false;
        take_sack(&traffic->sender, sack);
    }
    *transmission = (struct transmission){0};
    if (traffic->frames->written < traffic->options->packets &&
        choose(&traffic->sender, traffic->options->window, &transmission->tsn)) {
        transmission->sent = true;
        transmission->lost = one_in(traffic, LOST_IN);
        transmission->duplicated = one_in(traffic, DUPLICATED_IN);
        if (!write_data(traffic, transmission->tsn, time_us + SLOT_US / 2))
            return false;
    }
    if (arriving.sent && !arriving.lost)
        receive(&traffic->receiver, arriving.tsn);
    if (arriving.sent && !arriving.lost && arriving.duplicated)
        receive(&traffic->receiver, arriving.tsn);
    *sack = answer(traffic);
    return true;
}

/* INIT and INIT ACK, the latter with a State Cookie. */
static bool write_init(struct traffic *traffic, enum side from, uint64_t time_us)
{
    enum { FIXED = 20, COOKIE = 64, PARAMETER = 4, STATE_COOKIE = 7 };
    size_t cookie = from == SERVER ? PARAMETER + COOKIE : 0;
    uint8_t type = from == SERVER ? SR_CHUNK_INIT_ACK : SR_CHUNK_INIT;
    uint8_t *chunk = frames_chunk(traffic->frames, type, 0, FIXED + cookie);
    put_32(chunk + 4, vtags[from]);
    put_32(chunk + 8, RECEIVE_WINDOW);
    put_16(chunk + 12, STREAMS);
    put_16(chunk + 14, STREAMS);
    put_32(chunk + 16, from == CLIENT ? first_tsn : 1);
    if (from == SERVER) {
        put_16(chunk + FIXED, STATE_COOKIE);
        put_16(chunk + FIXED + 2, (uint32_t)cookie);
        memcpy(chunk + FIXED + PARAMETER, traffic->pool, COOKIE);
    }
    return frames_send(traffic->frames, from, from == SERVER ? vtags[CLIENT] : 0, time_us);
}

static bool write_handshake(struct traffic *traffic)
{
    enum { HEADER = 4, COOKIE = 64 };
    uint64_t round_trip = UINT64_C(2) * traffic->delay * SLOT_US, begin = START_US - 2 * round_trip;

    if (!write_init(traffic, CLIENT, begin) || !write_init(traffic, SERVER, begin + round_trip))
        return false;
    uint8_t *chunk = frames_chunk(traffic->frames, SR_CHUNK_COOKIE_ECHO, 0, HEADER + COOKIE);
    memcpy(chunk + HEADER, traffic->pool, COOKIE);
    if (!frames_send(traffic->frames, CLIENT, vtags[SERVER], begin + round_trip + SLOT_US))
        return false;
    frames_chunk(traffic->frames, SR_CHUNK_COOKIE_ACK, 0, HEADER);
    return frames_send(traffic->frames, SERVER, vtags[CLIENT], START_US);
}

bool traffic_run(const struct traffic_options *options, struct frames *frames)
{
    static struct traffic traffic;
    traffic = (struct traffic){
        .options = options,
        .frames = frames,
        .delay = options->window / 2,
        .random = options->seed,
        .sender = {.next_tsn = first_tsn, .cum_tsn = first_tsn - 1},
        .receiver = {.cum_tsn = first_tsn - 1, .highest_tsn = first_tsn - 1},
    };
    for (size_t i = 0; i < POOL; i++)
        traffic.pool[i] = (uint8_t)random_next(&traffic);
    traffic.to_receiver = calloc(traffic.delay, sizeof *traffic.to_receiver);
    traffic.to_sender = calloc(traffic.delay, sizeof *traffic.to_sender);
    bool ok = traffic.to_receiver && traffic.to_sender && write_handshake(&traffic);
    for (uint64_t slot = 0; ok && frames->written < options->packets; slot++)
        ok = run_slot(&traffic, slot);
    free(traffic.to_receiver);
    free(traffic.to_sender);
    return ok;
}
