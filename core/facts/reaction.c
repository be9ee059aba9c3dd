/* SPDX-License-Identifier: BSD-2-Clause */
/* Three missing reports, then fast retransmit (RFC 9260 section 7.2.4): at once, or when cwnd allows. A sender that
 * waits, or that its timer moves, is later; RACK may be sooner. So the shortest lag that others confirm is the loop.
 * Who does not wait for a third report is a sender with RACK: what it acts on is the first. */
#include "reaction.h"

#include "../association/kind.h"
#include "../wire/time.h"
#include "../wire/tsn.h"

#define MS INT64_C(1000000)

enum { ENOUGH = 4096 /* lags */ };

enum report { REPORT_NONE, REPORT_MISSING, REPORT_ACKED };

/* Blocks that rise are searched by halves. */
static enum report report_in(const uint32_t *ends, uint32_t blocks, struct sr_tsn tsn)
{
    uint32_t from = 0, to = blocks; /* how many begin at or before the TSN */
    while (from < to) {
        uint32_t half = from + (to - from) / 2;
        if (sr_tsn_after(sr_tsn(ends[2 * half]), tsn))
            to = half;
        else
            from = half + 1;
    }
    if (from > 0 && !sr_tsn_after(tsn, sr_tsn(ends[2 * from - 1])))
        return REPORT_ACKED;
    return from < blocks ? REPORT_MISSING : REPORT_NONE;
}

static enum report report_on(const struct sr_journal *journal, const struct sr_sack_row *sack, struct sr_tsn tsn)
{
    uint32_t blocks = (uint32_t)sack->gaps + sack->nr_gaps;
    const uint32_t *ends = blocks > 0 ? sr_numbers_at(journal, sack->lists) : NULL;
    enum report report = REPORT_NONE;
    if (!sr_tsn_after(tsn, sr_tsn(sack->cum_tsn)))
        return REPORT_ACKED;
    if (sack->nr_gaps == 0 && sack->malformed == 0)
        return report_in(ends, blocks, tsn);
    for (uint32_t i = 0; i < blocks; i++) {
        if (sr_tsn_after(sr_tsn(ends[2 * i]), tsn))
            report = REPORT_MISSING;
        else if (!sr_tsn_after(tsn, sr_tsn(ends[2 * i + 1])))
            return REPORT_ACKED;
    }
    return report;
}

static int64_t lag_of(const struct sr_transmission_row *row, int64_t report_ns)
{
    int64_t lag_ns;
    return sr_elapsed(row->time_ns, report_ns, &lag_ns) && lag_ns >= 0 ? lag_ns : SR_NO_TIME;
}

struct sr_missed sr_reports_missed(const struct sr_reports *reports, const struct sr_journal *journal,
                                   const struct sr_transmission_row *row)
{
    const struct sr_missed nothing = {SR_NO_TIME, SR_NO_TIME};
    int64_t first_ns = SR_NO_TIME, second_ns = SR_NO_TIME, third_ns = SR_NO_TIME;
    for (uint32_t back = 1; back <= SR_REPORTS && back <= reports->at; back++) {
        const struct sr_sack_row *sack = sr_sack_at(journal, reports->row[(reports->at - back) % SR_REPORTS] - 1);
        enum report report = report_on(journal, sack, sr_tsn(row->tsn));
        if (report == REPORT_NONE)
            break;
        if (report == REPORT_ACKED && first_ns == SR_NO_TIME)
            continue; /* the first copy has come meanwhile */
        if (report == REPORT_ACKED || back == SR_REPORTS)
            return nothing;
        third_ns = second_ns;
        second_ns = first_ns;
        first_ns = sack->time_ns;
    }
    return (struct sr_missed){lag_of(row, first_ns), lag_of(row, third_ns)};
}

bool sr_reports_ask(const struct sr_reports *reports, const struct sr_journal *journal, struct sr_tsn tsn,
                    uint32_t times)
{
    uint32_t missing = 0;
    for (uint32_t back = 1; missing < times && back <= SR_REPORTS && back <= reports->at; back++) {
        const struct sr_sack_row *sack = sr_sack_at(journal, reports->row[(reports->at - back) % SR_REPORTS] - 1);
        enum report report = report_on(journal, sack, tsn);
        if (report == REPORT_NONE || (report == REPORT_ACKED && missing > 0))
            break;
        missing += report == REPORT_MISSING;
    }
    return missing >= times;
}

