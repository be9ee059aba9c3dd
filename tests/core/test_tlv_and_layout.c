/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the walk over parameters and causes, and of the tables that say what each holds. */
#include "bytes_builder.h"

#include "wire/layout.h"
#include "wire/tlv.h"

struct expected {
    uint16_t type, length;
    size_t offset; /* of the value */
    uint32_t captured;
};

static void check_walk(const struct bytes *from, size_t captured, uint32_t wire, const struct expected *expected,
                       size_t count, bool broken)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_tlv_walk walk = sr_tlv_walk(bytes, (uint32_t)captured, wire);
    struct sr_tlv tlv;
    for (size_t i = 0; i < count; i++) {
        assert_true(sr_tlv_next(&walk, &tlv));
        assert_int_equal(tlv.type, expected[i].type);
        assert_int_equal(tlv.length, expected[i].length);
        assert_ptr_equal(tlv.value, bytes + expected[i].offset);
        assert_int_equal(tlv.captured, expected[i].captured);
        assert_false(walk.broken);
    }
    assert_false(sr_tlv_next(&walk, &tlv));
    assert_int_equal(walk.broken, broken);
    free_exact(bytes, captured);
}

#define CHECK_WALK(broken, from, captured, wire, ...)                                                                  \
    check_walk(from, captured, wire, (const struct expected[]){__VA_ARGS__},                                           \
               sizeof(const struct expected[]){__VA_ARGS__} / sizeof(struct expected), broken)

static void put_element(struct bytes *to, uint16_t type, size_t count)
{
    size_t start = begin_element(to, type);
    put_zeros(to, count);
    end_element(to, start);
}

static void nothing_holds_no_element(void **state)
{
    (void)state;
    struct bytes none = {0};
    check_walk(&none, 0, 0, NULL, 0, false);
}

static void elements_follow_one_another_at_multiples_of_four(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put_element(&list, 0x8008, 3);
    put_element(&list, 0xc000, 0);
    CHECK_WALK(false, &list, 20, 20, {5, 8, 4, 4}, {0x8008, 7, 12, 3}, {0xc000, 4, 20, 0});
}

static void the_padding_of_the_last_element_may_be_missing(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put_element(&list, 0x8008, 1);
    for (uint32_t wire = 13; wire <= 16; wire++)
        CHECK_WALK(false, &list, wire, wire, {5, 8, 4, 4}, {0x8008, 5, 12, 1});
}

static void one_to_three_bytes_left_are_no_element(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put_zeros(&list, 3);
    for (uint32_t wire = 9; wire <= 11; wire++)
        for (size_t captured = 8; captured <= wire; captured++)
            CHECK_WALK(true, &list, captured, wire, {5, 8, 4, 4});
}

static void a_length_below_the_header_is_no_element(void **state)
{
    (void)state;
    for (uint32_t length = 0; length < 4; length++) {
        struct bytes list = {0};
        put_element(&list, 5, 4);
        put16s(&list, 4, 6u, length, 0u, 0u);
        CHECK_WALK(true, &list, 16, 16, {5, 8, 4, 4});
    }
}

static void an_element_beyond_the_end_is_no_element(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put16s(&list, 4, 6u, 9u, 0u, 0u);
    CHECK_WALK(true, &list, 16, 16, {5, 8, 4, 4});
    CHECK_WALK(true, &list, 12, 16, {5, 8, 4, 4});
    CHECK_WALK(false, &list, 16, 17, {5, 8, 4, 4}, {6, 9, 12, 4});
}

/* What the capture cuts off is unseen, not broken. */
static void a_cut_list_shows_what_was_captured(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put_element(&list, 6, 16);
    for (size_t captured = 0; captured < 4; captured++)
        check_walk(&list, captured, 28, NULL, 0, false);
    for (size_t captured = 4; captured < 8; captured++)
        CHECK_WALK(false, &list, captured, 28, {5, 8, 4, (uint32_t)captured - 4});
    for (size_t captured = 8; captured < 12; captured++)
        CHECK_WALK(false, &list, captured, 28, {5, 8, 4, 4});
    for (size_t captured = 12; captured <= 28; captured++)
        CHECK_WALK(false, &list, captured, 28, {5, 8, 4, 4}, {6, 20, 12, (uint32_t)captured - 12});
}

