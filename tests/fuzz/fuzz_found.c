/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: headers that were found anywhere in two sources of bytes, and the SCTP packets that the Wireshark
 * plugin makes of them, through the engine. Input: a count, four bytes for each header (kind, source and layer,
 * position), how much less of each source was captured than the wire had, then the bytes. */
#include "engine/engine.h"
#include "found.h"
#include "invariants.h"

enum { HEADER = 4, MOST_HEADERS = 32, KINDS = 5, SOURCES = 2 };

struct lists {
    struct sr_found list[KINDS][MOST_HEADERS];
    uint32_t count[KINDS];
};

static void check(const struct sr_packet *packet, const uint8_t *const *sources, uint32_t captured)
{
    bool inside = false;
    for (int i = 0; i < SOURCES; i++)
        inside |= packet->bytes >= sources[i] && packet->bytes + packet->captured <= sources[i] + captured;
    MUST(inside);
    MUST(packet->captured > 0 && packet->captured <= packet->wire);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lists lists;
    struct sr_engine_options options = {.tables = 1u << SR_TABLE_TRANSMISSIONS, .judges = true};
    uint32_t headers = size > 0 ? data[0] % (MOST_HEADERS + 1) : 0;
    size_t begin = 1 + HEADER * (size_t)headers + SOURCES;
    if (size <= begin)
        return 0;

    uint32_t captured = (uint32_t)(size - begin);
    uint8_t *copies[SOURCES];
    for (int i = 0; i < SOURCES; i++) {
        copies[i] = malloc(captured);
        MUST(copies[i]);
        memcpy(copies[i], data + begin, captured);
    }
    memset(lists.count, 0, sizeof lists.count);
    for (uint32_t i = 0; i < headers; i++) {
        const uint8_t *at = data + 1 + HEADER * i;
        unsigned kind = at[0] % KINDS, source = at[1] & 1;
        lists.list[kind][lists.count[kind]++] = (struct sr_found){
            .source = copies[source],
            .captured = captured,
            .reported = captured + data[begin - SOURCES + source],
            .at = (uint32_t)(at[2] | at[3] << 8) % captured,
            .layer = at[1] >> 1,
        };
    }
    struct sr_found_headers all = {
        .sctp = {lists.list[0], lists.count[0]},
        .ipv4 = {lists.list[1], lists.count[1]},
        .ipv6 = {lists.list[2], lists.count[2]},
        .udp = {lists.list[3], lists.count[3]},
        .dtls = {lists.list[4], lists.count[4]},
    };
    struct sr_engine *engine = sr_engine_new(&options);
    struct sr_found_walk walk = {.headers = &all};
    struct sr_packet packet;
    MUST(engine);
    while (sr_found_next(&walk, &packet)) {
        check(&packet, (const uint8_t *const *)copies, captured);
        packet.frame = 1;
        MUST(sr_engine_packet(engine, &packet));
    }
    MUST(sr_engine_judge(engine));
    sr_engine_free(engine);
    for (int i = 0; i < SOURCES; i++)
        free(copies[i]);
    return 0;
}
