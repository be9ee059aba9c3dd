/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preferences `sctp_rack.*`, and what they are without a choice. */
#include "preferences.h"

#include <epan/prefs-int.h>
#include <epan/prefs.h>
#include <wsutil/report_message.h>

#include "journal/journal.h"
#include "names.h"
#include "overrides.h"

static module_t *module;

struct sr_preferences sr_preferences = {
    .profile = SR_PROFILE_RFC8985,
    .loop = "",
    .max_ack_delay = "",
    .overrides = "",
    .verify_checksum = FALSE,
    .shows_info = TRUE,
    .shows_experts = TRUE,
    .shows_sacks = TRUE,
    .shows_state = TRUE,
    .memory_mib = SR_JOURNAL_MEMORY >> 20,
};

static const enum_val_t profiles[] = {
    {"rfc8985", "RACK-TLP (RFC 8985)", SR_PROFILE_RFC8985},
    {"rfc9260", "Three missing reports and T3-rtx (RFC 9260)", SR_PROFILE_RFC9260},
    {"pion", "pion/sctp", SR_PROFILE_PION},
    {"usrsctp", "usrsctp and FreeBSD", SR_PROFILE_USRSCTP},
    {"dcsctp", "dcSCTP (libwebrtc)", SR_PROFILE_DCSCTP},
    {"linux", "Linux", SR_PROFILE_LINUX},
    {NULL, NULL, 0},
};

static const enum_val_t senders[] = {
    {"measured", "What the capture tells", 0},
    {"rfc8985", "RACK-TLP (RFC 8985)", 1 + SR_PROFILE_RFC8985},
    {"rfc9260", "Three missing reports and T3-rtx (RFC 9260)", 1 + SR_PROFILE_RFC9260},
    {"pion", "pion/sctp", 1 + SR_PROFILE_PION},
    {"usrsctp", "usrsctp and FreeBSD", 1 + SR_PROFILE_USRSCTP},
    {"dcsctp", "dcSCTP (libwebrtc)", 1 + SR_PROFILE_DCSCTP},
    {"linux", "Linux", 1 + SR_PROFILE_LINUX},
    {NULL, NULL, 0},
};

static const enum_val_t vantages[] = {
    {"measured", "What the capture tells", 0},
    {"sender", "At the data sender", 1 + SR_VANTAGE_SENDER},
    {"middle", "In the network", 1 + SR_VANTAGE_MIDDLE},
    {"receiver", "At the data receiver", 1 + SR_VANTAGE_RECEIVER},
    {NULL, NULL, 0},
};

/* A list of Wireshark's that is given none of its words keeps the one that it had, and says nothing. So there is a list
 * where words are chosen, in Wireshark's window, and a text where they are typed. */
static struct typed {
    const char *preference;
    const enum_val_t *words; /* the first one: without a choice */
    gint *value;
    const char *text;
} typed[] = {
    {"profile", profiles, &sr_preferences.profile, "rfc8985"},
    {"vantage", vantages, &sr_preferences.vantage, "measured"},
    {"sender", senders, &sr_preferences.sender, "measured"},
};

/* prefs.h of 4.0 to 4.6 has no way to read a choice of another module, nor to put a text back: prefs-int.h, of the same
 * headers of the installed SDK, has, and Wireshark's own taps read so (megaco's "ctx_info" in ui/cli). */
bool sr_preferences_relative_tsns(void)
{
    static pref_t *preference;
    module_t *sctp = preference ? NULL : prefs_find_module("sctp");
    if (sctp)
        preference = prefs_find_preference(sctp, "relative_tsns");
    return preference && prefs_get_bool_value(preference, pref_current);
}

static bool has_window(void)
{
    return g_strcmp0(g_get_prgname(), "wireshark") == 0;
}

/* What is not understood is told once, when it is set, and then not kept: every file would tell it again. */
static void keep(const char *preference, const char *text)
{
    prefs_set_string_value(prefs_find_preference(module, preference), text, pref_current);
}

/* False where there is none. A text, and looked at here: Wireshark's numbers have no fraction, of which a loop may
 * consist, and none that says that nothing was told. */
static bool milliseconds(const char *preference, const char *text, int64_t *ns)
{
    enum { MOST_MS = 3600000, MILLISECOND = 1000000 };
    char *end = NULL;
    double ms = g_ascii_strtod(text, &end);
    if (*text == '\0')
        return false;
    if (end == text || *end != '\0' || !(ms >= 0 && ms <= MOST_MS)) {
        report_failure("sctp_rack.%s: \"%s\" is no time from 0 to %d milliseconds: as if nothing was said", preference,
                       text, MOST_MS);
        keep(preference, "");
        return false;
    }
    *ns = (int64_t)(ms * MILLISECOND + 0.5);
    return true;
}

