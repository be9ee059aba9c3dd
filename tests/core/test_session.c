/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the whole way from the bytes of a file to rows and totals. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep */

#include "bytes_builder.h"

#include <dirent.h>
#include <pthread.h>
#include <time.h>

#include "session.h"

enum { LINKTYPE_RAW = 101 };

static void put_pcap_header(struct bytes *file, uint32_t link_type)
{
    put32(file, 0xa1b2c3d4);
    put16s(file, 2, 2u, 4u);
    put32s(file, 4, 0u, 0u, 65535u, link_type);
}

static void put_record(struct bytes *file, uint32_t seconds, const struct bytes *frame)
{
    put32s(file, 4, seconds, 0u, (uint32_t)frame->length, (uint32_t)frame->length);
    put(file, frame->at, frame->length);
}

/* An IPv4 packet of `protocol`; `fragment` is its field of flags and offset. */
static struct bytes ip_of(uint8_t protocol, uint32_t fragment, const struct bytes *payload)
{
    struct bytes frame = {0};
    put16s(&frame, 4, 0x4500u, (uint32_t)(20 + payload->length), 9u, fragment);
    put32s(&frame, 3, 0x40000000u | (uint32_t)protocol << 16, 0x0a000001u, 0x0a000002u);
    put(&frame, payload->at, payload->length);
    return frame;
}

static struct bytes data_packet_of(uint32_t tsn, uint32_t bytes)
{
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_data(&packet, 3, tsn, 0, 0, 0, bytes);
    return packet;
}

static struct bytes data_packet(uint32_t tsn)
{
    return data_packet_of(tsn, 4);
}

static enum sr_reader_step feed(struct sr_session *session, const struct bytes *file, size_t most_rows)
{
    size_t room;
    uint8_t *space = sr_session_space(session, &room);
    assert_true(room >= file->length);
    memcpy(space, file->at, file->length);
    sr_session_filled(session, file->length);
    return sr_session_read(session, most_rows);
}

static struct sr_session *new_session(void)
{
    struct sr_session *session = sr_session_new(&(struct sr_engine_options){.tables = 1u << SR_TABLE_TRANSMISSIONS});
    assert_non_null(session);
    return session;
}

/* Judges; all rows, of which there are `count`. */
static const struct sr_transmission_row *judged(struct sr_session *session, size_t count)
{
    assert_true(sr_session_judge(session));
    assert_true(sr_session_hand_out(session, SIZE_MAX));
    const struct sr_buffer *rows = &sr_session_rows(session)->tables[SR_TABLE_TRANSMISSIONS];
    assert_int_equal(rows->length, count * sizeof(struct sr_transmission_row));
    return (const void *)rows->bytes;
}

/* The next batch is `count` rows from TSN `*tsn` on. */
static void check_batch(struct sr_session *session, uint32_t *tsn, uint32_t count)
{
    const struct sr_buffer *rows = &sr_session_rows(session)->tables[SR_TABLE_TRANSMISSIONS];
    const struct sr_transmission_row *row = (const void *)rows->bytes;
    assert_int_equal(rows->length, count * sizeof *row);
    for (uint32_t i = 0; i < count; i++, row++) {
        ++*tsn;
        assert_int_equal(row->frame, *tsn);
        assert_int_equal(row->tsn, *tsn);
        assert_int_equal(row->chunk, 0);
        assert_int_equal(row->time_ns, *tsn * INT64_C(1000000000));
    }
    sr_session_clear_rows(session);
}

static void judged_rows_come_in_batches_and_none_is_lost_between_them(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_pcap_header(&file, LINKTYPE_RAW);
    for (uint32_t tsn = 1; tsn <= 5; tsn++) {
        struct bytes packet = data_packet(tsn), frame = ip_of(132, 0, &packet);
        put_record(&file, tsn, &frame);
    }
    struct sr_session *session = new_session();
    assert_int_equal(feed(session, &file, 2), SR_READER_MORE);
    sr_session_filled(session, 0);
    assert_int_equal(sr_session_read(session, 2), SR_READER_END);
    for (int again = 0; again < 2; again++) {
        assert_true(sr_session_judge(session));
        uint32_t tsn = 0;
        for (int i = 0; i < 3; i++) {
            assert_true(sr_session_hand_out(session, 2));
            check_batch(session, &tsn, i < 2 ? 2 : 1);
        }
        assert_false(sr_session_hand_out(session, 2));
    }
    assert_int_equal(sr_engine_totals(sr_session_engine(session)).packets, 5);
    sr_session_free(session);
}

