/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP errors that quote SCTP packets, those of one meaning together. As findings/unreachable.py. */
#include <stdio.h>
#include <string.h>

#include "find.h"
#include "icmp_meaning.h"

static const struct {
    enum sr_sentence what, why;
} sentences[SR_ICMP_TOO_BIG] = {
    [SR_ICMP_NETWORK] = {SR_SENTENCE_ICMP_NETWORK, SR_SENTENCE_ICMP_NETWORK_WHY},
    [SR_ICMP_HOST] = {SR_SENTENCE_ICMP_HOST, SR_SENTENCE_ICMP_HOST_WHY},
    [SR_ICMP_PROTOCOL] = {SR_SENTENCE_ICMP_PROTOCOL, SR_SENTENCE_ICMP_PROTOCOL_WHY},
    [SR_ICMP_PORT] = {SR_SENTENCE_ICMP_PORT, SR_SENTENCE_ICMP_PORT_WHY},
    [SR_ICMP_PROHIBITED] = {SR_SENTENCE_ICMP_PROHIBITED, SR_SENTENCE_ICMP_PROHIBITED_WHY},
    [SR_ICMP_LOOP] = {SR_SENTENCE_ICMP_LOOP, SR_SENTENCE_ICMP_LOOP_WHY},
    [SR_ICMP_REASSEMBLY] = {SR_SENTENCE_ICMP_REASSEMBLY, SR_SENTENCE_ICMP_REASSEMBLY_WHY},
    [SR_ICMP_PARAMETER] = {SR_SENTENCE_ICMP_PARAMETER, SR_SENTENCE_ICMP_PARAMETER_WHY},
    [SR_ICMP_OTHER] = {SR_SENTENCE_ICMP_OTHER, SR_SENTENCE_ICMP_OTHER_WHY},
};

static enum sr_icmp_meaning meaning_of(const struct sr_icmp_error *error)
{
    return sr_icmp_meaning(error->version, error->type, error->code);
}

/* Those of one meaning, and where they say that a packet is too big for one MTU. */
static bool is_of(const struct sr_icmp_error *error, const struct sr_icmp_error *first)
{
    enum sr_icmp_meaning meaning = meaning_of(first);
    return meaning_of(error) == meaning && (meaning != SR_ICMP_TOO_BIG || error->mtu == first->mtu);
}

static bool is_first(const struct sr_icmp_errors *errors, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (is_of(&errors->kept[i], &errors->kept[at]))
            return false;
    return true;
}