static void more_captured_than_there_was_is_not_read(void **state)
{
    (void)state;
    struct bytes list = {0};
    put_element(&list, 5, 4);
    put_element(&list, 6, 16);
    CHECK_WALK(false, &list, 28, 8, {5, 8, 4, 4});
}

/* ---- layouts ---- */

static void check_layout(const struct sr_layout *layout, uint16_t type)
{
    assert_int_equal(layout->type, type);
    assert_non_null(layout->name);
    assert_int_equal(layout->rest_name == NULL, layout->rest == SR_REST_NOTHING);
    assert_true(layout->rest <= SR_REST_IPV6);
    for (int i = 0; i < SR_LAYOUT_FIELDS && layout->fields[i].name; i++) {
        const struct sr_field *field = &layout->fields[i];
        assert_true(field->bytes == 2 || field->bytes == 4);
        if (i > 0)
            assert_true(field->offset >= field[-1].offset + field[-1].bytes);
        /* A field that the fixed ones do not include is optional, and nothing can follow it. */
        if (field->offset + field->bytes > layout->fixed)
            assert_int_equal(layout->rest, SR_REST_NOTHING);
        /* Names become names of one JSON object. */
        assert_string_not_equal(field->name, "type");
        assert_string_not_equal(field->name, "length");
        assert_string_not_equal(field->name, "name");
        for (int j = 0; j < i; j++)
            assert_string_not_equal(field->name, layout->fields[j].name);
        if (layout->rest_name)
            assert_string_not_equal(field->name, layout->rest_name);
    }
    for (const char *at = layout->name; *at; at++)
        assert_true(*at >= ' ' && *at <= '~' && *at != '"' && *at != '\\');
}

static void every_layout_is_consistent(void **state)
{
    (void)state;
    int chunks = 0, parameters = 0, causes = 0;
    for (uint32_t type = 0; type <= 0xffff; type++) {
        const struct sr_layout *layout = type < 256 ? sr_chunk_layout((uint8_t)type) : NULL;
        if (layout) {
            check_layout(layout, (uint16_t)type);
            assert_string_equal(layout->name, sr_chunk_type_name((uint8_t)type));
            chunks++;
        }
        if ((layout = sr_parameter_layout((uint16_t)type))) {
            check_layout(layout, (uint16_t)type);
            parameters++;
        }
        if ((layout = sr_cause_layout((uint16_t)type))) {
            check_layout(layout, (uint16_t)type);
            causes++;
        }
    }
    assert_int_equal(chunks, 20);
    assert_int_equal(parameters, 28);
    assert_int_equal(causes, 19);
}

static void chunks_with_a_table_of_their_own_have_no_layout(void **state)
{
    (void)state;
    static const uint8_t own[] = {SR_CHUNK_DATA, SR_CHUNK_I_DATA, SR_CHUNK_SACK, SR_CHUNK_NR_SACK, SR_CHUNK_SHUTDOWN};
    for (size_t i = 0; i < sizeof own; i++)
        assert_null(sr_chunk_layout(own[i]));
    for (int type = 0; type < 256; type++)
        if (!sr_chunk_type_name((uint8_t)type))
            assert_null(sr_chunk_layout((uint8_t)type));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_holds_no_element),
        cmocka_unit_test(elements_follow_one_another_at_multiples_of_four),
        cmocka_unit_test(the_padding_of_the_last_element_may_be_missing),
        cmocka_unit_test(one_to_three_bytes_left_are_no_element),
        cmocka_unit_test(a_length_below_the_header_is_no_element),
        cmocka_unit_test(an_element_beyond_the_end_is_no_element),
        cmocka_unit_test(a_cut_list_shows_what_was_captured),
        cmocka_unit_test(more_captured_than_there_was_is_not_read),
        cmocka_unit_test(every_layout_is_consistent),
        cmocka_unit_test(chunks_with_a_table_of_their_own_have_no_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
