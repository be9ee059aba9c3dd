/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the host says it did: packets sent, chunks marked for retransmission, chunks accepted. The library calls its own
 * logs of fast retransmissions and timeouts for each chunk that it marks, of streams for each new chunk that it accepts
 * (sysctl sctp_logging_level); here these logs are reports. */
#include "host.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <usrsctp.h>

enum { LOG_TSN_ACCEPTED = 15, LOG_TIMEOUT_MARKED = 27, LOG_MISSING_MARKED = 30 };
enum { LOG_FLIGHT_FIRST = 107, LOG_FLIGHT_UP = 108, LOG_FLIGHT_UP_AGAIN = 111, LOG_FLIGHT_UP_REVOKED = 114 };
enum { LOG_FLIGHT_LAST = 116, LOG_FLIGHT_PROBE_GONE = 122 };
enum { LOG_FLIGHT = 0x20, LOG_FAST_RETRANSMIT = 0x40, LOG_STREAM = 0x20000 };

static bool any;
static struct sctpstat seen;

void sctp_log_fr(uint32_t tsn, uint32_t b, uint32_t c, int event);
void sctp_misc_ints(uint8_t event, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void sctp_log_strm_del_alt(void *association, uint32_t tsn, uint16_t ssn, uint16_t stream, int event);

void begin_reports(void)
{
    usrsctp_sysctl_set_sctp_logging_level(LOG_FAST_RETRANSMIT | LOG_STREAM);
    usrsctp_get_stat(&seen);
}

void sctp_log_fr(uint32_t tsn, uint32_t b, uint32_t c, int event)
{
    (void)b, (void)c;
    if (event == LOG_TIMEOUT_MARKED) {
        report("mark t3 %u", tsn);
    } else if (event == LOG_MISSING_MARKED) {
        report("mark fast %u", tsn);
    }
}

void sctp_log_strm_del_alt(void *association, uint32_t tsn, uint16_t ssn, uint16_t stream, int event)
{
    (void)association, (void)ssn, (void)stream;
    if (event == LOG_TSN_ACCEPTED) {
        report("handle %u", tsn);
    }
}

void report_flight(void)
{
    usrsctp_sysctl_set_sctp_logging_level(LOG_FLIGHT | LOG_FAST_RETRANSMIT | LOG_STREAM);
}

/* Of chunks under way: what their path had before, their own size, the path (a number that means nothing), the TSN. */
void sctp_misc_ints(uint8_t event, uint32_t before, uint32_t size, uint32_t path, uint32_t tsn)
{
    bool up = event == LOG_FLIGHT_UP || event == LOG_FLIGHT_UP_AGAIN || event == LOG_FLIGHT_UP_REVOKED;

    if ((event >= LOG_FLIGHT_FIRST && event <= LOG_FLIGHT_LAST) || event == LOG_FLIGHT_PROBE_GONE) {
        report("flight %s %u %u %u %u", up ? "up" : "down", tsn, size, path, before);
    }
}

void report(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    any = true;
}

void report_packet(const unsigned char *packet, size_t size, uint32_t from, uint32_t to)
{
    static const char digits[] = "0123456789abcdef"; /* most of a run's time would go into printf("%02x") */

    fputs("packet ", stdout);
    for (size_t i = 0; i < size; i++) {
        putchar_unlocked(digits[packet[i] >> 4]);
        putchar_unlocked(digits[packet[i] & 15]);
    }
    if (from != 0) {
        printf(" %s", inet_ntoa((struct in_addr){from}));
        printf(" %s", inet_ntoa((struct in_addr){to}));
    }
    putchar('\n');
    any = true;
}

/* A counter tells of a packet with a wrong checksum. */
void report_counters(void)
{
    struct sctpstat now;

    usrsctp_get_stat(&now);
    if (now.sctps_badsum != seen.sctps_badsum) {
        report("discard packet");
    }
    seen = now;
}

uint32_t bursts_cut(void)
{
    struct sctpstat now;

    usrsctp_get_stat(&now);
    return now.sctps_maxburstqueued;
}

bool reported(void)
{
    return any;
}

void end_reports(void)
{
    printf("now %llu\n", (unsigned long long)now_ns());
    fflush(stdout);
    any = false;
}

void tell_counters(void)
{
    struct sctpstat all;

    usrsctp_get_stat(&all);
    const struct {
        const char *name;
        uint32_t value;
    } counters[] = {
        {"senddata", all.sctps_senddata},         {"sendretransdata", all.sctps_sendretransdata},
        {"recvdata", all.sctps_recvdata},         {"recvdupdata", all.sctps_recvdupdata},
        {"datadroprwnd", all.sctps_datadroprwnd}, {"datadropchklmt", all.sctps_datadropchklmt},
        {"recvsacks", all.sctps_recvsacks},       {"sendsacks", all.sctps_sendsacks},
        {"timodata", all.sctps_timodata},         {"sendpackets", all.sctps_sendpackets},
    };

    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        printf("counter %s %u\n", counters[i].name, counters[i].value);
    }
}
