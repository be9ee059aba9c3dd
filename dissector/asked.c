/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wireshark marks the fields that a dissection is for, and says of none who wants it. With tshark's -2 a read filter
 * (-R) is in the first pass alone, while a display filter (-Y) is in both. */
#include "asked.h"

#include <wsutil/report_message.h>

static int hf_of(unsigned number)
{
    return number < SR_FIELD_COUNT ? sr_hf[number] : sr_ei[number - SR_FIELD_COUNT].hf;
}

static bool is_later(unsigned number)
{
    return number < SR_FIELD_COUNT ? sr_is_field_later[number] : sr_is_event_later[number - SR_FIELD_COUNT];
}

/* A visible tree has every field: only what is named counts. */
static void look(uint64_t *words)
{
    for (unsigned number = 0; number < SR_FIELD_COUNT + SR_EVENT_COUNT; number++)
        if (is_later(number) && proto_registrar_get_nth((guint)hf_of(number))->ref_type >= HF_REF_TYPE_DIRECT)
            words[number / 64] |= UINT64_C(1) << number % 64;
}

void sr_asked_in_first_pass(struct sr_asked *asked)
{
    asked->has_first = true;
    look(asked->first);
}

/* Wireshark takes its mark from fields that were added: one that nobody could add yet would keep it. */
void sr_asked_first_pass_ends(const struct sr_asked *asked)
{
    for (unsigned number = 0; number < SR_FIELD_COUNT + SR_EVENT_COUNT; number++)
        if (asked->first[number / 64] >> number % 64 & 1)
            proto_registrar_get_nth((guint)hf_of(number))->ref_type = HF_REF_TYPE_NONE;
}

void sr_asked_in_second_pass(struct sr_asked *asked)
{
    if (asked->has_second)
        return;
    asked->has_second = true;
    look(asked->second);
}

bool sr_asked_too_early(const struct sr_asked *asked)
{
    uint64_t any = 0;
    for (unsigned word = 0; word < SR_ASKED_WORDS; word++)
        any |= asked->first[word];
    return any != 0;
}

static bool is_in_vain(const struct sr_asked *asked, unsigned number, bool dropped)
{
    bool first = asked->first[number / 64] >> number % 64 & 1;
    bool second = asked->second[number / 64] >> number % 64 & 1;
    return first && (dropped || !asked->has_second || !second);
}

void sr_asked_end(const struct sr_asked *asked, bool dropped)
{
    static bool was_told;
    const char *name = NULL;
    unsigned others = 0;
    for (unsigned number = 0; number < SR_FIELD_COUNT + SR_EVENT_COUNT; number++) {
        if (!is_in_vain(asked, number, dropped))
            continue;
        others += name != NULL;
        name = name ? name : proto_registrar_get_nth((guint)hf_of(number))->abbrev;
    }
    if (!name || was_told)
        return;
    was_told = true;
    if (others > 0)
        report_warning(
            "sctp_rack: %s and %u more are known only when all of the capture was read: tshark needs -2, and "
            "-Y where you gave -R",
            name, others);
    else
        report_warning(
            "sctp_rack: %s is known only when all of the capture was read: tshark needs -2, and -Y where you "
            "gave -R",
            name);
}
