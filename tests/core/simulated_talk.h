/* SPDX-License-Identifier: BSD-2-Clause */
/* Two hosts that behave as hosts do, past a tap: the sender has a timer, fast retransmission and a window, the receiver
 * delays what it says, and the path loses, holds up, repeats and reorders as numbers fall. What became of each copy is
 * known. */
#ifndef SR_TESTS_SIMULATED_TALK_H
#define SR_TESTS_SIMULATED_TALK_H

#include "talk.h"

enum {
    SIM_TSNS = 80,
    SIM_COPIES = 12,
    SIM_EVENTS = 2048,
    SIM_FRAMES = 4096,
    SIM_BUNDLE = 2,
    SIM_OTHERS_TIMES = 8,
    SIM_BLOCKS = 200,
    SIM_LONGEST_US = 40000000
};

enum sim_what {
    SIM_WRITES,
    SIM_TIMER,
    SIM_PROBE,
    SIM_DELAYED,
    SIM_DATA_PASSES,
    SIM_DATA_COMES,
    SIM_SACK_PASSES,
    SIM_SACK_COMES,
    SIM_FORWARD_PASSES,
    SIM_FORWARD_COMES,
    SIM_OTHERS,
    SIM_RENEGES,
    SIM_DROP_PASSES
};

struct sim_event {
    int64_t at_us;
    enum sim_what what;
    uint32_t number; /* TSN, how many are written, or the timer's */
    uint32_t count, cum, copies[SIM_BUNDLE];
    uint32_t a_rwnd;
    uint16_t id;
    uint8_t path;
    bool broken;
    bool has[SIM_TSNS + 1];
    char also[SIM_BLOCKS];
};

/* A way: first in, first out, but for what is reordered. */
struct sim_way {
    int64_t takes_us, last_us, still_from_us, still_to_us, pace_us;
};

struct sim_habits {
    int64_t loops_us[2]; /* from the tap to the sender and back, to the receiver and back */
    int64_t rto_min_us, ack_delay_us;
    uint32_t loss, late, repeats, sack_loss, broken; /* one of so many; 0: none */
    uint32_t window, bundle, acks_every;
    uint32_t gives_up; /* after so many copies; 0: never */
    int64_t begins_us; /* of the capture */
    bool pion, handshake, counts, reports, loses_before_tap, stands_still, still_before_tap, other_path, closes, cut;
    bool fast_again, asks, both_ways, beats, reneges, tells_drops, nr;
};

struct sim {
    struct talk *talk;
    struct sim_habits habits;
    uint32_t random, event_count;
    struct sim_event *events;
    int64_t now_us;
    struct sim_way way[2][2]; /* to the receiver, to the sender; before the tap, behind it */
    /* the sender */
    uint32_t next_tsn, written, una, timer, probe, back_off;
    uint8_t copies[SIM_TSNS + 1], misses[SIM_TSNS + 1];
    bool acked[SIM_TSNS + 1], marked[SIM_TSNS + 1], was_fast[SIM_TSNS + 1];
    int64_t sent_us[SIM_TSNS + 1], srtt_us;
    uint16_t id[2];
    /* the receiver */
    bool has[SIM_TSNS + 1];
    uint32_t cum, top, unanswered, delayed, dups[8], dup_count;
    /* what became of it */
    bool arrived[SIM_TSNS + 1][SIM_COPIES + 1];
    uint8_t copy_of[SIM_FRAMES][SIM_BUNDLE]; /* in each frame */
};

static inline uint32_t sim_next(struct sim *sim, uint32_t end)
{
    sim->random = sim->random * 1664525u + 1013904223u;
    return (sim->random >> 10) % end;
}

static inline bool sim_one_of(struct sim *sim, uint32_t many)
{
    return many != 0 && sim_next(sim, many) == 0;
}

static inline struct sim_event *sim_at(struct sim *sim, int64_t at_us, enum sim_what what, uint32_t number)
{
    assert_true(sim->event_count < SIM_EVENTS);
    struct sim_event *event = &sim->events[sim->event_count++];
    memset(event, 0, sizeof *event);
    event->at_us = at_us;
    event->what = what;
    event->number = number;
    return event;
}

