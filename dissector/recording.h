/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was recorded of the open capture file, and when it is judged. */
#ifndef SR_DISSECTOR_RECORDING_H
#define SR_DISSECTOR_RECORDING_H

#include "asked.h"
#include "frame_rows.h"
#include "holes.h"
#include "limited.h"
#include "links.h"
#include "overrides.h"

struct sr_recording {
    struct sr_engine *engine; /* NULL: no memory */
    struct sr_holes holes;
    struct sr_overrides overrides;
    struct sr_links links; /* of the last judgement, and likewise: */
    struct sr_limited_list limited;
    GPtrArray *path_texts; /* of a path number, once it was shown */
    struct sr_frame_rows last;
    struct sr_asked asked;
    const struct _capture_file *gui; /* Wireshark's open file, from its first packet on; NULL in other programs */
    uint32_t judgement;              /* how often it was judged */
    uint64_t judged_transmissions, judged_sacks; /* rows at the last judgement: those before are judged */
    uint64_t noted;                              /* transmissions that `holes` has seen */
    int64_t latest_ns;                           /* of all frames, also those without SCTP; SR_NO_TIME without */
    uint32_t last_frame;                         /* that was recorded */
    bool has_ended;                              /* the file, as far as it is known */
    bool has_failed;                             /* memory or the disk ran out: nothing is recorded any more */
    bool is_renumbered;                          /* frame numbers came twice: a read filter left frames out */
};

void sr_recording_begin(struct sr_recording *recording);
void sr_recording_end(struct sr_recording *recording);

/* Packets in the order of their frames. */
void sr_recording_packet(struct sr_recording *recording, const struct sr_packet *packet);

/* Each frame, also one without SCTP. */
void sr_recording_frame(struct sr_recording *recording, int64_t time_ns);

/* The file, or what there is of it, was read. */
void sr_recording_file_ended(struct sr_recording *recording);

/* Judges what was recorded, where that is worth it: when the file has ended, and before when a quarter has come on
 * top, so that a live capture costs no more than a few judgements of all of it. */
void sr_recording_judge(struct sr_recording *recording);

const struct sr_journal *sr_recording_journal(const struct sr_recording *recording);

#endif
