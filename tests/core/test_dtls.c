/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the parts that need no cipher: lines of key logs, cipher suites, where records end, hellos in fragments,
 * what a relay carries. */
#include "bytes_builder.h"

#include <stdio.h>

#include "dtls/dtls.h"
#include "dtls/keylog.h"
#include "dtls/messages.h"
#include "dtls/record.h"
#include "dtls/relay.h"
#include "dtls/suites.h"

static const char random_1[] = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
static const char secret_32[] = "aBABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABab";

static void add_text(struct sr_key_log *log, const char *text)
{
    uint8_t *bytes = exact((const uint8_t *)text, strlen(text));
    assert_true(sr_key_log_add(log, bytes, strlen(text)));
    free_exact(bytes, strlen(text));
}

static const struct sr_secret *found(const struct sr_key_log *log, enum sr_key_label label)
{
    uint8_t random[SR_RANDOM_LENGTH];
    for (uint8_t i = 0; i < SR_RANDOM_LENGTH; i++)
        random[i] = (uint8_t)(i + 1);
    return sr_key_log_find(log, label, random);
}

static void lines_of_a_key_log_are_found_by_label_and_random(void **state)
{
    (void)state;
    struct sr_key_log *log = sr_key_log_new();
    char text[1024];
    assert_null(found(log, SR_KEY_MASTER));
    snprintf(text, sizeof text,
             "# comment\r\n\nCLIENT_HANDSHAKE_TRAFFIC_SECRET %s %s\nCLIENT_TRAFFIC_SECRET_0 %s %s \r\nRSA 00 00\n",
             random_1, secret_32, random_1, secret_32);
    add_text(log, text);
    assert_null(found(log, SR_KEY_MASTER));
    assert_null(found(log, SR_KEY_SERVER_TRAFFIC));
    const struct sr_secret *secret = found(log, SR_KEY_CLIENT_TRAFFIC);
    assert_non_null(secret);
    assert_int_equal(secret->length, 32);
    assert_int_equal(secret->bytes[0], 0xab);
    assert_int_equal(secret->bytes[31], 0xab);
    assert_int_equal(sr_key_log_secrets(log), 1);
    snprintf(text, sizeof text, "CLIENT_TRAFFIC_SECRET_0 %s 0011",
             random_1); /* without a line's end; the later counts */
    add_text(log, text);
    assert_int_equal(found(log, SR_KEY_CLIENT_TRAFFIC)->length, 2);
    assert_int_equal(sr_key_log_secrets(log), 2);
    sr_key_log_free(log);
}

static void what_is_no_line_of_a_key_log_is_passed_over(void **state)
{
    (void)state;
    static const char *const wrong[] = {"CLIENT_RANDOM",          "CLIENT_RANDOM ",       "CLIENT_RANDOM 01 02",
                                        "client_random %s 00",    "CLIENT_RANDOM %s",     "CLIENT_RANDOM %s ",
                                        "CLIENT_RANDOM %s 0",     "CLIENT_RANDOM %s 0g",  "CLIENT_RANDOM %s 00 00",
                                        "CLIENT_RANDOM %s%s 00",  " CLIENT_RANDOM %s 00", "CLIENT_RANDOM  %s 00",
                                        "CLIENT_RANDOM %s 00%s%s"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sr_key_log *log = sr_key_log_new();
        char text[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, wrong[i], random_1, random_1, random_1);
#pragma GCC diagnostic pop
        add_text(log, text);
        assert_int_equal(sr_key_log_secrets(log), 0);
        sr_key_log_free(log);
    }
}

static void a_key_log_keeps_many_secrets_and_no_more_than_its_limit(void **state)
{
    (void)state;
    struct sr_key_log *log = sr_key_log_new();
    char text[128];
    for (uint32_t i = 0; i < SR_KEY_LOG_LIMIT + 100; i++) {
        snprintf(text, sizeof text, "CLIENT_RANDOM %08x%056x %02x", i, 0u, i & 0xff);
        assert_true(sr_key_log_add(log, (const uint8_t *)text, strlen(text)));
    }
    uint8_t random[SR_RANDOM_LENGTH] = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < SR_KEY_LOG_LIMIT + 100; i++) {
        for (int j = 0; j < 4; j++)
            random[j] = (uint8_t)(i >> (24 - 8 * j));
        const struct sr_secret *secret = sr_key_log_find(log, SR_KEY_MASTER, random);
        kept += secret != NULL;
        assert_true(!secret || secret->bytes[0] == (i & 0xff));
    }
    assert_in_range(kept, SR_KEY_LOG_LIMIT - SR_KEY_LOG_LIMIT / 1000, SR_KEY_LOG_LIMIT);
    sr_key_log_free(log);
}

