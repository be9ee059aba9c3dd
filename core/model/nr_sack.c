/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of feedback as runs of sequence numbers. */
#include "nr_sack.h"

static bool read_blocks(struct sr_runs *runs, const struct sr_tsn_range *blocks, size_t count,
                        const struct sr_tsn_line *line, int64_t cum, int64_t nxt)
{
    bool in_order = true;
    runs->count = 0;
    if (!sr_runs_reserve(runs, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        int64_t first = sr_line_seq(line, blocks[i].first), end = sr_line_seq(line, blocks[i].last) + 1;
        struct sr_run run = {first > cum ? first : cum + 1, end < nxt ? end : nxt};
        if (run.first >= run.end)
            continue;
        in_order = in_order && (runs->count == 0 || runs->at[runs->count - 1].first <= run.first);
        if (in_order)
            sr_runs_append(runs, run);
        else
            runs->at[runs->count++] = run;
    }
    if (!in_order)
        sr_runs_sort(runs);
    return true;
}

static bool copy(struct sr_runs *to, const struct sr_runs *from)
{
    to->count = 0;
    if (!sr_runs_reserve(to, from->count))
        return false;
    sr_runs_copy(to, from);
    return true;
}

/* NR-SACK paper section III.A: the paper has NR blocks inside gap blocks, usrsctp has disjoint lists; the union is what
 * was received under both. */
static bool unite_lists(struct sr_received *received, struct sr_runs *scratch)
{
    scratch->count = 0;
    if (!sr_runs_reserve(scratch, received->gaps.count + received->non_renegable.count))
        return false;
    sr_runs_unite(scratch, &received->gaps, &received->non_renegable);
    struct sr_runs was = received->gaps;
    received->gaps = *scratch;
    *scratch = was;
    return true;
}

bool sr_receive(struct sr_received *received, struct sr_runs *scratch, const struct sr_model_feedback *feedback,
                const struct sr_tsn_line *line, int64_t nxt)
{
    int64_t cum = sr_line_seq(line, feedback->cum_tsn);
    if (!read_blocks(&received->gaps, feedback->gaps, feedback->gap_count, line, cum, nxt) ||
        !read_blocks(&received->non_renegable, feedback->nr_gaps, feedback->nr_gap_count, line, cum, nxt))
        return false;
    if (feedback->nr_gap_count > 0) {
        if (!unite_lists(received, scratch))
            return false;
    } else if (feedback->all_non_renegable && !copy(&received->non_renegable, &received->gaps)) {
        /* NR-SACK paper section III.A: with the A bit, all out-of-order data acknowledged here is non-renegable. */
        return false;
    }
    received->cum = cum;
    received->top = received->gaps.count ? received->gaps.at[received->gaps.count - 1].end - 1 : cum;
    received->blocks = feedback->gap_count + feedback->nr_gap_count;
    /* ADAPTATION: a SHUTDOWN carries a cumulative TSN only (RFC 9260 section 3.3.8). */
    received->tells_gaps = feedback->kind != SR_SACK_KIND_SHUTDOWN && !feedback->lists_cut;
    received->overtaken = feedback->overtaken;
    return true;
}
