/* SPDX-License-Identifier: BSD-2-Clause */
/* What a judge needs of the chunks that neither carry data nor acknowledge any. */
#ifndef SR_ENGINE_CONTROL_H
#define SR_ENGINE_CONTROL_H

#include <stdbool.h>

#include "../journal/journal.h"
#include "../wire/chunk.h"
#include "../wire/re_config.h"

/* Chunks of other types say nothing of what was lost, sent again or timed. */
bool sr_control_matters(uint8_t type);

/* Fills what the chunk itself says; its lists go to the journal's numbers. `reset`: what it numbers anew, or NULL. */
void sr_control(const struct sr_chunk *chunk, const struct sr_tsn_response *reset, struct sr_journal *journal,
                struct sr_control_row *row);

#endif
