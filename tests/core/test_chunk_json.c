/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of control chunks as JSON: every layout whole, and every one cut at each of its bytes. */
#include <stdio.h>

#include "bytes_builder.h"

#include "json_check.h"
#include "text/chunk_json.h"
#include "wire/layout.h"

/* The JSON of `captured` bytes of a chunk; what `ok` says comes back too. */
static void check_cut(const struct bytes *from, size_t captured, const char *expected, bool expected_ok)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_chunk chunk = {from->at[0], from->at[1], sr_be16(from->at + 2), bytes, (uint32_t)captured};
    struct sr_buffer out = {0};
    sr_buffer_append(&out, "before[", 7); /* what stands before must not matter */
    bool ok = sr_chunk_json(&chunk, &out);
    sr_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.bytes + 7, expected);
    assert_int_equal(ok, expected_ok);
    if (expected[0])
        assert_true(is_json_object(expected, strlen(expected)));
    sr_buffer_free(&out);
    free_exact(bytes, captured);
}

static void check_json(const struct bytes *chunk, const char *expected)
{
    check_cut(chunk, sr_be16(chunk->at + 2), expected, true);
}

static struct bytes plain_chunk(uint8_t type, const char *value)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, type, 0);
    put_text(&chunk, value);
    end_chunk(&chunk, start);
    return chunk;
}

static void a_chunk_without_layout_has_no_json(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_DATA, SR_CHUNK_SACK, SR_CHUNK_SHUTDOWN, SR_CHUNK_I_DATA, 17, 63, 131, 255};
    for (size_t i = 0; i < sizeof types; i++) {
        struct bytes chunk = plain_chunk(types[i], "value");
        check_json(&chunk, "");
    }
}

static void a_chunk_without_fields_is_an_empty_object(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_SHUTDOWN_ACK, SR_CHUNK_COOKIE_ACK, SR_CHUNK_SHUTDOWN_COMPLETE};
    for (size_t i = 0; i < sizeof types; i++) {
        struct bytes chunk = plain_chunk(types[i], "");
        check_json(&chunk, "{}");
    }
}

static void cookies_keys_and_padding_appear_as_lengths(void **state)
{
    (void)state;
    struct bytes cookie = plain_chunk(SR_CHUNK_COOKIE_ECHO, "secret"), padding = plain_chunk(SR_CHUNK_PAD, "\"]}");
    check_json(&cookie, "{\"cookie_bytes\":6}");
    check_json(&padding, "{\"padding_bytes\":3}");

    struct bytes auth = {0};
    size_t start = begin_chunk(&auth, SR_CHUNK_AUTH, 0);
    put16s(&auth, 2, 7u, 3u);
    put_zeros(&auth, 32);
    end_chunk(&auth, start);
    check_json(&auth, "{\"shared_key\":7,\"hmac\":3,\"mac_bytes\":32}");
}

static void chunks_of_fixed_fields_show_them(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        const char *json;
    } one_tsn[] = {{SR_CHUNK_ECNE, "{\"lowest_tsn\":4294967295}"},
                   {SR_CHUNK_CWR, "{\"lowest_tsn\":4294967295}"},
                   {SR_CHUNK_FORWARD_TSN, "{\"new_cum_tsn\":4294967295,\"skipped\":[]}"},
                   {SR_CHUNK_I_FORWARD_TSN, "{\"new_cum_tsn\":4294967295,\"skipped\":[]}"},
                   {SR_CHUNK_ASCONF, "{\"serial\":4294967295,\"parameters\":[]}"},
                   {SR_CHUNK_ASCONF_ACK, "{\"serial\":4294967295,\"parameters\":[]}"}};
    for (size_t i = 0; i < sizeof one_tsn / sizeof *one_tsn; i++) {
        struct bytes chunk = plain_chunk(one_tsn[i].type, "\xff\xff\xff\xff");
        check_json(&chunk, one_tsn[i].json);
    }
}

