/* SPDX-License-Identifier: BSD-2-Clause */
/* What an ICMP error says of the packet that it quotes. */
#ifndef SR_FINDINGS_ICMP_MEANING_H
#define SR_FINDINGS_ICMP_MEANING_H

#include <stdint.h>

enum sr_icmp_meaning {
    SR_ICMP_NETWORK,
    SR_ICMP_HOST,
    SR_ICMP_PROTOCOL,
    SR_ICMP_PORT,
    SR_ICMP_PROHIBITED,
    SR_ICMP_LOOP,
    SR_ICMP_REASSEMBLY,
    SR_ICMP_PARAMETER,
    SR_ICMP_OTHER, /* of the destination unreachable */
    SR_ICMP_TOO_BIG,
    SR_ICMP_HARMLESS, /* a source quench, a redirect: they drop nothing */
    SR_ICMP_MEANINGS,
};

/* Of `version` 4 (RFC 792, RFC 1122 section 3.2.2.1, RFC 1812 section 5.2.7.1, RFC 1191 section 4) or 6 (RFC 4443
 * section 3, where an unrecognized next header is the unreachable protocol). */
enum sr_icmp_meaning sr_icmp_meaning(uint8_t version, uint8_t type, uint8_t code);

#endif
