/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a text is one JSON value (RFC 8259) without repeated names in an object, as the core writes it: no
 * whitespace, no escapes, whole numbers, ASCII. */
#ifndef SR_TESTS_JSON_CHECK_H
#define SR_TESTS_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct json {
    const char *at, *end;
    int depth;
};

static inline bool json_next_is(struct json *json, char wanted)
{
    if (json->at == json->end || *json->at != wanted)
        return false;
    json->at++;
    return true;
}

static inline bool json_string(struct json *json)
{
    if (!json_next_is(json, '"'))
        return false;
    while (json->at < json->end && *json->at != '"') {
        if (*json->at < 0x20 || *json->at > 0x7e || *json->at == '\\')
            return false;
        json->at++;
    }
    return json_next_is(json, '"');
}

static inline bool json_word(struct json *json, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0)
        return false;
    json->at += length;
    return true;
}

static inline bool json_number(struct json *json)
{
    const char *start = json->at;
    while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
        json->at++;
    return json->at > start && (*start != '0' || json->at == start + 1);
}

static inline bool json_value(struct json *json);

static inline bool json_object(struct json *json)
{
    enum { MOST_NAMES = 16 };
    struct {
        const char *at;
        size_t length;
    } names[MOST_NAMES];
    int count = 0;
    if (json_next_is(json, '}'))
        return true;
    do {
        const char *name = json->at;
        if (count == MOST_NAMES || !json_string(json))
            return false;
        names[count].at = name;
        names[count].length = (size_t)(json->at - name);
        for (int i = 0; i < count; i++)
            if (names[i].length == names[count].length && memcmp(names[i].at, name, names[i].length) == 0)
                return false;
        count++;
        if (!json_next_is(json, ':') || !json_value(json))
            return false;
    } while (json_next_is(json, ','));
    return json_next_is(json, '}');
}

static inline bool json_list(struct json *json)
{
    if (json_next_is(json, ']'))
        return true;
    do {
        if (!json_value(json))
            return false;
    } while (json_next_is(json, ','));
    return json_next_is(json, ']');
}

static inline bool json_value(struct json *json)
{
    enum { DEEPEST = 64 };
    bool valid = false;
    if (json->at == json->end || ++json->depth > DEEPEST)
        return false;
    if (*json->at == '"')
        valid = json_string(json);
    else if (json_next_is(json, '{'))
        valid = json_object(json);
    else if (json_next_is(json, '['))
        valid = json_list(json);
    else
        valid = json_number(json) || json_word(json, "true") || json_word(json, "false") || json_word(json, "null");
    json->depth--;
    return valid;
}

static inline bool is_json_object(const char *text, size_t length)
{
    struct json json = {text, text + length, 0};
    return length > 0 && text[0] == '{' && json_value(&json) && json.at == json.end;
}

#endif
