/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the ends of a direction read. */
#ifndef SR_DISSECTOR_ENDS_H
#define SR_DISSECTOR_ENDS_H

#include "recording.h"

/* `10.0.0.1:5000 > 10.0.0.2:5001`: of each side the address that was seen first, so that the text never changes while
 * packets come. Empty for SR_NO_ASSOCIATION. To be freed. */
char *sr_ends_text(const struct sr_recording *recording, uint32_t assoc, uint8_t from);

#endif
