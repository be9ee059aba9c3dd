/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each value in the way that stands behind its name. */
#include "say.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* With a comma before every three digits of the whole part. */
static void say_digits(GString *to, const char *digits)
{
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            g_string_append_c(to, ',');
        g_string_append_c(to, digits[i]);
    }
    g_string_append(to, digits + whole);
}

void sr_say_number(GString *to, int64_t number)
{
    char digits[32];
    g_snprintf(digits, sizeof digits, "%" G_GINT64_FORMAT, number < 0 ? -number : number);
    if (number < 0)
        g_string_append_c(to, '-');
    say_digits(to, digits);
}

static void say_seconds(GString *to, double seconds, int decimals)
{
    char digits[64];
    g_snprintf(digits, sizeof digits, "%.*f", decimals, seconds);
    say_digits(to, digits);
}

/* Three digits or so. */
static void say_duration(GString *to, int64_t ns)
{
    double length = fabs((double)ns);
    if (ns < 0)
        g_string_append_c(to, '-');
    if (length < 999500)
        g_string_append_printf(to, "%.0f \302\265s", nearbyint(length / 1e3));
    else if (length < 99950000)
        g_string_append_printf(to, "%.1f ms", length / 1e6);
    else if (length < 999500000)
        g_string_append_printf(to, "%.0f ms", nearbyint(length / 1e6));
    else {
        say_seconds(to, length / 1e9, 2);
        g_string_append(to, " s");
    }
}

static void say_span(GString *to, int64_t ns)
{
    if (ns >= INT64_C(1000000000))
        g_string_append_printf(to, "%.1f s", (double)ns / 1e9);
    else
        g_string_append_printf(to, "%.0f ms", (double)ns / 1e6);
}

static void say_value(GString *to, const struct sr_value *value, const char *how, size_t length)
{
    const char *slash = memchr(how, '/', length);
    if (value->text)
        g_string_append(to, value->text);
    else if (length == 0)
        g_string_append_printf(to, "%" G_GINT64_FORMAT, value->number);
    else if (length == 1)
        sr_say_number(to, value->number);
    else if (length > 5 && strncmp(how, "many ", 5) == 0) {
        sr_say_number(to, value->number);
        g_string_append_printf(to, " %.*s%s", (int)length - 5, how + 5, value->number == 1 ? "" : "s");
    } else if (strncmp(how, "duration", length) == 0)
        say_duration(to, value->number);
    else if (strncmp(how, "span", length) == 0)
        say_span(to, value->number);
    else if (slash && value->number == 1)
        g_string_append_len(to, how, slash - how);
    else if (slash)
        g_string_append_len(to, slash + 1, how + length - slash - 1);
    else if (value->number == 1)
        g_string_append(to, "once");
    else {
        sr_say_number(to, value->number);
        g_string_append(to, " times");
    }
}

void sr_say(GString *to, enum sr_sentence sentence, const struct sr_value *values)
{
    const char *text = sr_sentences[sentence];
    for (const char *begin = strchr(text, '{'); begin; begin = strchr(text, '{')) {
        size_t length = strcspn(begin + 1, "}");
        size_t name = strcspn(begin + 1, ":}");
        const struct sr_value *value = values;
        while (value->name && (strlen(value->name) != name || strncmp(value->name, begin + 1, name) != 0))
            value++;
        g_string_append_len(to, text, begin - text);
        if (value->name)
            say_value(to, value, begin + 1 + name + (name < length), length - name - (name < length));
        text = begin + length + 2;
    }
    g_string_append(to, text);
}
