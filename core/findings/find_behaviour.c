/* SPDX-License-Identifier: BSD-2-Clause */
/* What senders, receivers and the capture itself do that a person should know, by direction: as findings/behaviour.py.
 */
#include "find.h"

#include "../association/mirror.h"
#include "../books/figures.h"

#define MS INT64_C(1000000)
#define LONGEST_DELAY_NS (500 * MS) /* RFC 9260 section 6.2: an acknowledgement must not wait longer */
#define LONGEST_RTO_NS (60000 * MS) /* RFC 9260 section 16: RTO.Max */
enum {
    HABIT = 20,          /* fewer acknowledgements say nothing about one */
    SILENT_TIMEOUTS = 3, /* that a sender which may send says nothing */
};

/* A direction of data; where the text says that it is, is written once there is something to tell. */
struct direction {
    struct sr_findings *findings;
    const struct sr_association *association;
    const struct sr_side *sender, *receiver;
    const struct sr_direction_figures *figures;
    const char *whose; /* behind the ends of the association */
    char *where;
};

static const char *where_of(const struct direction *of)
{
    sr_findings_ends(of->association, "Association ", of->whose, of->where);
    return of->where;
}

static void add(const struct direction *of, enum sr_severity severity, uint8_t code, enum sr_sentence sentence,
                uint32_t frame, const struct sr_value *values)
{
    struct sr_look look = {{0}, 0};
    sr_look_at(&look, frame);
    sr_findings_add(of->findings, severity, code, sentence, &look, values);
}

static void find_captured_again(const struct direction *of)
{
    uint32_t by_network = sr_is_doubled(of->sender) ? 0 : of->sender->repeated_late;
    uint32_t again = of->sender->repeated - by_network;
    if (again > 0)
        add(of, SR_SEVERITY_NOTE, SR_FINDING_CAPTURE_DUPLICATES, SR_SENTENCE_CAPTURE_DUPLICATES,
            of->sender->repeated_first, SR_VALUES({"where", where_of(of), 0}, {"packets", NULL, again}));
}

static void find_capture(const struct direction *of)
{
    const struct sr_direction_figures *figures = of->figures;
    if (figures->unseen_tsns > 0 && of->sender->blind_bytes == 0)
        add(of, SR_SEVERITY_WARNING, SR_FINDING_CAPTURE_LOSS, SR_SENTENCE_CAPTURE_LOSS, figures->unseen_frame,
            SR_VALUES({"where", where_of(of), 0}, {"tsns", NULL, (int64_t)figures->unseen_tsns}));
    if (figures->inverted > 0)
        add(of, figures->inverted > figures->acked_tsns / 100 ? SR_SEVERITY_WARNING : SR_SEVERITY_NOTE,
            SR_FINDING_INVERTED_ORDER, SR_SENTENCE_INVERTED_ORDER, figures->inverted_frame,
            SR_VALUES({"where", where_of(of), 0}, {"chunks", NULL, figures->inverted}));
    if (figures->clock_steps > 0)
        add(of, SR_SEVERITY_WARNING, SR_FINDING_TIME_JUMPS_FORWARD, SR_SENTENCE_TIME_JUMPS_FORWARD,
            figures->clock_step_frame,
            SR_VALUES({"where", where_of(of), 0}, {"step", NULL, figures->clock_step_ns},
                      {"rto", NULL, figures->rto_ns}));
}

static void find_habits(const struct direction *of)
{
    const struct sr_direction_figures *figures = of->figures;
    uint64_t rare = figures->sacks_of_packets[2] + figures->sacks_of_packets[3];
    uint64_t all = rare + figures->sacks_of_packets[0] + figures->sacks_of_packets[1];
    if (all >= HABIT && rare > all / 2)
        add(of, SR_SEVERITY_NOTE, SR_FINDING_RARE_ACKNOWLEDGEMENTS, SR_SENTENCE_RARE_ACKNOWLEDGEMENTS, 0,
            SR_VALUES({"where", where_of(of), 0}, {"rare", NULL, (int64_t)rare}, {"all", NULL, (int64_t)all}));
    bool known = figures->delay_longest_ns != SR_NO_TIME && figures->delay_base_ns != SR_NO_TIME;
    if (known && figures->delay_longest_ns - figures->delay_base_ns > LONGEST_DELAY_NS)
        add(of, SR_SEVERITY_NOTE, SR_FINDING_LATE_ACKNOWLEDGEMENTS, SR_SENTENCE_LATE_ACKNOWLEDGEMENTS, 0,
            SR_VALUES({"where", where_of(of), 0}, {"delay", NULL, figures->delay_longest_ns - figures->delay_base_ns}));
    if (figures->truncated_sacks > 0)
        add(of, SR_SEVERITY_NOTE, SR_FINDING_CAPPED_SACKS, SR_SENTENCE_CAPPED_SACKS, figures->truncated_frame,
            SR_VALUES({"where", where_of(of), 0}, {"sacks", NULL, figures->truncated_sacks},
                      {"blocks", NULL, figures->truncated_blocks}));
    if (figures->stale_sacks > 0)
        add(of, SR_SEVERITY_NOTE, SR_FINDING_OVERTAKEN_SACKS, SR_SENTENCE_OVERTAKEN_SACKS, figures->stale_frame,
            SR_VALUES({"where", where_of(of), 0}, {"sacks", NULL, figures->stale_sacks}));
}

