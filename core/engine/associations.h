/* SPDX-License-Identifier: BSD-2-Clause */
/* The row of an association: what was counted as it was read, and what judging adds. */
#ifndef SR_ENGINE_ASSOCIATIONS_H
#define SR_ENGINE_ASSOCIATIONS_H

#include "../association/association.h"
#include "../journal/tables.h"
#include "rows.h"

/* The figures are those of the data of side a, and of side b. */
void sr_association_row(const struct sr_association *association, const struct sr_direction_figures *a2b,
                        const struct sr_direction_figures *b2a, struct sr_rows *rows);

#endif
