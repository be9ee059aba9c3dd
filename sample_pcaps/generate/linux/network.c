/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The devices of the host: what the kernel sends through a tun device is reported as an SCTP packet, what the link
 * brings is written to it, with an IP header and, where it is used, that of UDP. */
#include "host.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <linux/ipv6_route.h>
#include <linux/route.h>
#include <linux/sockios.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { HOP_LIMIT = 64, TUN_MAJOR = 10, TUN_MINOR = 200 };

static struct settings settings;
static int devices[MOST_ADDRESSES];

size_t to_address(union address *address, const char *text, uint16_t port)
{
    *address = (union address){.ip6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)}};
    if (inet_pton(AF_INET6, text, &address->ip6.sin6_addr) == 1) {
        return sizeof address->ip6;
    }
    *address = (union address){.ip4 = {.sin_family = AF_INET, .sin_port = htons(port)}};
    need(inet_pton(AF_INET, text, &address->ip4.sin_addr) - 1, text);
    return sizeof address->ip4;
}

void set_sysctl(const char *name, const char *value)
{
    char path[128] = "/proc/sys/";
    int file;

    strncat(path, name, sizeof path - sizeof "/proc/sys/");
    for (char *dot = strchr(path, '.'); dot != NULL; dot = strchr(dot, '.')) {
        *dot = '/';
    }
    need(file = open(path, O_WRONLY), name);
    need(write(file, value, strlen(value)), name);
    close(file);
}

static void set_ip4(struct ifreq *request, const union address *own, const union address *peer)
{
    int control = socket(AF_INET, SOCK_DGRAM, 0);

    memcpy(&request->ifr_addr, own, sizeof own->ip4);
    need(ioctl(control, SIOCSIFADDR, request), "SIOCSIFADDR");
    memcpy(&request->ifr_dstaddr, peer, sizeof peer->ip4);
    need(ioctl(control, SIOCSIFDSTADDR, request), "SIOCSIFDSTADDR");
    close(control);
}

static void set_ip6(struct ifreq *request, const union address *own, const union address *peer)
{
    int control = socket(AF_INET6, SOCK_DGRAM, 0);

    need(ioctl(control, SIOCGIFINDEX, request), "SIOCGIFINDEX");

    struct in6_ifreq address = {
        .ifr6_addr = own->ip6.sin6_addr, .ifr6_prefixlen = 128, .ifr6_ifindex = request->ifr_ifindex};
    struct in6_rtmsg route = {.rtmsg_dst = peer->ip6.sin6_addr,
                              .rtmsg_dst_len = 128,
                              .rtmsg_metric = 1,
                              .rtmsg_flags = RTF_UP | RTF_HOST,
                              .rtmsg_ifindex = request->ifr_ifindex};

    need(ioctl(control, SIOCSIFADDR, &address), "SIOCSIFADDR");
    need(ioctl(control, SIOCADDRT, &route), "SIOCADDRT");
    close(control);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* until the kernel's worker lets the address be used */
}

/* Of a large packet in UDP that is to be cut up behind the stack (GSO) the parts do not reach a tun device. */
static void cut_in_the_stack(int control, struct ifreq *request)
{
    struct ethtool_value gso = {.cmd = ETHTOOL_SGSO, .data = 0};

    request->ifr_data = (char *)&gso;
    need(ioctl(control, SIOCETHTOOL, request), "SIOCETHTOOL");
}

static int open_device(size_t index)
{
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    union address own, peer;
    int file, control = socket(AF_INET, SOCK_DGRAM, 0);

    to_address(&own, settings.own[index], 0);
    to_address(&peer, settings.peer[index], 0);
    bool ip6 = own.any.sa_family == AF_INET6;

    snprintf(request.ifr_name, sizeof request.ifr_name, "tun%zu", index);
    need(file = open("/dev/tun", O_RDWR | O_NONBLOCK), "/dev/tun");
    need(ioctl(file, TUNSETIFF, &request), "TUNSETIFF");
    request.ifr_mtu = (int)(settings.mtu + (ip6 ? sizeof(struct ip6_hdr) : sizeof(struct iphdr)) +
                            (settings.udp_port != 0 ? sizeof(struct udphdr) : 0));
    need(ioctl(control, SIOCSIFMTU, &request), "SIOCSIFMTU");
    if (!ip6) {
        set_ip4(&request, &own, &peer);
    }
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    need(ioctl(control, SIOCSIFFLAGS, &request), "SIOCSIFFLAGS");
    if (ip6) {
        set_ip6(&request, &own, &peer);
    }
    if (settings.udp_port != 0) {
        cut_in_the_stack(control, &request);
    }
    close(control);
    return file;
}

