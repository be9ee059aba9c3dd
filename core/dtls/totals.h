/* SPDX-License-Identifier: BSD-2-Clause */
/* What came of the DTLS of a capture, in numbers. */
#ifndef SR_DTLS_TOTALS_H
#define SR_DTLS_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"

struct sr_dtls_totals {
    uint64_t connections;                          /* whose ClientHello was seen */
    uint64_t records;                              /* with application data, as far as can be seen */
    uint64_t opened;                               /* of them */
    uint64_t packets;                              /* of SCTP in them */
    uint64_t unopened[SR_UNOPENED_COUNT];          /* by reason */
    uint64_t unopened_first[SR_UNOPENED_COUNT];    /* frame */
    uint64_t unopened_sessions[SR_UNOPENED_COUNT]; /* connections, or flows without a handshake */
    uint64_t secrets;                              /* of the key log, that DTLS may need */
};

/* Whether the core was built with ciphers, and of which library: NULL where it was not. */
bool sr_dtls_can_decrypt(void);
const char *sr_dtls_library(void);

#endif