/* When what enters a way now leaves it. */
static inline int64_t sim_passes(struct sim *sim, struct sim_way *way, int64_t enters_us)
{
    int64_t at_us = enters_us + way->takes_us + sim_next(sim, (uint32_t)(way->takes_us / 20) + 1);
    if (at_us >= way->still_from_us && at_us < way->still_to_us)
        at_us = way->still_to_us;
    if (sim_one_of(sim, sim->habits.late))
        return (at_us > way->last_us ? at_us : way->last_us) + way->takes_us / 8 + sim_next(sim, 4000);
    if (at_us < way->last_us + way->pace_us)
        at_us = way->last_us + way->pace_us;
    way->last_us = at_us;
    return at_us;
}

static inline void sim_start_timer(struct sim *sim)
{
    const struct sim_habits *habits = &sim->habits;
    int64_t rto_us = sim->srtt_us ? sim->srtt_us * 3 : 1000000;
    rto_us = rto_us < habits->rto_min_us ? habits->rto_min_us : rto_us;
    sim_at(sim, sim->now_us + (rto_us << sim->back_off), SIM_TIMER, ++sim->timer);
    if (habits->pion)
        sim_at(sim, sim->now_us + 2 * sim->srtt_us + 200000, SIM_PROBE, ++sim->probe);
}

/* One packet with `count` chunks. */
static inline void sim_send(struct sim *sim, uint32_t tsn, uint32_t count)
{
    const struct sim_habits *habits = &sim->habits;
    bool broken = sim_one_of(sim, habits->broken), lost = broken || sim_one_of(sim, habits->loss);
    bool before = !broken && lost && habits->loses_before_tap && sim_next(sim, 2) == 0;
    bool first = sim->copies[tsn] == 0;
    uint8_t path = habits->other_path && !first && sim->copies[tsn] % 2 == 1;
    int64_t slower_us = path ? 3000 : 0;
    for (uint32_t i = 0; i < count; i++) {
        sim->copies[tsn + i]++;
        sim->sent_us[tsn + i] = sim->now_us;
        sim->marked[tsn + i] = false;
        sim->misses[tsn + i] = 0;
    }
    uint16_t id = ++sim->id[A];
    int64_t at_us = sim_passes(sim, &sim->way[0][0], sim->now_us);
    for (int times = sim_one_of(sim, habits->repeats) ? 2 : 1; times > 0 && !before; times--, at_us += 150) {
        struct sim_event *passes = sim_at(sim, at_us, SIM_DATA_PASSES, tsn);
        passes->count = count;
        passes->id = id;
        passes->path = path;
        passes->broken = broken;
        for (uint32_t i = 0; i < count; i++)
            passes->copies[i] = sim->copies[tsn + i];
        if (lost && !broken && habits->tells_drops)
            sim_at(sim, at_us + 2 * sim->way[0][1].takes_us, SIM_DROP_PASSES, tsn);
        if (lost)
            continue;
        int64_t comes_us = sim_passes(sim, &sim->way[0][1], at_us + slower_us);
        for (uint32_t i = 0; i < count; i++) {
            struct sim_event *comes = sim_at(sim, comes_us, SIM_DATA_COMES, tsn + i);
            comes->copies[0] = sim->copies[tsn + i];
            comes->count = i + 1 == count;
        }
    }
}

static inline uint32_t sim_outstanding(const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t tsn = sim->una; tsn < sim->next_tsn; tsn++)
        count += !sim->acked[tsn] && !sim->marked[tsn];
    return count;
}

/* What is marked first, then what is new, as the window lets it. */
static inline void sim_fill_window(struct sim *sim)
{
    for (uint32_t tsn = sim->una; tsn < sim->next_tsn && sim_outstanding(sim) < sim->habits.window; tsn++)
        if (sim->marked[tsn] && !sim->acked[tsn] && sim->copies[tsn] < SIM_COPIES)
            sim_send(sim, tsn, 1);
    while (sim->next_tsn <= sim->written && sim_outstanding(sim) < sim->habits.window) {
        uint32_t count = sim->written + 1 - sim->next_tsn;
        count = count < sim->habits.bundle ? count : sim->habits.bundle;
        bool idle = sim->una == sim->next_tsn;
        sim_send(sim, sim->next_tsn, count);
        sim->next_tsn += count;
        if (idle)
            sim_start_timer(sim);
    }
}

