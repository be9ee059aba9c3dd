/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The network of a host: its interfaces, routes and one raw socket. These functions replace those of the machine that
 * the library would call. A host without addresses (AF_CONN) needs none of it. */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { RAW_SOCKET = 1000, LARGEST_PACKET = 65535, HOP_LIMIT = 64 };

struct sctp_inpcb;
struct sctp_tcb;
struct sctp_nets;

struct sctp_route { /* of the library's user_route.h */
    void *entry;
    struct sockaddr_in destination;
};

static struct sockaddr_in addresses[MOST_ADDRESSES];
static struct ifaddrs interfaces[MOST_ADDRESSES]; /* one for each address */
static uint32_t peers[MOST_ADDRESSES];            /* each is reached through the interface of its number */
static unsigned interface_to_take;
static void *(*receive)(void *); /* the library's thread that reads the raw socket; called for each packet */
static unsigned char waiting[LARGEST_PACKET];
static size_t waiting_size;

void recv_thread_init(void); /* of the library: opens its sockets */

void set_addresses(const uint32_t *own, const uint32_t *peer, size_t count)
{
    static char names[MOST_ADDRESSES][IF_NAMESIZE];

    for (size_t i = 0; i < count; i++) {
        peers[i] = peer[i];
        addresses[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = own[i]};
        interfaces[i].ifa_name = names[i];
        snprintf(names[i], sizeof names[i], "%zu", i + 1);
        interfaces[i].ifa_addr = (struct sockaddr *)&addresses[i];
        interfaces[i].ifa_next = i + 1 < count ? &interfaces[i + 1] : NULL;
    }
}

void open_network(void)
{
    recv_thread_init(); /* a library without threads leaves it out */
}

void receive_packet(const void *packet, size_t size, uint32_t from, uint32_t to)
{
    struct iphdr header = {.version = 4, .ihl = 5, .ttl = HOP_LIMIT, .protocol = IPPROTO_SCTP};

    header.tot_len = htons((uint16_t)(sizeof header + size));
    header.saddr = from;
    header.daddr = to;
    memcpy(waiting, &header, sizeof header);
    memcpy(waiting + sizeof header, packet, size);
    waiting_size = sizeof header + size;
    receive(NULL);
}

/* A packet once; then the socket fails, and the library stops reading. */
ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    size_t size = waiting_size;

    (void)socket, (void)flags;
    if (size == 0) {
        errno = EBADF;
        return -1;
    }
    for (size_t i = 0, at = 0; i < message->msg_iovlen && at < size; i++) {
        struct iovec *part = &message->msg_iov[i];
        size_t length = part->iov_len < size - at ? part->iov_len : size - at;

        memcpy(part->iov_base, waiting + at, length);
        at += length;
    }
    waiting_size = 0;
    return (ssize_t)size;
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    static unsigned char packet[LARGEST_PACKET];
    struct iphdr header;
    size_t size = 0;

    (void)socket, (void)flags;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        memcpy(packet + size, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
        size += message->msg_iov[i].iov_len;
    }
    memcpy(&header, packet, sizeof header);
    report_packet(packet + sizeof header, size - sizeof header, header.saddr, header.daddr);
    return (ssize_t)size;
}

int socket(int family, int type, int protocol)
{
    if (family == AF_INET && type == SOCK_RAW && protocol == IPPROTO_SCTP) {
        return RAW_SOCKET;
    }
    errno = EAFNOSUPPORT;
    return -1;
}

int setsockopt(int socket, int level, int option, const void *value, socklen_t size)
{
    (void)socket, (void)level, (void)option, (void)value, (void)size;
    return 0;
}

int bind(int socket, const struct sockaddr *address, socklen_t size)
{
    (void)socket, (void)address, (void)size;
    return 0;
}

int getifaddrs(struct ifaddrs **found)
{
    *found = addresses[0].sin_family == AF_INET ? interfaces : NULL;
    return 0;
}

void freeifaddrs(struct ifaddrs *found)
{
    (void)found;
}

/* No thread ever runs: what happens at once would happen in any order. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    (void)attributes, (void)argument;
    memset(thread, 0, sizeof *thread);
    receive = start; /* that of the raw socket comes last */
    return 0;
}

unsigned if_nametoindex(const char *name)
{
    return (unsigned)atoi(name);
}

/* The library, which has no routes, takes interface 1 for whatever it sends, and of its addresses the source. */
void *sctp_find_ifn(void *interface, uint32_t index)
{
    void *(*find)(void *, uint32_t) = NULL;

    *(void **)&find = dlsym(RTLD_NEXT, "sctp_find_ifn");
    return find(interface, interface_to_take != 0 ? interface_to_take : index);
}

void *sctp_source_address_selection(struct sctp_inpcb *endpoint, struct sctp_tcb *association, struct sctp_route *route,
                                    struct sctp_nets *net, int other_addresses, uint32_t vrf)
{
    void *(*select)(struct sctp_inpcb *, struct sctp_tcb *, struct sctp_route *, struct sctp_nets *, int, uint32_t) =
        NULL;

    *(void **)&select = dlsym(RTLD_NEXT, "sctp_source_address_selection");
    for (unsigned i = 0; i < MOST_ADDRESSES; i++) {
        if (peers[i] == route->destination.sin_addr.s_addr) {
            interface_to_take = i + 1;
        }
    }
    void *address = select(endpoint, association, route, net, other_addresses, vrf);

    interface_to_take = 0;
    return address;
}