static bool same(const struct sr_address *one, const struct sr_address *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

static bool same_ends(const struct sr_icmp_error *one, const struct sr_icmp_error *other)
{
    return same(&one->src, &other->src) && same(&one->dst, &other->dst) && one->sport == other->sport &&
           one->dport == other->dport;
}

/* What is said of those of a meaning. */
struct those {
    int64_t count, pairs, hosts; /* of errors; of different ends that they quote, and of who sent them */
    struct sr_look look;
};

static struct those sum_up(const struct sr_icmp_errors *errors, const struct sr_icmp_error *first)
{
    struct those those = {.look = {{0}, 0}};
    for (const struct sr_icmp_error *one = first; one < errors->kept + errors->kinds; one++) {
        bool new_pair = true, new_host = true;
        if (!is_of(one, first))
            continue;
        for (const struct sr_icmp_error *before = first; before < one; before++) {
            new_pair &= !is_of(before, first) || !same_ends(before, one);
            new_host &= !is_of(before, first) || !same(&before->reporter, &one->reporter);
        }
        those.count += (int64_t)one->count;
        those.pairs += new_pair;
        those.hosts += new_host;
        for (unsigned i = 0; i < SR_ICMP_FRAMES && one->frames[i] != 0; i++)
            sr_look_at_lowest(&those.look, (uint32_t)one->frames[i]);
    }
    return those;
}

/* Without a port where the quote is cut. */
static void end_text(const struct sr_address *address, uint16_t port, char text[SR_END_TEXT])
{
    sr_findings_end(address, port, "?", text);
    if (port == 0 || address->family == 0)
        *strrchr(text, ':') = '\0';
}

/* Of how many SCTP packets, whence and whither. */
static void say_packets(struct sr_buffer *text, const struct sr_icmp_error *first, const struct those *those)
{
    struct sr_buffer more = {0}, by = {0};
    char source[SR_END_TEXT], destination[SR_END_TEXT], reporter[SR_END_TEXT];
    end_text(&first->src, first->sport, source);
    end_text(&first->dst, first->dport, destination);
    end_text(&first->reporter, 0, reporter);
    if (those->pairs > 1)
        sr_say(&more, SR_SENTENCE_ICMP_MORE, SR_VALUES({"pairs", NULL, those->pairs - 1}));
    if (those->hosts == 1)
        sr_say(&by, SR_SENTENCE_ICMP_BY, SR_VALUES({"reporter", reporter, 0}));
    else
        sr_say(&by, SR_SENTENCE_ICMP_BY_HOSTS, SR_VALUES({"hosts", NULL, those->hosts}));
    sr_say(text, SR_SENTENCE_ICMP_PACKETS,
           SR_VALUES({"packets", NULL, those->count}, {"source", source, 0}, {"destination", destination, 0},
                     {"more", sr_said(&more), 0}, {"by", sr_said(&by), 0}));
    sr_buffer_free(&more);
    sr_buffer_free(&by);
}

static int64_t tell(struct sr_findings *findings, const struct sr_icmp_error *first)
{
    struct those those = sum_up(findings->asked->icmp_errors, first);
    struct sr_buffer packets = {0}, link = {0};
    enum sr_icmp_meaning meaning = meaning_of(first);
    say_packets(&packets, first, &those);
    if (first->mtu != 0)
        sr_say(&link, SR_SENTENCE_ICMP_TOO_BIG_MTU, SR_VALUES({"mtu", NULL, first->mtu}));
    if (meaning == SR_ICMP_TOO_BIG)
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_ICMP_TOO_BIG, SR_SENTENCE_ICMP_TOO_BIG, &those.look,
                        SR_VALUES({"link", sr_said(&link), 0}, {"packets", sr_said(&packets), 0}));
    else
        sr_findings_add(findings, SR_SEVERITY_WARNING, SR_FINDING_ICMP_UNREACHABLE, SR_SENTENCE_ICMP_UNREACHABLE,
                        &those.look,
                        SR_VALUES({"what", sr_sentences[sentences[meaning].what], 0}, {"packets", sr_said(&packets), 0},
                                  {"why", sr_sentences[sentences[meaning].why], 0}));
    sr_buffer_free(&packets);
    sr_buffer_free(&link);
    return those.count;
}

/* What is unreachable first, then what is too big; how many errors that told of. */
static int64_t tell_all(struct sr_findings *findings)
{
    const struct sr_icmp_errors *errors = findings->asked->icmp_errors;
    int64_t told = 0;
    for (int too_big = 0; too_big < 2; too_big++)
        for (uint32_t i = 0; i < errors->kinds; i++) {
            enum sr_icmp_meaning meaning = meaning_of(&errors->kept[i]);
            if (meaning != SR_ICMP_HARMLESS && (meaning == SR_ICMP_TOO_BIG) == too_big && is_first(errors, i))
                told += tell(findings, &errors->kept[i]);
        }
    return told;
}

void sr_find_icmp(struct sr_findings *findings)
{
    const struct sr_findings_asked *asked = findings->asked;
    if (!asked->icmp_errors)
        return;
    int64_t told = tell_all(findings), others = (int64_t)asked->icmp_quotes - told;
    struct sr_look look = {{0}, 0};
    sr_look_at(&look, asked->icmp_quotes_first);
    if (others > 0)
        sr_findings_add(
            findings, SR_SEVERITY_NOTE, SR_FINDING_ICMP_QUOTES, SR_SENTENCE_ICMP_QUOTES, &look,
            SR_VALUES({"frames", NULL, others}, {"too", told > 0 ? sr_sentences[SR_SENTENCE_ICMP_QUOTES_TOO] : "", 0}));
}
