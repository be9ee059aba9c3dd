/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parts of a host that runs usrsctp in virtual time: clock and randomness, network, what it reports, its
 * association. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EPOCH_S = 1750000000 }; /* the library keeps times as seconds since 1970: none may be 0 */
enum { MOST_ADDRESSES = 2 };   /* of a host */

/* determinism.c */
uint64_t now_ns(void);
void set_clock(uint64_t ns);
void seed_random(uint64_t seed);
void read_random(void *buffer, size_t size);
void set_initial_tsn(uint32_t tsn); /* before the association is opened; 0: any */

/* network.c: addresses in network order */
void set_addresses(const uint32_t *own, const uint32_t *peer, size_t count);
void open_network(void);
void receive_packet(const void *packet, size_t size, uint32_t from, uint32_t to);

/* report.c: one line each */
void begin_reports(void);
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_packet(const unsigned char *packet, size_t size, uint32_t from, uint32_t to); /* 0, 0: no addresses */
void report_counters(void);
void tell_counters(void);  /* all that was counted */
uint32_t bursts_cut(void); /* so often a limit on bursts left something to send */
void report_flight(void);  /* from now on each chunk that is under way, and that no longer is */
bool reported(void);
void end_reports(void);

/* association.c */
struct settings {
    bool active;
    unsigned port, peer_port;
    unsigned mtu;                                    /* of an SCTP packet, common header included */
    unsigned rcvbuf;                                 /* bytes; 0: the library's own choice */
    unsigned sndbuf;                                 /* bytes; 0: room for all messages */
    unsigned max_burst;                              /* packets; 0: the library's own choice */
    unsigned streams;                                /* outgoing */
    uint32_t rto_min_ms, rto_initial_ms, rto_max_ms; /* 0: the library's own choice, as below */
    uint32_t sack_delay_ms, sack_every;              /* the second in packets */
    bool nagle, nr_sack, interleaving;
    bool cmt;             /* new data on all paths at once, with delayed acknowledgements counted (DAC) */
    bool strict_burst;    /* packets are counted, in place of a smaller congestion window */
    bool drops;           /* it may drop what it acknowledged and has not delivered */
    uint32_t initial_tsn; /* 0: any */
    size_t addresses;     /* of each host; 0: AF_CONN, which has none */
    uint32_t own[MOST_ADDRESSES], peer[MOST_ADDRESSES]; /* in network order */
};

struct message {
    unsigned stream, size;
    bool unordered;
    bool immediate;             /* the I bit */
    int rtx_limit, lifetime_ms; /* PR-SCTP; -1: reliable */
};

void open_association(const struct settings *settings);
void accept_packet(const void *packet, size_t size, uint32_t from, uint32_t to);
void run_timers(unsigned ms);
void send_message(const struct message *message);
void set_reading(bool on);
void shut_down(void);
void tell_windows(void);
void tell_queue(void);
void tell_round_trip(void);
void set_buffers(unsigned send, unsigned receive, unsigned chunks);