/* The earliest TSN: RFC 3758 section 3.5. */
static inline void sim_give_up(struct sim *sim)
{
    sim->acked[sim->una] = true;
    struct sim_event *passes = sim_at(sim, sim_passes(sim, &sim->way[0][0], sim->now_us), SIM_FORWARD_PASSES, sim->una);
    passes->id = ++sim->id[A];
    sim_at(sim, sim_passes(sim, &sim->way[0][1], passes->at_us), SIM_FORWARD_COMES, sim->una);
    while (sim->una < sim->next_tsn && sim->acked[sim->una])
        sim->una++;
    sim->timer++;
    if (sim->una < sim->next_tsn)
        sim_start_timer(sim);
    sim_fill_window(sim);
}

static inline void sim_expires(struct sim *sim)
{
    if (sim->una == sim->next_tsn)
        return;
    for (uint32_t tsn = sim->una; tsn < sim->next_tsn; tsn++)
        sim->marked[tsn] = !sim->acked[tsn];
    sim->back_off += sim->back_off < 4;
    if (sim->habits.gives_up && sim->copies[sim->una] >= sim->habits.gives_up) {
        sim_give_up(sim);
        return;
    }
    if (sim->copies[sim->una] < SIM_COPIES)
        sim_send(sim, sim->una, 1);
    sim_start_timer(sim);
}

static inline void sim_probes(struct sim *sim)
{
    uint32_t tsn = sim->next_tsn - 1;
    if (sim->una < sim->next_tsn && !sim->acked[tsn] && sim->copies[tsn] < SIM_COPIES)
        sim_send(sim, tsn, 1);
}

static inline void sim_is_told(struct sim *sim, const struct sim_event *sack)
{
    uint32_t newest = 0;
    bool moves = sack->cum >= sim->una;
    for (uint32_t tsn = sim->una; tsn < sim->next_tsn; tsn++) {
        if (sim->habits.reneges && tsn > sack->cum && !sack->has[tsn])
            sim->acked[tsn] = false;
        if (sim->acked[tsn] || (tsn > sack->cum && !sack->has[tsn]))
            continue;
        sim->acked[tsn] = true;
        newest = tsn;
        if (sim->copies[tsn] == 1)
            sim->srtt_us = sim->srtt_us ? (7 * sim->srtt_us + sim->now_us - sim->sent_us[tsn]) / 8
                                        : sim->now_us - sim->sent_us[tsn];
    }
    while (sim->una < sim->next_tsn && sim->acked[sim->una])
        sim->una++;
    for (uint32_t tsn = sim->una; tsn < newest; tsn++) {
        if (sim->acked[tsn] || sim->marked[tsn] || ++sim->misses[tsn] < 3 ||
            (sim->was_fast[tsn] && !sim->habits.fast_again))
            continue;
        sim->was_fast[tsn] = true;
        sim->marked[tsn] = true;
    }
    if (moves) {
        sim->back_off = 0;
        sim->timer++;
        sim->probe++;
        if (sim->una < sim->next_tsn)
            sim_start_timer(sim);
    }
    sim_fill_window(sim);
}

static inline bool sim_is_closed(const struct sim *sim)
{
    return sim->habits.closes && sim->now_us > 4000000 && sim->now_us < 5200000;
}

