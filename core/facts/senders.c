/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of senders. */
#include "senders.h"

void sr_senders(struct sr_parameters parameters[SR_SENDER_COUNT])
{
    parameters[SR_SENDER_PION] = sr_parameters_of(SR_PROFILE_PION);
    parameters[SR_SENDER_EARLY_PION] = sr_parameters_of_early_pion();
    parameters[SR_SENDER_USRSCTP] = sr_parameters_of(SR_PROFILE_USRSCTP);
    parameters[SR_SENDER_DCSCTP] = sr_parameters_of(SR_PROFILE_DCSCTP);
    parameters[SR_SENDER_LINUX] = sr_parameters_of(SR_PROFILE_LINUX);
    parameters[SR_SENDER_RFC9260] = sr_parameters_of(SR_PROFILE_RFC9260);
    parameters[SR_SENDER_RFC8985] = sr_parameters_of(SR_PROFILE_RFC8985);
}

void sr_leave_out(struct sr_parameters parameters[SR_SENDER_COUNT], uint8_t without)
{
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        if (without >> parameters[sender].profile & 1)
            parameters[sender] = sr_parameters_of(SR_PROFILE_RFC9260);
}
