/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: frames of one link type down to SCTP. The first four bytes of the input are the link type, little
 * endian; then come frames, each after its captured length (16 bits) and how much more there was on the wire (8 bits).
 */
#include "capture/decapsulate.h"
#include "capture/fragments.h"
#include "invariants.h"

enum { LINK_TYPE = 4, FRAME_HEADER = 3 };

static volatile uint8_t sink;

/* Reads every byte that the packet offers. */
static void check_packet(const struct sr_packet *packet)
{
    MUST(packet->captured <= packet->wire);
    MUST(packet->encapsulation < SR_ENCAPSULATION_COUNT);
    MUST(packet->src.family == 0 || packet->src.family == 4 || packet->src.family == 6);
    MUST(packet->dst.family == 0 || packet->dst.family == 4 || packet->dst.family == 6);
    for (uint32_t i = 0; i < packet->captured; i++)
        sink = packet->bytes[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1};
    struct sr_decapsulator decapsulator;
    struct sr_engine *engine = sr_engine_new(&options);
    uint64_t frame = 0, kept = 0;

    MUST(sr_decapsulator_init(&decapsulator) && engine);
    uint32_t link_type = 0;
    if (size >= LINK_TYPE)
        link_type = sr_le32(data);
    for (size_t at = LINK_TYPE; at + FRAME_HEADER <= size;) {
        size_t captured = sr_le16(data + at), more = data[at + 2];
        at += FRAME_HEADER;
        if (captured > size - at)
            captured = size - at;
        uint8_t *bytes = malloc(captured > 0 ? captured : 1);
        MUST(bytes);
        memcpy(bytes, data + at, captured);
        at += captured;

        struct sr_packet packet = {.frame = ++frame};
        enum sr_skip skip = SR_SKIP_COUNT;
        struct sr_cursor cursor =
            sr_cursor(captured > 0 ? bytes : bytes + 1, (uint32_t)captured, (uint32_t)(captured + more));
        if (sr_decapsulate(&decapsulator, link_type, cursor, &packet, &skip)) {
            check_packet(&packet);
            MUST(sr_engine_packet(engine, &packet));
        } else {
            MUST(skip < SR_SKIP_COUNT);
            kept += skip == SR_SKIP_FRAGMENT || skip == SR_SKIP_FRAGMENT_LEFT_OVER;
        }
        free(bytes);
    }
    MUST(sr_fragments_left_over(decapsulator.fragments, &decapsulator.carriers) <= kept);
    struct seen_rows seen = {0};
    hand_out_all(engine);
    check_rows(&seen, sr_engine_rows(engine));
    check_counts(&seen, engine);
    sr_engine_free(engine);
    sr_decapsulator_free(&decapsulator);
    return 0;
}