static void every_suite_is_found_by_its_number(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (uint32_t id = 0; id <= UINT16_MAX; id++) {
        const struct sr_suite *suite = sr_suite_of((uint16_t)id);
        if (!suite)
            continue;
        count++;
        assert_int_equal(suite->id, id);
        assert_true(suite->key_length == 16 || suite->key_length == 32);
    }
    assert_int_equal(count, 72);
    assert_int_equal(sr_suite_of(0xc02b)->key_length, 16);
    assert_int_equal(sr_suite_of(0x1302)->hash, SR_HASH_SHA384);
}

static bool take_record(const struct bytes *datagram, uint32_t cut, uint8_t id_length, struct sr_dtls_record *record,
                        uint32_t *rest)
{
    size_t captured = datagram->length - cut;
    uint8_t *bytes = exact(datagram->at, captured);
    struct sr_cursor cursor = sr_cursor(bytes, (uint32_t)captured, (uint32_t)datagram->length);
    bool taken = sr_dtls_record(&cursor, id_length, record);
    *rest = cursor.captured;
    free_exact(bytes, captured);
    return taken;
}

static void records_of_dtls_1_2_end_where_their_length_says(void **state)
{
    (void)state;
    struct bytes datagram = {0};
    struct sr_dtls_record record;
    uint32_t rest;
    put8(&datagram, 23);
    put16s(&datagram, 2, 0xfefdu, 1u);
    put16s(&datagram, 4, 0u, 1u, 2u, 3u); /* sequence number 0x100020000 + …, then the length */
    put(&datagram, "abcdef", 6);
    assert_true(take_record(&datagram, 0, 5, &record, &rest));
    assert_int_equal(record.epoch, 1);
    assert_int_equal(record.sequence, 0x10002);
    assert_int_equal(record.length, 3);
    assert_int_equal(record.id_length, 0);
    assert_int_equal(rest, 3);
    assert_false(record.cut);
    assert_true(take_record(&datagram, 4, 0, &record, &rest));
    assert_true(record.cut);
    assert_int_equal(rest, 0);
    assert_false(take_record(&datagram, 7, 0, &record, &rest));
    datagram.at[12] = 7;
    assert_false(take_record(&datagram, 0, 0, &record, &rest)); /* more than there is */
    datagram.at[0] = 25;
    datagram.at[14] = 4; /* a connection ID of two bytes in front of the length */
    datagram.at[13] = 0;
    assert_true(take_record(&datagram, 0, 2, &record, &rest));
    assert_int_equal(record.id_length, 2);
    assert_int_equal(record.length, 4);
    assert_int_equal(rest, 0);
    datagram.at[1] = 0xfd;
    assert_false(take_record(&datagram, 0, 2, &record, &rest));
}