static void rows_of_chunks_come_while_the_file_is_read(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_pcap_header(&file, LINKTYPE_RAW);
    for (uint32_t tsn = 1; tsn <= 5; tsn++) {
        struct bytes packet = data_packet(tsn), frame = ip_of(132, 0, &packet);
        put_record(&file, tsn, &frame);
    }
    struct sr_session *session = sr_session_new(&(struct sr_engine_options){.tables = 1u << SR_TABLE_CHUNKS});
    assert_non_null(session);
    static const uint32_t batches[] = {2, 2, 1};
    for (int i = 0; i < 3; i++) {
        enum sr_reader_step step = i == 0 ? feed(session, &file, 2) : sr_session_read(session, 2);
        assert_int_equal(step, i < 2 ? SR_READER_RECORD : SR_READER_MORE);
        const struct sr_buffer *rows = &sr_session_rows(session)->tables[SR_TABLE_CHUNKS];
        assert_int_equal(rows->length, batches[i] * sizeof(struct sr_chunk_row));
        sr_session_clear_rows(session);
    }
    sr_session_free(session);
}

static void frames_without_sctp_are_counted_by_reason_with_the_first(void **state)
{
    (void)state;
    struct bytes file = {0}, packet = data_packet(1), empty = {0}, payload = {0};
    put_zeros(&payload, 16);
    struct bytes sctp = ip_of(132, 0, &packet), tcp = ip_of(6, 0, &payload), kept = ip_of(132, 0x2000, &payload);
    struct bytes malformed = tcp;
    malformed.at[0] = 0x41;
    put_pcap_header(&file, LINKTYPE_RAW);
    put_record(&file, 10, &sctp);
    put_record(&file, 9, &tcp);
    put_record(&file, 11, &kept);
    put_record(&file, 11, &malformed);
    put_record(&file, 2, &tcp);
    put_record(&file, 3, &empty);
    struct sr_session *session = new_session();
    assert_int_equal(feed(session, &file, 100), SR_READER_MORE);
    struct sr_session_totals totals = sr_session_totals(session);
    static const uint64_t counts[SR_SKIP_COUNT] = {
        [SR_SKIP_OTHER_PROTOCOL] = 2, [SR_SKIP_FRAGMENT] = 1, [SR_SKIP_MALFORMED] = 1, [SR_SKIP_SNAPPED] = 1};
    static const uint64_t firsts[SR_SKIP_COUNT] = {
        [SR_SKIP_OTHER_PROTOCOL] = 2, [SR_SKIP_FRAGMENT] = 3, [SR_SKIP_MALFORMED] = 4, [SR_SKIP_SNAPPED] = 6};
    for (int i = 0; i < SR_SKIP_COUNT; i++) {
        assert_int_equal(totals.skipped[i], counts[i]);
        assert_int_equal(totals.skipped_first[i], firsts[i]);
    }
    assert_int_equal(totals.fragments_left_over, 1);
    assert_int_equal(totals.unknown_link_type, 0);
    assert_int_equal(totals.earliest_ns, INT64_C(2000000000));
    assert_int_equal(totals.latest_ns, INT64_C(11000000000));
    assert_int_equal(totals.time_steps_back, 2);
    sr_session_free(session);
}

static void a_link_type_that_is_not_read_is_named(void **state)
{
    (void)state;
    struct bytes file = {0}, packet = data_packet(1), frame = ip_of(132, 0, &packet);
    put_pcap_header(&file, 147);
    put_record(&file, 1, &frame);
    put_record(&file, 1, &frame);
    struct sr_session *session = new_session();
    assert_int_equal(feed(session, &file, 100), SR_READER_MORE);
    struct sr_session_totals totals = sr_session_totals(session);
    for (int i = 0; i < SR_SKIP_COUNT; i++) {
        assert_int_equal(totals.skipped[i], i == SR_SKIP_UNKNOWN_LINK ? 2 : 0);
        assert_int_equal(totals.skipped_first[i], i == SR_SKIP_UNKNOWN_LINK ? 1 : 0);
    }
    assert_int_equal(totals.unknown_link_type, 147);
    assert_int_equal(totals.fragments_left_over, 0);
    assert_int_equal(totals.time_steps_back, 0);
    assert_int_equal(sr_engine_totals(sr_session_engine(session)).packets, 0);
    sr_session_free(session);
}

static void a_session_without_frames_has_no_times(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_pcap_header(&file, LINKTYPE_RAW);
    struct sr_session *session = new_session();
    assert_int_equal(feed(session, &file, 100), SR_READER_MORE);
    assert_int_equal(sr_session_totals(session).earliest_ns, SR_NO_TIME);
    assert_int_equal(sr_session_totals(session).latest_ns, SR_NO_TIME);
    sr_session_free(session);
}

