/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first address and the port of each side. */
#include "ends.h"

#include "association/registry.h"
#include "text/address_text.h"

static void append_side(GString *text, const struct sr_side *side, char name)
{
    char address[SR_ADDRESS_TEXT];
    uint8_t family = side->addresses > 0 ? side->address[0].family : 0;
    if (family == 0) {
        g_string_append_printf(text, "%c:%u", name, side->port);
        return;
    }
    sr_address_text(side->address[0].bytes, family, address);
    g_string_append_printf(text, family == 6 ? "[%s]:%u" : "%s:%u", address, side->port);
}

char *sr_ends_text(const struct sr_recording *recording, uint32_t assoc, uint8_t from)
{
    GString *text = g_string_new(NULL);
    if (assoc != SR_NO_ASSOCIATION) {
        const struct sr_association *of = sr_registry_at(sr_engine_associations(recording->engine), assoc);
        append_side(text, &of->side[from], from ? 'b' : 'a');
        g_string_append(text, " > ");
        append_side(text, &of->side[from ^ 1], from ? 'a' : 'b');
    }
    return g_string_free(text, FALSE);
}
