/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What time it is and what is random for the library: it asks nobody else. The functions replace those that it would
 * call, its own choice of tags and initial TSNs among them. */
#include "host.h"

#include <dlfcn.h>
#include <sys/time.h>

struct sctp_pcb;
struct sctp_inpcb;

static uint64_t clock_ns;
static uint64_t random_state;
static uint32_t initial_tsn; /* 0: any */
static bool choosing_tag;

uint64_t now_ns(void)
{
    return clock_ns;
}

void set_clock(uint64_t ns)
{
    clock_ns = ns;
}

void seed_random(uint64_t seed)
{
    random_state = seed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    now->tv_sec = (time_t)(EPOCH_S + clock_ns / 1000000000);
    now->tv_usec = (suseconds_t)(clock_ns / 1000 % 1000000);
    return 0;
}

void read_random(void *buffer, size_t size)
{
    for (size_t i = 0; i < size; i++) { /* SplitMix64 */
        uint64_t z = random_state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        ((unsigned char *)buffer)[i] = (unsigned char)(z >> 56);
    }
}

void set_initial_tsn(uint32_t tsn)
{
    initial_tsn = tsn;
}

/* The library draws tags from the same function as initial TSNs. */
uint32_t sctp_select_a_tag(struct sctp_inpcb *endpoint, uint16_t port, uint16_t peer_port, int check)
{
    uint32_t (*select)(struct sctp_inpcb *, uint16_t, uint16_t, int) = NULL;

    *(void **)&select = dlsym(RTLD_NEXT, "sctp_select_a_tag");
    choosing_tag = true;
    uint32_t tag = select(endpoint, port, peer_port, check);

    choosing_tag = false;
    return tag;
}

/* Once an initial TSN is set, what is drawn next and is no tag is that of the association. */
uint32_t sctp_select_initial_TSN(struct sctp_pcb *endpoint)
{
    uint32_t (*select)(struct sctp_pcb *) = NULL;
    uint32_t tsn = initial_tsn;

    if (tsn != 0 && !choosing_tag) {
        initial_tsn = 0;
        return tsn;
    }
    *(void **)&select = dlsym(RTLD_NEXT, "sctp_select_initial_TSN");
    return select(endpoint);
}
