/* SPDX-License-Identifier: BSD-2-Clause */
/* The layouts, in the order of their types. */
#include "layout.h"

#include <stddef.h>

#include "chunk.h"

static const struct sr_layout chunks[] = {
    {SR_CHUNK_INIT,
     "INIT",
     {{"init_tag", 0, 4}, {"a_rwnd", 4, 4}, {"out_streams", 8, 2}, {"in_streams", 10, 2}, {"initial_tsn", 12, 4}},
     16,
     SR_REST_PARAMETERS,
     "parameters"},
    {SR_CHUNK_INIT_ACK,
     "INIT ACK",
     {{"init_tag", 0, 4}, {"a_rwnd", 4, 4}, {"out_streams", 8, 2}, {"in_streams", 10, 2}, {"initial_tsn", 12, 4}},
     16,
     SR_REST_PARAMETERS,
     "parameters"},
    {SR_CHUNK_HEARTBEAT, "HEARTBEAT", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {SR_CHUNK_HEARTBEAT_ACK, "HEARTBEAT ACK", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {SR_CHUNK_ABORT, "ABORT", {{0}}, 0, SR_REST_CAUSES, "causes"},
    {SR_CHUNK_SHUTDOWN_ACK, "SHUTDOWN ACK", {{0}}, 0, SR_REST_NOTHING, NULL},
    {SR_CHUNK_ERROR, "ERROR", {{0}}, 0, SR_REST_CAUSES, "causes"},
    {SR_CHUNK_COOKIE_ECHO, "COOKIE ECHO", {{0}}, 0, SR_REST_OPAQUE, "cookie_bytes"},
    {SR_CHUNK_COOKIE_ACK, "COOKIE ACK", {{0}}, 0, SR_REST_NOTHING, NULL},
    {SR_CHUNK_ECNE, "ECNE", {{"lowest_tsn", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {SR_CHUNK_CWR, "CWR", {{"lowest_tsn", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {SR_CHUNK_SHUTDOWN_COMPLETE, "SHUTDOWN COMPLETE", {{0}}, 0, SR_REST_NOTHING, NULL},
    {SR_CHUNK_AUTH, "AUTH", {{"shared_key", 0, 2}, {"hmac", 2, 2}}, 4, SR_REST_OPAQUE, "mac_bytes"},
    {SR_CHUNK_ASCONF_ACK, "ASCONF-ACK", {{"serial", 0, 4}}, 4, SR_REST_PARAMETERS, "parameters"},
    /* The copy of the dropped packet is never walked into: its chunks were not sent in this frame. */
    {SR_CHUNK_PACKET_DROP,
     "PKTDROP",
     {{"max_rwnd", 0, 4}, {"on_queue", 4, 4}, {"dropped_bytes", 8, 2}},
     12,
     SR_REST_OPAQUE,
     "copy_bytes"},
    {SR_CHUNK_RE_CONFIG, "RE-CONFIG", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {SR_CHUNK_PAD, "PAD", {{0}}, 0, SR_REST_OPAQUE, "padding_bytes"},
    {SR_CHUNK_FORWARD_TSN, "FORWARD-TSN", {{"new_cum_tsn", 0, 4}}, 4, SR_REST_STREAM_SSN_LIST, "skipped"},
    {SR_CHUNK_ASCONF, "ASCONF", {{"serial", 0, 4}}, 4, SR_REST_PARAMETERS, "parameters"},
    {SR_CHUNK_I_FORWARD_TSN, "I-FORWARD-TSN", {{"new_cum_tsn", 0, 4}}, 4, SR_REST_STREAM_MID_LIST, "skipped"},
};

static const struct sr_layout parameters[] = {
    {1, "Heartbeat Info", {{0}}, 0, SR_REST_OPAQUE, "info_bytes"},
    {5, "IPv4 Address", {{0}}, 0, SR_REST_IPV4, "address"},
    {6, "IPv6 Address", {{0}}, 0, SR_REST_IPV6, "address"},
    {7, "State Cookie", {{0}}, 0, SR_REST_OPAQUE, "cookie_bytes"},
    {8, "Unrecognized Parameter", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {9, "Cookie Preservative", {{"increment_ms", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {11, "Host Name Address", {{0}}, 0, SR_REST_OPAQUE, "name_bytes"},
    {12, "Supported Address Types", {{0}}, 0, SR_REST_WORD_LIST, "address_types"},
    {13,
     "Outgoing SSN Reset Request",
     {{"request", 0, 4}, {"response", 4, 4}, {"last_tsn", 8, 4}},
     12,
     SR_REST_WORD_LIST,
     "streams"},
    {14, "Incoming SSN Reset Request", {{"request", 0, 4}}, 4, SR_REST_WORD_LIST, "streams"},
    {15, "SSN/TSN Reset Request", {{"request", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {16,
     "Re-configuration Response",
     {{"response", 0, 4}, {"result", 4, 4}, {"sender_next_tsn", 8, 4}, {"receiver_next_tsn", 12, 4}},
     8,
     SR_REST_NOTHING,
     NULL},
    {17, "Add Outgoing Streams Request", {{"request", 0, 4}, {"new_streams", 4, 2}}, 8, SR_REST_NOTHING, NULL},
    {18, "Add Incoming Streams Request", {{"request", 0, 4}, {"new_streams", 4, 2}}, 8, SR_REST_NOTHING, NULL},
    {0x8000, "ECN Capable", {{0}}, 0, SR_REST_NOTHING, NULL},
    {0x8001, "Zero Checksum Acceptable", {{"edmid", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {0x8002, "Random", {{0}}, 0, SR_REST_OPAQUE, "random_bytes"},
    {0x8003, "Chunk List", {{0}}, 0, SR_REST_BYTE_LIST, "chunk_types"},
    {0x8004, "Requested HMAC Algorithm", {{0}}, 0, SR_REST_WORD_LIST, "hmacs"},
    {0x8005, "Padding", {{0}}, 0, SR_REST_OPAQUE, "padding_bytes"},
    {0x8008, "Supported Extensions", {{0}}, 0, SR_REST_BYTE_LIST, "chunk_types"},
    {0xc000, "Forward-TSN-Supported", {{0}}, 0, SR_REST_NOTHING, NULL},
    {0xc001, "Add IP Address", {{"correlation", 0, 4}}, 4, SR_REST_PARAMETERS, "parameters"},
    {0xc002, "Delete IP Address", {{"correlation", 0, 4}}, 4, SR_REST_PARAMETERS, "parameters"},
    {0xc003, "Error Cause Indication", {{"correlation", 0, 4}}, 4, SR_REST_CAUSES, "causes"},
    {0xc004, "Set Primary Address", {{"correlation", 0, 4}}, 4, SR_REST_PARAMETERS, "parameters"},
    {0xc005, "Success Indication", {{"correlation", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {0xc006, "Adaptation Layer Indication", {{"indication", 0, 4}}, 4, SR_REST_NOTHING, NULL},
};

static const struct sr_layout causes[] = {
    {1, "Invalid Stream Identifier", {{"sid", 0, 2}}, 4, SR_REST_NOTHING, NULL},
    {2, "Missing Mandatory Parameter", {{"count", 0, 4}}, 4, SR_REST_WORD_LIST, "parameter_types"},
    {3, "Stale Cookie", {{"staleness_us", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {4, "Out of Resource", {{0}}, 0, SR_REST_NOTHING, NULL},
    {5, "Unresolvable Address", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {6, "Unrecognized Chunk Type", {{0}}, 0, SR_REST_OPAQUE, "chunk_bytes"},
    {7, "Invalid Mandatory Parameter", {{0}}, 0, SR_REST_NOTHING, NULL},
    {8, "Unrecognized Parameters", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {9, "No User Data", {{"tsn", 0, 4}}, 4, SR_REST_NOTHING, NULL},
    {10, "Cookie Received While Shutting Down", {{0}}, 0, SR_REST_NOTHING, NULL},
    {11, "Restart of an Association with New Addresses", {{0}}, 0, SR_REST_PARAMETERS, "parameters"},
    {12, "User-Initiated Abort", {{0}}, 0, SR_REST_OPAQUE, "reason_bytes"},
    {13, "Protocol Violation", {{0}}, 0, SR_REST_OPAQUE, "information_bytes"},
    {0x00a0, "Request to Delete Last Remaining IP Address", {{0}}, 0, SR_REST_OPAQUE, "parameter_bytes"},
    {0x00a1, "Operation Refused Due to Resource Shortage", {{0}}, 0, SR_REST_OPAQUE, "parameter_bytes"},
    {0x00a2, "Request to Delete Source IP Address", {{0}}, 0, SR_REST_OPAQUE, "parameter_bytes"},
    {0x00a3, "Association Aborted Due to Illegal ASCONF-ACK", {{0}}, 0, SR_REST_OPAQUE, "parameter_bytes"},
    {0x00a4, "Request Refused - No Authorization", {{0}}, 0, SR_REST_OPAQUE, "parameter_bytes"},
    {0x0105, "Unsupported HMAC Identifier", {{"hmac", 0, 2}}, 2, SR_REST_NOTHING, NULL},
};

static const struct sr_layout *find(const struct sr_layout *layouts, size_t count, uint16_t type)
{
    for (size_t i = 0; i < count; i++)
        if (layouts[i].type == type)
            return &layouts[i];
    return NULL;
}

const struct sr_layout *sr_chunk_layout(uint8_t type)
{
    return find(chunks, sizeof chunks / sizeof *chunks, type);
}

const struct sr_layout *sr_parameter_layout(uint16_t type)
{
    return find(parameters, sizeof parameters / sizeof *parameters, type);
}

const struct sr_layout *sr_cause_layout(uint16_t type)
{
    return find(causes, sizeof causes / sizeof *causes, type);
}
