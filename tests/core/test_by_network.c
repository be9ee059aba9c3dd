/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the network repeated, and of how sure it is that a sender sent the others again: two copies of a TSN
 * with the same bytes and no identification, on the way, with 30 ms to the receiver and 20 ms to the sender and back.
 */
#include "bytes_builder.h"

#include "judge/by_network.h"
#include "judge/verdict_columns.h"
#include "rows.h"

#define MS INT64_C(1000000)

enum { BYTES = 7, OTHER = 8 };

struct world {
    struct sr_journal journal;
    struct sr_half half;
    struct sr_causes causes;
};

static void begin(struct world *world)
{
    memset(world, 0, sizeof *world);
    sr_journal_init(&world->journal, 1 << 20);
    world->half.journal = &world->journal;
    world->half.measured = (struct sr_measured){.vantage = SR_VANTAGE_MIDDLE,
                                                .vantage_class = 5,
                                                .sender_loop_ns = 20 * MS,
                                                .receiver = {.typical_ns = 30 * MS}};
    world->causes.half = &world->half;
    sr_spool_init(&world->causes.explained, &world->journal.store, sizeof(struct sr_explained));
}

static struct sr_transmission_row *copy(struct world *world, enum sr_kind kind, int64_t ms, uint32_t bytes)
{
    uint32_t number = (uint32_t)world->journal.transmissions.count;
    struct sr_transmission_row *row = sr_spool_append(&world->journal.transmissions);
    assert_non_null(row);
    *row = (struct sr_transmission_row){.time_ns = ms * MS,
                                        .frame = 1 + number,
                                        .prev_row = number,
                                        .fingerprint = bytes,
                                        .kind = kind,
                                        .cause = SR_NO_WORD,
                                        .verdict = SR_NO_WORD};
    return row;
}

static void end(struct world *world)
{
    sr_spool_free(&world->causes.explained);
    sr_journal_free(&world->journal);
}

struct repetition {
    const char *name;
    enum sr_kind before;
    int64_t later_ms;
    uint32_t bytes;
    enum sr_cause cause;
    bool found;
    bool in_its_packet;
} repetitions[] = {
    {"within a round trip", SR_KIND_ORIGINAL, 49, BYTES, SR_CAUSE_UNKNOWN, true, false},
    {"after a round trip", SR_KIND_ORIGINAL, 50, BYTES, SR_CAUSE_UNKNOWN, false, false},
    {"with other bytes", SR_KIND_ORIGINAL, 49, OTHER, SR_CAUSE_UNKNOWN, false, false},
    {"of what was sent again", SR_KIND_RETRANSMISSION, 49, BYTES, SR_CAUSE_UNKNOWN, false, false},
    {"of what fills a gap", SR_KIND_REORDERED, 49, BYTES, SR_CAUSE_UNKNOWN, false, false},
    {"with a cause", SR_KIND_ORIGINAL, 49, BYTES, SR_CAUSE_T3, false, false},
    {"in its packet", SR_KIND_ORIGINAL, 0, BYTES, SR_CAUSE_UNKNOWN, false, true},
};

static void check_repetition(void **state)
{
    const struct repetition *of = *state;
    struct world world;
    begin(&world);
    copy(&world, of->before, 0, BYTES);
    struct sr_transmission_row *row = copy(&world, SR_KIND_RETRANSMISSION, of->later_ms, of->bytes);
    row->frame -= of->in_its_packet;
    row->cause = (uint8_t)of->cause;
    row->cause_class = 1;
    row->evidence = sr_bit(SR_EVIDENCE_K1);
    struct sr_explained *explained = sr_spool_append(&world.causes.explained);
    assert_non_null(explained);
    *explained = (struct sr_explained){.row = 1};
    world.causes.explained_count = 1;
    assert_int_equal(sr_find_repeated_by_network(&world.causes), of->found);
    assert_int_equal(row->kind, of->found ? SR_KIND_NETWORK_DUPLICATE : SR_KIND_RETRANSMISSION);
    assert_int_equal(row->cause, of->found ? SR_NO_WORD : of->cause);
    assert_int_equal(row->cause_class, of->found ? 0 : 1);
    assert_int_equal(row->evidence != 0, !of->found);
    end(&world);
}

struct doubt {
    const char *name;
    uint32_t bytes;
    enum sr_cause cause;
    bool marked;
    int64_t later_ms; /* than the copy before */
    uint8_t class;    /* 0: it is undetermined */
} doubts[] = {
    {"other bytes", OTHER, SR_CAUSE_UNKNOWN, false, 60, 5},
    {"as late as a timer", BYTES, SR_CAUSE_UNKNOWN, false, 200, 5},
    {"nothing moved its sender", BYTES, SR_CAUSE_UNKNOWN, false, 199, 0},
    {"a timeout that nothing tells of", BYTES, SR_CAUSE_T3, false, 60, 0},
    {"a timeout that was marked", BYTES, SR_CAUSE_T3, true, 60, 4},
    {"its occasion tells why", BYTES, SR_CAUSE_FAST, false, 60, 3},
    {"the sender had marked it", BYTES, SR_CAUSE_FAST, true, 199, 4},
    {"an earlier timeout had", BYTES, SR_CAUSE_T3_GBN, true, 199, 4},
};

static void check_doubt(void **state)
{
    const struct doubt *of = *state;
    struct world world;
    begin(&world);
    copy(&world, SR_KIND_ORIGINAL, 0, BYTES);
    struct sr_transmission_row *row = copy(&world, SR_KIND_RETRANSMISSION, of->later_ms, of->bytes);
    row->cause = (uint8_t)of->cause;
    row->evidence = of->marked ? sr_bit(SR_EVIDENCE_K1) : 0;
    sr_set_verdict(&world.half, row, SR_VERDICT_SPURIOUS, 5, sr_bit(SR_EVIDENCE_S2));
    assert_int_equal(row->verdict, of->class > 0 ? SR_VERDICT_SPURIOUS : SR_VERDICT_UNDETERMINED);
    assert_int_equal(row->verdict_class, of->class > 0 ? of->class : 2);
    end(&world);
}

int main(void)
{
    int failed = CHECK_ROWS("repeated by the network", repetitions, check_repetition);
    return failed + CHECK_ROWS("how sure it is that it was sent again", doubts, check_doubt);
}
