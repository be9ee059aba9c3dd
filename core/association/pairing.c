/* SPDX-License-Identifier: BSD-2-Clause */
/* Halves side by side: what fits, what contradicts, what proves. */
#include "pairing.h"

#include <stdlib.h>

/* A packet may look at so many halves, and those after it at what it leaves: only in hostile captures many fail to
 * find their other half, and then a packet costs no more than this. */
enum { LOOKS_OF_A_PACKET = 16, LOOKS_SAVED = 1 << 16 };

/* The same either way round. */
static uint32_t ports_of(uint16_t one, uint16_t other)
{
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    return low << 16 | high;
}

static uint32_t *bucket_of(struct sr_pairing *pairing, uint32_t ports)
{
    return &pairing->by_ports[(ports * UINT32_C(0x9e3779b1) >> 17) % SR_PAIRING_BUCKETS];
}

void sr_pairing_free(struct sr_pairing *pairing)
{
    free(pairing->unpaired);
}

bool sr_pairing_make_room(struct sr_pairing *pairing, uint32_t number)
{
    enum { FIRST_ROOM = 64 };
    if (number < pairing->room)
        return true;
    uint32_t room = pairing->room ? 2 * pairing->room : FIRST_ROOM;
    struct sr_unpaired *more = realloc(pairing->unpaired, room * sizeof *more);
    if (!more)
        return false;
    pairing->unpaired = more;
    pairing->room = room;
    return true;
}

void sr_pairing_add(struct sr_pairing *pairing, const struct sr_association *association)
{
    uint32_t ports = ports_of(association->side[0].port, association->side[1].port);
    uint32_t *bucket = bucket_of(pairing, ports);
    pairing->unpaired[association->number] = (struct sr_unpaired){ports, *bucket};
    *bucket = 1 + association->number;
}

struct sr_one_way sr_one_way_of(const struct sr_association *half)
{
    const struct sr_side *to = &half->side[sr_half_goes_to(half)], *from = &half->side[1 - sr_half_goes_to(half)];
    return (struct sr_one_way){half, from->address, to->address, from->addresses, to->addresses, from->port, to->port};
}

void sr_pairing_packet(struct sr_pairing *pairing)
{
    if (pairing->looks < LOOKS_SAVED)
        pairing->looks += LOOKS_OF_A_PACKET;
}

static bool in_common(const struct sr_side *side, const struct sr_address *addresses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (sr_side_has_address(side, &addresses[i]) || sr_side_is_translated(side, &addresses[i]))
            return true;
    return false;
}

bool sr_contradicts(const struct sr_side *sender, struct sr_tsn cum)
{
    int64_t ahead = sr_tsn_distance(cum, sr_tsn(sender->data.highest_tsn));
    return sender->data.chunks > 0 && (ahead > SR_SCOREBOARD_LARGEST || ahead < -SR_SCOREBOARD_PAST);
}

/* So far, not only the packet that has just come. */
static bool halves_contradict(const struct sr_association *one, const struct sr_association *other)
{
    const struct sr_side *of_one = &one->side[1 - sr_half_goes_to(one)];
    const struct sr_side *of_other = &other->side[1 - sr_half_goes_to(other)];
    return (of_one->sacks.chunks > 0 && sr_contradicts(of_other, sr_tsn(of_one->sacks.highest_cum_tsn))) ||
           (of_other->sacks.chunks > 0 && sr_contradicts(of_one, sr_tsn(of_other->sacks.highest_cum_tsn)));
}

static bool asked(const struct sr_association *half, uint32_t information)
{
    for (uint32_t i = 0; i < half->questions && i < SR_QUESTIONS; i++)
        if (half->question[i] == information)
            return true;
    return false;
}

/* What has just come answers to what the sender of the half sent. */
static bool proves(const struct sr_clue *clue, const struct sr_association *half)
{
    const struct sr_side *sender = &half->side[1 - sr_half_goes_to(half)];
    if (clue->kind == SR_CLUE_ANSWER)
        return asked(half, clue->information);
    return clue->kind == SR_CLUE_FEEDBACK && sr_scoreboard_seen(&sender->data.board, clue->tsn) &&
           !sr_tsn_after(clue->top, sr_tsn(sender->data.highest_tsn));
}

/* Both have an INIT or the packets of one instance after the other: only what answers tells that they are one. */
static bool may_differ(const struct sr_association *one, const struct sr_association *other)
{
    return one->side[0].sent_init || one->side[1].sent_init || other->side[0].sent_init || other->side[1].sent_init ||
           !sr_association_is_open(one);
}

enum fit { NOTHING, ENDS, PROOF };

static enum fit fit_of(const struct sr_association *half, const struct sr_one_way *way, const struct sr_clue *clue)
{
    unsigned to = sr_half_goes_to(half);
    const struct sr_side *receiver = &half->side[to], *sender = &half->side[1 - to];
    if (half == way->half || receiver->port != way->sport || sender->port != way->dport)
        return NOTHING;
    bool src = in_common(receiver, way->src, way->srcs), dst = in_common(sender, way->dst, way->dsts);
    if (!(src || dst) || (clue->kind == SR_CLUE_FEEDBACK && sr_contradicts(sender, clue->tsn)) ||
        (way->half && halves_contradict(half, way->half)))
        return NOTHING;
    if (proves(clue, half))
        return PROOF;
    bool open = sr_association_is_open(half) && !(way->half && may_differ(way->half, half));
    return src && dst && open ? ENDS : NOTHING;
}

struct sr_association *sr_pairing_find(struct sr_pairing *pairing, const struct sr_one_way *way,
                                       const struct sr_clue *clue)
{
    struct sr_association *found[PROOF + 1] = {NULL}; /* the newest */
    uint32_t count[PROOF + 1] = {0};
    uint32_t ports = ports_of(way->sport, way->dport), *place = bucket_of(pairing, ports);
    for (; *place > 0 && pairing->looks > 0; pairing->looks--) {
        struct sr_unpaired *entry = &pairing->unpaired[*place - 1];
        if (entry->ports != ports) {
            place = &entry->before;
            continue;
        }
        struct sr_association *half = sr_spool_look(pairing->associations, *place - 1);
        if (half->joined || (half->side[0].tag_known && half->side[1].tag_known)) { /* whole by now */
            *place = entry->before;
            continue;
        }
        enum fit fit = sr_is_half(half) ? fit_of(half, way, clue) : NOTHING;
        if (count[fit]++ == 0)
            found[fit] = half;
        place = &entry->before;
    }
    bool looked_at_all = *place == 0;
    if (count[PROOF] == 1 && looked_at_all)
        return found[PROOF];
    return count[ENDS] == 1 || !way->half ? found[ENDS] : NULL;
}
