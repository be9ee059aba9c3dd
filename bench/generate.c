/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a benchmark capture: bench_generate FILE PACKETS PAYLOAD WINDOW SEED. The same arguments give the same bytes.
 */
#include <errno.h>
#include <stdlib.h>

#include "traffic.h"

enum { FEWEST_PACKETS = 4, LARGEST_PAYLOAD = 32768, LARGEST_WINDOW = 65536 };

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *text != '\0' && *text != '-' && *end == '\0' && *value >= least && *value <= most;
}

int main(int count, char **arguments)
{
    static struct frames frames;
    uint64_t packets, payload, window, seed;

    if (count != 6 || !number(arguments[2], FEWEST_PACKETS, UINT32_MAX, &packets) ||
        !number(arguments[3], 1, LARGEST_PAYLOAD, &payload) || !number(arguments[4], 2, LARGEST_WINDOW, &window) ||
        !number(arguments[5], 0, UINT64_MAX, &seed)) {
        fprintf(stderr, "usage: bench_generate FILE PACKETS PAYLOAD WINDOW SEED\n");
        return 2;
    }
    struct traffic_options options = {packets, (uint32_t)payload, (uint32_t)window, seed};
    if (!frames_open(&frames, arguments[1]) || !traffic_run(&options, &frames) || !frames_close(&frames)) {
        perror(arguments[1]);
        return 1;
    }
    return 0;
}