static void a_forward_tsn_lists_the_streams_that_it_skips(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_FORWARD_TSN, 0);
    put32(&chunk, 10);
    put16s(&chunk, 5, 1u, 2u, 65535u, 65534u, 9u); /* the last is half an entry */
    end_chunk(&chunk, start);
    check_json(&chunk, "{\"new_cum_tsn\":10,\"skipped\":[{\"sid\":1,\"ssn\":2},{\"sid\":65535,\"ssn\":65534}]}");

    struct bytes interleaved = {0};
    start = begin_chunk(&interleaved, SR_CHUNK_I_FORWARD_TSN, 0);
    put32(&interleaved, 10);
    put16s(&interleaved, 2, 3u, 1u);
    put32(&interleaved, 0xffffffff);
    put16s(&interleaved, 2, 4u, 0xfffeu);
    put32(&interleaved, 0);
    end_chunk(&interleaved, start);
    check_json(&interleaved, "{\"new_cum_tsn\":10,\"skipped\":[{\"sid\":3,\"unordered\":true,\"mid\":4294967295},"
                             "{\"sid\":4,\"unordered\":false,\"mid\":0}]}");
}

static void a_dropped_packet_is_not_walked_into(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_PACKET_DROP, 4);
    put32s(&chunk, 2, 1000u, 2000u);
    put16s(&chunk, 2, 1500u, 0u);
    put_common_header(&chunk, 1, 2, 3);
    put_data(&chunk, 3, 1, 2, 3, 4, 4);
    end_chunk(&chunk, start);
    check_json(&chunk, "{\"max_rwnd\":1000,\"on_queue\":2000,\"dropped_bytes\":1500,\"copy_bytes\":32}");
}

static void put_init_fields(struct bytes *to)
{
    put32s(to, 2, 0xdeadbeefu, 65536u);
    put16s(to, 2, 10u, 65535u);
    put32(to, 0xfffffff0);
}

#define INIT_FIELDS                                                                                                    \
    "\"init_tag\":3735928559,\"a_rwnd\":65536,\"out_streams\":10,\"in_streams\":65535,\"initial_tsn\":4294967280"

/* A chunk of `type` with `fixed` bytes before one element of `element` with `value`. */
static struct bytes one_element(uint8_t type, uint16_t element, const struct bytes *value)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, type, 0);
    if (type == SR_CHUNK_INIT)
        put_init_fields(&chunk);
    size_t inner = begin_element(&chunk, element);
    put(&chunk, value->at, value->length);
    end_element(&chunk, inner);
    end_chunk(&chunk, start);
    return chunk;
}

