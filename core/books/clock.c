/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the capture's clock steps forward. A step looks like a pause, but for one thing: in a pause the sender's
 * timer runs. Where time passes between two frames side by side, and the second acknowledges what was outstanding for
 * several retransmission timeouts and was sent once, no timer ran: the clock stepped, or the sender stood still. */
#include "../wire/time.h"
#include "book.h"

/* Without a step something is sent again after one, or after two where the timer was backed off once by what was lost
 * before the tap (RFC 9260 section 6.3.3, E2); the third is for what the sender's RTO is longer than the tap's. */
enum { TIMEOUTS = 3 };

void sr_book_clock(struct sr_book *book, uint32_t frame, int64_t time_ns)
{
    int64_t jump_ns;
    if (frame == book->clock.frame)
        return;
    bool beside = frame == book->clock.frame + 1 && sr_elapsed(time_ns, book->clock.time_ns, &jump_ns);
    book->clock.jump_ns = beside ? jump_ns : 0;
    book->clock.before_ns = book->clock.time_ns;
    book->clock.frame = frame;
    book->clock.time_ns = time_ns;
}

void sr_book_step(struct sr_book *book, struct sr_direction *direction, uint32_t oldest_row)
{
    const struct sr_capture_clock *clock = &book->clock;
    struct sr_direction_figures *figures = &direction->figures;
    const struct sr_transmission_row *row = sr_transmission_at(book->journal, oldest_row - 1);
    const struct sr_direction_path *path = sr_book_path(book, direction, row->path);
    if (clock->jump_ns < TIMEOUTS * SR_RTO_MIN_NS || row->time_ns > clock->before_ns || !path || !path->rto.measured)
        return;
    if (direction->again_row > path->measured_row) /* the timer may be backed off (RFC 9260 section 6.3.3, E2) */
        return;
    if (clock->jump_ns < TIMEOUTS * sr_observed_rto_ns(&path->rto))
        return;
    figures->clock_steps++;
    if (clock->jump_ns > figures->clock_step_ns) {
        figures->clock_step_ns = clock->jump_ns;
        figures->clock_step_frame = clock->frame;
    }
}
