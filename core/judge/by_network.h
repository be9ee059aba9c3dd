/* SPDX-License-Identifier: BSD-2-Clause */
/* What looks as sent again, and was repeated by the network. */
#ifndef SR_JUDGE_BY_NETWORK_H
#define SR_JUDGE_BY_NETWORK_H

#include "cause.h"

/* Causes are decided, verdicts are not. Such a row becomes a `network_duplicate`, which has no cause; its number as a
 * copy stays. Says whether there are any. */
bool sr_find_repeated_by_network(struct sr_causes *causes);

#endif
