/* SPDX-License-Identifier: BSD-2-Clause */
/* What limits a transfer: where one limit takes most of the time of a direction. As findings/limited.py. */
#include <stdio.h>

#include "find.h"
#include "limited.h"

static const enum sr_sentence sentences[SR_LIMIT_COUNT] = {
    [SR_LIMIT_APPLICATION] = SR_SENTENCE_LIMIT_APPLICATION,
    [SR_LIMIT_PEER_WINDOW] = SR_SENTENCE_LIMIT_PEER_WINDOW,
    [SR_LIMIT_CONGESTION_WINDOW] = SR_SENTENCE_LIMIT_CONGESTION_WINDOW,
    [SR_LIMIT_SEND_BUFFER] = SR_SENTENCE_LIMIT_SEND_BUFFER,
    [SR_LIMIT_BURST_LIMIT] = SR_SENTENCE_LIMIT_BURST_LIMIT,
    [SR_LIMIT_DELAYED_SACK] = SR_SENTENCE_LIMIT_DELAYED_SACK,
    [SR_LIMIT_RECOVERY] = SR_SENTENCE_LIMIT_RECOVERY,
    [SR_LIMIT_TIMEOUT] = SR_SENTENCE_LIMIT_TIMEOUT,
    [SR_LIMIT_PATH_FAILURE] = SR_SENTENCE_LIMIT_PATH_FAILURE,
    [SR_LIMIT_UNKNOWN] = SR_SENTENCE_LIMIT_UNKNOWN,
};

/* As `812 bit/s`, `64.2 kbit/s`, `3.07 Mbit/s` or `1.20 Gbit/s`. */
static void write_rate(double bits, char text[32])
{
    static const struct {
        const char *unit;
        double size;
    } units[] = {{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}};
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (bits >= 0.9995 * units[i].size) {
            double value = bits / units[i].size;
            snprintf(text, 32, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[i].unit);
            return;
        }
    snprintf(text, 32, "%.0f bit/s", bits);
}

/* As much as a window in each round trip. */
static void say_allowed(const struct sr_limited_direction *one, struct sr_buffer *text)
{
    int64_t size;
    if (one->limit == SR_LIMIT_PEER_WINDOW && one->a_rwnd != SR_NO_TIME) {
        size = one->a_rwnd;
        sr_say(text, SR_SENTENCE_TRANSFER_LIMITED_WINDOW, SR_VALUES({"size", NULL, size}));
    } else if (one->limit == SR_LIMIT_CONGESTION_WINDOW || one->limit == SR_LIMIT_SEND_BUFFER) {
        size = (int64_t)one->outstanding_bytes;
        sr_say(text, SR_SENTENCE_TRANSFER_LIMITED_OUTSTANDING, SR_VALUES({"size", NULL, size}));
    } else {
        return;
    }
    if (one->round_trip_ns <= 0 || size == 0)
        return;
    char rate[32];
    write_rate(8e9 * (double)size / (double)one->round_trip_ns, rate);
    sr_say(text, SR_SENTENCE_TRANSFER_LIMITED_ALLOWS,
           SR_VALUES({"round_trip", NULL, one->round_trip_ns}, {"rate", rate, 0}));
}

void sr_limited_tell(struct sr_findings *findings, const struct sr_limited_direction *one)
{
    struct sr_buffer allows = {0};
    char where[40], share[16];
    snprintf(where, sizeof where, "Association %u, %s", (unsigned)one->assoc, one->from ? "b to a" : "a to b");
    snprintf(share, sizeof share, "%.1f %%", 100 * ((double)one->time_ns / (double)one->whole_ns));
    say_allowed(one, &allows);
    sr_findings_add(findings, SR_SEVERITY_NOTE, SR_FINDING_TRANSFER_LIMITED, SR_SENTENCE_TRANSFER_LIMITED, &one->look,
                    SR_VALUES({"where", where, 0}, {"share", share, 0}, {"time", NULL, one->time_ns},
                              {"waited", sr_sentences[sentences[one->limit]], 0}, {"allows", sr_said(&allows), 0}));
    sr_buffer_free(&allows);
}
