/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lines to and from the outside, through /proc/host of the patched kernel. While it waits for one, the clock stands
 * still. What the program says is kept until the end of an answer; what the kernel says goes out at once, before it. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <time.h>
#include <unistd.h>

static int file;
static FILE *out;
static uint64_t start_ns, run_to_ns;

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void open_reports(void)
{
    mount("proc", "/proc", "proc", 0, NULL);
    file = open("/proc/host", O_RDWR);
    out = fdopen(file, "w");
    setvbuf(out, NULL, _IOFBF, 1 << 20);
}

void begin_clock(void)
{
    start_ns = clock_ns();
}

void need(long result, const char *what)
{
    if (result < 0) {
        report("failed %s %s", what, strerror(errno));
        fflush(out);
        reboot(RB_POWER_OFF);
    }
}

int reports_file(void)
{
    return file;
}

uint64_t run_to(uint64_t time_ns)
{
    run_to_ns = time_ns;
    return start_ns + time_ns;
}

/* Several lines may come at once: a twin of a run is told all of its beginning. */
bool read_line(char *line, size_t size)
{
    static char got[1 << 16];
    static size_t begins, ends;

    for (size_t length = 0;; begins++) {
        if (begins == ends) {
            ssize_t more = read(file, got, sizeof got);

            if (more <= 0) {
                return false;
            }
            begins = 0;
            ends = (size_t)more;
        }
        if (got[begins] == '\n' || length == size - 1) {
            begins++;
            line[length] = '\0';
            return true;
        }
        line[length++] = got[begins];
    }
}

void report(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
}

void report_packet(const unsigned char *packet, size_t size, const char *from, const char *to)
{
    fputs("packet ", out);
    for (size_t i = 0; i < size; i++) {
        fprintf(out, "%02x", packet[i]);
    }
    if (from != NULL) {
        fprintf(out, " %s %s", from, to);
    }
    fputc('\n', out);
}

/* The kernel's timers are up to some microseconds late; the run shall not see that. */
void end_reports(void)
{
    uint64_t now_ns = clock_ns() - start_ns;

    fprintf(out, "now %llu\n", (unsigned long long)(now_ns < run_to_ns ? now_ns : run_to_ns));
    fflush(out);
}

/* Of all associations, also those that are gone; here it is one. */
void tell_counters_of_kernel(void)
{
    FILE *counters = fopen("/proc/net/sctp/snmp", "r");
    char name[64];
    unsigned long value;

    need(counters == NULL ? -1 : 0, "/proc/net/sctp/snmp");
    while (fscanf(counters, "%63s %lu", name, &value) == 2) {
        report("counter %s %lu", name, value);
    }
    fclose(counters);
}
