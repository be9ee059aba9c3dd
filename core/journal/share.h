/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose rows are judged and handed out where several read the same capture: each follows all associations, so that they
 * have the same numbers and whatever is said of the whole capture is the same, and keeps those of its own. */
#ifndef SR_JOURNAL_SHARE_H
#define SR_JOURNAL_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct sr_share {
    uint32_t number, of; /* 0 of 0: all associations are its own */
};

/* Rows without an association (SR_NO_ASSOCIATION) are one's, too. */
static inline bool sr_is_own(struct sr_share share, uint32_t assoc)
{
    return share.of == 0 || assoc % share.of == share.number;
}

#endif
