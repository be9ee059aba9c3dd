/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for that sent data for the first time. */
#ifndef SR_LIMITS_NEW_DATA_H
#define SR_LIMITS_NEW_DATA_H

#include "walk.h"

/* The first chunk of a packet, outside of a repair. */
void sr_new_data_sent(struct sr_limits_walk *walk, const struct sr_transmission_row *row, uint64_t packet_bytes);

#endif
