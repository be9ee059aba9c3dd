/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of the row. */
#include "associations.h"

#include <stdio.h>
#include <string.h>

#include "../text/address_text.h"
#include "../wire/time.h"

/* `address:port`, all addresses of the side before the port; the side's name without any. Returns its length. */
static uint32_t write_end(struct sr_buffer *text, const struct sr_side *side, const char *name)
{
    size_t start = text->length;
    char piece[SR_ADDRESS_TEXT];
    for (uint32_t i = 0; i < side->addresses && side->address[i].family != 0; i++) {
        bool is_ipv6 = side->address[i].family == 6;
        size_t length = sr_address_text(side->address[i].bytes, side->address[i].family, piece);
        sr_buffer_append(text, ",", i > 0);
        sr_buffer_append(text, "[", is_ipv6);
        sr_buffer_append(text, piece, length);
        sr_buffer_append(text, "]", is_ipv6);
    }
    if (text->length == start)
        sr_buffer_append(text, name, strlen(name));
    int length = snprintf(piece, sizeof piece, ":%u", (unsigned)side->port);
    sr_buffer_append(text, piece, (size_t)length);
    return (uint32_t)(text->length - start);
}

/* From the first data to the last feedback that acknowledges any. */
static int64_t goodput_of(const struct sr_direction_figures *figures)
{
    int64_t elapsed_ns;
    if (figures->acked_bytes == 0 || !sr_elapsed(figures->last_acked_ns, figures->first_data_ns, &elapsed_ns) ||
        elapsed_ns <= 0)
        return SR_NO_TIME;
    double bits = 8e9 * (double)figures->acked_bytes / (double)elapsed_ns;
    return bits < 9e18 ? (int64_t)bits : INT64_MAX;
}

static double share_of(struct sr_queue_use use)
{
    return use.busy_ns > 0 ? use.necessary_ns / use.busy_ns : -1;
}

void sr_association_row(const struct sr_association *association, const struct sr_direction_figures *a2b,
                        const struct sr_direction_figures *b2a, struct sr_rows *rows)
{
    const struct sr_side *a = &association->side[SR_SIDE_A], *b = &association->side[SR_SIDE_B];
    struct sr_association_row row = {
        .packets = association->packets,
        .chunks_a2b = a->data.chunks,
        .chunks_b2a = b->data.chunks,
        .bytes_a2b = a->data.bytes,
        .bytes_b2a = b->data.bytes,
        .acked_bytes_a2b = a2b->acked_bytes,
        .acked_bytes_b2a = b2a->acked_bytes,
        .goodput_a2b = goodput_of(a2b),
        .goodput_b2a = goodput_of(b2a),
        .lost_tsns_a2b = (int64_t)a2b->lost_tsns,
        .lost_tsns_b2a = (int64_t)b2a->lost_tsns,
        .rtxq_util_a2b = share_of(a2b->use),
        .rtxq_util_b2a = share_of(b2a->use),
        .rtxq_util_loss_a2b = share_of(a2b->use_in_loss),
        .rtxq_util_loss_b2a = share_of(b2a->use_in_loss),
        .assoc = association->number,
        .joined = association->absorbed,
        .vtag_a = a->tag,
        .vtag_b = b->tag,
        .vtag_a_known = a->tag_known,
        .vtag_b_known = b->tag_known,
        .first_frame = (uint32_t)association->first_frame,
        .last_frame = (uint32_t)association->last_frame,
        .features = association->features | (a->init_features & b->init_features),
        .started = association->started,
        .ended = association->ended,
    };
    row.a = rows->text.length;
    row.a_length = write_end(&rows->text, a, "a");
    row.b = rows->text.length;
    row.b_length = write_end(&rows->text, b, "b");
    sr_buffer_append(&rows->tables[SR_TABLE_ASSOCIATIONS], &row, sizeof row);
}