uint32_t sr_reports_before(const struct sr_reports *reports, const struct sr_journal *journal,
                           const struct sr_transmission_row *row)
{
    uint32_t missing = 0;
    for (uint32_t back = 1; missing < SR_MOST_REPORTS && back <= SR_REPORTS && back <= reports->at; back++) {
        const struct sr_sack_row *sack = sr_sack_at(journal, reports->row[(reports->at - back) % SR_REPORTS] - 1);
        if (sack->frame > row->frame)
            continue;
        if (report_on(journal, sack, sr_tsn(row->tsn)) != REPORT_MISSING)
            break;
        missing++;
    }
    return missing;
}

static void add(struct sr_quantiles *lags, int64_t lag_ns)
{
    if (lag_ns < SR_LEAST_RTO_NS) /* later it may as well be a timeout */
        sr_quantiles_add(lags, lag_ns);
}

void sr_reaction_resent(struct sr_reaction *reaction, const struct sr_reports *reports,
                        const struct sr_journal *journal, const struct sr_transmission_row *row, bool seen)
{
    struct sr_quantiles *lags = reaction->lags;
    if (reaction->frame == row->frame || lags[SR_LAG_RESENT].count + lags[SR_LAG_UNSEEN].count >= ENOUGH)
        return;
    reaction->frame = row->frame;
    struct sr_missed missed = sr_reports_missed(reports, journal, row);
    if (missed.third_ns != SR_NO_TIME)
        add(&lags[seen ? SR_LAG_RESENT : SR_LAG_UNSEEN], missed.third_ns);
    else if (missed.first_ns != SR_NO_TIME)
        add(&lags[SR_LAG_FIRST], missed.first_ns);
}

/* Within a share of the lag, and a time, two are of one loop; so many have to be, and such a part of all. */
struct likeness {
    int64_t share, time_ns;
    uint32_t count, part;
};

static int64_t shortest(struct sr_quantiles *lags, struct likeness like)
{
    if (lags->count == 0)
        return SR_NO_TIME;
    sr_quantiles_quantile(lags, 0); /* sorts */
    for (uint32_t i = 0; i + 1 < lags->kept; i++) {
        int64_t lag_ns = lags->value[i], most_ns = lag_ns + lag_ns / like.share + like.time_ns;
        uint32_t alike = 1;
        while (i + alike < lags->kept && lags->value[i + alike] <= most_ns)
            alike++;
        if (alike >= like.count && alike >= lags->kept / like.part)
            return lags->value[i + (alike - 1) / 4];
    }
    return SR_NO_TIME;
}

/* At the third report a sender acts at once, but for what its host takes. What was not seen before may only be late:
 * that spreads over the time that the network holds packets up, and is sooner than what is certainly sent again, which
 * may be so for the second time. One report may be there by chance when a timer expires: lags have to be the same. */
int64_t sr_reaction_loop(struct sr_reaction *reaction)
{
    const struct likeness of_host = {8, MS, 2, UINT32_MAX}, of_many = {8, MS / 10, 3, 4}, same = {64, MS / 10, 2, 2};
    struct sr_quantiles *resent = &reaction->lags[SR_LAG_RESENT], *unseen = &reaction->lags[SR_LAG_UNSEEN];
    int64_t unseen_ns = shortest(unseen, of_many);
    if (unseen_ns == SR_NO_TIME)
        unseen_ns = shortest(unseen, same);
    if (unseen_ns != SR_NO_TIME && (resent->count == 0 || unseen_ns >= resent->least / 2))
        return unseen_ns;
    int64_t resent_ns = shortest(resent, of_host);
    if (resent_ns != SR_NO_TIME || resent->count + unseen->count > 0)
        return resent_ns;
    return shortest(&reaction->lags[SR_LAG_FIRST], (struct likeness){64, MS / 10, 4, 4});
}
