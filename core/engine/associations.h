/* SPDX-License-Identifier: BSD-2-Clause */
/* The row of an association: what was counted as it was read, and what judging adds. */
#ifndef SR_ENGINE_ASSOCIATIONS_H
#define SR_ENGINE_ASSOCIATIONS_H

#include "../association/association.h"
#include "../judge/tables.h"
#include "rows.h"

/* `figures` are those of the data of side a, then of side b. */
void sr_association_row(const struct sr_association *association, const struct sr_direction_figures *figures,
                        struct sr_rows *rows);

#endif
