/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parts of a host that runs usrsctp in virtual time: clock and randomness, what it reports, its association. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EPOCH_S = 1750000000 }; /* the library keeps times as seconds since 1970: none may be 0 */

/* determinism.c */
uint64_t now_ns(void);
void set_clock(uint64_t ns);
void seed_random(uint64_t seed);
void read_random(void *buffer, size_t size);

/* report.c: one line each */
void begin_reports(void);
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_packet(const unsigned char *packet, size_t size);
void report_counters(void);
bool reported(void);
void end_reports(void);

/* association.c */
struct settings {
    bool active;
    unsigned port, peer_port;
    unsigned mtu;     /* of an SCTP packet, common header included */
    unsigned rcvbuf;  /* bytes; 0: the library's own choice */
    unsigned streams; /* outgoing */
    bool nr_sack, interleaving;
};

struct message {
    unsigned stream, size;
    bool unordered;
    int rtx_limit, lifetime_ms; /* PR-SCTP; -1: reliable */
};

void open_association(const struct settings *settings);
void accept_packet(const void *packet, size_t size);
void run_timers(unsigned ms);
void send_message(const struct message *message);
void set_reading(bool on);
void shut_down(void);
