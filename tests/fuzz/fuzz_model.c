/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: the recovery model by itself, all profiles side by side: any events in any order. After each the
 * scoreboard's counts are those of its chunks. Input: four bytes for each event, and more for lists. */
#include "model/sender.h"
#include "must.h"

enum { LISTS = 16 };

struct input {
    const uint8_t *at;
    size_t left;
};

static uint8_t next(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

/* Near the wrap; most lie close together, so that they meet. */
static struct sr_tsn tsn(struct input *input)
{
    uint8_t near = next(input);
    uint32_t far = near < 224 ? near : (uint32_t)near << next(input) % 25;
    return sr_tsn(UINT32_MAX - 64 + (near & 1 ? far : 0 - far));
}

static void data(struct sr_model *model, struct input *input, int64_t time_ns, uint32_t frame)
{
    struct sr_model_data chunks[LISTS];
    uint8_t shape = next(input);
    size_t count = shape & 3 ? 1 + (shape & 3) : LISTS;
    struct sr_tsn first = tsn(input);
    for (size_t i = 0; i < count; i++)
        chunks[i] = (struct sr_model_data){shape & 4 ? tsn(input) : sr_tsn_add(first, (uint32_t)i), shape, shape & 8};
    struct sr_model_sent sent = {time_ns, frame, (shape >> 4) % 5, chunks, count};
    sr_model_sent(model, &sent);
}

static size_t blocks(struct input *input, struct sr_tsn_range *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sr_tsn first = tsn(input);
        uint8_t length = next(input);
        list[i] = (struct sr_tsn_range){first, sr_tsn_add(first, (uint32_t)(length & 31) << (length >> 5) * 2)};
    }
    return count;
}

static void feedback(struct sr_model *model, struct input *input, int64_t time_ns, uint32_t frame)
{
    struct sr_tsn_range gaps[LISTS], nr_gaps[LISTS];
    struct sr_tsn dups[LISTS];
    uint8_t shape = next(input), counts = next(input);
    struct sr_model_feedback heard = {
        .time_ns = time_ns,
        .frame = frame,
        .cum_tsn = tsn(input),
        .gaps = gaps,
        .nr_gaps = nr_gaps,
        .gap_count = blocks(input, gaps, counts & 7),
        .nr_gap_count = blocks(input, nr_gaps, counts >> 3 & 7),
        .dups = dups,
        .dup_count = counts >> 6,
        .a_rwnd_bytes = (uint32_t)(shape & 3) << 9,
        .has_a_rwnd = shape & 4,
        .kind = shape >> 3 & 7 ? SR_SACK_KIND_SACK : SR_SACK_KIND_SHUTDOWN,
        .all_non_renegable = (shape & 0x60) == 0x60,
        .lists_cut = (shape & 0x90) == 0x90,
        .overtaken = shape == 0xff,
    };
    for (size_t i = 0; i < heard.dup_count; i++)
        dups[i] = tsn(input);
    sr_model_feedback(model, &heard);
}

/* The counts against the chunks that they count. */
static void check(const struct sr_model *model)
{
    uint64_t outstanding = 0, sacked = 0, outstanding_bytes = 0, gap_acked = 0, on_paths = 0;
    for (; model; model = model->fork) {
        const struct sr_board *board = &model->board;
        outstanding = sacked = outstanding_bytes = gap_acked = on_paths = 0;
        for (uint32_t i = 0; i < board->capacity; i++) {
            const struct sr_chunk *chunk = &board->chunks[i];
            outstanding += sr_outstanding(chunk);
            outstanding_bytes += sr_outstanding(chunk) ? chunk->bytes : 0;
            sacked += sr_acked_out_of_order(chunk);
            gap_acked += chunk->state == SR_CHUNK_STATE_GAP_ACKED;
        }
        MUST(outstanding == board->outstanding_chunks && outstanding_bytes == board->outstanding_bytes);
        MUST(gap_acked == board->gap_acked_chunks);
        for (uint32_t i = 0; i < board->path_count; i++) {
            sacked -= board->paths[i].sacked_chunks;
            on_paths += board->paths[i].outstanding_chunks;
        }
        MUST(sacked == 0 && on_paths == outstanding);
    }
}

static void take(struct sr_model *model)
{
    size_t count;
    const struct sr_mark *marks = sr_model_take_marks(model, &count);
    for (size_t i = 0; i < count; i++)
        MUST(marks[i].sender < SR_PROFILE_COUNT && marks[i].trigger < SR_TRIGGER_COUNT);
    sr_model_take_expectations(model, &count);
    sr_model_take_withdrawals(model, &count);
    const struct sr_probe_report *probes = sr_model_take_probes(model, &count);
    for (size_t i = 0; i < count; i++)
        MUST(probes[i].outcome < SR_PROBE_OUTCOME_COUNT || probes[i].outcome == SR_PROBE_WITHOUT_OUTCOME);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct sr_parameters senders[SR_MODEL_SENDERS];
    size_t count = SR_PROFILE_COUNT < SR_MODEL_SENDERS ? SR_PROFILE_COUNT : SR_MODEL_SENDERS;
    struct input input = {bytes, size};
    uint8_t shape = next(&input);
    for (size_t i = 0; i < count; i++)
        senders[i] = sr_parameters_of((enum sr_profile)i);
    struct sr_model *model = sr_model_new(senders, count, (struct sr_receiver){shape >> 3, shape % SR_ANSWER_COUNT});
    MUST(model);
    int64_t now_ns = 0;
    for (uint32_t frame = 1; input.left > 0; frame++) {
        uint8_t event = next(&input), wait = next(&input);
        now_ns += wait & 1 ? (int64_t)wait << (event >> 3) % 24 : 0;
        switch (event % 8) {
        case 0:
        case 1:
        case 2: data(model, &input, now_ns, frame); break;
        case 3:
        case 4: feedback(model, &input, now_ns, frame); break;
        case 5: sr_model_forward_tsn(model, now_ns, tsn(&input)); break;
        case 6: sr_model_rtt(model, now_ns, next(&input) % 5, (int64_t)wait << 20, wait % SR_RTT_TAG_COUNT); break;
        case 7:
            if (wait < 8)
                sr_model_tsn_reset(model, now_ns, tsn(&input));
            else
                sr_model_time_passed(model, now_ns);
        }
        take(model);
        check(model);
    }
    sr_model_finish(model);
    take(model);
    sr_model_free(model);
    return 0;
}