static char *all_words(const enum_val_t *words)
{
    GString *text = g_string_new(words->name);
    while ((++words)->name)
        g_string_append_printf(text, "%s%s", words[1].name ? ", " : " or ", words->name);
    return g_string_free(text, FALSE);
}

/* Wireshark's window writes what a list shows into the preferences file. */
static bool is_called(const enum_val_t *word, const char *text)
{
    return g_ascii_strcasecmp(word->name, text) == 0 || g_ascii_strcasecmp(word->description, text) == 0;
}

static void understand(const struct typed *one)
{
    const enum_val_t *word = one->words;
    while (word->name && !is_called(word, one->text))
        word++;
    if (!word->name) {
        word = one->words;
        char *words = all_words(word);
        report_failure("sctp_rack.%s: \"%s\" is not %s: as if nothing was said", one->preference, one->text, words);
        g_free(words);
        keep(one->preference, word->name);
    }
    *one->value = word->value;
}

struct sr_told sr_preferences_told(void)
{
    for (unsigned i = 0; !has_window() && i < G_N_ELEMENTS(typed); i++)
        understand(&typed[i]);
    struct sr_told told = {.vantage = (uint8_t)sr_preferences.vantage, .profile = (uint8_t)sr_preferences.sender};
    told.loop = milliseconds("loop", sr_preferences.loop, &told.loop_ns);
    told.max_ack_delay = milliseconds("max_ack_delay", sr_preferences.max_ack_delay, &told.max_ack_delay_ns);
    char *understood = sr_overrides_understood(sr_preferences.overrides);
    if (understood)
        keep("override", understood);
    g_free(understood);
    return told;
}

/* Before the texts are written to a file. sharkd changes preferences without it: each file looks again. */
static void apply(void)
{
    (void)sr_preferences_told();
}

static void register_words(struct typed *one, const char *title, const char *about)
{
    if (has_window()) {
        prefs_register_enum_preference(module, one->preference, title, about, one->value, one->words, FALSE);
        return;
    }
    char *words = all_words(one->words);
    prefs_register_string_preference(module, one->preference, title, g_strdup_printf("%s: %s", about, words),
                                     &one->text);
    g_free(words);
}

void sr_preferences_register(int protocol)
{
    module = prefs_register_protocol(protocol, apply);
    register_words(&typed[0], "Show what would be marked lost by",
                   "Whose loss detection sctp.analysis.rack_lost speaks of");
    register_words(&typed[1], "The capture was taken", "Of the side of each association that sends more user data");
    prefs_register_string_preference(module, "loop", "Time from the tap to the data sender and back (ms)",
                                     "Empty: what the capture tells", &sr_preferences.loop);
    register_words(&typed[2], "The data sender is", "Whose loss detection the sender really has");
    prefs_register_string_preference(module, "max_ack_delay", "Receivers delay SACKs by up to (ms)",
                                     "TLP.max_ack_delay (WCDelAckT) of RACK-TLP (RFC 8985 section 7.2); empty: 200",
                                     &sr_preferences.max_ack_delay);
    prefs_register_string_preference(module, "override", "Verdicts that you know better",
                                     "FRAME=needed, FRAME=spurious or FRAME=undetermined, with commas between; "
                                     "FRAME/TSN for one chunk of several",
                                     &sr_preferences.overrides);
    prefs_register_bool_preference(
        module, "info_prefix", "Prefix the Info column",
        "Put what happened, as [SCTP Spurious Retransmission], before the Info column, and the gap "
        "blocks of a SACK behind it",
        &sr_preferences.shows_info);
    prefs_register_bool_preference(module, "expert_infos", "Add expert infos",
                                   "Also list what happened under Expert Information", &sr_preferences.shows_experts);
    prefs_register_bool_preference(module, "sacks", "Decode SACKs and NR-SACKs",
                                   "Show acknowledgements with absolute TSNs, what is newly acknowledged and missing",
                                   &sr_preferences.shows_sacks);
    prefs_register_bool_preference(module, "state", "Show the state of RACK-TLP for each SACK",
                                   "Replay RFC 8985 and show its state; takes about 100 bytes of memory for each SACK",
                                   &sr_preferences.shows_state);
    prefs_register_bool_preference(
        module, "verify_checksum", "Call every wrong checksum bad",
        "Otherwise a wrong checksum is bad only from a side that was right before: network cards fill checksums in",
        &sr_preferences.verify_checksum);
    prefs_register_uint_preference(module, "memory", "Memory for what is recorded (MiB)",
                                   "Beyond it rows go to a temporary file without a name, about 100 bytes a chunk", 10,
                                   &sr_preferences.memory_mib);
}
