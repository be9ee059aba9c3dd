/* SPDX-License-Identifier: BSD-2-Clause */
/* A spool of those that say anything, and where in it those of a direction are. */
#include "figures.h"

#include <string.h>

#include "../wire/time.h"
#include "rto.h"

const struct sr_direction_figures sr_no_figures = {
    .first_data_ns = SR_NO_TIME,
    .last_data_ns = SR_NO_TIME,
    .last_acked_ns = SR_NO_TIME,
    .delay_longest_ns = SR_NO_TIME,
    .delay_base_ns = SR_NO_TIME,
    .rto_ns = SR_RTO_INITIAL_NS,
};

bool sr_figures_begin(struct sr_judgement *judgement, uint32_t directions)
{
    size_t bytes = directions * sizeof(uint32_t);
    uint32_t *places = bytes > 0 ? sr_buffer_extend(&judgement->figures_of, bytes) : NULL;
    if (places)
        memset(places, 0, bytes);
    return !judgement->figures_of.failed;
}

static uint32_t *place_of(const struct sr_judgement *judgement, uint32_t number)
{
    return (uint32_t *)(void *)judgement->figures_of.bytes + number;
}

/* No field is behind a gap: all bytes are fields. */
bool sr_figures_tell(const struct sr_direction_figures *figures)
{
    return memcmp(figures, &sr_no_figures, sizeof *figures) != 0;
}

bool sr_figures_keep(struct sr_judgement *judgement, uint32_t number, const struct sr_direction_figures *figures)
{
    struct sr_direction_figures *kept = sr_spool_append(&judgement->figures);
    if (!kept)
        return false;
    *kept = *figures;
    *place_of(judgement, number) = (uint32_t)judgement->figures.count;
    return true;
}

uint32_t sr_figures_count(const struct sr_judgement *judgement)
{
    return (uint32_t)(judgement->figures_of.length / sizeof(uint32_t));
}

struct sr_direction_figures *sr_figures_kept(const struct sr_judgement *judgement, uint32_t number)
{
    uint32_t place = *place_of(judgement, number);
    return place > 0 ? sr_spool_visit(&judgement->figures, place - 1) : NULL;
}

const struct sr_direction_figures *sr_figures_of(const struct sr_judgement *judgement, uint32_t number)
{
    const struct sr_direction_figures *kept = sr_figures_kept(judgement, number);
    return kept ? kept : &sr_no_figures;
}
