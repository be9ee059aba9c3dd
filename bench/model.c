/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the recovery model alone: a bulk transfer over a lossy link is made up as events in memory, 11 packets with
 * data for each 9 SACKs, and replayed through all profiles side by side and through each alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/model.h"

enum { MOST_BLOCKS = 363, PACKET_NS = 10000 };

struct event {
    int64_t time_ns;
    struct sr_tsn tsn; /* sent; or the cumulative one */
    uint32_t frame;
    uint32_t block, blocks; /* of a SACK: in the pool */
    bool is_sack;
};

struct history {
    struct event *events;
    struct sr_tsn_range *blocks;
    size_t count, block_count, block_room;
};

struct link {
    uint32_t *on_the_way; /* ring by packet: TSN + 1; 0: lost */
    uint32_t *holes;      /* TSNs not received below the highest received, in order */
    uint32_t *reports;    /* of each hole, how many SACKs have shown it; then when it was sent again */
    uint32_t hole_count, next, highest;
    uint64_t random;
};

static uint32_t dice(struct link *link, uint32_t sides)
{
    link->random = link->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(link->random >> 33) % sides;
}

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "bench_model: no memory\n");
        exit(1);
    }
    return memory;
}

/* What the receiver has got: TSNs come in order but for those that were lost. */
static void receive(struct link *link, uint32_t tsn)
{
    if (tsn > link->highest) {
        for (uint32_t hole = link->highest + 1; hole < tsn; hole++) {
            link->reports[link->hole_count] = 0;
            link->holes[link->hole_count++] = hole;
        }
        link->highest = tsn;
        return;
    }
    for (uint32_t i = 0; i < link->hole_count; i++) {
        if (link->holes[i] != tsn)
            continue;
        link->hole_count--;
        memmove(&link->holes[i], &link->holes[i + 1], (link->hole_count - i) * sizeof *link->holes);
        memmove(&link->reports[i], &link->reports[i + 1], (link->hole_count - i) * sizeof *link->reports);
        return;
    }
}

static void write_sack(struct history *history, struct event *event, const struct link *link)
{
    event->is_sack = true;
    event->tsn = sr_tsn(link->hole_count ? link->holes[0] - 1 : link->highest);
    event->block = (uint32_t)history->block_count;
    if (history->block_count + link->hole_count + 1 > history->block_room) {
        history->block_room = (history->block_room + link->hole_count + 1) * 2;
        history->blocks = must(realloc(history->blocks, history->block_room * sizeof *history->blocks));
    }
    for (uint32_t i = 0; i < link->hole_count && event->blocks < MOST_BLOCKS; i++) {
        uint32_t end = i + 1 < link->hole_count ? link->holes[i + 1] : link->highest + 1;
        if (end <= link->holes[i] + 1)
            continue;
        history->blocks[history->block_count++] = (struct sr_tsn_range){sr_tsn(link->holes[i] + 1), sr_tsn(end - 1)};
        event->blocks++;
    }
}

/* The next TSN to send: a hole that was shown three times and not sent again within a window, else a new one. */
static uint32_t choose(struct link *link, uint32_t packet, uint32_t window)
{
    for (uint32_t i = 0; i < link->hole_count && i < 64; i++) {
        uint32_t *reports = &link->reports[i];
        if (*reports < 3 || (*reports > 3 && packet + 4 - *reports < 2 * window))
            continue;
        *reports = packet + 4;
        return link->holes[i];
    }
    return link->next++;
}

