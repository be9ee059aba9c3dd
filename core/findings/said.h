/* SPDX-License-Identifier: BSD-2-Clause */
/* Causes of ABORT and ERROR that associations tell of, by their kinds. */
#ifndef SR_FINDINGS_SAID_H
#define SR_FINDINGS_SAID_H

#include "find.h"

/* A cause that an association tells of. */
struct sr_said {
    size_t label_at;     /* where it begins in the text, as long as that grows */
    const char *label;   /* its name as the RFC writes it, and what its sender wrote */
    uint32_t place;      /* in the order in which they were noted */
    uint32_t kind_place; /* of the first of its kind */
    uint32_t frame;
    uint16_t cause;
    bool has_cause, reflected, established, clean;
    const struct sr_side *side; /* that is told of */
    int64_t amount;
};

/* All zero before the first. */
struct sr_said_list {
    struct sr_buffer said, labels;
};

static inline size_t sr_said_count(const struct sr_said_list *list)
{
    return list->said.length / sizeof(struct sr_said);
}

static inline struct sr_said *sr_said_at(const struct sr_said_list *list, size_t at)
{
    return (struct sr_said *)(void *)list->said.bytes + at;
}

/* `of` says what else tells its kind; its label, cause and place are found here. */
void sr_said_note(struct sr_said_list *list, const struct sr_error *error, struct sr_said of);

/* Those of a kind one behind the other, kinds in the order of their labels. False where there are none. */
bool sr_said_sort(struct sr_findings *findings, struct sr_said_list *list);

/* Likewise, kinds in the order in which they were noted first. */
bool sr_said_sort_by_place(struct sr_findings *findings, struct sr_said_list *list);

void sr_said_list_free(struct sr_said_list *list);

#endif
