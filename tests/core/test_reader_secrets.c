/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the capture file reader: the decryption secrets that it keeps. */
#include "capture_file.h"

static void put_secrets(struct file *file, uint32_t type, uint32_t length)
{
    size_t start = begin_block(file, 10);
    file32(file, type);
    file32(file, length);
    memset(sr_buffer_extend(&file->bytes, length), (int)type, length);
    end_block(file, start);
}

static void secrets_are_kept_up_to_their_limit(void **state)
{
    (void)state;
    struct file file = {0};
    put_section(&file);
    put_secrets(&file, 1, 5);
    put_secrets(&file, 2, 0);
    put_secrets(&file, 3, 1000000);
    put_secrets(&file, 4, 100000); /* too many together */
    put_secrets(&file, 5, 1);
    struct outcome outcome;
    struct sr_reader *reader = read_file(file.bytes.bytes, file.bytes.length, 1000, &outcome);
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    check_totals(outcome.totals, (struct sr_reader_totals){.bytes = file.bytes.length, .sections = 1, .secrets = 5});
    static const uint32_t kept[][2] = {{1, 5}, {2, 0}, {3, 1000000}, {5, 1}};
    for (size_t i = 0; i < 4; i++) {
        uint32_t type, length;
        const uint8_t *bytes = sr_reader_secrets(reader, i, &type, &length);
        assert_non_null(bytes);
        assert_int_equal(type, kept[i][0]);
        assert_int_equal(length, kept[i][1]);
        for (uint32_t j = 0; j < length; j++)
            assert_true(bytes[j] == type);
    }
    uint32_t type, length;
    assert_null(sr_reader_secrets(reader, 4, &type, &length));
    sr_reader_free(reader);
    sr_buffer_free(&file.bytes);
}

/* Found by fuzzing: nothing may be added to the address of what was never allocated. */
static void a_file_without_secrets_has_none(void **state)
{
    (void)state;
    struct sr_reader *reader = sr_reader_new();
    uint32_t type, length;
    assert_null(sr_reader_secrets(reader, 0, &type, &length));
    assert_null(sr_reader_secrets(reader, 7, &type, &length));
    sr_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_kept_up_to_their_limit),
        cmocka_unit_test(a_file_without_secrets_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