static struct history make_up(uint32_t events, uint32_t window, uint32_t loss_ppm)
{
    struct history history = {.events = must(calloc(events, sizeof *history.events))};
    struct link link = {.next = 1, .random = 1};
    link.on_the_way = must(calloc(window, sizeof *link.on_the_way));
    link.holes = must(calloc(2 * window + 64, sizeof *link.holes));
    link.reports = must(calloc(2 * window + 64, sizeof *link.reports));
    for (uint32_t packet = 0; history.count < events; packet++) {
        uint32_t arrived = link.on_the_way[packet % window];
        if (arrived)
            receive(&link, arrived);
        if (packet > window && packet % 11 < 9 && history.count + 1 < events) {
            struct event *sack = &history.events[history.count++];
            *sack = (struct event){.time_ns = (int64_t)packet * PACKET_NS, .frame = (uint32_t)history.count};
            write_sack(&history, sack, &link);
            for (uint32_t i = 0; i < link.hole_count && i < 64; i++)
                link.reports[i] += link.reports[i] < 3;
        }
        uint32_t tsn = choose(&link, packet, window);
        link.on_the_way[packet % window] = dice(&link, 1000000) < loss_ppm ? 0 : tsn;
        struct event *data = &history.events[history.count++];
        *data = (struct event){(int64_t)packet * PACKET_NS, sr_tsn(tsn), (uint32_t)history.count, 0, 0, false};
    }
    free(link.on_the_way);
    free(link.holes);
    free(link.reports);
    return history;
}

/* Processor time: other processes may share the machine. */
static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void replay_event(struct sr_model *model, const struct history *history, const struct event *event)
{
    if (event->is_sack) {
        const struct sr_model_feedback feedback = {
            .time_ns = event->time_ns,
            .frame = event->frame,
            .cum_tsn = event->tsn,
            .gaps = history->blocks + event->block,
            .gap_count = event->blocks,
            .a_rwnd_bytes = 1000000,
            .has_a_rwnd = true,
        };
        sr_model_feedback(model, &feedback);
        return;
    }
    const struct sr_model_data data = {event->tsn, 1000, false};
    const struct sr_model_sent sent = {event->time_ns, event->frame, 0, &data, 1};
    sr_model_sent(model, &sent);
}

/* Nanoseconds for each event, the best of some rounds. */
static double measure(const struct history *history, const struct sr_parameters *senders, size_t count, size_t *marks,
                      uint64_t *steps)
{
    enum { ROUNDS = 5 };
    double best_ns = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct sr_model *model = must(sr_model_new(senders, count, (struct sr_receiver){0, SR_ANSWER_UNKNOWN}));
        double start_ns = now_ns();
        *marks = 0;
        for (size_t i = 0; i < history->count; i++) {
            size_t made, expected;
            replay_event(model, history, &history->events[i]);
            sr_model_take_marks(model, &made);
            sr_model_take_expectations(model, &expected);
            *marks += made;
        }
        double took_ns = now_ns() - start_ns;
        *steps = sr_model_steps(model);
        sr_model_free(model);
        if (round == 0 || took_ns < best_ns)
            best_ns = took_ns;
    }
    return best_ns / (double)history->count;
}

int main(int count, char **arguments)
{
    uint32_t events = count > 1 ? (uint32_t)atoi(arguments[1]) : 1000000;
    uint32_t window = count > 2 ? (uint32_t)atoi(arguments[2]) : 200;
    uint32_t loss_ppm = count > 3 ? (uint32_t)atoi(arguments[3]) : 10000;
    if (count > 4 || events == 0 || window == 0) {
        fprintf(stderr, "usage: bench_model [EVENTS [WINDOW [LOSS_PPM]]]\n");
        return 2;
    }
    struct history history = make_up(events, window, loss_ppm);
    struct sr_parameters senders[SR_PROFILE_COUNT];
    size_t marks;
    uint64_t steps;
    for (int i = 0; i < SR_PROFILE_COUNT; i++)
        senders[i] = sr_parameters_of((enum sr_profile)i);
    double all_ns = measure(&history, senders, SR_PROFILE_COUNT, &marks, &steps);
    printf("%zu events, %zu blocks, window %u, loss %u ppm\n", history.count, history.block_count, window, loss_ppm);
    printf("all     %6.1f ns/event, %5.2f steps/event, %zu marks\n", all_ns, (double)steps / (double)history.count,
           marks);
    for (int i = 0; i < SR_PROFILE_COUNT; i++) {
        double one_ns = measure(&history, &senders[i], 1, &marks, &steps);
        printf("%-8s%6.1f ns/event, %5.2f steps/event, %zu marks\n", sr_profile_names[i], one_ns,
               (double)steps / (double)history.count, marks);
    }
    free(history.events);
    free(history.blocks);
    return 0;
}
