/* SPDX-License-Identifier: BSD-2-Clause */
/* How well the retransmission queue was used: the share of its bytes that may still be needed, over the time in which
 * it held any; and the same while the receiver reports a hole, which is when the two differ. */
#include "../wire/time.h"
#include "book.h"

static void add(struct sr_queue_use *use, double elapsed_ns, double share)
{
    use->busy_ns += elapsed_ns;
    use->necessary_ns += elapsed_ns * share;
}

void sr_book_use(struct sr_direction *direction, int64_t now_ns)
{
    const struct sr_window *window = &direction->window;
    int64_t elapsed_ns;
    if (now_ns == SR_NO_TIME)
        return;
    if (sr_elapsed(now_ns, direction->use_ns, &elapsed_ns) && elapsed_ns > 0 && window->queued_bytes > 0) {
        bool in_loss = window->necessary_bytes < window->queued_bytes;
        double share = in_loss ? (double)window->necessary_bytes / (double)window->queued_bytes : 1;
        add(&direction->figures.use, (double)elapsed_ns, share);
        if (in_loss)
            add(&direction->figures.use_in_loss, (double)elapsed_ns, share);
    }
    if (direction->use_ns == SR_NO_TIME || now_ns > direction->use_ns)
        direction->use_ns = now_ns;
}
