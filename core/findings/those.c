/* SPDX-License-Identifier: BSD-2-Clause */
/* Ends are kept as bytes: of a hundred thousand associations each has its own. */
#include "those.h"

#include <stdlib.h>
#include <string.h>

#include "../wire/bytes.h"

void sr_those_add(struct sr_those *those, const struct sr_side *side, uint32_t frame, int64_t amount)
{
    const struct sr_address *address = sr_findings_address(side);
    struct sr_end end = {.port = {(uint8_t)(side->port >> 8), (uint8_t)side->port}};
    if (address)
        end.address = *address;
    those->count++;
    those->amount += amount;
    sr_look_at_lowest(&those->look, frame);
    sr_buffer_append(&those->ends, &end, sizeof end);
}

static int compare_ends(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct sr_end));
}

size_t sr_those_ends(struct sr_those *those)
{
    struct sr_end *ends = (struct sr_end *)(void *)those->ends.bytes;
    size_t count = those->ends.length / sizeof *ends, kept = 0;
    if (count > 1)
        qsort(ends, count, sizeof *ends, compare_ends);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_ends(&ends[kept - 1], &ends[i]) != 0)
            ends[kept++] = ends[i];
    those->ends.length = kept * sizeof *ends;
    return kept;
}

void sr_those_say(struct sr_those *those, struct sr_buffer *text)
{
    const struct sr_end *ends = (const struct sr_end *)(const void *)those->ends.bytes;
    size_t count = sr_those_ends(those);
    char lowest[SR_END_TEXT] = "", one[SR_END_TEXT];
    for (size_t i = 0; i < count; i++) {
        sr_findings_end(&ends[i].address, sr_be16(ends[i].port), "?", one);
        if (i == 0 || strcmp(one, lowest) < 0)
            memcpy(lowest, one, sizeof lowest);
    }
    if (count == 1)
        sr_say_text(text, lowest);
    else
        sr_say(text, SR_SENTENCE_ENDS_SEVERAL, SR_VALUES({"ends", NULL, (int64_t)count}, {"one", lowest, 0}));
}

void sr_those_free(struct sr_findings *findings, struct sr_those *those)
{
    findings->failed |= those->ends.failed;
    sr_buffer_free(&those->ends);
}
