/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiver's rule as a machine: idle, or one packet waiting for a second or for the delay. */
#include "receiver.h"

#include "../wire/time.h"

struct machine {
    const struct sr_received *before;
    const struct sr_arrival *arrivals;
    uint32_t arrived;       /* of the arrivals, so far */
    struct sr_tsn cum, top; /* received without a gap, and the highest received */
};

static bool received(const struct machine *machine, struct sr_tsn tsn, struct sr_tsn *last)
{
    *last = tsn;
    if (!sr_tsn_after(tsn, machine->cum))
        return true;
    for (uint32_t i = 0; i < machine->before->block_count; i++) {
        struct sr_tsn first = sr_tsn(machine->before->blocks[2 * i]), end = sr_tsn(machine->before->blocks[2 * i + 1]);
        if (!sr_tsn_after(first, tsn) && !sr_tsn_after(tsn, end)) {
            *last = end;
            return true;
        }
    }
    for (uint32_t i = 0; i < machine->arrived; i++)
        if (sr_tsn_equal(machine->arrivals[i].tsn, tsn))
            return true;
    return false;
}

static bool has_gap(const struct machine *machine)
{
    return sr_tsn_after(machine->top, machine->cum);
}

/* True where it is new. */
static bool arrive(struct machine *machine)
{
    struct sr_tsn tsn = machine->arrivals[machine->arrived].tsn, last;
    bool is_new = !received(machine, tsn, &last);
    machine->arrived++;
    if (sr_tsn_after(tsn, machine->top))
        machine->top = tsn;
    while (received(machine, sr_tsn_add(machine->cum, 1), &last))
        machine->cum = last;
    return is_new;
}

uint32_t sr_receiver_answers(enum sr_ack_rule rule, const struct sr_received *before, const struct sr_arrival *arrivals,
                             uint32_t count, int64_t loop_ns, int64_t delay_ns, int64_t answers_ns[SR_ANSWERS])
{
    struct machine machine = {.before = before, .arrivals = arrivals, .cum = before->cum, .top = before->cum};
    int64_t delayed_ns = SR_NO_TIME; /* when the packet that waits is answered at the latest */
    uint32_t answers = 0;

    for (uint32_t i = 0; i < before->block_count; i++)
        if (sr_tsn_after(sr_tsn(before->blocks[2 * i + 1]), machine.top))
            machine.top = sr_tsn(before->blocks[2 * i + 1]);
    while (machine.arrived < count && answers + 2 < SR_ANSWERS) {
        const struct sr_arrival *packet = &arrivals[machine.arrived];
        bool had_gap = has_gap(&machine), any_new = false, at_once = rule == SR_ACK_RULE_EVERY;
        if (delayed_ns != SR_NO_TIME && delayed_ns <= packet->time_ns) {
            answers_ns[answers++] = sr_time_after(delayed_ns, loop_ns);
            delayed_ns = SR_NO_TIME;
        }
        /* Chunk by chunk: the first of those that close a gap still leaves one. */
        while (machine.arrived < count && arrivals[machine.arrived].frame == packet->frame) {
            at_once |= arrivals[machine.arrived].asks;
            any_new |= arrive(&machine);
            at_once |= has_gap(&machine);
        }
        at_once |= delayed_ns != SR_NO_TIME;
        if (rule == SR_ACK_RULE_PROMPT)
            at_once |= had_gap || !any_new;
        if (at_once) {
            answers_ns[answers++] = sr_time_after(packet->time_ns, loop_ns);
            delayed_ns = SR_NO_TIME;
        } else {
            delayed_ns = sr_time_after(packet->time_ns, delay_ns);
        }
    }
    if (delayed_ns != SR_NO_TIME)
        answers_ns[answers++] = sr_time_after(delayed_ns, loop_ns);
    return answers;
}
