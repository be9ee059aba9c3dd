/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sent again after an outage comes back in step: each acknowledgement a loop after the last copies of what it
 * is the first to report. It was sent when those had come, and says all that had (RFC 9260 section 6.2.1): so copies
 * sent before them that it does not tell of were lost, unless the network reorders as far. A path that stood still
 * brings acknowledgements as well, but all at once, and not each a loop after what it moved the sender to send. */
#include "step.h"

#include "../wire/time.h"
#include "reading.h"

/* What comes at once when a path goes on falls short of a loop: the nearer have to be so near. */
enum { PART_OF_LOOP = 4 };

static int64_t tolerance_of(const struct sr_half *half, int64_t typical_ns)
{
    int64_t tolerance_ns = sr_reading_tolerance_ns(half);
    return tolerance_ns < typical_ns / PART_OF_LOOP ? tolerance_ns : typical_ns / PART_OF_LOOP;
}

static bool is_near(int64_t loop_ns, int64_t other_ns, int64_t tolerance_ns)
{
    int64_t off_ns = sr_between(loop_ns, other_ns);
    return -tolerance_ns <= off_ns && off_ns <= tolerance_ns;
}

static const struct sr_sent_copy *last_of(const struct sr_covered *covered)
{
    return &covered->copies[covered->count - 1];
}

/* Nothing was sent for a loop before what left with the copy, since the feedback before: no queue is before it. */
static bool is_behind_silence(const struct sr_half *half, const struct sr_sent_copy *copy, int64_t since_ns,
                              int64_t typical_ns)
{
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t number = half->recent[(half->recent_at - back) % SR_RECENT];
        const struct sr_transmission_row *tx = sr_half_tx(half, number);
        if (number < copy->row && sr_between(tx->time_ns, since_ns) < 0)
            return sr_between(copy->time_ns, tx->time_ns) >= typical_ns;
    }
    return false;
}

/* Without a queue a loop may be shorter than it mostly is. Of several paths the least is not known of each. */
static bool is_without_queue(const struct sr_half *half, const struct sr_acknowledgement *answer,
                             const struct sr_sent_copy *copy, int64_t loop_ns, int64_t typical_ns)
{
    int64_t least_ns = half->measured.receiver.least_ns;
    return !half->path_loops && least_ns != SR_NO_TIME && loop_ns >= least_ns && loop_ns <= typical_ns &&
           answer->before && is_behind_silence(half, copy, answer->before->time_ns, typical_ns);
}

/* A loop as it is on that path, or was an acknowledgement ago: queues fill packet by packet. */
static bool is_a_loop(const struct sr_half *half, const struct sr_acknowledgement *answer,
                      const struct sr_sent_copy *copy, int64_t loop_ns)
{
    const struct sr_step *before = &half->step;
    int64_t typical_ns = sr_typical_to(half, copy->path);
    if (typical_ns == SR_NO_TIME)
        return false;
    int64_t tolerance_ns = tolerance_of(half, typical_ns);
    bool goes_on = before->sent.row != 0 && before->sent.path == copy->path;
    if (is_near(loop_ns, typical_ns, tolerance_ns))
        return true;
    return goes_on ? is_near(loop_ns, before->loop_ns, tolerance_ns)
                   : is_without_queue(half, answer, copy, loop_ns, typical_ns);
}

void sr_step_take(const struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_covered *covered,
                  struct sr_step *step)
{
    const struct sr_sent_copy *last = last_of(covered);
    int64_t loop_ns = sr_between(answer->row->time_ns, last->time_ns);
    bool in_step = is_a_loop(half, answer, last, loop_ns);
    step->broken |= !in_step && (!sr_is_in_time(half, answer->row, last) || loop_ns < sr_typical_to(half, last->path));
    if (in_step && last->row > step->sent.row) {
        step->loop_ns = loop_ns;
        step->sent = (struct sr_arrived){last->row, last->frame, last->path, last->time_ns};
    }
}

bool sr_step_rules_out(const struct sr_half *half, const struct sr_acknowledgement *answer,
                       const struct sr_covered *covered, const struct sr_sent_copy *copy)
{
    const int64_t least_lead = 8; /* so much longer than what a loop varies by, chance is rare */
    const struct sr_step *step = &half->step;
    const struct sr_sent_copy *last = last_of(covered);
    if (step->sent.row == 0 || step->broken)
        return false;
    if (copy->row == last->row || copy->path != step->sent.path || copy->row >= step->sent.row)
        return false;
    int64_t lead_ns = sr_between(step->sent.time_ns, copy->time_ns), known_ns = half->measured.reordering.lead_ns;
    return lead_ns > known_ns + known_ns / 4 && lead_ns >= least_lead * sr_reading_tolerance_ns(half) &&
           sr_has_room_for(half, answer->before, covered->slot->tsn) &&
           is_a_loop(half, answer, last, sr_between(answer->row->time_ns, last->time_ns));
}
