/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine in a thread of its own, which takes packets while the next ones are looked for in the file. Whoever gives
 * them touches the engine only when all are taken. */
#ifndef SR_ENGINE_THREAD_H
#define SR_ENGINE_THREAD_H

#include "engine/engine.h"

struct sr_engine_thread;

struct sr_engine_thread *sr_engine_thread_start(struct sr_engine *engine); /* NULL: there is none to be had */

/* Returns when all is taken. */
void sr_engine_thread_stop(struct sr_engine_thread *thread);

/* The next packet, whose bytes must stay until it is taken. False when the engine has failed. */
bool sr_engine_thread_give(struct sr_engine_thread *thread, const struct sr_packet *packet);

/* What was given so far, as a number of batches; the last of them is closed. */
uint64_t sr_engine_thread_given(struct sr_engine_thread *thread);

/* Returns when so many batches are taken, at once for 0. False when the engine has failed. */
bool sr_engine_thread_wait(struct sr_engine_thread *thread, uint64_t batches);

#endif
