/* SPDX-License-Identifier: BSD-2-Clause */
/* How long after its cause a packet can pass the tap. */
#ifndef SR_MODEL_CROSSING_H
#define SR_MODEL_CROSSING_H

#include <stdint.h>

#define SR_REACTION_NS INT64_C(20000000)

#endif
