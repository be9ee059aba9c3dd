/* SPDX-License-Identifier: BSD-2-Clause */
/* How a sentence of findings.toml reads with its values: as in findings/say.py. Text grows in a buffer, with a NUL
 * behind that its length does not count. */
#ifndef SR_FINDINGS_SAY_H
#define SR_FINDINGS_SAY_H

#include "../buffer.h"
#include "sentences.h"

/* A number where `text` is NULL. */
struct sr_value {
    const char *name, *text;
    int64_t number;
};

/* Adds it to the text; behind the last value is one without a name. */
void sr_say(struct sr_buffer *to, enum sr_sentence sentence, const struct sr_value *values);

void sr_say_text(struct sr_buffer *to, const char *text);
/* With thousands. */
void sr_say_number(struct sr_buffer *to, int64_t number);
/* And what there are so many of. */
void sr_say_many(struct sr_buffer *to, int64_t number, const char *noun);

/* What was said so far. */
const char *sr_said(const struct sr_buffer *text);

#define SR_VALUES(...) ((const struct sr_value[]){__VA_ARGS__, {NULL, NULL, 0}})

#endif
