/* SPDX-License-Identifier: BSD-2-Clause */
/* A fork is a copy with some of the senders. */
#include "fork.h"

#include <stdlib.h>
#include <string.h>

#include "reneging.h"

static int64_t reach_of(const struct sr_model *model, uint8_t reach)
{
    return sr_reach_of((enum sr_reach)reach, &model->received, model->receiver.gap_block_cap);
}

int64_t sr_model_reach(const struct sr_model *model)
{
    int64_t most = INT64_MIN;
    for (uint8_t reach = 0; model->reaches >> reach; reach++) {
        int64_t seq = model->reaches >> reach & 1 ? reach_of(model, reach) : most;
        most = seq > most ? seq : most;
    }
    return most;
}

void sr_model_note_reaches(struct sr_model *model)
{
    model->reaches = 0;
    for (uint32_t i = 0; i < model->active_count; i++)
        model->reaches |= (uint8_t)(1u << model->senders[model->active[i]].parameters.reach);
}

const struct sr_model *sr_model_of(const struct sr_model *model, uint32_t sender)
{
    for (; model->fork; model = model->fork)
        for (uint32_t i = 0; i < model->active_count; i++)
            if (model->active[i] == sender)
                return model;
    return model;
}

void sr_fork_free(struct sr_model *model)
{
    for (uint32_t place = 0; place < model->board.path_count; place++)
        for (uint32_t clock = 0; clock < model->clock_count; clock++) {
            sr_minimum_free(&model->clocks[place][clock].min_rtt.model);
            sr_minimum_free(&model->clocks[place][clock].min_rtt.path);
        }
    for (uint32_t i = 0; i < model->sender_count; i++) {
        free(model->senders[i].window_probe.at);
        free(model->senders[i].fast_marks.at);
    }
    sr_board_free(&model->board);
    sr_ack_free(&model->ack);
    sr_runs_free(&model->received.gaps);
    sr_runs_free(&model->received.non_renegable);
    sr_runs_free(&model->scratch);
    free(model->timed_out.at);
    free(model->seqs);
    free(model->first);
    free(model);
}

/* A copy of `size` bytes; `ok` false without memory. */
static void *copy_of(const void *from, size_t size, bool *ok)
{
    if (size == 0)
        return NULL;
    void *to = malloc(size);
    if (to)
        memcpy(to, from, size);
    *ok &= to != NULL;
    return to;
}

static bool copy_clocks(struct sr_model *copy)
{
    bool ok = true;
    for (uint32_t place = 0; place < copy->board.path_count; place++)
        for (uint32_t clock = 0; clock < copy->clock_count; clock++) {
            struct sr_min_rtt *min_rtt = &copy->clocks[place][clock].min_rtt;
            struct sr_windowed_minimum *minima[] = {&min_rtt->model, &min_rtt->path};
            for (int i = 0; i < 2; i++)
                minima[i]->ring = copy_of(minima[i]->ring, minima[i]->capacity * sizeof *minima[i]->ring, &ok);
        }
    return ok;
}

static bool copy_senders(struct sr_model *copy)
{
    bool ok = true;
    for (uint32_t i = 0; i < copy->sender_count; i++) {
        struct sr_sender *sender = &copy->senders[i];
        struct sr_seq_list *probe = &sender->window_probe;
        struct sr_fast_marks *marks = &sender->fast_marks;
        probe->at = copy_of(probe->at, probe->room * sizeof *probe->at, &ok);
        marks->at = copy_of(marks->at, marks->room * sizeof *marks->at, &ok);
        for (uint32_t place = 0; place < copy->board.path_count; place++)
            sender->paths[place].clock = &copy->clocks[place][sender->clock];
    }
    return ok;
}

/* Those of some of the senders of a model; the others leave no traces in what it does. */
static void keep(struct sr_model *model, const uint8_t *senders, uint32_t count)
{
    struct sr_board *board = &model->board;
    uint8_t bits = 0;
    memcpy(model->active, senders, count);
    model->active_count = count;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint8_t)(1u << senders[i]);
    sr_board_keep(board, bits);
    sr_model_note_reaches(model);
}

static struct sr_model *copy_of_model(const struct sr_model *model)
{
    struct sr_model *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *model;
    copy->ack = (struct sr_ack){0};
    copy->received = (struct sr_received){0};
    copy->scratch = (struct sr_runs){0};
    copy->timed_out = (struct sr_seq_list){0};
    copy->seqs = NULL;
    copy->first = NULL;
    copy->packet_room = 0;
    /* All are tried, so that none of the other's is freed. */
    bool clocks = copy_clocks(copy), senders = copy_senders(copy), board = sr_board_copy(&copy->board, &model->board);
    if (clocks && senders && board)
        return copy;
    sr_fork_free(copy);
    return NULL;
}

bool sr_model_part(struct sr_model *model)
{
    uint8_t stay[SR_MODEL_SENDERS], leave[SR_MODEL_SENDERS];
    uint32_t staying = 0, leaving = 0;
    bool agree = (model->reaches & (model->reaches - 1)) == 0;
    if (agree || sr_board_sacked(&model->board) == 0)
        return true;
    int64_t least = INT64_MAX, most = sr_model_reach(model);
    for (uint8_t reach = 0; model->reaches >> reach; reach++) {
        int64_t seq = model->reaches >> reach & 1 ? reach_of(model, reach) : least;
        least = seq < least ? seq : least;
    }
    if (least == most || !sr_reneged_between(&model->board, &model->received, least, most))
        return true;
    for (uint32_t i = 0; i < model->active_count; i++) {
        int64_t reach = reach_of(model, model->senders[model->active[i]].parameters.reach);
        if (reach < most && sr_reneged_between(&model->board, &model->received, reach, most))
            leave[leaving++] = model->active[i];
        else
            stay[staying++] = model->active[i];
    }
    struct sr_model *fork = copy_of_model(model);
    if (!fork)
        return false;
    model->fork = fork;
    keep(model, stay, staying);
    keep(fork, leave, leaving);
    return true;
}
