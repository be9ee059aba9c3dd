/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TSNs only came late, where that shows only when the loop to the sender is known. */
#ifndef SR_FACTS_OVERTAKEN_H
#define SR_FACTS_OVERTAKEN_H

#include "half.h"

/* Corrects the kinds of a direction whose sender's loop no handshake showed while the capture was read. */
void sr_find_overtaken(struct sr_half *half);

#endif
