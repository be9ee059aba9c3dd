/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread that makes one call, and says when it has returned. */
#define _DEFAULT_SOURCE /* sigset_t, clock_gettime */
#include "judging_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct sr_judging_thread {
    struct sr_engine *engine;
    pthread_t thread;
    pthread_mutex_t lock; /* of the flags */
    pthread_cond_t has_ended;
    bool ended, judged;
};

static void *run(void *argument)
{
    struct sr_judging_thread *thread = argument;
    bool judged = sr_engine_judge(thread->engine);
    pthread_mutex_lock(&thread->lock);
    thread->judged = judged;
    thread->ended = true;
    pthread_cond_signal(&thread->has_ended);
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

static void destroy(struct sr_judging_thread *thread)
{
    pthread_cond_destroy(&thread->has_ended);
    pthread_mutex_destroy(&thread->lock);
    free(thread);
}

/* Signals are for the threads of the program. */
struct sr_judging_thread *sr_judging_thread_start(struct sr_engine *engine)
{
    sigset_t all, before;
    struct sr_judging_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->engine = engine;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->has_ended, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread->thread, NULL, run, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (begun)
        return thread;
    destroy(thread);
    return NULL;
}

bool sr_judging_thread_wait(struct sr_judging_thread *thread, uint32_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until); /* that of conditions */
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&thread->lock);
    int waited = 0;
    while (!thread->ended && waited == 0)
        waited = pthread_cond_timedwait(&thread->has_ended, &thread->lock, &until);
    bool ended = thread->ended;
    pthread_mutex_unlock(&thread->lock);
    return ended;
}

bool sr_judging_thread_end(struct sr_judging_thread *thread)
{
    pthread_join(thread->thread, NULL);
    bool judged = thread->judged;
    destroy(thread);
    return judged;
}