static const struct {
    uint16_t type;
    size_t bytes;
    uint8_t value[20];
    const char *json; /* behind type and length */
} parameters[] = {
    {1, 3, {1, 2, 3}, "\"name\":\"Heartbeat Info\",\"info_bytes\":3"},
    {5, 4, {192, 0, 2, 1}, "\"name\":\"IPv4 Address\",\"address\":\"192.0.2.1\""},
    {6, 16, {0x20, 1, 0xd, 0xb8, [15] = 1}, "\"name\":\"IPv6 Address\",\"address\":\"2001:db8::1\""},
    {7, 5, {0}, "\"name\":\"State Cookie\",\"cookie_bytes\":5"},
    {8,
     8,
     {0, 5, 0, 8, 10, 0, 0, 1},
     "\"name\":\"Unrecognized Parameter\",\"parameters\":[{\"type\":5,\"length\":8,\"name\":\"IPv4 "
     "Address\",\"address\":\"10.0.0.1\"}]"},
    {9, 4, {0, 0, 3, 0xe8}, "\"name\":\"Cookie Preservative\",\"increment_ms\":1000"},
    {11, 6, "a.b\"c", "\"name\":\"Host Name Address\",\"name_bytes\":6"},
    {12, 4, {0, 5, 0, 6}, "\"name\":\"Supported Address Types\",\"address_types\":[5,6]"},
    {13,
     16,
     {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 0, 5},
     "\"name\":\"Outgoing SSN Reset Request\",\"request\":1,\"response\":2,\"last_tsn\":3,\"streams\":[4,5]"},
    {14, 6, {0, 0, 0, 1, 0, 9}, "\"name\":\"Incoming SSN Reset Request\",\"request\":1,\"streams\":[9]"},
    {15, 4, {0, 0, 0, 1}, "\"name\":\"SSN/TSN Reset Request\",\"request\":1"},
    {16, 8, {0, 0, 0, 1, 0, 0, 0, 2}, "\"name\":\"Re-configuration Response\",\"response\":1,\"result\":2"},
    {16,
     16,
     {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4},
     "\"name\":\"Re-configuration Response\",\"response\":1,\"result\":2,\"sender_next_tsn\":3,"
     "\"receiver_next_tsn\":4"},
    {17, 8, {0, 0, 0, 1, 0, 2, 0, 0}, "\"name\":\"Add Outgoing Streams Request\",\"request\":1,\"new_streams\":2"},
    {18, 8, {0, 0, 0, 1, 0, 2, 0, 0}, "\"name\":\"Add Incoming Streams Request\",\"request\":1,\"new_streams\":2"},
    {0x8000, 0, {0}, "\"name\":\"ECN Capable\""},
    {0x8001, 4, {0, 0, 0, 1}, "\"name\":\"Zero Checksum Acceptable\",\"edmid\":1"},
    {0x8002, 20, {0}, "\"name\":\"Random\",\"random_bytes\":20"},
    {0x8003, 3, {0x80, 0xc1, 0}, "\"name\":\"Chunk List\",\"chunk_types\":[128,193,0]"},
    {0x8004, 4, {0, 1, 0, 3}, "\"name\":\"Requested HMAC Algorithm\",\"hmacs\":[1,3]"},
    {0x8005, 7, {0}, "\"name\":\"Padding\",\"padding_bytes\":7"},
    {0x8008, 4, {0xc0, 0x82, 0x40, 0x10}, "\"name\":\"Supported Extensions\",\"chunk_types\":[192,130,64,16]"},
    {0xc000, 0, {0}, "\"name\":\"Forward-TSN-Supported\""},
    {0xc001,
     12,
     {0, 0, 0, 1, 0, 5, 0, 8, 10, 0, 0, 1},
     "\"name\":\"Add IP Address\",\"correlation\":1,\"parameters\":[{\"type\":5,\"length\":8,\"name\":\"IPv4 "
     "Address\",\"address\":\"10.0.0.1\"}]"},
    {0xc002, 4, {0, 0, 0, 1}, "\"name\":\"Delete IP Address\",\"correlation\":1,\"parameters\":[]"},
    {0xc003,
     8,
     {0, 0, 0, 1, 0, 0xa2, 0, 4},
     "\"name\":\"Error Cause Indication\",\"correlation\":1,\"causes\":[{\"type\":162,\"length\":4,\"name\":\"Request "
     "to Delete Source IP Address\",\"parameter_bytes\":0}]"},
    {0xc004, 4, {0, 0, 0, 1}, "\"name\":\"Set Primary Address\",\"correlation\":1,\"parameters\":[]"},
    {0xc005, 4, {0, 0, 0, 1}, "\"name\":\"Success Indication\",\"correlation\":1"},
    {0xc006, 4, {0, 0, 0, 1}, "\"name\":\"Adaptation Layer Indication\",\"indication\":1"},
    {0x7fff, 5, {0}, NULL}, /* unknown */
};

