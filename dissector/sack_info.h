/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Info column of SACKs and NR-SACKs. */
#ifndef SR_DISSECTOR_SACK_INFO_H
#define SR_DISSECTOR_SACK_INFO_H

#include "canvas.h"

/* `gaps` and `nr_gaps` as the row counts them. `base` is what TSNs are shown relative to, 0 for absolute ones. */
void sr_say_sack(const struct sr_canvas *canvas, const struct sr_sack_row *row, const uint32_t *gaps,
                 const uint32_t *nr_gaps, uint32_t base);

#endif
