/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A host with Linux: the first and only program of a kernel in virtual time, told line by line what time it is and what
 * happens to it; its answer ends with `now NS`.
 *     active=1 port=5000 peer_port=5001 own=ADDRESS[,ADDRESS] peer=… net.sctp.rto_min=100 …
 *     open | run NS | in HEX [FROM TO] | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | window | close |
 *     quit
 * The answer to quit is what the kernel counted. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NS = 4000000 };
static const uint64_t SECOND_NS = 1000000000;

static struct settings settings;

/* Runs to `until_ns`, or to where the kernel or the application has something to report. */
static void run(uint64_t until_ns)
{
    static int timer = -1;
    uint64_t until = run_to(until_ns);
    struct itimerspec when = {.it_value = {(time_t)(until / SECOND_NS), (long)(until % SECOND_NS)}};
    struct pollfd waiting[] = {{.events = POLLIN},
                               {.fd = reports_file(), .events = POLLIN},
                               association_events(),
                               {.fd = device(0), .events = POLLIN},
                               {.fd = device(1), .events = POLLIN}};

    if (timer < 0) {
        need(timer = timerfd_create(CLOCK_MONOTONIC, 0), "timerfd_create");
    }
    need(timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL), "timerfd_settime");
    waiting[0].fd = timer;
    need(poll(waiting, sizeof waiting / sizeof *waiting, -1), "poll");
}

static void take_packet(const char *hex)
{
    static unsigned char packet[LARGEST_PACKET];
    size_t size = strcspn(hex, " ") / 2;
    char from[INET6_ADDRSTRLEN] = "", to[INET6_ADDRSTRLEN] = "";

    for (size_t i = 0; i < size; i++) {
        unsigned byte;

        sscanf(hex + 2 * i, "%2x", &byte);
        packet[i] = (unsigned char)byte;
    }
    int named = sscanf(hex + 2 * size, "%45s %45s", from, to);

    deliver(packet, size, named == 2 ? from : settings.peer[0], named == 2 ? to : settings.own[0]);
}

static void tell(const char *arguments)
{
    struct message message;
    int unordered;

    sscanf(arguments, "%u %u %d %d %d", &message.stream, &message.size, &unordered, &message.rtx_limit,
           &message.lifetime_ms);
    message.unordered = unordered != 0;
    send_message(&message);
}

/* ADDRESS,ADDRESS…; how many. */
static size_t split(char *list, const char **into)
{
    size_t count = 0;

    for (char *word = strtok(list, ","); word != NULL && count < MOST_ADDRESSES; word = strtok(NULL, ",")) {
        into[count++] = word;
    }
    return count;
}

static void set(const char *name, char *value)
{
    unsigned number = (unsigned)strtoul(value, NULL, 10);

    if (strncmp(name, "net.", 4) == 0) {
        set_sysctl(name, value);
    } else if (strcmp(name, "active") == 0) {
        settings.active = number != 0;
    } else if (strcmp(name, "port") == 0) {
        settings.port = (uint16_t)number;
    } else if (strcmp(name, "peer_port") == 0) {
        settings.peer_port = (uint16_t)number;
    } else if (strcmp(name, "mtu") == 0) {
        settings.mtu = number;
    } else if (strcmp(name, "rcvbuf") == 0) {
        settings.rcvbuf = number;
    } else if (strcmp(name, "sndbuf") == 0) {
        settings.sndbuf = number;
    } else if (strcmp(name, "nagle") == 0) {
        settings.nagle = number != 0;
    } else if (strcmp(name, "streams") == 0) {
        settings.streams = number;
    } else if (strcmp(name, "interleaving") == 0) {
        settings.interleaving = number != 0;
    } else if (strcmp(name, "udp_port") == 0) {
        settings.udp_port = (uint16_t)number;
    } else if (strcmp(name, "own") == 0) {
        settings.addresses = split(value, settings.own);
    } else if (strcmp(name, "peer") == 0) {
        split(value, settings.peer);
    } else if (strcmp(name, "phase_ns") == 0) { /* of the run to the kernel's ticks */
        nanosleep(&(struct timespec){.tv_nsec = number % TICK_NS}, NULL);
    }
}

static void obey(char *line)
{
    if (strcmp(line, "open") == 0) {
        open_association(&settings);
    } else if (strncmp(line, "run ", 4) == 0) {
        run(strtoull(line + 4, NULL, 10));
    } else if (strncmp(line, "in ", 3) == 0) {
        take_packet(line + 3);
    } else if (strncmp(line, "send ", 5) == 0) {
        tell(line + 5);
    } else if (strncmp(line, "read ", 5) == 0) {
        set_reading(line[5] == '1');
    } else if (strcmp(line, "window") == 0) {
        tell_windows();
    } else if (strcmp(line, "close") == 0) {
        shut_down();
    }
}

int main(int count, char **arguments)
{
    static char line[2 * LARGEST_PACKET + 128];

    (void)count;
    open_reports();
    for (; *arguments != NULL; arguments++) {
        char *equals = strchr(*arguments, '=');

        if (equals != NULL) {
            *equals = '\0';
            set(*arguments, equals + 1);
        }
    }
    open_network(&settings);
    begin_clock();
    while (read_line(line, sizeof line) && strcmp(line, "quit") != 0) {
        obey(line);
        read_messages();
        send_waiting();
        report_packets();
        end_reports();
        look_at_counters(); /* each system call lets the kernel run: not before the time is told */
    }
    tell_counters_of_association();
    tell_counters_of_kernel();
    end_reports();
    reboot(RB_POWER_OFF);
}