static void unified_headers_have_what_their_first_byte_says(void **state)
{
    (void)state;
    static const struct {
        uint8_t first;
        uint32_t header, length, bits;
    } cases[] = {{0x20, 2, 28, 8},  {0x2b, 3, 27, 16}, {0x25, 4, 20, 8},
                 {0x2e, 5, 20, 16}, {0x3f, 8, 20, 16}, {0x31, 5, 25, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bytes datagram = {0};
        struct sr_dtls_record record;
        uint32_t rest;
        for (uint32_t j = 0; j < 30; j++)
            put8(&datagram, 0);
        datagram.at[0] = cases[i].first;
        if (cases[i].first & 0x04)
            datagram.at[cases[i].header - 1] = 20;
        assert_true(take_record(&datagram, 0, 3, &record, &rest));
        assert_true(record.unified);
        assert_int_equal(record.header_length, cases[i].header);
        assert_int_equal(record.length, cases[i].length);
        assert_int_equal(record.bits, cases[i].bits);
        assert_int_equal(record.epoch, cases[i].first & 3);
        assert_int_equal(rest, 30 - cases[i].header - cases[i].length);
    }
}

static void put_fragment(struct bytes *to, uint16_t sequence, uint32_t length, uint32_t from, uint32_t count)
{
    put8(to, SR_CLIENT_HELLO);
    put8(to, length >> 16);
    put16s(to, 2, length & 0xffff, (uint32_t)sequence);
    put8(to, from >> 16);
    put16(to, from);
    put8(to, count >> 16);
    put16(to, count);
    for (uint32_t i = 0; i < count; i++)
        put8(to, from + i);
}

static bool whole(struct sr_messages *messages, uint64_t flow, const struct bytes *record)
{
    const uint8_t *at = record->at;
    struct sr_message message;
    if (!sr_messages_next(messages, flow, &at, record->at + record->length, &message))
        return false;
    for (uint32_t i = 0; i < message.length; i++)
        assert_int_equal(message.body[i], i & 0xff);
    return true;
}

static void hellos_are_put_together_by_flow_and_sequence(void **state)
{
    (void)state;
    struct sr_messages *messages = sr_messages_new();
    struct bytes begin = {0}, middle = {0}, end = {0}, other = {0};
    put_fragment(&begin, 1, 300, 0, 120);
    put_fragment(&middle, 1, 300, 100, 101);
    put_fragment(&end, 1, 300, 200, 100);
    put_fragment(&other, 2, 300, 0, 300);
    assert_false(whole(messages, 7, &end));
    assert_false(whole(messages, 7, &end));
    assert_false(whole(messages, 8, &begin));
    assert_false(whole(messages, 7, &middle));
    assert_true(whole(messages, 7, &other));
    assert_true(whole(messages, 7, &begin));
    assert_false(whole(messages, 7, &begin)); /* it begins again */
    assert_int_equal(sr_messages_given_up(messages), 0);
    for (uint64_t flow = 100; flow < 140; flow++)
        assert_false(whole(messages, flow, &begin));
    assert_int_equal(sr_messages_given_up(messages), 10);
    sr_messages_free(messages);
}

static void fragments_that_contradict_themselves_are_none(void **state)
{
    (void)state;
    struct sr_messages *messages = sr_messages_new();
    struct bytes beyond = {0}, longest = {0}, cut = {0};
    put_fragment(&beyond, 1, 10, 8, 3);
    put_fragment(&longest, 1, 16385, 0, 3);
    put_fragment(&cut, 1, 10, 0, 10);
    cut.length--;
    assert_false(whole(messages, 7, &beyond));
    assert_false(whole(messages, 7, &longest));
    assert_false(whole(messages, 7, &cut));
    sr_messages_free(messages);
}

static void relays_carry_datagrams_in_channels_and_indications(void **state)
{
    (void)state;
    struct bytes channel = {0}, indication = {0}, binding = {0};
    put16s(&channel, 2, 0x4000u, 3u);
    put(&channel, "abcd", 4);
    struct sr_cursor inside = sr_relayed(sr_cursor(channel.at, 8, 8));
    assert_ptr_equal(inside.bytes, channel.at + 4);
    assert_int_equal(inside.wire, 3);
    inside = sr_relayed(sr_cursor(channel.at, 6, 6)); /* says more than there is */
    assert_ptr_equal(inside.bytes, channel.at);
    put16s(&indication, 2, 0x0017u, 16u);
    put32s(&indication, 4, 0x2112a442u, 1u, 2u, 3u);
    put16s(&indication, 2, 0x0012u, 3u);
    put(&indication, "peer", 4);
    put16s(&indication, 2, 0x0013u, 2u);
    put(&indication, "abcd", 4);
    inside = sr_relayed(sr_cursor(indication.at, 36, 36));
    assert_ptr_equal(inside.bytes, indication.at + 32);
    assert_int_equal(inside.wire, 2);
    for (uint32_t cut = 1; cut < 36; cut++) {
        uint8_t *bytes = exact(indication.at, 36 - cut);
        inside = sr_relayed(sr_cursor(bytes, 36 - cut, 36));
        assert_true(inside.captured <= 36 - cut);
        free_exact(bytes, 36 - cut);
    }
    binding = indication;
    binding.at[1] = 1;
    inside = sr_relayed(sr_cursor(binding.at, 36, 36));
    assert_ptr_equal(inside.bytes, binding.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_key_log_are_found_by_label_and_random),
        cmocka_unit_test(what_is_no_line_of_a_key_log_is_passed_over),
        cmocka_unit_test(a_key_log_keeps_many_secrets_and_no_more_than_its_limit),
        cmocka_unit_test(every_suite_is_found_by_its_number),
        cmocka_unit_test(records_of_dtls_1_2_end_where_their_length_says),
        cmocka_unit_test(unified_headers_have_what_their_first_byte_says),
        cmocka_unit_test(hellos_are_put_together_by_flow_and_sequence),
        cmocka_unit_test(fragments_that_contradict_themselves_are_none),
        cmocka_unit_test(relays_carry_datagrams_in_channels_and_indications),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
