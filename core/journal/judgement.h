/* SPDX-License-Identifier: BSD-2-Clause */
/* What judging leaves beside the journal. */
#ifndef SR_JOURNAL_JUDGEMENT_H
#define SR_JOURNAL_JUDGEMENT_H

#include "../buffer.h"
#include "share.h"
#include "spool.h"
#include "tables.h"
#include "told.h"

struct sr_judgement {
    struct sr_spool rtt_samples; /* struct sr_rtt_sample_row */
    struct sr_spool rack_marks;  /* struct sr_rack_mark_row */
    struct sr_spool rack_state;  /* struct sr_rack_state_row: rack_state.h */
    struct sr_spool probes;      /* struct sr_probe_row */
    struct sr_spool storms;      /* struct sr_storm_row */
    struct sr_spool limits;      /* struct sr_limit_row */
    struct sr_spool windows;     /* struct sr_window_row */
    struct sr_spool counts;      /* struct sr_count_row */
    struct sr_spool paths;       /* struct sr_path_row */
    struct sr_spool figures;     /* struct sr_direction_figures: figures.h */
    bool wants_states, wants_limits, wants_windows;
    int64_t end_ns; /* of the input, also of frames without SCTP; SR_NO_TIME where that is not known */
    bool only_data; /* each packet of the input has data */
    bool filtered;  /* packets without data were filtered out of it: filtered.h */
    struct sr_told told;
    struct sr_share share;
    struct sr_buffer figures_of; /* uint32_t: figures.h */
};

#endif
