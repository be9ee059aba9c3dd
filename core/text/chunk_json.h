/* SPDX-License-Identifier: BSD-2-Clause */
/* How the fields of a control chunk read as JSON text. User data, cookies and keys appear as lengths only. */
#ifndef SR_TEXT_CHUNK_JSON_H
#define SR_TEXT_CHUNK_JSON_H

#include "../buffer.h"
#include "../wire/chunk.h"

/* Appends one JSON object; nothing for a chunk without layout. False where the chunk is shorter than its fixed
 * fields by its length field; fields that were not captured are left out. */
bool sr_chunk_json(const struct sr_chunk *chunk, struct sr_buffer *out);

#endif