static inline void sim_tells(struct sim *sim)
{
    char also[SIM_BLOCKS] = "";
    size_t length = 0;
    uint32_t blocks = 0;
    sim->unanswered = 0;
    sim->delayed++;
    uint16_t id = sim->id[B] = (uint16_t)(sim->id[B] + 2);
    for (uint32_t tsn = sim->cum + 1; tsn <= sim->top && blocks < 8; tsn++) {
        if (!sim->has[tsn])
            continue;
        uint32_t first = tsn;
        while (tsn < sim->top && sim->has[tsn + 1])
            tsn++;
        length += (size_t)snprintf(also + length, sizeof also - length, "%s%s%u-%u", length ? " " : "",
                                   sim->habits.nr && first % 2 ? "n" : "", first, tsn);
        blocks++;
    }
    for (uint32_t i = 0; i < sim->dup_count && sim->habits.reports; i++)
        length += (size_t)snprintf(also + length, sizeof also - length, "%sd%u", length ? " " : "", sim->dups[i]);
    sim->dup_count = 0;
    int64_t at_us = sim_passes(sim, &sim->way[1][0], sim->now_us);
    bool lost = sim_one_of(sim, sim->habits.sack_loss), before = lost && sim_next(sim, 2) == 0;
    for (int comes = 0; comes < 2; comes++) {
        if (comes ? lost : before)
            continue;
        struct sim_event *event = sim_at(sim, comes ? sim_passes(sim, &sim->way[1][1], at_us) : at_us,
                                         comes ? SIM_SACK_COMES : SIM_SACK_PASSES, 0);
        event->cum = sim->cum;
        event->id = id;
        event->a_rwnd = sim_is_closed(sim) ? 0 : TALK_WINDOW;
        memcpy(event->has, sim->has, sizeof event->has);
        memcpy(event->also, also, sizeof also);
    }
}

static inline void sim_gets(struct sim *sim, const struct sim_event *data)
{
    uint32_t tsn = data->number;
    bool again = tsn <= sim->cum || sim->has[tsn], gap = sim->top > sim->cum;
    if (sim_is_closed(sim) && tsn > sim->cum + 2)
        return;
    sim->arrived[tsn][data->copies[0]] = true;
    sim->has[tsn] = true;
    sim->top = tsn > sim->top ? tsn : sim->top;
    while (sim->cum < SIM_TSNS && sim->has[sim->cum + 1])
        sim->cum++;
    if (again && sim->dup_count < 8)
        sim->dups[sim->dup_count++] = tsn;
    sim->unanswered += data->count;
    if (again || gap || sim->top > sim->cum || sim->unanswered >= sim->habits.acks_every)
        sim->unanswered = sim->habits.acks_every;
    if (!data->count) /* more follows in its packet */
        return;
    if (sim->unanswered >= sim->habits.acks_every)
        sim_tells(sim);
    else
        sim_at(sim, sim->now_us + sim->habits.ack_delay_us, SIM_DELAYED, ++sim->delayed);
}

/* Data of the other direction, of which nothing is lost, and a HEARTBEAT that is answered. */
static inline void sim_say_others(struct sim *sim, uint32_t step)
{
    struct talk *talk = sim->talk;
    const int64_t loop_us = sim->habits.loops_us[step % 2 == 0 ? 0 : 1];
    talk->id[A] = talk->id[B] = 0;
    if (step < 2 * SIM_OTHERS_TIMES)
        sim_at(sim, sim->now_us + (step % 2 ? 700000 : loop_us), SIM_OTHERS, step + 1);
    if (sim->habits.both_ways && step % 2 == 0)
        data_of(talk, sim->now_us, B, 1000 + step / 2, 1);
    else if (sim->habits.both_ways)
        sack_of(talk, sim->now_us, A, 1000 + step / 2, "");
    if (sim->habits.beats)
        heartbeat(talk, sim->now_us, step / 2 % 2 == step % 2 ? A : B, step % 2, step / 2);
}

