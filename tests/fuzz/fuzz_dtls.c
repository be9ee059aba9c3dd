/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: a key log, and datagrams of two flows through DTLS. What is counted must add up, and what comes out must
 * be readable to its last byte. */
#include <string.h>

#include "capture/udp_flows.h"
#include "dtls/dtls.h"
#include "must.h"

enum { SENDER = 1, OTHER_FLOW = 2, HEADER = 3, MOST_DATAGRAMS = 256 };

static uint16_t le16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static void check(const struct sr_dtls *dtls)
{
    struct sr_dtls_totals totals = sr_dtls_totals(dtls);
    uint64_t records = totals.opened;
    for (int i = 0; i < SR_UNOPENED_COUNT; i++) {
        records += totals.unopened[i];
        MUST((totals.unopened[i] > 0) == (totals.unopened_first[i] > 0));
        MUST((totals.unopened[i] > 0) == (totals.unopened_sessions[i] > 0));
        MUST(totals.unopened_sessions[i] <= totals.unopened[i]);
    }
    MUST(records == totals.records && totals.packets <= totals.opened);
}

static void take(struct sr_dtls *dtls, uint8_t about, uint64_t frame, struct sr_cursor datagram)
{
    const struct sr_address a = {{10, 0, 0, 1}, 4}, b = {{10, 0, 0, 2}, 4};
    const uint16_t port = about & OTHER_FLOW ? 3000 : 1000;
    const struct sr_udp_flow there = {a, b, port, 2000}, back = {b, a, 2000, port};
    struct sr_cursor packet;
    uint16_t number;

    if (!sr_dtls_datagram(dtls, about & SENDER ? &back : &there, frame, datagram))
        return;
    uint64_t before = sr_dtls_totals(dtls).records, opened = sr_dtls_totals(dtls).opened;
    while (sr_dtls_next(dtls, &packet, &number)) {
        unsigned sum = 0;
        MUST(packet.captured > 0 && packet.captured == packet.wire && packet.captured <= datagram.captured);
        for (uint32_t i = 0; i < packet.captured; i++)
            sum += packet.bytes[i];
        MUST(sum <= packet.captured * 255u);
    }
    struct sr_dtls_totals totals = sr_dtls_totals(dtls);
    MUST(sr_dtls_is_hidden(dtls) == (totals.records - before > totals.opened - opened));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sr_dtls *dtls = sr_dtls_new();
    MUST(dtls);
    if (size >= 2) {
        size_t keys = le16(data) < size - 2 ? le16(data) : size - 2;
        MUST(sr_dtls_add_keys(dtls, data + 2, keys));
        data += 2 + keys;
        size -= 2 + keys;
    }
    for (uint64_t frame = 1; size >= HEADER && frame <= MOST_DATAGRAMS; frame++) {
        const uint8_t about = data[0];
        size_t length = le16(data + 1) < size - HEADER ? le16(data + 1) : size - HEADER;
        /* Of its own, so that reading behind it is seen. */
        uint8_t *datagram = malloc(length > 0 ? length : 1);
        MUST(datagram);
        memcpy(datagram, data + HEADER, length);
        struct sr_cursor cursor = sr_cursor(datagram, (uint32_t)length, (uint32_t)length + (about >> 5));
        take(dtls, about, frame, cursor);
        free(datagram);
        check(dtls);
        if (sr_dtls_is_full(dtls))
            sr_dtls_reuse(dtls);
        data += HEADER + length;
        size -= HEADER + length;
    }
    sr_dtls_free(dtls);
    return 0;
}
