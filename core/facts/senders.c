/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of senders. */
#include "senders.h"

unsigned sr_profile_of_sender(unsigned sender)
{
    static const uint8_t profiles[SR_SENDER_COUNT] = {
        [SR_SENDER_PION] = SR_PROFILE_PION,       [SR_SENDER_EARLY_PION] = SR_PROFILE_PION,
        [SR_SENDER_USRSCTP] = SR_PROFILE_USRSCTP, [SR_SENDER_DCSCTP] = SR_PROFILE_DCSCTP,
        [SR_SENDER_LINUX] = SR_PROFILE_LINUX,     [SR_SENDER_RFC9260] = SR_PROFILE_RFC9260,
        [SR_SENDER_RFC8985] = SR_PROFILE_RFC8985,
    };
    return profiles[sender];
}

unsigned sr_sender_of_profile(unsigned profile)
{
    unsigned sender = 0;
    while (sender < SR_SENDER_COUNT && sr_profile_of_sender(sender) != profile)
        sender++;
    return sender;
}

void sr_senders(struct sr_parameters parameters[SR_SENDER_COUNT])
{
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        parameters[sender] = sr_parameters_of((enum sr_profile)sr_profile_of_sender(sender));
    parameters[SR_SENDER_EARLY_PION] = sr_parameters_of_early_pion();
}

void sr_leave_out(struct sr_parameters parameters[SR_SENDER_COUNT], uint8_t without)
{
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        if (without >> parameters[sender].profile & 1)
            parameters[sender] = sr_parameters_of(SR_PROFILE_RFC9260);
}