static void packets_that_a_face_brings_give_the_rows_of_a_file(void **state)
{
    (void)state;
    struct bytes file = {0}, one = data_packet(7), other = data_packet(8);
    struct bytes frame = ip_of(132, 0, &one);
    put_pcap_header(&file, LINKTYPE_RAW);
    put_record(&file, 5, &frame);
    struct sr_session *read = new_session(), *brought = new_session();
    assert_int_equal(feed(read, &file, 100), SR_READER_MORE);
    struct sr_packet packet = {
        .frame = 1,
        .time_ns = 5 * INT64_C(1000000000),
        .src = {{10, 0, 0, 1}, 4},
        .dst = {{10, 0, 0, 2}, 4},
        .id = 9,
        .bytes = one.at,
        .captured = (uint32_t)one.length,
        .wire = (uint32_t)one.length,
    };
    sr_session_frame(brought, 1, packet.time_ns);
    assert_true(sr_session_packet(brought, &packet));
    const struct sr_transmission_row *of_file = judged(read, 1), *of_face = judged(brought, 1);
    assert_memory_equal(of_file, of_face, sizeof *of_file);
    sr_session_clear_rows(read);
    sr_session_clear_rows(brought);

    packet.bytes = other.at;
    assert_true(sr_session_packet(brought, &packet));
    assert_int_equal(judged(brought, 2)[1].chunk, 1); /* the second packet of the frame counts on */
    sr_session_frame(brought, 2, 4 * INT64_C(1000000000));
    sr_session_skip(brought, 2, SR_SKIP_DTLS);
    sr_session_frame(brought, 3, SR_NO_TIME);
    sr_session_skip(brought, 3, SR_SKIP_DTLS);
    struct sr_session_totals totals = sr_session_totals(brought);
    assert_int_equal(totals.frames, 3);
    assert_int_equal(totals.time_steps_back, 1);
    assert_int_equal(totals.earliest_ns, 4 * INT64_C(1000000000));
    assert_int_equal(totals.skipped[SR_SKIP_DTLS], 2);
    assert_int_equal(totals.skipped_first[SR_SKIP_DTLS], 2);
    assert_int_equal(sr_session_totals(read).frames, 1);
    sr_session_free(read);
    sr_session_free(brought);
}

/* A capture of more than the engine's thread is worth, a piece at a time: every 97th packet in two fragments, every
 * 89th record is no SCTP. Of TSNs every 50th is missing at first and sent again. */
static struct bytes record_of(uint32_t number)
{
    struct bytes record = {0}, payload = {0};
    put_zeros(&payload, 16);
    if (number % 89 == 0) {
        struct bytes frame = ip_of(6, 0, &payload);
        put_record(&record, number, &frame);
        return record;
    }
    struct bytes packet = data_packet_of(number % 50 == 0 && number > 50 ? number - 50 : number, 500);
    if (number % 97 != 0) {
        struct bytes frame = ip_of(132, 0, &packet);
        put_record(&record, number, &frame);
        return record;
    }
    struct bytes first = {0}, rest = {0};
    put(&first, packet.at, 16);
    put(&rest, packet.at + 16, packet.length - 16);
    struct bytes frame = ip_of(132, 0x2000, &first);
    put_record(&record, number, &frame);
    frame = ip_of(132, 2, &rest);
    put_record(&record, number, &frame);
    return record;
}

enum { RECORDS = 10000 };

static void read_large(struct sr_session *session)
{
    struct bytes header = {0};
    put_pcap_header(&header, LINKTYPE_RAW);
    assert_int_equal(feed(session, &header, SIZE_MAX), SR_READER_MORE);
    for (uint32_t number = 1; number <= RECORDS;) {
        size_t room, used = 0;
        uint8_t *space = sr_session_space(session, &room);
        for (; number <= RECORDS; number++) {
            struct bytes record = record_of(number);
            if (used + record.length > room)
                break;
            memcpy(space + used, record.at, record.length);
            used += record.length;
        }
        sr_session_filled(session, used);
        assert_int_equal(sr_session_read(session, SIZE_MAX), SR_READER_MORE);
    }
    sr_session_filled(session, 0);
    assert_int_equal(sr_session_read(session, SIZE_MAX), SR_READER_END);
}

static void a_large_file_gives_the_same_rows_when_the_engine_has_a_thread(void **state)
{
    (void)state;
    const uint32_t transmissions = 1u << SR_TABLE_TRANSMISSIONS;
    struct sr_session *beside = sr_session_new(&(struct sr_engine_options){.tables = transmissions});
    /* whoever takes rows while the file is read has none */
    struct sr_session *alone =
        sr_session_new(&(struct sr_engine_options){.tables = transmissions | 1u << SR_TABLE_CHUNKS});
    assert_non_null(beside);
    assert_non_null(alone);
    read_large(beside);
    read_large(alone);
    sr_session_clear_rows(alone);
    uint32_t count = RECORDS - RECORDS / 89;
    const struct sr_transmission_row *one = judged(beside, count), *other = judged(alone, count);
    assert_memory_equal(one, other, count * sizeof *one);
    assert_int_equal(sr_engine_totals(sr_session_engine(beside)).packets, count);
    assert_int_equal(sr_session_totals(beside).skipped[SR_SKIP_OTHER_PROTOCOL], RECORDS / 89);
    sr_session_free(beside);
    sr_session_free(alone);
}

