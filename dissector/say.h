/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a sentence of findings.toml reads with its values: as in findings/say.py. */
#ifndef SR_DISSECTOR_SAY_H
#define SR_DISSECTOR_SAY_H

#include <glib.h>

#include "sentences.h"

/* A number where `text` is NULL. */
struct sr_value {
    const char *name, *text;
    int64_t number;
};

/* Adds it to the text; behind the last value is one without a name. */
void sr_say(GString *to, enum sr_sentence sentence, const struct sr_value *values);

/* With thousands. */
void sr_say_number(GString *to, int64_t number);

#define SR_VALUES(...) ((const struct sr_value[]){__VA_ARGS__, {NULL, NULL, 0}})

#endif
