/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a TSN may be measured. RFC 9260 section 6.3.1 C5: only if no TSN up to it was sent again since it was sent.
 */
#ifndef SR_BOOKS_KARN_H
#define SR_BOOKS_KARN_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"

enum { SR_KARN_KEPT = 32 };

struct sr_sent_again {
    struct sr_tsn tsn;
    uint32_t row;
};

/* Retransmissions that are the lowest of all since: both TSNs and rows rise. */
struct sr_karn {
    struct sr_sent_again *kept; /* SR_KARN_KEPT of them; NULL before the first */
    uint32_t count;
    uint32_t forgotten_row; /* 1 + row of the latest retransmission that was kept no longer: what was sent before it is
                               not measured */
};

void sr_karn_free(struct sr_karn *karn);

/* The chunk in this row sends `tsn` again. */
void sr_karn_sent_again(struct sr_karn *karn, struct sr_tsn tsn, uint32_t row);

/* `tsn` was sent in this row, and not again. */
bool sr_karn_allows(const struct sr_karn *karn, struct sr_tsn tsn, uint32_t row);

#endif
