/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock and the paths of the model, and where goes what it says. */
#include "../wire/time.h"
#include "replaying.h"

void sr_replay_leaves(void *context, const struct sr_ledger_slot *slot)
{
    sr_causes_forget(context, slot->marks);
}

int64_t sr_replay_time(struct sr_replay *replay, int64_t time_ns)
{
    if (replay->origin_ns == SR_NO_TIME)
        replay->origin_ns = time_ns;
    if (time_ns > replay->now_ns)
        replay->now_ns = time_ns;
    return replay->now_ns - replay->origin_ns;
}

void sr_replay_take(struct sr_replay *replay)
{
    size_t count;
    if (!sr_model_has_news(replay->model))
        return;
    const struct sr_mark *marks = sr_model_take_marks(replay->model, &count);
    for (size_t i = 0; i < count; i++) {
        struct sr_mark mark = marks[i];
        mark.time_ns = sr_time_after(replay->origin_ns, mark.time_ns);
        sr_causes_mark(replay->causes, &mark, mark.path < replay->path_count ? replay->paths[mark.path] : UINT32_MAX);
    }
    const struct sr_expectation *expectations = sr_model_take_expectations(replay->model, &count);
    for (size_t i = 0; i < count; i++) {
        struct sr_expectation expectation = expectations[i];
        expectation.time_ns = sr_time_after(replay->origin_ns, expectation.time_ns);
        expectation.armed_ns = sr_time_after(replay->origin_ns, expectation.armed_ns);
        sr_causes_expect(replay->causes, &expectation);
    }
    const struct sr_withdrawal *withdrawals = sr_model_take_withdrawals(replay->model, &count);
    for (size_t i = 0; i < count; i++)
        sr_causes_withdraw(replay->causes, &withdrawals[i]);
    sr_model_take_probes(replay->model, &count);
}

uint32_t sr_replay_path(struct sr_replay *replay, uint32_t path)
{
    for (uint32_t i = 0; i < replay->path_count; i++)
        if (replay->paths[i] == path)
            return i;
    if (replay->path_count < SR_REPLAY_PATHS)
        replay->paths[replay->path_count++] = path;
    return replay->path_count - 1;
}
