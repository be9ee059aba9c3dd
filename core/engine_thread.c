/* SPDX-License-Identifier: BSD-2-Clause */
/* A ring of batches between two threads: large enough that one seldom waits for the other, and that waking it costs
 * nothing beside what it does. */
#define _DEFAULT_SOURCE /* sigset_t */
#include "engine_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { BATCHES = 16, PACKETS = 512, SOON = 8 };

struct batch {
    uint32_t count;
    struct sr_packet packets[PACKETS];
};

struct sr_engine_thread {
    struct sr_engine *engine;
    pthread_t thread;
    pthread_mutex_t lock; /* of the numbers and flags */
    pthread_cond_t more_given, more_taken;
    uint64_t given, taken; /* batches */
    bool ends, failed;
    struct batch
        batches[BATCHES]; /* each belongs to the giver, from when it is given to when it is taken to the engine */
};

/* The headers of a packet were written to memory by another processor: they are asked for before they are needed. */
static bool take(struct sr_engine *engine, const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (i + SOON < batch->count)
            __builtin_prefetch(batch->packets[i + SOON].bytes);
        if (!sr_engine_packet(engine, &batch->packets[i]))
            return false;
    }
    return true;
}

static void *run(void *argument)
{
    struct sr_engine_thread *thread = argument;
    pthread_mutex_lock(&thread->lock);
    for (;;) {
        while (thread->given == thread->taken && !thread->ends)
            pthread_cond_wait(&thread->more_given, &thread->lock);
        if (thread->given == thread->taken)
            break;
        struct batch *batch = &thread->batches[thread->taken % BATCHES];
        bool failed = thread->failed;
        pthread_mutex_unlock(&thread->lock);
        failed = failed || !take(thread->engine, batch);
        batch->count = 0;
        pthread_mutex_lock(&thread->lock);
        thread->failed = failed;
        thread->taken++;
        pthread_cond_signal(&thread->more_taken);
    }
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static bool begin(struct sr_engine_thread *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread->thread, NULL, run, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

static void destroy(struct sr_engine_thread *thread)
{
    pthread_cond_destroy(&thread->more_given);
    pthread_cond_destroy(&thread->more_taken);
    pthread_mutex_destroy(&thread->lock);
    free(thread);
}

struct sr_engine_thread *sr_engine_thread_start(struct sr_engine *engine)
{
    struct sr_engine_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->engine = engine;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->more_given, NULL);
    pthread_cond_init(&thread->more_taken, NULL);
    if (begin(thread))
        return thread;
    destroy(thread);
    return NULL;
}

void sr_engine_thread_stop(struct sr_engine_thread *thread)
{
    sr_engine_thread_given(thread);
    pthread_mutex_lock(&thread->lock);
    thread->ends = true;
    pthread_cond_signal(&thread->more_given);
    pthread_mutex_unlock(&thread->lock);
    pthread_join(thread->thread, NULL);
    destroy(thread);
}

/* The next batch is the giver's again when this returns. */
static void close_batch(struct sr_engine_thread *thread)
{
    pthread_mutex_lock(&thread->lock);
    thread->given++;
    pthread_cond_signal(&thread->more_given);
    while (thread->given - thread->taken == BATCHES)
        pthread_cond_wait(&thread->more_taken, &thread->lock);
    pthread_mutex_unlock(&thread->lock);
}

bool sr_engine_thread_give(struct sr_engine_thread *thread, const struct sr_packet *packet)
{
    struct batch *batch = &thread->batches[thread->given % BATCHES];
    batch->packets[batch->count++] = *packet;
    if (batch->count < PACKETS)
        return true;
    close_batch(thread);
    return sr_engine_thread_wait(thread, 0);
}

uint64_t sr_engine_thread_given(struct sr_engine_thread *thread)
{
    if (thread->batches[thread->given % BATCHES].count > 0)
        close_batch(thread);
    return thread->given;
}

bool sr_engine_thread_wait(struct sr_engine_thread *thread, uint64_t batches)
{
    pthread_mutex_lock(&thread->lock);
    while (thread->taken < batches)
        pthread_cond_wait(&thread->more_taken, &thread->lock);
    bool failed = thread->failed;
    pthread_mutex_unlock(&thread->lock);
    return !failed;
}