static inline void sim_happens(struct sim *sim, const struct sim_event *event)
{
    struct talk *talk = sim->talk;
    switch (event->what) {
    case SIM_WRITES:
        sim->written += event->number;
        sim->written = sim->written < SIM_TSNS ? sim->written : SIM_TSNS;
        sim_fill_window(sim);
        break;
    case SIM_TIMER:
        if (event->number == sim->timer)
            sim_expires(sim);
        break;
    case SIM_PROBE:
        if (event->number == sim->probe)
            sim_probes(sim);
        break;
    case SIM_DELAYED:
        if (event->number == sim->delayed && sim->unanswered > 0)
            sim_tells(sim);
        break;
    case SIM_RENEGES:
        memset(&sim->has[sim->cum + 1], 0, SIM_TSNS - sim->cum);
        sim->top = sim->cum;
        sim_tells(sim);
        break;
    case SIM_DROP_PASSES:
        talk->id[B] = sim->habits.counts ? (uint16_t)(sim->id[B] - 1) : 0;
        packet_drop(talk, event->at_us, event->number);
        break;
    case SIM_OTHERS: sim_say_others(sim, event->number); break;
    case SIM_DATA_PASSES:
        if (event->at_us < sim->habits.begins_us)
            break;
        talk->flags = sim->habits.asks && event->number % 3 == 0 ? 11 : 3; /* I bit */
        talk->id[A] = sim->habits.counts ? (uint16_t)(event->id - 1) : 0;
        talk->address[B] = event->path ? 4 : 2;
        talk->broken = event->broken;
        assert_true(talk->frame + 1 < SIM_FRAMES);
        for (uint32_t i = 0; i < event->count; i++)
            sim->copy_of[talk->frame + 1][i] = (uint8_t)event->copies[i];
        data_of(talk, event->at_us, A, event->number, event->count);
        talk->broken = false;
        talk->address[B] = 2;
        break;
    case SIM_DATA_COMES: sim_gets(sim, event); break;
    case SIM_SACK_PASSES:
        if (event->at_us < sim->habits.begins_us)
            break;
        talk->id[B] = sim->habits.counts ? (uint16_t)(event->id - 2) : 0;
        talk->a_rwnd = event->a_rwnd;
        sack(talk, event->at_us, event->cum, event->also);
        break;
    case SIM_SACK_COMES: sim_is_told(sim, event); break;
    case SIM_FORWARD_PASSES:
        talk->id[A] = sim->habits.counts ? (uint16_t)(event->id - 1) : 0;
        forward_tsn(talk, event->at_us, event->number);
        break;
    case SIM_FORWARD_COMES:
        for (uint32_t tsn = 1; tsn <= event->number; tsn++)
            sim->has[tsn] = true;
        sim->top = event->number > sim->top ? event->number : sim->top;
        while (sim->cum < SIM_TSNS && sim->has[sim->cum + 1])
            sim->cum++;
        sim_tells(sim);
        break;
    }
}

static inline void sim_run(struct sim *sim)
{
    while (sim->event_count > 0 && sim->now_us < SIM_LONGEST_US) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < sim->event_count; i++)
            if (sim->events[i].at_us < sim->events[first].at_us)
                first = i;
        struct sim_event event = sim->events[first];
        memmove(&sim->events[first], &sim->events[first + 1], (--sim->event_count - first) * sizeof event);
        sim->now_us = event.at_us;
        sim_happens(sim, &event);
    }
}

