/* SPDX-License-Identifier: BSD-2-Clause */
/* The yardstick: libpcap reads the file, each packet's chunk headers are walked and counted, nothing else. */
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>

enum { ETHERNET = 14, ETHERTYPE_IPV4 = 0x0800, IPV4 = 20, PROTOCOL_SCTP = 132, COMMON_HEADER = 12, CHUNK_HEADER = 4 };

struct count {
    uint64_t packets, chunks;
};

static uint32_t get_16(const u_char *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static void take(u_char *user, const struct pcap_pkthdr *record, const u_char *bytes)
{
    struct count *count = (void *)user;

    if (record->caplen < ETHERNET + IPV4 || get_16(bytes + 12) != ETHERTYPE_IPV4)
        return;
    const u_char *ip = bytes + ETHERNET;
    uint32_t header = (ip[0] & 15u) * 4, length = get_16(ip + 2);
    if (ip[9] != PROTOCOL_SCTP || length > record->caplen - ETHERNET || length < header + COMMON_HEADER)
        return;
    count->packets++;
    for (uint32_t at = header + COMMON_HEADER; at + CHUNK_HEADER <= length;) {
        uint32_t chunk = get_16(ip + at + 2);
        if (chunk < CHUNK_HEADER)
            break;
        count->chunks++;
        at += (chunk + 3) & ~3u;
    }
}

int main(int argument_count, char **arguments)
{
    char error[PCAP_ERRBUF_SIZE];
    struct count count = {0};

    if (argument_count != 2) {
        fprintf(stderr, "usage: bench_libpcap_loop FILE\n");
        return 2;
    }
    pcap_t *file = pcap_open_offline(arguments[1], error);
    if (!file) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    if (pcap_loop(file, -1, take, (void *)&count) != 0) {
        pcap_perror(file, arguments[1]);
        return 1;
    }
    pcap_close(file);
    printf("packets %" PRIu64 " chunks %" PRIu64 "\n", count.packets, count.chunks);
    return 0;
}
