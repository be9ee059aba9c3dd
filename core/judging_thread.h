/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging in a thread of its own, so that who waits for it can do something else now and then, or stop it. */
#ifndef SR_JUDGING_THREAD_H
#define SR_JUDGING_THREAD_H

#include "engine/engine.h"

struct sr_judging_thread;

struct sr_judging_thread *sr_judging_thread_start(struct sr_engine *engine); /* NULL: there is none to be had */

/* Whether it has ended, for which is waited so long at most. */
bool sr_judging_thread_wait(struct sr_judging_thread *thread, uint32_t ms);

/* Returns when it has ended: what sr_engine_judge returned. */
bool sr_judging_thread_end(struct sr_judging_thread *thread);

#endif
