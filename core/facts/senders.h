/* SPDX-License-Identifier: BSD-2-Clause */
/* The senders that are replayed side by side, and which of them the real one resembles. */
#ifndef SR_FACTS_SENDERS_H
#define SR_FACTS_SENDERS_H

#include "../model/model.h"

/* In the order in which one is taken where several explain as much. */
enum sr_sender {
    SR_SENDER_PION,
    SR_SENDER_EARLY_PION, /* before 1.9.0: without RACK */
    SR_SENDER_USRSCTP,
    SR_SENDER_DCSCTP,
    SR_SENDER_LINUX,
    SR_SENDER_RFC9260,
    SR_SENDER_RFC8985,
    SR_SENDER_COUNT,
};

/* enum sr_profile of enum sr_sender. */
unsigned sr_profile_of_sender(unsigned sender);

/* The first with that enum sr_profile; SR_SENDER_COUNT: none. */
unsigned sr_sender_of_profile(unsigned profile);

void sr_senders(struct sr_parameters parameters[SR_SENDER_COUNT]);

/* Those whose profile is in `without` (1 << enum sr_profile) do as RFC 9260 says, as if their stacks were not known. */
void sr_leave_out(struct sr_parameters parameters[SR_SENDER_COUNT], uint8_t without);

#endif
