/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the host says it did: packets sent, chunks marked for retransmission, chunks thrown away. The library calls its
 * own log of fast retransmissions and timeouts for each chunk that it marks (sysctl sctp_logging_level); here that log
 * is a report. */
#include "host.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <usrsctp.h>

enum { LOG_TIMEOUT_MARKED = 27, LOG_MISSING_MARKED = 30 };
enum { LOG_FAST_RETRANSMIT = 0x40 };

static bool any;
static struct sctpstat seen;

void sctp_log_fr(uint32_t tsn, uint32_t b, uint32_t c, int event);

void begin_reports(void)
{
    usrsctp_sysctl_set_sctp_logging_level(LOG_FAST_RETRANSMIT);
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
    fputs("packet ", stdout);
    for (size_t i = 0; i < size; i++) {
        printf("%02x", packet[i]);
    }
    if (from != 0) {
        printf(" %s", inet_ntoa((struct in_addr){from}));
        printf(" %s", inet_ntoa((struct in_addr){to}));
    }
    putchar('\n');
    any = true;
}

/* Counters tell what arrived in vain: a packet with a wrong checksum, DATA beyond the window. */
void report_counters(void)
{
    struct sctpstat now;

    usrsctp_get_stat(&now);
    if (now.sctps_badsum != seen.sctps_badsum) {
        report("discard packet");
    }
    uint32_t dropped =
        now.sctps_datadroprwnd - seen.sctps_datadroprwnd + now.sctps_datadropchklmt - seen.sctps_datadropchklmt;
    if (dropped != 0) {
        report("discard last %u", dropped);
    }
    seen = now;
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
