/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function for each type of field. */
#include "canvas.h"

#include "paint.h"
#include "preferences.h"
#include "text/address_text.h"

static proto_item *generated(proto_item *item)
{
    proto_item_set_generated(item);
    return item;
}

proto_item *sr_add_uint(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t value)
{
    return tree ? generated(proto_tree_add_uint(tree, sr_hf[field], canvas->tvb, 0, 0, value)) : NULL;
}

proto_item *sr_add_ulong(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint64_t value)
{
    return tree ? generated(proto_tree_add_uint64(tree, sr_hf[field], canvas->tvb, 0, 0, value)) : NULL;
}

proto_item *sr_add_bool(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, bool value)
{
    return tree ? generated(proto_tree_add_boolean(tree, sr_hf[field], canvas->tvb, 0, 0, value)) : NULL;
}

proto_item *sr_add_string(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, const char *value)
{
    return tree ? generated(proto_tree_add_string(tree, sr_hf[field], canvas->tvb, 0, 0, value)) : NULL;
}

proto_item *sr_add_none(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field)
{
    return tree ? generated(proto_tree_add_item(tree, sr_hf[field], canvas->tvb, 0, 0, ENC_NA)) : NULL;
}

void sr_add_sign(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field)
{
    proto_item_set_hidden(sr_add_none(canvas, tree, field));
}

proto_item *sr_add_time(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, int64_t ns)
{
    enum { SECOND = 1000000000 };
    if (!tree || ns == SR_NO_TIME)
        return NULL;
    nstime_t time = {.secs = (time_t)(ns / SECOND), .nsecs = (int)(ns % SECOND)};
    return generated(proto_tree_add_time(tree, sr_hf[field], canvas->tvb, 0, 0, &time));
}

proto_item *sr_add_frame(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t frame)
{
    return frame ? sr_add_uint(canvas, tree, field, frame) : NULL;
}

void sr_add_frame_or(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t frame, const char *none)
{
    proto_item *item = sr_add_uint(canvas, tree, field, frame);
    if (frame || !item)
        return;
    proto_item_set_hidden(item);
    proto_tree_add_subtree(tree, canvas->tvb, 0, 0, sr_ett[SR_ETT_PART], &item, none);
    generated(item);
}

proto_item *sr_add_elapsed(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, int64_t then_ns,
                           int64_t now_ns)
{
    int64_t elapsed;
    return sr_elapsed(now_ns, then_ns, &elapsed) ? sr_add_time(canvas, tree, field, elapsed) : NULL;
}

/* The text of a word is the field behind it. */
static void add_text_of_word(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, const char *word)
{
    if (sr_is_asked_for(canvas, field + 1))
        proto_item_set_hidden(sr_add_string(canvas, tree, field + 1, word));
}

proto_item *sr_add_word(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, const char *const *words,
                        const char *const *texts, uint8_t word)
{
    if (word == SR_NO_WORD || !tree)
        return NULL;
    add_text_of_word(canvas, tree, field, words[word]);
    int hf = sr_hf[field];
    if (!texts)
        return generated(proto_tree_add_uint_format_value(tree, hf, canvas->tvb, 0, 0, word, "%s", words[word]));
    return generated(
        proto_tree_add_uint_format_value(tree, hf, canvas->tvb, 0, 0, word, "%s (%s)", words[word], texts[word]));
}

const char *sr_class_text(uint8_t level)
{
    static const char *const texts[] = {"", "a guess", "perhaps", "likely", "very likely", "certain"};
    return texts[level <= 5 ? level : 0];
}

proto_item *sr_add_class(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint8_t level)
{
    proto_item *item = level ? sr_add_uint(canvas, tree, field, level) : NULL;
    if (item)
        proto_item_append_text(item, " (%s)", sr_class_text(level));
    return item;
}

bool sr_is_asked_for(const struct sr_canvas *canvas, enum sr_field field)
{
    return canvas->tree && proto_field_is_referenced(canvas->tree, sr_hf[field]);
}

static void append_address(GString *text, const uint8_t *bytes, uint8_t family)
{
    char address[SR_ADDRESS_TEXT];
    sr_address_text(bytes, family, address);
    g_string_append_printf(text, family == 6 ? "[%s]" : "%s", address);
}

static char *path_as_text(const struct sr_path *path)
{
    GString *text = g_string_new(NULL);
    append_address(text, path->bytes, path->bytes[16]);
    g_string_append_c(text, '>');
    append_address(text, path->bytes + 17, path->bytes[33]);
    return g_string_free(text, FALSE);
}

/* Every chunk has one, and there are few. */
static const char *path_text(const struct sr_canvas *canvas, uint32_t number, uint8_t from)
{
    const struct sr_paths *paths = &sr_engine_rows(canvas->recording->engine)->paths;
    const struct sr_path *path = (const struct sr_path *)(const void *)paths->list.bytes + number;
    GPtrArray *texts = canvas->recording->path_texts;
    if (path->bytes[16] == 0)
        return from ? "b>a" : "a>b";
    if (number >= texts->len)
        g_ptr_array_set_size(texts, (gint)number + 1);
    if (!texts->pdata[number])
        texts->pdata[number] = path_as_text(path);
    return texts->pdata[number];
}

void sr_add_place(struct sr_canvas *canvas, proto_tree *tree, uint32_t assoc, uint8_t from, uint32_t path,
                  uint8_t path_from)
{
    if (assoc != SR_NO_ASSOCIATION) {
        sr_add_uint(canvas, tree, SR_FIELD_ASSOC, assoc);
        sr_add_word(canvas, tree, SR_FIELD_DIR, sr_dir_names, NULL, from);
    }
    if (path != SR_NO_PATH && sr_is_asked_for(canvas, SR_FIELD_PATH))
        sr_add_string(canvas, tree, SR_FIELD_PATH, path_text(canvas, path, path_from));
}

void sr_event(struct sr_canvas *canvas, proto_item *item, enum sr_event event)
{
    canvas->events |= UINT32_C(1) << event;
    if (sr_preferences.shows_experts)
        expert_add_info(canvas->pinfo, item, &sr_ei[event]);
}
