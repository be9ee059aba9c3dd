/* SPDX-License-Identifier: BSD-2-Clause */
/* The scoreboard against a plain model that it must equal, over long random lists of events. */
#include "scoreboard_wire.h"

struct seen {
    uint32_t copies, first_frame, last_frame, bytes;
    struct sr_packet_identity first, latest;
    int64_t time_ns;
    bool acked, original; /* the second as the scoreboard says: test_kind.c */
};

/* Every TSN from `start` on has its place, for ever; nothing is skipped over. */
struct model {
    uint32_t start, count, highest; /* the last two as offsets from `start` */
    struct seen *seen;
};

static bool same_packet(struct sr_packet_identity one, struct sr_packet_identity other)
{
    return one.fingerprint != 0 && one.fingerprint == other.fingerprint && one.id == other.id;
}

static struct sr_copy model_sent(struct model *model, const struct sr_sent_chunk *sent)
{
    uint32_t offset = sent->tsn.value - model->start;
    assert_true(offset < model->count);
    struct seen *seen = &model->seen[offset];
    bool soon = sent->time_ns - seen->time_ns < MS && seen->time_ns - sent->time_ns<MS, known = seen->copies> 0;
    bool tells = sent->identity.id != 0;
    bool of_latest =
        known && same_packet(seen->latest, sent->identity) && (tells || (soon && seen->copies == 1 && seen->original));
    bool of_first = known && same_packet(seen->first, sent->identity) && tells;
    if (offset > model->highest)
        model->highest = offset;
    if (of_latest) {
        seen->time_ns = sent->time_ns;
        return (struct sr_copy){seen->copies, seen->first_frame, seen->last_frame, SR_KIND_CAPTURE_DUPLICATE, false};
    }
    if (of_first)
        return (struct sr_copy){1, seen->first_frame, seen->first_frame, SR_KIND_NETWORK_DUPLICATE, false};
    if (!known) {
        seen->first_frame = sent->frame;
        seen->first = sent->identity;
    }
    struct sr_copy copy = {++seen->copies, seen->first_frame, seen->last_frame, SR_KIND_ORIGINAL, false};
    seen->last_frame = sent->frame;
    seen->bytes = sent->bytes;
    seen->latest = sent->identity;
    seen->time_ns = sent->time_ns;
    return copy;
}

static void model_ack(struct model *model, int64_t first, int64_t last, struct sr_newly *newly)
{
    for (int64_t offset = first > 0 ? first : 0; offset <= last && offset <= model->highest; offset++) {
        struct seen *seen = &model->seen[offset];
        if (!seen->acked && seen->copies > 0) {
            newly->chunks++;
            newly->bytes += seen->bytes;
        }
        seen->acked = true;
    }
}

static struct sr_newly model_acked(struct model *model, int64_t cum, const struct block *blocks, uint32_t count)
{
    struct sr_newly newly = {0, 0, false};
    model_ack(model, 0, cum, &newly);
    for (uint32_t i = 0; i < count; i++)
        model_ack(model, cum + blocks[i].first, cum + blocks[i].last, &newly);
    return newly;
}

static uint32_t pseudo_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* As engine/told_before.h has it: what of the gaps the acknowledgement before had too. */
struct acknowledgement {
    int64_t cum;
    struct block gaps[MOST_BLOCKS];
    uint32_t count;
};

static uint32_t told_before(const struct acknowledgement *before, const struct acknowledgement *now)
{
    uint32_t passed = 0, told = 0;
    while (passed < before->count && before->cum + before->gaps[passed].last <= now->cum)
        passed++;
    for (; passed + told < before->count && told < now->count; told++) {
        const struct block *old = &before->gaps[passed + told], *new = &now->gaps[told];
        if (before->cum + old->first != now->cum + new->first || before->cum + old->last != now->cum + new->last)
            break;
    }
    return told;
}

struct shape {
    uint32_t window; /* how far behind the highest a TSN may be sent, and be outstanding */
    uint32_t step;   /* most TSNs that a new one may be ahead */
    uint32_t events;
    uint32_t acks_in; /* of so many events one is an acknowledgement of anything */
    bool receives;    /* and half of the others are a receiver's */
};

static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void check_event_of_data(struct wire *wire, struct model *model, const struct shape *shape, uint64_t *random)
{
    static const int64_t steps[] = {0, 10, MS / 2, MS, 5 * MS, -MS / 3, -3 * MS};
    static int64_t now;
    now += steps[pseudo_random(random) % 7];
    bool again = wire->frame == 0 || pseudo_random(random) % 3 == 0; /* the first event is the first TSN */
    uint32_t offset = again ? model->highest - pseudo_random(random) % (at_most(shape->window, model->highest) + 1)
                            : model->highest + 1 + pseudo_random(random) % shape->step;
    struct sr_sent_chunk sent = {.tsn = sr_tsn(model->start + offset),
                                 .bytes = 1 + pseudo_random(random) % 1400,
                                 .time_ns = now,
                                 .frame = ++wire->frame,
                                 .identity = {pseudo_random(random) % 3, (uint16_t)(pseudo_random(random) % 3)}};
    struct sr_copy expected = model_sent(model, &sent);
    struct sr_copy copy = sr_scoreboard_sent(&wire->board, &wire->budget, &sent);
    assert_int_equal(copy.copy, expected.copy);
    assert_int_equal(copy.first_frame, expected.first_frame);
    assert_int_equal(copy.prev_frame, expected.prev_frame);
    assert_int_equal(sr_is_duplicate(copy.kind), sr_is_duplicate(expected.kind));
    if (model->seen[offset].copies == 1 && !sr_is_duplicate(copy.kind))
        model->seen[offset].original = copy.kind == SR_KIND_ORIGINAL;
}