void open_network(const struct settings *given)
{
    settings = *given;
    need(mount("dev", "/dev", "ramfs", 0, NULL), "/dev");
    need(mknod("/dev/tun", S_IFCHR | 0600, makedev(TUN_MAJOR, TUN_MINOR)), "/dev/tun");
    for (size_t i = 0; i < settings.addresses; i++) {
        devices[i] = open_device(i);
    }
    if (settings.udp_port != 0) {
        char port[8];

        snprintf(port, sizeof port, "%u", settings.udp_port);
        set_sysctl("net.sctp.encap_port", port);
        set_sysctl("net.sctp.udp_port", port);
    }
}

int device(size_t index)
{
    return index < settings.addresses ? devices[index] : -1;
}

static uint16_t checksum(const uint16_t *words, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += words[i];
    }
    sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t) ~((sum & 0xFFFF) + (sum >> 16));
}

static size_t put_headers(unsigned char *into, const union address *from, const union address *to, size_t inside)
{
    uint8_t protocol = settings.udp_port != 0 ? IPPROTO_UDP : IPPROTO_SCTP;
    size_t at;

    inside += settings.udp_port != 0 ? sizeof(struct udphdr) : 0;
    if (from->any.sa_family == AF_INET6) {
        struct ip6_hdr *ip = (struct ip6_hdr *)into;

        *ip = (struct ip6_hdr){.ip6_src = from->ip6.sin6_addr, .ip6_dst = to->ip6.sin6_addr};
        ip->ip6_flow = htonl(6U << 28);
        ip->ip6_plen = htons((uint16_t)inside);
        ip->ip6_nxt = protocol;
        ip->ip6_hlim = HOP_LIMIT;
        at = sizeof *ip;
    } else {
        struct iphdr *ip = (struct iphdr *)into;

        *ip = (struct iphdr){.version = 4, .ihl = sizeof *ip / 4, .ttl = HOP_LIMIT, .protocol = protocol};
        ip->tot_len = htons((uint16_t)(sizeof *ip + inside));
        ip->saddr = from->ip4.sin_addr.s_addr;
        ip->daddr = to->ip4.sin_addr.s_addr;
        ip->check = checksum((const uint16_t *)ip, sizeof *ip / 2);
        at = sizeof *ip;
    }
    if (settings.udp_port != 0) {
        struct udphdr udp = {.source = htons(settings.udp_port), .dest = htons(settings.udp_port)};

        udp.len = htons((uint16_t)inside);
        memcpy(into + at, &udp, sizeof udp);
        at += sizeof udp;
    }
    return at;
}

void deliver(const unsigned char *packet, size_t size, const char *from, const char *to)
{
    static unsigned char framed[LARGEST_PACKET];
    union address source, destination;
    size_t index = 0;

    to_address(&source, from, 0);
    to_address(&destination, to, 0);
    for (size_t i = 0; i < settings.addresses; i++) {
        index = strcmp(settings.own[i], to) == 0 ? i : index;
    }
    size_t headers = put_headers(framed, &source, &destination, size);

    memcpy(framed + headers, packet, size);
    need(write(devices[index], framed, headers + size), "write to tun");
}

/* An IP packet; what is not SCTP is the kernel's own business. */
static void take(const unsigned char *packet, size_t size)
{
    char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];
    uint8_t protocol;
    size_t at;

    if (packet[0] >> 4 == 6) {
        const struct ip6_hdr *ip = (const struct ip6_hdr *)packet;

        protocol = ip->ip6_nxt;
        at = sizeof *ip;
        inet_ntop(AF_INET6, &ip->ip6_src, from, sizeof from);
        inet_ntop(AF_INET6, &ip->ip6_dst, to, sizeof to);
    } else {
        const struct iphdr *ip = (const struct iphdr *)packet;

        protocol = ip->protocol;
        at = (size_t)ip->ihl * 4;
        inet_ntop(AF_INET, &ip->saddr, from, sizeof from);
        inet_ntop(AF_INET, &ip->daddr, to, sizeof to);
    }
    if (protocol == IPPROTO_UDP) {
        at += sizeof(struct udphdr);
    } else if (protocol != IPPROTO_SCTP) {
        return;
    }
    bool several = settings.addresses > 1;

    report_packet(packet + at, size - at, several ? from : NULL, several ? to : NULL);
}

void report_packets(void)
{
    static unsigned char packet[LARGEST_PACKET];

    for (size_t i = 0; i < settings.addresses; i++) {
        for (ssize_t size; (size = read(devices[i], packet, sizeof packet)) > 0;) {
            take(packet, (size_t)size);
        }
    }
}