static const struct {
    uint16_t type;
    size_t bytes;
    uint8_t value[20];
    const char *json;
} causes[] = {
    {1, 4, {0, 9, 0, 0}, "\"name\":\"Invalid Stream Identifier\",\"sid\":9"},
    {2, 8, {0, 0, 0, 2, 0, 7, 0, 8}, "\"name\":\"Missing Mandatory Parameter\",\"count\":2,\"parameter_types\":[7,8]"},
    {3, 4, {0, 0, 0, 5}, "\"name\":\"Stale Cookie\",\"staleness_us\":5"},
    {4, 0, {0}, "\"name\":\"Out of Resource\""},
    {5,
     8,
     {0, 5, 0, 8, 10, 0, 0, 1},
     "\"name\":\"Unresolvable Address\",\"parameters\":[{\"type\":5,\"length\":8,\"name\":\"IPv4 "
     "Address\",\"address\":\"10.0.0.1\"}]"},
    {6, 4, {63, 0, 0, 4}, "\"name\":\"Unrecognized Chunk Type\",\"chunk_bytes\":4"},
    {7, 0, {0}, "\"name\":\"Invalid Mandatory Parameter\""},
    {8,
     4,
     {0xc0, 0, 0, 4},
     "\"name\":\"Unrecognized Parameters\",\"parameters\":[{\"type\":49152,\"length\":4,\"name\":\"Forward-TSN-"
     "Supported\"}]"},
    {9, 4, {0xff, 0xff, 0xff, 0xff}, "\"name\":\"No User Data\",\"tsn\":4294967295"},
    {10, 0, {0}, "\"name\":\"Cookie Received While Shutting Down\""},
    {11, 0, {0}, "\"name\":\"Restart of an Association with New Addresses\",\"parameters\":[]"},
    {12, 4, "why", "\"name\":\"User-Initiated Abort\",\"reason_bytes\":4"},
    {13, 3, "odd", "\"name\":\"Protocol Violation\",\"information_bytes\":3"},
    {0xa0, 8, {0}, "\"name\":\"Request to Delete Last Remaining IP Address\",\"parameter_bytes\":8"},
    {0xa1, 8, {0}, "\"name\":\"Operation Refused Due to Resource Shortage\",\"parameter_bytes\":8"},
    {0xa2, 8, {0}, "\"name\":\"Request to Delete Source IP Address\",\"parameter_bytes\":8"},
    {0xa3, 8, {0}, "\"name\":\"Association Aborted Due to Illegal ASCONF-ACK\",\"parameter_bytes\":8"},
    {0xa4, 8, {0}, "\"name\":\"Request Refused - No Authorization\",\"parameter_bytes\":8"},
    {0x105, 2, {0, 2}, "\"name\":\"Unsupported HMAC Identifier\",\"hmac\":2"},
    {999, 1, {0}, NULL},
};

static void check_element(uint8_t chunk_type, const char *before, const char *list, uint16_t type,
                          const struct bytes *value, const char *json)
{
    struct bytes chunk = one_element(chunk_type, type, value);
    char expected[600];
    snprintf(expected, sizeof expected, "{%s\"%s\":[{\"type\":%u,\"length\":%zu%s%s}]}", before, list, type,
             value->length + 4, json ? "," : "", json ? json : "");
    check_json(&chunk, expected);
}

static void every_parameter_shows_its_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct bytes value = {0};
        put(&value, parameters[i].value, parameters[i].bytes);
        check_element(SR_CHUNK_INIT, INIT_FIELDS ",", "parameters", parameters[i].type, &value, parameters[i].json);
        check_element(SR_CHUNK_HEARTBEAT, "", "parameters", parameters[i].type, &value, parameters[i].json);
        check_element(SR_CHUNK_RE_CONFIG, "", "parameters", parameters[i].type, &value, parameters[i].json);
    }
}

static void every_cause_shows_its_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        struct bytes value = {0};
        put(&value, causes[i].value, causes[i].bytes);
        check_element(SR_CHUNK_ABORT, "", "causes", causes[i].type, &value, causes[i].json);
        check_element(SR_CHUNK_ERROR, "", "causes", causes[i].type, &value, causes[i].json);
    }
}

static void an_address_that_is_too_short_is_null(void **state)
{
    (void)state;
    struct bytes value = {0};
    put_zeros(&value, 3);
    check_element(SR_CHUNK_HEARTBEAT, "", "parameters", 5, &value, "\"name\":\"IPv4 Address\",\"address\":null");
    put_zeros(&value, 12);
    check_element(SR_CHUNK_HEARTBEAT, "", "parameters", 6, &value, "\"name\":\"IPv6 Address\",\"address\":null");
}

static void an_element_shorter_than_its_fixed_fields_shows_those_that_it_has(void **state)
{
    (void)state;
    struct bytes value = {0};
    put32s(&value, 2, 1u, 2u);
    put16(&value, 0);
    check_element(SR_CHUNK_RE_CONFIG, "", "parameters", 13, &value,
                  "\"name\":\"Outgoing SSN Reset Request\",\"request\":1,\"response\":2");
    value.length = 3;
    check_element(SR_CHUNK_RE_CONFIG, "", "parameters", 13, &value, "\"name\":\"Outgoing SSN Reset Request\"");
}

