/* SPDX-License-Identifier: BSD-2-Clause */
/* Who wrote a side's stack, as far as its INIT or INIT ACK tells. */
#ifndef SR_ASSOCIATION_FAMILY_H
#define SR_ASSOCIATION_FAMILY_H

#include "../names.h"
#include "../wire/init.h"

enum sr_stack_family {
    SR_FAMILY_UNKNOWN, /* its handshake was not seen */
    SR_FAMILY_PION,    /* pion/sctp, or one of its ports: webrtc-rs, sctp-proto */
    SR_FAMILY_USRSCTP, /* usrsctp, or the kernel of FreeBSD that it comes from */
    SR_FAMILY_DCSCTP,
    SR_FAMILY_LINUX,
    SR_FAMILY_OTHER,
    SR_FAMILY_COUNT,
};

enum sr_stack_family sr_family_of_init(const struct sr_init *init);

/* enum sr_profile of its sender; SR_PROFILE_COUNT where none is known. */
unsigned sr_profile_of_family(enum sr_stack_family family);

/* SR_FAMILY_UNKNOWN: the profile is that of a text. */
enum sr_stack_family sr_family_of_profile(unsigned profile);

/* Its handshake was seen, and is not that of pion. */
static inline bool sr_is_not_pion(enum sr_stack_family family)
{
    return family != SR_FAMILY_UNKNOWN && family != SR_FAMILY_PION;
}

#endif
