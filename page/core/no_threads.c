/* SPDX-License-Identifier: BSD-2-Clause */
/* A page has one thread: whoever asks for another hears that there is none to be had, as at any host without. */
#include "engine_thread.h"
#include "judging_thread.h"

struct sr_engine_thread *sr_engine_thread_start(struct sr_engine *engine)
{
    (void)engine;
    return NULL;
}

void sr_engine_thread_stop(struct sr_engine_thread *thread)
{
    (void)thread;
}

bool sr_engine_thread_give(struct sr_engine_thread *thread, const struct sr_packet *packet)
{
    (void)thread;
    (void)packet;
    return false;
}

uint64_t sr_engine_thread_given(struct sr_engine_thread *thread)
{
    (void)thread;
    return 0;
}

bool sr_engine_thread_wait(struct sr_engine_thread *thread, uint64_t batches)
{
    (void)thread;
    (void)batches;
    return false;
}

struct sr_judging_thread *sr_judging_thread_start(struct sr_engine *engine)
{
    (void)engine;
    return NULL;
}

bool sr_judging_thread_wait(struct sr_judging_thread *thread, uint32_t ms)
{
    (void)thread;
    (void)ms;
    return true;
}

bool sr_judging_thread_end(struct sr_judging_thread *thread)
{
    (void)thread;
    return false;
}
