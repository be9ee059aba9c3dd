/* SPDX-License-Identifier: BSD-2-Clause */
/* What a TURN relay carries inside UDP (RFC 8656): channel data, and Send and Data indications. What else shares a port
 * with DTLS is told by its first byte (RFC 7983) and is none of ours. */
#ifndef SR_DTLS_RELAY_H
#define SR_DTLS_RELAY_H

#include "../capture/cursor.h"

/* The datagram that is relayed inside `datagram`; where none is, it stays as it is. */
struct sr_cursor sr_relayed(struct sr_cursor datagram);

#endif
