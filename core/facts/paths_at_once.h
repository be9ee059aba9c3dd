/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a sender sends new data on several paths at once: CMT, Iyengar and others, which of the stacks usrsctp and
 * FreeBSD have. */
#ifndef SR_FACTS_PATHS_AT_ONCE_H
#define SR_FACTS_PATHS_AT_ONCE_H

#include "half.h"

bool sr_uses_paths_at_once(const struct sr_half *half);

#endif
