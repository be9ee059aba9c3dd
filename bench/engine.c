/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader and engine: follows associations and counts; with --rows also writes every row and drops it. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

enum { BLOCK = 1 << 20, ROWS_AT_ONCE = 4096 };

/* The next bytes of the file go straight into the reader. False when the file cannot be read. */
static bool fill(struct sr_session *session, int file)
{
    size_t room;
    uint8_t *space = sr_session_space(session, &room);
    ssize_t count = read(file, space, room < BLOCK ? room : BLOCK);
    if (count < 0)
        return false;
    sr_session_filled(session, (size_t)count);
    return true;
}

static enum sr_reader_step run(struct sr_session *session, int file, uint64_t *rows)
{
    for (;;) {
        enum sr_reader_step step = sr_session_read(session, ROWS_AT_ONCE);
        const struct sr_buffer *tables = sr_session_rows(session)->tables;
        *rows += tables[SR_TABLE_TRANSMISSIONS].length / sizeof(struct sr_transmission_row);
        *rows += tables[SR_TABLE_SACKS].length / sizeof(struct sr_sack_row);
        sr_session_clear_rows(session);
        if (step == SR_READER_MORE && !fill(session, file))
            return SR_READER_BAD;
        if (step != SR_READER_MORE && step != SR_READER_RECORD)
            return step;
    }
}

int main(int count, char **arguments)
{
    bool with_rows = count == 3 && strcmp(arguments[1], "--rows") == 0;
    uint64_t rows = 0;

    if (count != 2 && !with_rows) {
        fprintf(stderr, "usage: bench_engine [--rows] FILE\n");
        return 2;
    }
    int file = open(arguments[count - 1], O_RDONLY);
    if (file < 0) {
        perror(arguments[count - 1]);
        return 1;
    }
    struct sr_engine_options options = {
        .tables = with_rows ? 1u << SR_TABLE_TRANSMISSIONS | 1u << SR_TABLE_SACKS : 0,
    };
    struct sr_session *session = sr_session_new(&options);
    if (!session || run(session, file, &rows) != SR_READER_END) {
        fprintf(stderr, "%s: cannot be decoded to its end\n", arguments[count - 1]);
        return 1;
    }
    struct sr_engine_totals totals = sr_engine_totals(sr_session_engine(session));
    printf("packets %" PRIu64 " chunks %" PRIu64 " rows %" PRIu64 "\n", totals.packets, totals.chunks, rows);
    sr_session_free(session);
    close(file);
    return 0;
}