/* `lowest` is the offset below which nothing may stay outstanding. */
static void check_event_of_ack(struct wire *wire, struct model *model, const struct shape *shape, int64_t lowest,
                               uint64_t *random)
{
    struct block blocks[MOST_BLOCKS];
    uint32_t count = pseudo_random(random) % MOST_BLOCKS;
    for (uint32_t i = 0; i < count; i++) {
        blocks[i].first = (uint16_t)(pseudo_random(random) % at_most(shape->window, 65535));
        blocks[i].last = (uint16_t)(blocks[i].first + pseudo_random(random) % 40);
        if (blocks[i].last < blocks[i].first)
            blocks[i].last = blocks[i].first;
    }
    int64_t cum = lowest + pseudo_random(random) % (shape->window / 8 + 1);
    struct sr_newly expected = model_acked(model, cum, blocks, count);
    struct sr_newly newly =
        ack_blocks(wire, model->start + (uint32_t)cum, blocks, count / 2, blocks + count / 2, count - count / 2);
    assert_int_equal(newly.chunks, expected.chunks);
    assert_int_equal(newly.bytes, expected.bytes);
}

enum { ABOVE = 3 /* TSNs that may be acknowledged before they are seen */ };

/* What a receiver says that has what was acknowledged so far, and three more. */
static struct acknowledgement of_receiver(const struct model *model, int64_t cum, uint64_t *random)
{
    struct acknowledgement now = {.cum = cum};
    int64_t end = (int64_t)model->highest + 1 + ABOVE, more[3];
    for (int i = 0; i < 3; i++)
        more[i] = cum + 1 + pseudo_random(random) % (uint32_t)(end - cum);
    for (int64_t offset = cum + 1; offset < end && now.count < MOST_BLOCKS; offset++) {
        bool has = (offset <= model->highest && model->seen[offset].acked) || offset == more[0] || offset == more[1] ||
                   offset == more[2];
        struct block *last = &now.gaps[now.count > 0 ? now.count - 1 : 0];
        if (has && now.count == 0 && offset == now.cum + 1)
            now.cum++;
        else if (has && now.count > 0 && now.cum + last->last + 1 == offset)
            last->last++;
        else if (has)
            now.gaps[now.count++] = (struct block){(uint16_t)(offset - now.cum), (uint16_t)(offset - now.cum)};
    }
    return now;
}

static void check_event_of_receiver(struct wire *wire, struct model *model, int64_t lowest,
                                    struct acknowledgement *before, uint64_t *random)
{
    uint8_t bytes[MOST_BLOCKS * 4];
    struct acknowledgement now = of_receiver(model, before->cum > lowest ? before->cum : lowest, random);
    struct sr_sack sack = {.cum_tsn = sr_tsn(model->start + (uint32_t)now.cum),
                           .gaps = list_of(bytes, now.gaps, now.count),
                           .told = told_before(before, &now)};
    struct sr_newly expected = model_acked(model, now.cum, now.gaps, now.count);
    struct sr_newly newly = sr_scoreboard_acked(&wire->board, &wire->budget, &sack, (int64_t)wire->frame * MS);
    assert_int_equal(newly.chunks, expected.chunks);
    assert_int_equal(newly.bytes, expected.bytes);
    *before = now;
}

static void check_against_model(const struct shape *shape, uint32_t start, uint64_t seed)
{
    struct wire wire = new_wire();
    struct model model = {.start = start, .count = shape->events * shape->step + 1};
    model.seen = calloc(model.count, sizeof *model.seen);
    assert_non_null(model.seen);
    uint64_t random = seed;
    struct acknowledgement before = {.cum = -1};
    for (uint32_t i = 0; i < shape->events; i++) {
        int64_t lowest = (int64_t)model.highest - shape->window + shape->step;
        if (i > 0 && pseudo_random(&random) % shape->acks_in == 0) {
            check_event_of_ack(&wire, &model, shape, lowest, &random);
            before.count = 0; /* it may have said anything */
        } else if (i > 0 && shape->receives && pseudo_random(&random) % 2 == 0)
            check_event_of_receiver(&wire, &model, lowest, &before, &random);
        else
            check_event_of_data(&wire, &model, shape, &random);
    }
    assert_int_equal(wire.board.forgotten, 0);
    assert_int_equal(wire.board.jumps, 0);
    free(model.seen);
    end_wire(&wire);
}

static void long_random_transfers_are_as_the_plain_model_has_them(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {.window = 40, .step = 1, .events = 30000, .acks_in = 2},
        {.window = 600, .step = 3, .events = 30000, .acks_in = 4},
        {.window = 4000, .step = 30, .events = 30000, .acks_in = 20},
        {.window = 4000, .step = 2, .events = 20000, .acks_in = 1000},
        {.window = 60, .step = 2, .events = 30000, .acks_in = 2000, .receives = true},
        {.window = 3000, .step = 1, .events = 20000, .acks_in = 5000, .receives = true},
        {.window = 100000, .step = 20, .events = 30000, .acks_in = 300},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_against_model(&shapes[i], (uint32_t)-5000, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_random_transfers_are_as_the_plain_model_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
