/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of one association among those of the journal. */
#ifndef SR_JOURNAL_CHAIN_H
#define SR_JOURNAL_CHAIN_H

#include <stdint.h>

struct sr_journal_chain {
    uint32_t first, last; /* 1 + number of the entry; 0: none */
};

#endif