static void find_reneging(const struct direction *of)
{
    const struct sr_direction_figures *figures = of->figures;
    int64_t all = (int64_t)figures->withdrawn_tsns, proven = (int64_t)figures->withdrawn_proven_tsns;
    /* several acknowledgements in a row may have come late: what follows tells */
    bool shown = figures->withdrawn_resent > 0 || proven > 0;
    struct sr_buffer classes = {0};
    if (proven == 0 || proven == all)
        sr_say_text(&classes, proven > 0 ? "class 5" : "class 4");
    else
        sr_say(&classes, SR_SENTENCE_RENEGING_CLASSES,
               SR_VALUES({"proven", NULL, proven}, {"others", NULL, all - proven}));
    add(of, shown ? SR_SEVERITY_WARNING : SR_SEVERITY_NOTE, SR_FINDING_RENEGING, SR_SENTENCE_RENEGING,
        figures->withdrawn_frame,
        SR_VALUES({"where", where_of(of), 0}, {"tsns", NULL, all}, {"classes", sr_said(&classes), 0},
                  {"maybe", shown ? "" : sr_sentences[SR_SENTENCE_RENEGING_MAYBE], 0}));
    sr_buffer_free(&classes);
}

static void find_receiver(const struct direction *of)
{
    const struct sr_direction_figures *figures = of->figures;
    find_habits(of);
    if (figures->zero_windows > 0) {
        struct sr_look look = {{0}, 0};
        if (figures->zero_window_frame != 0)
            look.frames[look.count++] = figures->zero_window_frame;
        if (figures->zero_window_end_frame != 0)
            look.frames[look.count++] = figures->zero_window_end_frame;
        sr_findings_add(of->findings, SR_SEVERITY_WARNING, SR_FINDING_ZERO_WINDOW, SR_SENTENCE_ZERO_WINDOW, &look,
                        SR_VALUES({"where", where_of(of), 0}, {"times", NULL, figures->zero_windows},
                                  {"longest", NULL, figures->zero_window_longest_ns},
                                  {"sacks", NULL, of->receiver->sacks.zero_window}));
    }
    if (figures->withdrawn_tsns > 0)
        find_reneging(of);
    if (figures->withdrawn_beyond > 0)
        add(of, SR_SEVERITY_WARNING, SR_FINDING_ENDLESS_RENEGING, SR_SENTENCE_ENDLESS_RENEGING, 0,
            SR_VALUES({"where", where_of(of), 0}, {"sacks", NULL, (int64_t)figures->withdrawn_beyond}));
    if (figures->marks_left_out > 0)
        add(of, SR_SEVERITY_WARNING, SR_FINDING_MARK_LIMIT, SR_SENTENCE_MARK_LIMIT, 0,
            SR_VALUES({"where", where_of(of), 0}, {"marks", NULL, (int64_t)figures->marks_left_out}));
}

/* The retransmission timer as it is by now: each expiry doubles it (RFC 9260 section 6.3.3, E2). */
static int64_t backed_off_ns(const struct sr_direction_figures *figures)
{
    int64_t rto_ns = figures->rto_ns;
    for (uint32_t i = 0; i < figures->sent_again_since_feedback && rto_ns < LONGEST_RTO_NS && i < 6; i++)
        rto_ns *= 2;
    return rto_ns < LONGEST_RTO_NS ? rto_ns : LONGEST_RTO_NS;
}

bool sr_is_stuck(const struct sr_findings *findings, const struct sr_association *association,
                 const struct sr_direction_figures *figures)
{
    int64_t silence_ns;
    bool over = association->ended != SR_ENDED_OPEN && association->ended != SR_ENDED_SHUTTING_DOWN;
    return !over && figures->necessary_bytes > 0 && figures->acked_tsns > 0 &&
           sr_elapsed(findings->asked->latest_ns, figures->last_data_ns, &silence_ns) &&
           silence_ns > SILENT_TIMEOUTS * backed_off_ns(figures);
}

static void find_stuck(const struct direction *of)
{
    const struct sr_direction_figures *figures = of->figures;
    int64_t silence_ns = sr_between(of->findings->asked->latest_ns, figures->last_data_ns);
    if (sr_is_stuck(of->findings, of->association, figures))
        add(of, SR_SEVERITY_WARNING, SR_FINDING_STUCK_SENDER, SR_SENTENCE_STUCK_SENDER, figures->last_data_frame,
            SR_VALUES({"where", where_of(of), 0}, {"silence", NULL, silence_ns},
                      {"bytes", NULL, (int64_t)figures->necessary_bytes},
                      {"again", NULL, figures->sent_again_since_feedback}, {"rto", NULL, figures->rto_ns}));
}

static void find_direction(struct sr_findings *findings, const struct sr_association *one, unsigned from)
{
    const struct sr_engine *engine = findings->asked->engine;
    char where[SR_ENDS_TEXT];
    struct direction of = {
        .findings = findings,
        .association = one,
        .sender = &one->side[from],
        .receiver = &one->side[from ^ 1],
        .where = where,
    };
    of.whose = from ? ", b" : ", a";
    find_captured_again(&of);
    if (of.sender->data.chunks > 0 && !sr_engine_filtered(engine))
        of.figures = sr_engine_figures(engine, one->number, from);
    if (!of.figures)
        return;
    of.whose = from ? ", data of b" : ", data of a";
    find_capture(&of);
    of.whose = from ? ", receiver a" : ", receiver b";
    find_receiver(&of);
    of.whose = from ? ", sender b" : ", sender a";
    find_stuck(&of);
}

void sr_find_behaviour(struct sr_findings *findings)
{
    const struct sr_association *one;
    for (uint32_t next = 0; (one = sr_findings_next(findings, &next));)
        for (unsigned from = 0; from < 2; from++)
            find_direction(findings, one, from);
}
