/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A host with usrsctp, told line by line what time it is and what happens to it; its answer ends with `now NS`.
 *     main active=1 port=5000 peer_port=5001 seed=7 …
 *     open | run NS | in HEX [FROM TO] | read 0|1 | window | queue | round_trip | flight | close | quit |
 *     buffers SEND RECEIVE [CHUNKS] |
 *     send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS [IMMEDIATE [COUNT]] */
#include "host.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_MS = 10 }; /* as the library's own timer thread */
enum { LARGEST_PACKET = 65536 };

static const uint64_t TICK_NS = TICK_MS * 1000000ULL;

/* Runs to `until_ns`, or to the first tick at which something is reported. */
static void run(uint64_t until_ns)
{
    while (!reported()) {
        uint64_t tick = (now_ns() / TICK_NS + 1) * TICK_NS;

        if (tick > until_ns) {
            set_clock(until_ns);
            return;
        }
        set_clock(tick);
        run_timers(TICK_MS);
    }
}

/* Of a digit in lower case, as Python writes it. */
static unsigned nibble(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* HEX, and where a host has addresses from which to which. */
static void deliver(const char *hex)
{
    static unsigned char packet[LARGEST_PACKET];
    size_t size = strcspn(hex, " ") / 2;
    char from[INET_ADDRSTRLEN] = "", to[INET_ADDRSTRLEN] = "";

    for (size_t i = 0; i < size; i++) {
        packet[i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    }
    sscanf(hex + 2 * size, "%15s %15s", from, to);
    accept_packet(packet, size, inet_addr(from), inet_addr(to));
}

/* COUNT messages, over the streams in turn from STREAM on; else one. */
static void tell(const char *arguments, unsigned streams)
{
    struct message message;
    int unordered, immediate = 0;
    unsigned count = 1;

    if (sscanf(arguments, "%u %u %d %d %d %d %u", &message.stream, &message.size, &unordered, &message.rtx_limit,
               &message.lifetime_ms, &immediate, &count) < 5) {
        fprintf(stderr, "send %s?\n", arguments);
        exit(1);
    }
    message.unordered = unordered != 0;
    message.immediate = immediate != 0;
    for (; count > 0; count--) {
        send_message(&message);
        message.stream = (message.stream + 1) % streams;
    }
}

/* SEND RECEIVE, in bytes, and how many chunks the send buffer takes besides. */
static void change_buffers(const char *arguments)
{
    unsigned send, receive, chunks = 0;

    if (sscanf(arguments, "%u %u %u", &send, &receive, &chunks) < 2) {
        fprintf(stderr, "buffers %s?\n", arguments);
        exit(1);
    }
    set_buffers(send, receive, chunks);
}

/* The VALUE of `name=VALUE` among the arguments. */
static const char *text(char **arguments, const char *name)
{
    size_t length = strlen(name);

    for (; *arguments != NULL; arguments++) {
        if (strncmp(*arguments, name, length) == 0 && (*arguments)[length] == '=') {
            return *arguments + length + 1;
        }
    }
    fprintf(stderr, "%s= is missing\n", name);
    exit(1);
}

static unsigned long option(char **arguments, const char *name)
{
    return strtoul(text(arguments, name), NULL, 10);
}

/* ADDRESS,ADDRESS…; how many. */
static size_t addresses(char **arguments, const char *name, uint32_t *into)
{
    char list[64];
    size_t count = 0;

    snprintf(list, sizeof list, "%s", text(arguments, name));
    for (char *word = strtok(list, ","); word != NULL && count < MOST_ADDRESSES; word = strtok(NULL, ",")) {
        into[count++] = inet_addr(word);
    }
    return count;
}

int main(int count, char **arguments)
{
    static char line[2 * LARGEST_PACKET + 64];
    struct settings settings = {
        .active = option(arguments, "active") != 0,
        .port = (unsigned)option(arguments, "port"),
        .peer_port = (unsigned)option(arguments, "peer_port"),
        .mtu = (unsigned)option(arguments, "mtu"),
        .rcvbuf = (unsigned)option(arguments, "rcvbuf"),
        .sndbuf = (unsigned)option(arguments, "sndbuf"),
        .drops = option(arguments, "drops") != 0,
        .max_burst = (unsigned)option(arguments, "max_burst"),
        .strict_burst = option(arguments, "strict_burst") != 0,
        .streams = (unsigned)option(arguments, "streams"),
        .rto_min_ms = (uint32_t)option(arguments, "rto_min"),
        .rto_initial_ms = (uint32_t)option(arguments, "rto_initial"),
        .rto_max_ms = (uint32_t)option(arguments, "rto_max"),
        .sack_delay_ms = (uint32_t)option(arguments, "sack_delay"),
        .sack_every = (uint32_t)option(arguments, "sack_every"),
        .nagle = option(arguments, "nagle") != 0,
        .nr_sack = option(arguments, "nr_sack") != 0,
        .interleaving = option(arguments, "interleaving") != 0,
        .cmt = option(arguments, "cmt") != 0,
        .initial_tsn = (uint32_t)option(arguments, "initial_tsn"),
    };

    (void)count;
    settings.addresses = addresses(arguments, "own", settings.own);
    addresses(arguments, "peer", settings.peer);
    seed_random(option(arguments, "seed"));
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "open") == 0) {
            open_association(&settings);
        } else if (strncmp(line, "run ", 4) == 0) {
            run(strtoull(line + 4, NULL, 10));
        } else if (strncmp(line, "in ", 3) == 0) {
            deliver(line + 3);
        } else if (strncmp(line, "send ", 5) == 0) {
            tell(line + 5, settings.streams);
        } else if (strncmp(line, "read ", 5) == 0) {
            set_reading(line[5] == '1');
        } else if (strcmp(line, "window") == 0) {
            tell_windows();
        } else if (strcmp(line, "queue") == 0) {
            tell_queue();
        } else if (strcmp(line, "round_trip") == 0) {
            tell_round_trip();
        } else if (strncmp(line, "buffers ", 8) == 0) {
            change_buffers(line + 8);
        } else if (strcmp(line, "flight") == 0) {
            report_flight();
        } else if (strcmp(line, "close") == 0) {
            shut_down();
        } else if (strcmp(line, "quit") == 0) {
            tell_counters();
            fflush(stdout);
            _Exit(0); /* the library's own end would wait for timers of the real clock */
        } else {
            fprintf(stderr, "%s?\n", line);
            return 1;
        }
        end_reports();
    }
    return 0;
}