static void several_elements_are_separated(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_INIT, 0);
    put_init_fields(&chunk);
    end_element(&chunk, begin_element(&chunk, 0xc000));
    end_element(&chunk, begin_element(&chunk, 0x8008));
    end_element(&chunk, begin_element(&chunk, 0x8000));
    end_chunk(&chunk, start);
    check_json(&chunk,
               "{" INIT_FIELDS ",\"parameters\":[{\"type\":49152,\"length\":4,\"name\":\"Forward-TSN-Supported\"},"
               "{\"type\":32776,\"length\":4,\"name\":\"Supported Extensions\",\"chunk_types\":[]},"
               "{\"type\":32768,\"length\":4,\"name\":\"ECN Capable\"}]}");
}

static void a_broken_list_says_so_behind_what_it_had(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_ERROR, 0);
    end_element(&chunk, begin_element(&chunk, 4));
    put16s(&chunk, 2, 4u, 3u);
    end_chunk(&chunk, start);
    check_json(&chunk, "{\"causes\":[{\"type\":4,\"length\":4,\"name\":\"Out of Resource\"},{\"broken\":true}]}");

    struct bytes only = plain_chunk(SR_CHUNK_ERROR, "xy");
    check_json(&only, "{\"causes\":[{\"broken\":true}]}");

    /* Inside an element it is the inner list that is broken. */
    struct bytes value = {0};
    put16(&value, 5);
    check_element(SR_CHUNK_HEARTBEAT, "", "parameters", 8, &value,
                  "\"name\":\"Unrecognized Parameter\",\"parameters\":[{\"broken\":true}]");
}

static void a_list_that_the_capture_cuts_is_not_broken(void **state)
{
    (void)state;
    struct bytes value = {0};
    put_zeros(&value, 4);
    struct bytes chunk = one_element(SR_CHUNK_HEARTBEAT, 5, &value);
    for (size_t captured = 4; captured < 8; captured++)
        check_cut(&chunk, captured, "{\"parameters\":[]}", true);
    for (size_t captured = 8; captured < 12; captured++)
        check_cut(&chunk, captured,
                  "{\"parameters\":[{\"type\":5,\"length\":8,\"name\":\"IPv4 Address\",\"address\":null}]}", true);
}

static void a_chunk_cut_inside_its_fields_shows_those_that_were_captured(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_INIT, 0);
    put_init_fields(&chunk);
    end_chunk(&chunk, start);
    static const char *const seen[] = {
        [4] = "{\"parameters\":[]}",
        [8] = "{\"init_tag\":3735928559,\"parameters\":[]}",
        [12] = "{\"init_tag\":3735928559,\"a_rwnd\":65536,\"parameters\":[]}",
        [14] = "{\"init_tag\":3735928559,\"a_rwnd\":65536,\"out_streams\":10,\"parameters\":[]}",
        [16] = "{\"init_tag\":3735928559,\"a_rwnd\":65536,\"out_streams\":10,\"in_streams\":65535,\"parameters\":[]}",
        [20] = "{" INIT_FIELDS ",\"parameters\":[]}",
    };
    const char *now = NULL;
    for (size_t captured = 4; captured <= 20; captured++) {
        now = seen[captured] ? seen[captured] : now;
        check_cut(&chunk, captured, now, true);
    }
}

static void a_chunk_shorter_than_its_fixed_fields_is_short_and_shows_those_that_it_has(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_INIT, 0);
    put_init_fields(&chunk);
    end_chunk(&chunk, start);
    set16(&chunk, 2, 15);
    check_cut(&chunk, 15, "{\"init_tag\":3735928559,\"a_rwnd\":65536,\"out_streams\":10}", false);
    check_cut(&chunk, 9, "{\"init_tag\":3735928559}", false);
    set16(&chunk, 2, 4);
    check_cut(&chunk, 4, "{}", false);
}

