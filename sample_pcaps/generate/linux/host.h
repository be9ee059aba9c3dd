/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The one program in a Linux kernel that is a host: an association, and the devices through which its packets come and
 * go. */
#ifndef HOST_H
#define HOST_H

#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ADDRESSES = 2, LARGEST_PACKET = 65536 };

struct settings {
    bool active; /* connects; else it listens */
    uint16_t port, peer_port;
    unsigned mtu; /* of an SCTP packet */
    unsigned rcvbuf, sndbuf, streams;
    bool interleaving, nagle;
    uint16_t udp_port; /* RFC 6951; 0: none */
    size_t addresses;
    const char *own[MOST_ADDRESSES], *peer[MOST_ADDRESSES];
};

struct message {
    unsigned stream, size;
    bool unordered;
    int rtx_limit, lifetime_ms; /* -1: none */
};

/* report.c: lines to the host. */
void open_reports(void);
void begin_clock(void); /* the time of the run is 0 now */
void report(const char *format, ...);
void report_packet(const unsigned char *packet, size_t size, const char *from, const char *to);
void end_reports(void);
void tell_counters_of_kernel(void);
bool read_line(char *line, size_t size);
int reports_file(void); /* readable when the kernel itself said something since the last line */
void need(long result, const char *what);
uint64_t run_to(uint64_t time_ns); /* the clock is to go to there; when CLOCK_MONOTONIC is that */

/* network.c: one tun device for each address. */
union address {
    struct sockaddr any;
    struct sockaddr_in ip4;
    struct sockaddr_in6 ip6;
};

size_t to_address(union address *address, const char *text, uint16_t port);
void set_sysctl(const char *name, const char *value); /* net.sctp.rto_min */
void open_network(const struct settings *settings);
int device(size_t index);
void deliver(const unsigned char *packet, size_t size, const char *from, const char *to);
void report_packets(void);

/* association.c */
void open_association(const struct settings *settings);
struct pollfd association_events(void); /* what the application waits for: messages, and room for its own */
void send_message(const struct message *message);
void send_waiting(void); /* what its send buffer had no room for */
void tell_windows(void);
void read_messages(void);
void set_reading(bool on);
void shut_down(void);
void look_at_counters(void);
void tell_counters_of_association(void); /* as they were when it was there last */

#endif
