/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wireshark applies its display filter while it reads a file, and while it dissects one anew: frames that have what is
 * known later are left out then. Afterwards the filter is applied again, as if its user had pressed Enter. */
#ifndef SR_DISSECTOR_AGAIN_H
#define SR_DISSECTOR_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

struct _capture_file;

/* Wireshark's open file; NULL where another program, as tshark, dissects. */
struct _capture_file *sr_gui_file(void);

/* Whether this is the last frame of a file that is dissected anew, whose end nothing else tells. */
bool sr_gui_ends_with(const struct _capture_file *file, uint32_t frame);

void sr_gui_filter_again(const struct _capture_file *file);

#endif
