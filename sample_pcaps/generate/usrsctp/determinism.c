/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What time it is and what is random for the library: it asks nobody else. Both functions replace those that it would
 * call. */
#include "host.h"

#include <sys/time.h>

static uint64_t clock_ns;
static uint64_t random_state;

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
