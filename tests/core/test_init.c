/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what an INIT says of its sender's stack: its parameters in order, and its list of chunk types. */
#include "bytes_builder.h"

#include "wire/init.h"

enum { IPV4 = 5, IPV6 = 6, RANDOM = 0x8002 };

static void put_parameter(struct bytes *to, uint32_t type, uint32_t count, const uint8_t *value)
{
    size_t start = begin_element(to, (uint16_t)type);
    put(to, value, count);
    end_element(to, start);
}

/* A packet up to the parameters of its only chunk: a tag, a window, streams, the initial TSN. */
static size_t begin_init(struct bytes *to)
{
    put_common_header(to, 1, 2, 0);
    size_t start = begin_chunk(to, SR_CHUNK_INIT, 0);
    put32s(to, 2, 7u, 100000u);
    put16s(to, 2, 3u, 4u);
    put32(to, 1);
    return start;
}

static struct sr_init read_init(struct bytes *bytes, size_t start)
{
    end_chunk(bytes, start);
    uint8_t *copy = exact(bytes->at, bytes->length);
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;
    struct sr_init init;
    sr_chunk_walk_begin(&walk, copy, (uint32_t)bytes->length, (uint32_t)bytes->length);
    assert_int_equal(sr_chunk_next(&walk, &chunk), SR_CHUNK);
    assert_true(sr_init(&chunk, &init));
    free_exact(copy, bytes->length);
    return init;
}

static void parameters_are_those_of_the_chunk_in_its_order_but_addresses(void **state)
{
    (void)state;
    static const uint8_t zeros[16], list[] = {SR_CHUNK_RE_CONFIG, SR_CHUNK_FORWARD_TSN};
    struct bytes bytes = {0};
    size_t start = begin_init(&bytes);
    put_parameter(&bytes, SR_INIT_FORWARD_TSN, 0, NULL);
    put_parameter(&bytes, IPV4, 4, zeros);
    put_parameter(&bytes, SR_INIT_EXTENSIONS, sizeof list, list);
    put_parameter(&bytes, IPV6, 16, zeros);
    put_parameter(&bytes, SR_INIT_COOKIE, 8, zeros);
    struct sr_init init = read_init(&bytes, start);
    assert_int_equal(init.parameters, 3);
    assert_int_equal(init.parameter[0], SR_INIT_FORWARD_TSN);
    assert_int_equal(init.parameter[1], SR_INIT_EXTENSIONS);
    assert_int_equal(init.parameter[2], SR_INIT_COOKIE);
    assert_int_equal(init.addresses, 2);
    assert_int_equal(init.first_extension, SR_CHUNK_RE_CONFIG);
    assert_int_equal(init.features, 1u << SR_FEATURE_RE_CONFIG | 1u << SR_FEATURE_FORWARD_TSN);
}

static void without_a_list_of_chunk_types_there_is_no_first(void **state)
{
    (void)state;
    struct bytes bytes = {0}, empty = {0};
    size_t start = begin_init(&bytes);
    put_parameter(&bytes, SR_INIT_FORWARD_TSN, 0, NULL);
    assert_int_equal(read_init(&bytes, start).first_extension, 0);
    start = begin_init(&empty);
    put_parameter(&empty, SR_INIT_EXTENSIONS, 0, NULL);
    assert_int_equal(read_init(&empty, start).first_extension, 0);
}

static void all_parameters_are_counted_and_the_first_are_kept(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    size_t start = begin_init(&bytes);
    for (uint32_t i = 0; i <= SR_INIT_PARAMETERS; i++)
        put_parameter(&bytes, RANDOM + i, 0, NULL);
    struct sr_init init = read_init(&bytes, start);
    assert_int_equal(init.parameters, SR_INIT_PARAMETERS + 1);
    for (uint32_t i = 0; i < SR_INIT_PARAMETERS; i++)
        assert_int_equal(init.parameter[i], RANDOM + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_those_of_the_chunk_in_its_order_but_addresses),
        cmocka_unit_test(without_a_list_of_chunk_types_there_is_no_first),
        cmocka_unit_test(all_parameters_are_counted_and_the_first_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
