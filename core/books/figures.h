/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of every direction by number. Most have none: of the associations of a large capture many have data one
 * way, or no data at all, and what the rest has lies with the rows. */
#ifndef SR_BOOKS_FIGURES_H
#define SR_BOOKS_FIGURES_H

#include "../journal/judgement.h"

/* Of a direction of which nothing was seen. */
extern const struct sr_direction_figures sr_no_figures;

/* Room for those of `directions` directions, of which each has none yet. False when memory runs out. */
bool sr_figures_begin(struct sr_judgement *judgement, uint32_t directions);

/* They differ from those. */
bool sr_figures_tell(const struct sr_direction_figures *figures);

/* The figures of direction `number`: twice that of its association, one more for the data of side b. False when memory
 * or the disk runs out. */
bool sr_figures_keep(struct sr_judgement *judgement, uint32_t number, const struct sr_direction_figures *figures);

/* How many directions were judged. */
uint32_t sr_figures_count(const struct sr_judgement *judgement);

const struct sr_direction_figures *sr_figures_of(const struct sr_judgement *judgement, uint32_t number);

/* Likewise, to add to them; NULL where it has none. */
struct sr_direction_figures *sr_figures_kept(const struct sr_judgement *judgement, uint32_t number);

#endif
