/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader and engine: follows associations and counts; with --rows also keeps every row, with --judge judges them, too,
 * and with --limits says what each transfer waited for. */
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

static enum sr_reader_step run(struct sr_session *session, int file)
{
    for (;;) {
        enum sr_reader_step step = sr_session_read(session, ROWS_AT_ONCE);
        if (step == SR_READER_MORE && !fill(session, file))
            return SR_READER_BAD;
        if (step != SR_READER_MORE && step != SR_READER_RECORD)
            return step;
    }
}

int main(int count, char **arguments)
{
    bool limits = count == 3 && strcmp(arguments[1], "--limits") == 0;
    bool judge = limits || (count == 3 && strcmp(arguments[1], "--judge") == 0);
    bool with_rows = judge || (count == 3 && strcmp(arguments[1], "--rows") == 0);

    if (count != 2 && !with_rows) {
        fprintf(stderr, "usage: bench_engine [--rows | --judge | --limits] FILE\n");
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
    if (limits)
        options.tables |= 1u << SR_TABLE_LIMITS;
    struct sr_session *session = sr_session_new(&options);
    if (!session || run(session, file) != SR_READER_END || (judge && !sr_session_judge(session))) {
        fprintf(stderr, "%s: cannot be decoded to its end\n", arguments[count - 1]);
        return 1;
    }
    struct sr_engine_totals totals = sr_engine_totals(sr_session_engine(session));
    const struct sr_journal *journal = sr_engine_journal(sr_session_engine(session));
    printf("packets %" PRIu64 " chunks %" PRIu64 " transmissions %" PRIu64 "\n", totals.packets, totals.chunks,
           journal->transmissions.count);
    sr_session_free(session);
    close(file);
    return 0;
}
