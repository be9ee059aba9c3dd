/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked and answered at once, and how long that took. */
#include "loop.h"

#include "../wire/chunk.h"
#include "../wire/time.h"

/* What is asked again before an answer tells nothing: which of them was answered is not known. */
static void ask(struct sr_loop *loop, int64_t time_ns)
{
    loop->asked = loop->asked == 0 ? 1 : 2;
    loop->asked_ns = time_ns;
}

int64_t sr_loop_without_t1(int64_t elapsed_ns)
{
    const int64_t second_ns = INT64_C(1000000000);
    if (elapsed_ns >= 3 * second_ns)
        return elapsed_ns - 3 * second_ns;
    return elapsed_ns >= second_ns ? elapsed_ns - second_ns : elapsed_ns;
}

static void answer(struct sr_loop *loop, uint8_t type, int64_t time_ns)
{
    int64_t elapsed_ns;
    bool known = loop->asked == 1 && sr_elapsed(time_ns, loop->asked_ns, &elapsed_ns) && elapsed_ns >= 0;
    loop->asked = 0;
    if (!known)
        return;
    if (type == SR_CHUNK_COOKIE_ECHO)
        elapsed_ns = sr_loop_without_t1(elapsed_ns);
    if (!loop->known || elapsed_ns < loop->shortest_ns)
        loop->shortest_ns = elapsed_ns;
    loop->known = true;
}

/* INIT and INIT ACK, INIT ACK and COOKIE ECHO, COOKIE ECHO and COOKIE ACK, HEARTBEAT and HEARTBEAT ACK. */
void sr_loop_chunk(struct sr_loop *const loops[2], unsigned from, uint8_t type, int64_t time_ns)
{
    bool handshake = type == SR_CHUNK_INIT_ACK || type == SR_CHUNK_COOKIE_ECHO; /* answers, and asks */
    if (handshake || type == SR_CHUNK_COOKIE_ACK || type == SR_CHUNK_HEARTBEAT_ACK)
        answer(loops[from], type, time_ns);
    if (handshake || type == SR_CHUNK_INIT || type == SR_CHUNK_HEARTBEAT)
        ask(loops[1 - from], time_ns);
}
