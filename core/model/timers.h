/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which timer of a sender fires next, and what the sender does when it does. RFC 8985 section 8: of the
 * reordering timer, the PTO and T3-rtx only one runs at a time. A suspended T3-rtx keeps its deadline and takes over
 * when the other has fired. */
#ifndef SR_MODEL_TIMERS_H
#define SR_MODEL_TIMERS_H

#include "detection.h"
#include "usrsctp.h"

/* As sr_timers_advance, for a sender of which a timer may be due. */
void sr_timers_fire(struct sr_model *model, struct sr_sender *sender, int64_t until_ns, bool inclusive);

/* Fires all timers that are due before a time, or at it too if `inclusive`. */
static inline void sr_timers_advance(struct sr_model *model, struct sr_sender *sender, int64_t until_ns, bool inclusive)
{
    if (sender->due_ns <= until_ns)
        sr_timers_fire(model, sender, until_ns, inclusive);
    sender->now_ns = until_ns;
}

/* When the next one fires; SR_NO_TIME: none runs. */
int64_t sr_timers_next_ns(const struct sr_model *model, const struct sr_sender *sender);

/* Whether a packet changes nothing about this sender's timers, as new data mostly does: T3-rtx runs, and there is
 * neither a probe timeout nor a zero window probe to think of. */
static inline bool sr_timers_run_on(const struct sr_model *model, const struct sr_sender *sender,
                                    const struct sr_packet_view *packet)
{
    const struct sr_parameters *parameters = &sender->parameters;
    return !packet->any_resent && !packet->window_closed && sender->paths[packet->path].t3_ns != SR_NO_TIME &&
           sender->window_probe.count == 0 && !parameters->tlp.on && !parameters->pion.on &&
           !(parameters->misses.as_usrsctp && model->a_rwnd_bytes < SR_SWS_SENDER);
}

/* Arms the timers that a transmission arms. */
void sr_timers_data_sent(struct sr_model *model, struct sr_sender *sender, const struct sr_packet_view *packet);

/* Arms and stops timers after feedback, when the detectors have seen it. */
void sr_timers_acknowledged(struct sr_model *model, struct sr_sender *sender);

/* Stops all timers of paths on which nothing is outstanding: acknowledged, given up or moved away. */
void sr_timers_stop_idle(struct sr_model *model, struct sr_sender *sender);

/* Likewise, where nothing will be acknowledged either. */
void sr_timers_stop_all(struct sr_model *model, struct sr_sender *sender);

/* Lets T3-rtx expire before its time if this packet shows that it has.
 * ADAPTATION: a resend of what no feedback has marked, and a timeout would, is that of a timeout. It can be early for
 * two reasons. A stack counts time in ticks, from the last one (usrsctp: sctp_os_timer_start). And where the host takes
 * its time, the timer was started before its data passed the tap; and feedback seen before data may have been processed
 * after it: then the data kept a timer running that feedback seems to have turned off. The second is believed only of
 * the earliest chunk, when it is not sent in answer to feedback. */
void sr_timers_expire_early(struct sr_model *model, struct sr_sender *sender, uint8_t place,
                            const struct sr_model_sent *sent);

#endif