static void a_parameter_in_a_parameter_is_followed_four_deep(void **state)
{
    (void)state;
    struct bytes value = {0};
    for (int depth = 0; depth < 6; depth++) {
        struct bytes outer = {0};
        size_t start = begin_element(&outer, 8);
        put(&outer, value.at, value.length);
        end_element(&outer, start);
        value = outer;
    }
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_HEARTBEAT, 0);
    put(&chunk, value.at, value.length);
    end_chunk(&chunk, start);
#define NESTED(length) "{\"type\":8,\"length\":" length ",\"name\":\"Unrecognized Parameter\",\"parameters\":["
    check_json(&chunk, "{\"parameters\":[" NESTED("24") NESTED("20") NESTED("16") NESTED("12") "]}]}]}]}]}");
#undef NESTED
}

static void the_deepest_nesting_of_the_largest_chunk_is_valid(void **state)
{
    (void)state;
    /* Sixteen thousand parameters, each said to hold all that follow. */
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_HEARTBEAT, 0);
    while (chunk.length < 65532)
        put16s(&chunk, 2, 8u, (uint32_t)(65532 - chunk.length));
    end_chunk(&chunk, start);
    struct sr_buffer out = {0};
    struct sr_chunk whole = {chunk.at[0], 0, (uint16_t)chunk.length, chunk.at, (uint32_t)chunk.length};
    assert_true(sr_chunk_json(&whole, &out));
    assert_true(is_json_object((const char *)out.bytes, out.length));
    sr_buffer_free(&out);
}

/* Whatever a chunk holds and wherever it is cut, what comes out is one JSON object. */
static void json_is_valid_for_every_type_and_every_cut(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 40; round++) {
        for (int type = 0; type < 256; type++) {
            struct bytes chunk = {0};
            size_t start = begin_chunk(&chunk, (uint8_t)type, 0);
            while (chunk.length < 60) {
                random = random * 1103515245 + 12345;
                static const uint16_t likely[] = {0, 4, 8, 5, 6, 12, 0xc001, 0xc003, 0x8008, 13, 2, 16};
                put16(&chunk, random >> 16 & 1 ? likely[(random >> 17) % 12] : random >> 20);
            }
            end_chunk(&chunk, start);
            for (size_t captured = 4; captured <= 60; captured++) {
                uint8_t *bytes = exact(chunk.at, captured);
                struct sr_chunk cut = {(uint8_t)type, 0, 60, bytes, (uint32_t)captured};
                struct sr_buffer out = {0};
                assert_true(sr_chunk_json(&cut, &out));
                assert_int_equal(out.length > 0, sr_chunk_layout((uint8_t)type) != NULL);
                assert_true(out.length == 0 || is_json_object((const char *)out.bytes, out.length));
                sr_buffer_free(&out);
                free_exact(bytes, captured);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_without_layout_has_no_json),
        cmocka_unit_test(a_chunk_without_fields_is_an_empty_object),
        cmocka_unit_test(cookies_keys_and_padding_appear_as_lengths),
        cmocka_unit_test(chunks_of_fixed_fields_show_them),
        cmocka_unit_test(a_forward_tsn_lists_the_streams_that_it_skips),
        cmocka_unit_test(a_dropped_packet_is_not_walked_into),
        cmocka_unit_test(every_parameter_shows_its_fields),
        cmocka_unit_test(every_cause_shows_its_fields),
        cmocka_unit_test(an_address_that_is_too_short_is_null),
        cmocka_unit_test(an_element_shorter_than_its_fixed_fields_shows_those_that_it_has),
        cmocka_unit_test(several_elements_are_separated),
        cmocka_unit_test(a_broken_list_says_so_behind_what_it_had),
        cmocka_unit_test(a_list_that_the_capture_cuts_is_not_broken),
        cmocka_unit_test(a_chunk_cut_inside_its_fields_shows_those_that_were_captured),
        cmocka_unit_test(a_chunk_shorter_than_its_fixed_fields_is_short_and_shows_those_that_it_has),
        cmocka_unit_test(a_parameter_in_a_parameter_is_followed_four_deep),
        cmocka_unit_test(the_deepest_nesting_of_the_largest_chunk_is_valid),
        cmocka_unit_test(json_is_valid_for_every_type_and_every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
