/* SPDX-License-Identifier: BSD-2-Clause */
/* Each value in the way that stands behind its name. */
#include "say.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say_bytes(struct sr_buffer *to, const char *text, size_t length)
{
    char *room = sr_buffer_extend(to, length + 1);
    if (!room)
        return;
    memcpy(room, text, length);
    room[length] = '\0';
    to->length--;
}

void sr_say_text(struct sr_buffer *to, const char *text)
{
    say_bytes(to, text, strlen(text));
}

const char *sr_said(const struct sr_buffer *text)
{
    return text->bytes ? (const char *)text->bytes : "";
}

/* What is short. */
__attribute__((format(printf, 2, 3))) static void say_format(struct sr_buffer *to, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sr_say_text(to, text);
}

/* With a comma before every three digits of the whole part. */
static void say_digits(struct sr_buffer *to, const char *digits)
{
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            sr_say_text(to, ",");
        say_bytes(to, digits + i, 1);
    }
    sr_say_text(to, digits + whole);
}

void sr_say_number(struct sr_buffer *to, int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    if (number < 0)
        sr_say_text(to, "-");
    say_digits(to, digits);
}

static void say_nouns(struct sr_buffer *to, int64_t number, const char *noun, size_t length)
{
    sr_say_number(to, number);
    sr_say_text(to, " ");
    say_bytes(to, noun, length);
    if (number != 1)
        sr_say_text(to, "s");
}

void sr_say_many(struct sr_buffer *to, int64_t number, const char *noun)
{
    say_nouns(to, number, noun, strlen(noun));
}

/* Three digits or so. */
static void say_duration(struct sr_buffer *to, int64_t ns)
{
    double length = ns < 0 ? -(double)ns : (double)ns;
    char digits[64];
    if (ns < 0)
        sr_say_text(to, "-");
    if (length < 999500)
        say_format(to, "%.0f \302\265s", length / 1e3);
    else if (length < 99950000)
        say_format(to, "%.1f ms", length / 1e6);
    else if (length < 999500000)
        say_format(to, "%.0f ms", length / 1e6);
    else {
        snprintf(digits, sizeof digits, "%.2f", length / 1e9);
        say_digits(to, digits);
        sr_say_text(to, " s");
    }
}

static void say_span(struct sr_buffer *to, int64_t ns)
{
    if (ns >= INT64_C(1000000000))
        say_format(to, "%.1f s", (double)ns / 1e9);
    else
        say_format(to, "%.0f ms", (double)ns / 1e6);
}

static void say_value(struct sr_buffer *to, const struct sr_value *value, const char *how, size_t length)
{
    const char *slash = memchr(how, '/', length);
    if (value->text)
        sr_say_text(to, value->text);
    else if (length == 0)
        say_format(to, "%" PRId64, value->number);
    else if (length == 1)
        sr_say_number(to, value->number);
    else if (length > 5 && strncmp(how, "many ", 5) == 0)
        say_nouns(to, value->number, how + 5, length - 5);
    else if (strncmp(how, "duration", length) == 0)
        say_duration(to, value->number);
    else if (strncmp(how, "span", length) == 0)
        say_span(to, value->number);
    else if (slash && value->number == 1)
        say_bytes(to, how, (size_t)(slash - how));
    else if (slash)
        say_bytes(to, slash + 1, (size_t)(how + length - slash - 1));
    else if (value->number == 1)
        sr_say_text(to, "once");
    else {
        sr_say_number(to, value->number);
        sr_say_text(to, " times");
    }
}

void sr_say(struct sr_buffer *to, enum sr_sentence sentence, const struct sr_value *values)
{
    const char *text = sr_sentences[sentence];
    for (const char *begin = strchr(text, '{'); begin; begin = strchr(text, '{')) {
        size_t length = strcspn(begin + 1, "}");
        size_t name = strcspn(begin + 1, ":}");
        const struct sr_value *value = values;
        while (value->name && (strlen(value->name) != name || strncmp(value->name, begin + 1, name) != 0))
            value++;
        say_bytes(to, text, (size_t)(begin - text));
        if (value->name)
            say_value(to, value, begin + 1 + name + (name < length), length - name - (name < length));
        text = begin + length + 2;
    }
    sr_say_text(to, text);
}
