/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk through the journal that keeps the books: what it knows of all directions, and what each kind of row does to
 * one of them. */
#ifndef SR_BOOKS_BOOK_H
#define SR_BOOKS_BOOK_H

#include "../journal/judgement.h"
#include "direction.h"

/* Where the walk has got to on the capture's clock. */
struct sr_capture_clock {
    int64_t time_ns;   /* of the frame */
    int64_t before_ns; /* of the frame before */
    int64_t jump_ns;   /* between the two, where nothing lies between them; else 0 */
    uint32_t frame;
};

/* A direction while its association has rows to come, and what is left of it behind the last of them. */
struct sr_book_place {
    struct sr_direction *direction; /* NULL before its first row, and behind the last */
    uint32_t first_path;            /* behind the last: number of its first row among those that wait */
    uint8_t path_count;
};

struct sr_book {
    struct sr_capture_clock clock;
    struct sr_journal *journal;
    struct sr_judgement *judgement;
    struct sr_book_place *places; /* of the data of side a, then of b, of each association */
    struct sr_spool paths;        /* struct sr_path_row: those that wait for the rows of associations before theirs */
    int64_t end_ns;               /* when the input ends: of its last frame, or of the last row's that counts */
    struct sr_window_budget budget;
    uint32_t transmissions; /* rows passed */
    bool failed;            /* memory or the disk ran out */
};

/* sent.c: a chunk with data. */
void sr_book_sent(struct sr_book *book, struct sr_direction *direction, uint32_t row);

/* feedback.c: a SACK, NR-SACK or SHUTDOWN for this direction; FORWARD-TSN of its sender; an SSN/TSN reset. */
void sr_book_feedback(struct sr_book *book, struct sr_direction *direction, uint32_t row);
void sr_book_forward(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control);
/* What was known of the numbering before means nothing. */
void sr_book_numbered_anew(struct sr_direction *direction, struct sr_tsn highest_sent);
/* Its TSNs are numbered anew from `next` on; told again it changes nothing. */
void sr_book_reset(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control,
                   struct sr_tsn next);

/* clock.c: a row of a frame; an acknowledgement, the first of data that was sent once, the oldest in `oldest_row` (1 +
 * its row). */
void sr_book_clock(struct sr_book *book, uint32_t frame, int64_t time_ns);
void sr_book_step(struct sr_book *book, struct sr_direction *direction, uint32_t oldest_row);

/* feedback.c: counts feedback that came late. Of two paths the shorter one brings feedback first; a path reorders where
 * what overtook took the same one, `by_path`. */
void sr_book_overtaken(struct sr_direction *direction, const struct sr_sack_row *sack, uint32_t by_path);

/* withdrawal.c: what a SACK no longer acknowledges. `top` is the highest TSN that it acknowledges; the
 * gaps before `first_gap` the SACK before had too. */
void sr_book_withdrawal(struct sr_book *book, struct sr_direction *direction, uint32_t row, struct sr_tsn top,
                        uint32_t first_gap);
void sr_book_restored(struct sr_book *book, struct sr_direction *direction, struct sr_window_tsn *entry, uint32_t row,
                      bool as_duplicate);

/* questions.c: INIT, COOKIE-ECHO and HEARTBEAT, and their answers. */
void sr_book_question(struct sr_direction *direction, const struct sr_control_row *control);
void sr_book_answer(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control);

/* samples.c */
struct sr_sample {
    int64_t time_ns, rtt_ns;
    uint32_t frame;
    uint32_t path;
    uint32_t sent_row; /* transmissions passed when what was answered was sent */
    enum sr_rtt_tag tag;
};

/* NULL beyond the limit of paths that a direction has, or when memory runs out. */
struct sr_direction_path *sr_book_path(struct sr_book *book, struct sr_direction *direction, uint32_t path);

void sr_book_sample(struct sr_book *book, struct sr_direction *direction, uint32_t assoc, uint8_t from,
                    const struct sr_sample *sample);

/* use.c: the queue was in use as it is until now. */
void sr_book_use(struct sr_direction *direction, int64_t now_ns);

#endif
