/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader, headers and ciphers without the engine: every SCTP packet inside DTLS in a file, and the processor time.
 *   bench_dtls CAPTURE KEYLOG */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "capture/decapsulate.h"
#include "capture/reader.h"
#include "dtls/dtls.h"

enum { LONGEST_KEY_LOG = 1 << 20 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool add_keys(struct sr_dtls *dtls, const char *path)
{
    static uint8_t text[LONGEST_KEY_LOG];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return length > 0 && sr_dtls_add_keys(dtls, text, length);
}

static void take(struct sr_decapsulator *decapsulator, const struct sr_record *record)
{
    struct sr_packet packet = {.frame = record->frame, .time_ns = record->time_ns};
    enum sr_skip skip;
    sr_dtls_reuse(decapsulator->dtls);
    if (sr_decapsulate(decapsulator, record->link_type, sr_cursor(record->bytes, record->captured, record->wire),
                       &packet, &skip))
        while (sr_decapsulate_next(decapsulator, &packet)) {
        }
}

int main(int count, char **arguments)
{
    struct sr_decapsulator decapsulator = {0};
    struct sr_reader *reader = sr_reader_new();
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || !reader || !sr_decapsulator_init(&decapsulator) || !add_keys(decapsulator.dtls, arguments[2])) {
        fprintf(stderr, "usage: bench_dtls CAPTURE KEYLOG\n");
        return 2;
    }
    struct sr_record record;
    enum sr_reader_step step;
    const double start = seconds();
    while ((step = sr_reader_next(reader, &record)) == SR_READER_RECORD || step == SR_READER_MORE) {
        if (step == SR_READER_RECORD) {
            take(&decapsulator, &record);
            continue;
        }
        size_t room;
        uint8_t *space = sr_reader_space(reader, &room);
        sr_reader_filled(reader, fread(space, 1, room, file));
    }
    const double spent = seconds() - start;
    struct sr_dtls_totals totals = sr_dtls_totals(decapsulator.dtls);
    printf("%" PRIu64 " %" PRIu64 " %.6f\n", totals.opened, totals.packets, spent);
    fclose(file);
    sr_decapsulator_free(&decapsulator);
    sr_reader_free(reader);
    return 0;
}