/* The talk of that number: each has habits of its own. */
static inline struct sim *sim_new(uint32_t seed)
{
    static const int64_t loops_us[][2] = {{100, 20000}, {10000, 10000}, {20000, 100}, {6000, 50000}};
    static const int64_t stills_us[] = {300000, 900000, 1500000, 2600000};
    struct sim *sim = calloc(1, sizeof *sim);
    assert_non_null(sim);
    sim->events = calloc(SIM_EVENTS, sizeof *sim->events);
    assert_non_null(sim->events);
    sim->random = seed * 2654435761u;
    uint32_t told = sim_next(sim, 8);
    sim->talk = talk_told((struct sr_told){.profile = told == 1   ? 1 + SR_PROFILE_RFC8985
                                                      : told == 2 ? 1 + SR_PROFILE_PION
                                                      : told == 3 ? 1 + SR_PROFILE_DCSCTP
                                                                  : 0});
    uint32_t tap = sim_next(sim, 4);
    struct sim_habits *habits = &sim->habits;
    *habits = (struct sim_habits){
        .loops_us = {loops_us[tap][0], loops_us[tap][1]},
        .rto_min_us = sim_next(sim, 2) ? 1000000 : 400000,
        .ack_delay_us = sim_next(sim, 3) ? 200000 : 20000,
        .loss = sim_next(sim, 3) ? 6 + sim_next(sim, 12) : 0,
        .broken = sim_next(sim, 8) ? 0 : 12,
        .gives_up = sim_next(sim, 8) ? 0 : 2,
        .closes = sim_next(sim, 8) == 0,
        .cut = sim_next(sim, 10) == 0,
        .late = sim_next(sim, 4) ? 0 : 5 + sim_next(sim, 10),
        .repeats = sim_next(sim, 6) ? 0 : 15,
        .sack_loss = sim_next(sim, 2) ? 0 : 6 + sim_next(sim, 12),
        .window = 2 + sim_next(sim, 12),
        .bundle = 1 + sim_next(sim, 3) / 2,
        .acks_every = 1 + sim_next(sim, 2),
        .pion = sim_next(sim, 4) == 0,
        .handshake = sim_next(sim, 5) != 0,
        .counts = sim_next(sim, 3) != 0,
        .reports = sim_next(sim, 2),
        .loses_before_tap = sim_next(sim, 2),
        .stands_still = sim_next(sim, 2),
        .still_before_tap = sim_next(sim, 2),
        .other_path = sim_next(sim, 5) == 0,
        .fast_again = sim_next(sim, 3) == 0,
        .asks = sim_next(sim, 6) == 0,
        .reneges = sim_next(sim, 8) == 0,
        .tells_drops = sim_next(sim, 10) == 0,
        .nr = sim_next(sim, 12) == 0,
        .both_ways = sim_next(sim, 4) == 0,
        .beats = sim_next(sim, 6) == 0,
    };
    if (habits->loops_us[0] != habits->loops_us[1]) /* no host stands still */
        habits->still_before_tap = habits->loops_us[0] > habits->loops_us[1];
    for (int to = 0; to < 2; to++)
        for (int part = 0; part < 2; part++) {
            struct sim_way *way = &sim->way[to][part];
            way->takes_us = habits->loops_us[to == part ? 0 : 1] / 2;
            way->pace_us = sim_next(sim, 3) ? 20 : 900;
            if (habits->stands_still && to == 0 && part == !habits->still_before_tap) {
                way->still_from_us = 2500000 + sim_next(sim, 1500000);
                way->still_to_us = way->still_from_us + stills_us[sim_next(sim, 4)];
            }
        }
    if (!habits->handshake && sim_next(sim, 2))
        habits->begins_us = 2600000;
    if (habits->both_ways || habits->beats)
        sim_at(sim, 2700000, SIM_OTHERS, 0);
    for (int64_t at_us = 3000000; habits->reneges && at_us < 7000000; at_us += 500000)
        sim_at(sim, at_us, SIM_RENEGES, 0);
    if (habits->cut)
        sim->talk->snaplen[A] = 1000; /* of a second chunk in a packet nothing is seen */
    if (!habits->counts)
        sim->talk->id[A] = sim->talk->id[B] = 0;
    if (habits->handshake)
        shake_hands(sim->talk, habits->loops_us[0], habits->loops_us[1], habits->pion);
    sim->id[A] = sim->id[B] = 500;
    sim->next_tsn = sim->una = 1;
    for (uint32_t i = 0; i < 6; i++)
        sim_at(sim, 1000000 + i * 100000, SIM_WRITES, 1);
    for (int64_t at_us = 2000000; at_us < 9000000;) {
        static const int64_t pauses_us[] = {2000, 30000, 150000, 900000};
        at_us += pauses_us[sim_next(sim, 4)] + sim_next(sim, 1000);
        sim_at(sim, at_us, SIM_WRITES, 1 + sim_next(sim, 6));
        if (sim->event_count > SIM_EVENTS / 4)
            break;
    }
    sim_run(sim);
    return sim;
}

static inline void sim_free(struct sim *sim)
{
    talk_free(sim->talk);
    free(sim->events);
    free(sim);
}

#endif