static int threads_of_process(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *task; (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void a_session_may_be_asked_and_left_while_its_engine_has_a_thread(void **state)
{
    (void)state;
    struct sr_session *session = new_session();
    struct bytes header = {0};
    int threads = threads_of_process();
    put_pcap_header(&header, LINKTYPE_RAW);
    assert_int_equal(feed(session, &header, SIZE_MAX), SR_READER_MORE);
    for (uint32_t number = 1; number <= RECORDS; number++) {
        struct bytes record = record_of(number);
        assert_int_equal(feed(session, &record, SIZE_MAX), SR_READER_MORE);
        if (number % 2048 == 0)
            assert_int_equal(sr_engine_totals(sr_session_engine(session)).packets, number - number / 89);
    }
    assert_int_equal(threads_of_process(), threads + 1);
    sr_session_free(session);
}

static struct sr_session *large_session(void)
{
    struct sr_session *session = sr_session_new(&(struct sr_engine_options){.tables = (1u << SR_TABLE_COUNT) - 1});
    assert_non_null(session);
    read_large(session);
    return session;
}

static void a_stopped_session_judges_no_more(void **state)
{
    (void)state;
    struct sr_session *session = large_session();
    int reason;
    sr_session_stop(session);
    assert_false(sr_session_judge(session));
    assert_null(sr_session_failure(session, &reason));
    sr_session_free(session);
}

static void judging_may_be_waited_for_again_and_again(void **state)
{
    (void)state;
    struct sr_session *one = large_session(), *other = large_session(), *left = large_session();
    enum sr_judging judging;
    uint32_t waited = 0;
    while ((judging = sr_session_judge_for(one, 1)) == SR_JUDGING_MORE)
        waited++;
    assert_int_equal(judging, SR_JUDGING_DONE);
    assert_true(waited > 0);
    assert_true(sr_session_judge(other));
    uint64_t rows = sr_engine_journal(sr_session_engine(one))->transmissions.count;
    const struct sr_journal *journals[] = {sr_engine_journal(sr_session_engine(one)),
                                           sr_engine_journal(sr_session_engine(other))};
    for (uint64_t row = 0; row < rows; row++)
        assert_memory_equal(sr_transmission_at(journals[0], row), sr_transmission_at(journals[1], row),
                            sizeof(struct sr_transmission_row));
    assert_int_equal(sr_session_judge_for(left, 0), SR_JUDGING_MORE);
    sr_session_free(one);
    sr_session_free(other);
    sr_session_free(left); /* which does not wait for its judge */
}

struct stopper {
    struct sr_session *session;
    int64_t after_ns;
};

static void *stop_later(void *argument)
{
    const struct stopper *stopper = argument;
    struct timespec wait = {stopper->after_ns / 1000000000, (long)(stopper->after_ns % 1000000000)};
    nanosleep(&wait, NULL);
    sr_session_stop(stopper->session);
    return NULL;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Wherever it is, it leaves nothing behind that a later step trips over. */
static void judging_may_be_stopped_anywhere(void **state)
{
    (void)state;
    enum { PLACES = 6 };
    struct sr_session *whole = large_session();
    int64_t takes_ns = -now_ns();
    assert_true(sr_session_judge(whole));
    takes_ns += now_ns();
    sr_session_free(whole);
    for (int place = 0; place < PLACES; place++) {
        struct stopper stopper = {large_session(), takes_ns * place / PLACES};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stop_later, &stopper), 0);
        sr_session_judge(stopper.session);
        pthread_join(thread, NULL);
        assert_false(sr_session_judge(stopper.session));
        sr_session_free(stopper.session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judged_rows_come_in_batches_and_none_is_lost_between_them),
        cmocka_unit_test(rows_of_chunks_come_while_the_file_is_read),
        cmocka_unit_test(frames_without_sctp_are_counted_by_reason_with_the_first),
        cmocka_unit_test(a_link_type_that_is_not_read_is_named),
        cmocka_unit_test(a_session_without_frames_has_no_times),
        cmocka_unit_test(packets_that_a_face_brings_give_the_rows_of_a_file),
        cmocka_unit_test(a_large_file_gives_the_same_rows_when_the_engine_has_a_thread),
        cmocka_unit_test(a_session_may_be_asked_and_left_while_its_engine_has_a_thread),
        cmocka_unit_test(a_stopped_session_judges_no_more),
        cmocka_unit_test(judging_may_be_stopped_anywhere),
        cmocka_unit_test(judging_may_be_waited_for_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
