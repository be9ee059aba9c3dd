/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One association of usrsctp: its socket and options, what goes in, what the application reads. */
#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <usrsctp.h>

enum { INTERLEAVING_SUPPORTED = 0x1206 }; /* SCTP_INTERLEAVING_SUPPORTED of RFC 8260; not in Debian's header */
enum { GET_SNDBUF_USE = 0x1101 };         /* SCTP_GET_SNDBUF_USE of FreeBSD, neither */
enum { PATH_MAX_RETRANS = 5 };            /* RFC 9260 section 16 */
enum { SEND_BUFFER = 16 << 20, LARGEST_MESSAGE = 1 << 20 };

static void *const US = (void *)1;

/* What the application wants to send and the send buffer has no room for, from the oldest on. */
static struct message *waiting;
static size_t waiting_count, waiting_from, waiting_bytes;

static struct socket *listener, *association;
static struct settings settings;
static bool reading = true;
static uint32_t cut_before; /* bursts, before what happened last */

static void need(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

static int output(void *address, void *packet, size_t size, uint8_t tos, uint8_t set_df)
{
    (void)address, (void)tos, (void)set_df;
    report_packet(packet, size, 0, 0);
    return 0;
}

static struct sockaddr_conn address(unsigned port)
{
    struct sockaddr_conn result = {.sconn_family = AF_CONN, .sconn_port = htons((uint16_t)port), .sconn_addr = US};

    return result;
}

static void bind_and_connect(struct socket *socket)
{
    struct sockaddr_conn own = address(settings.port), peer = address(settings.peer_port);

    need(usrsctp_bind(socket, (struct sockaddr *)&own, sizeof own), "bind");
    if (settings.active && usrsctp_connect(socket, (struct sockaddr *)&peer, sizeof peer) < 0) {
        need(errno == EINPROGRESS ? 0 : -1, "connect");
    }
}

/* To all own addresses; the peer tells its others in the handshake. */
static void bind_and_connect_ip(struct socket *socket)
{
    struct sockaddr_in own[MOST_ADDRESSES], peer = {.sin_family = AF_INET};

    for (size_t i = 0; i < settings.addresses; i++) {
        own[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = settings.own[i]};
        own[i].sin_port = htons((uint16_t)settings.port);
    }
    need(usrsctp_bindx(socket, (struct sockaddr *)own, (int)settings.addresses, SCTP_BINDX_ADD_ADDR), "bindx");
    peer.sin_port = htons((uint16_t)settings.peer_port);
    peer.sin_addr.s_addr = settings.peer[0];
    if (settings.active && usrsctp_connect(socket, (struct sockaddr *)&peer, sizeof peer) < 0) {
        need(errno == EINPROGRESS ? 0 : -1, "connect");
    }
}

static void set_association_value(struct socket *socket, int option, uint32_t value)
{
    struct sctp_assoc_value assoc_value = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = value};

    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, option, &assoc_value, sizeof assoc_value), "socket option");
}

static void set_options(struct socket *socket)
{
    struct sctp_paddrparams path = {.spp_pathmtu = settings.mtu, .spp_flags = SPP_PMTUD_DISABLE | SPP_HB_DISABLE};
    struct sctp_paddrparams one_of_two = {
        .spp_pathmtu = settings.mtu, .spp_flags = SPP_PMTUD_DISABLE | SPP_HB_ENABLE, .spp_hbinterval = 1000};
    struct sctp_initmsg init = {.sinit_num_ostreams = (uint16_t)settings.streams, .sinit_max_instreams = 64};
    struct sctp_event event = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
    struct sctp_rtoinfo rto = {.srto_initial = settings.rto_initial_ms, /* 0 leaves a value as it is */
                               .srto_min = settings.rto_min_ms,
                               .srto_max = settings.rto_max_ms};
    struct sctp_sack_info sack = {.sack_delay = settings.sack_delay_ms, .sack_freq = settings.sack_every};
    int no_delay = !settings.nagle, interleaved = 2,
        send_buffer = settings.sndbuf != 0 ? (int)settings.sndbuf : SEND_BUFFER, receive_buffer = (int)settings.rcvbuf;

    need(usrsctp_set_non_blocking(socket, 1), "non-blocking");
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_NODELAY, &no_delay, sizeof no_delay), "SCTP_NODELAY");
    if (settings.addresses > 1) { /* heartbeats; a path is left after its second timeout, with CMT its sixth */
        path = one_of_two;
        path.spp_pathmaxrxt = settings.cmt ? PATH_MAX_RETRANS : 1;
    }
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path), "SCTP_PEER_ADDR_PARAMS");
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof init), "SCTP_INITMSG");
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof rto), "SCTP_RTOINFO");
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_DELAYED_SACK, &sack, sizeof sack), "SCTP_DELAYED_SACK");
    need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof event), "SCTP_EVENT");
    need(usrsctp_setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer), "SO_SNDBUF");
    if (receive_buffer != 0) {
        need(usrsctp_setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer), "SO_RCVBUF");
    }
    if (settings.max_burst != 0) {
        set_association_value(socket, SCTP_MAX_BURST, settings.max_burst);
    }
    set_association_value(socket, SCTP_NRSACK_SUPPORTED, settings.nr_sack);
    if (settings.interleaving) { /* RFC 8260 wants fragment interleaving first */
        need(usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &interleaved, sizeof interleaved),
             "SCTP_FRAGMENT_INTERLEAVE");
        set_association_value(socket, INTERLEAVING_SUPPORTED, 1);
    }
}

void open_association(const struct settings *given)
{
    settings = *given;
    set_addresses(settings.own, settings.peer, settings.addresses);
    usrsctp_init_nothreads(0, output, NULL);
    usrsctp_sysctl_set_sctp_ecn_enable(0);
    usrsctp_sysctl_set_sctp_asconf_enable(0);
    usrsctp_sysctl_set_sctp_auth_enable(0);
    usrsctp_sysctl_set_sctp_enable_sack_immediately(1); /* where a message asks for it */
    usrsctp_sysctl_set_sctp_do_drain(settings.drops);   /* else acknowledged data stays: no reneging */
    usrsctp_sysctl_set_sctp_cmt_on_off(settings.cmt ? SCTP_CMT_BASE : SCTP_CMT_OFF);
    usrsctp_sysctl_set_sctp_cmt_use_dac(settings.cmt);
    usrsctp_sysctl_set_sctp_use_cwnd_based_maxburst(!settings.strict_burst);
    begin_reports();
    if (settings.addresses == 0) {
        usrsctp_register_address(US);
    } else {
        open_network();
    }

    int family = settings.addresses == 0 ? AF_CONN : AF_INET;
    struct socket *socket = usrsctp_socket(family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

    if (socket == NULL) {
        perror("socket");
        exit(1);
    }
    set_options(socket);
    set_initial_tsn(settings.initial_tsn);
    if (settings.addresses == 0) {
        bind_and_connect(socket);
    } else {
        bind_and_connect_ip(socket);
    }
    if (settings.active) {
        association = socket;
    } else {
        listener = socket;
        need(usrsctp_listen(socket, 1), "listen");
    }
}

static void notice(const union sctp_notification *notification)
{
    if (notification->sn_header.sn_type != SCTP_ASSOC_CHANGE) {
        return;
    }
    switch (notification->sn_assoc_change.sac_state) {
    case SCTP_COMM_UP: report("up"); break;
    case SCTP_COMM_LOST:
    case SCTP_SHUTDOWN_COMP:
    case SCTP_CANT_STR_ASSOC: report("down"); break;
    default: break;
    }
}

/* Takes what the association has for the application; nothing while the application does not read. */
static void read_messages(void)
{
    static char buffer[LARGEST_MESSAGE];
    static size_t so_far;

    if (association == NULL && listener != NULL) {
        association = usrsctp_accept(listener, NULL, NULL);
        if (association != NULL) {
            need(usrsctp_set_non_blocking(association, 1), "non-blocking");
        }
    }
    while (association != NULL && reading) {
        struct sockaddr_storage from;
        socklen_t from_size = sizeof from, info_size = 0;
        unsigned type = SCTP_RECVV_NOINFO;
        int flags = 0;
        ssize_t size = usrsctp_recvv(association, buffer, sizeof buffer, (struct sockaddr *)&from, &from_size, NULL,
                                     &info_size, &type, &flags);

        if (size <= 0) {
            return;
        }
        if (flags & MSG_NOTIFICATION) {
            notice((const union sctp_notification *)buffer);
            continue;
        }
        so_far += (size_t)size;
        if (flags & MSG_EOR) {
            report("message %zu", so_far);
            so_far = 0;
        }
    }
}

static bool sends(const struct message *message);

static void send_waiting(void)
{
    while (waiting_from < waiting_count && sends(&waiting[waiting_from])) {
        waiting_bytes -= waiting[waiting_from++].size;
    }
}

void accept_packet(const void *packet, size_t size, uint32_t from, uint32_t to)
{
    cut_before = bursts_cut();
    if (settings.addresses == 0) {
        usrsctp_conninput(US, packet, size, 0);
    } else {
        receive_packet(packet, size, from, to);
    }
    report_counters();
    read_messages();
    send_waiting();
}

void run_timers(unsigned ms)
{
    usrsctp_handle_timers(ms);
    read_messages();
    send_waiting();
}

/* False where there is no room for it. */
static bool sends(const struct message *message)
{
    static char zeros[LARGEST_MESSAGE];
    struct sctp_sendv_spa spa = {.sendv_flags = SCTP_SEND_SNDINFO_VALID,
                                 .sendv_sndinfo = {
                                     .snd_sid = (uint16_t)message->stream,
                                 }};

    if (message->unordered) {
        spa.sendv_sndinfo.snd_flags |= SCTP_UNORDERED;
    }
    if (message->immediate) {
        spa.sendv_sndinfo.snd_flags |= SCTP_SACK_IMMEDIATELY;
    }

    if (message->rtx_limit >= 0) {
        spa.sendv_flags |= SCTP_SEND_PRINFO_VALID;
        spa.sendv_prinfo.pr_policy = SCTP_PR_SCTP_RTX;
        spa.sendv_prinfo.pr_value = (uint32_t)message->rtx_limit;
    } else if (message->lifetime_ms >= 0) {
        spa.sendv_flags |= SCTP_SEND_PRINFO_VALID;
        spa.sendv_prinfo.pr_policy = SCTP_PR_SCTP_TTL;
        spa.sendv_prinfo.pr_value = (uint32_t)message->lifetime_ms;
    }
    ssize_t sent = usrsctp_sendv(association, zeros, message->size, NULL, 0, &spa, sizeof spa, SCTP_SENDV_SPA, 0);

    if (sent < 0 && errno == EWOULDBLOCK && settings.sndbuf != 0) {
        return false;
    }
    need((int)sent, "send");
    return true;
}

void send_message(const struct message *message)
{
    cut_before = bursts_cut();
    if (waiting_from == waiting_count && sends(message)) {
        return;
    }
    waiting = realloc(waiting, (waiting_count + 1) * sizeof *waiting);
    need(waiting == NULL ? -1 : 0, "memory");
    waiting[waiting_count++] = *message;
    waiting_bytes += message->size;
}

void set_reading(bool on)
{
    reading = on;
    read_messages();
}

void shut_down(void)
{
    need(usrsctp_shutdown(association, SHUT_WR), "shutdown");
}

/* The congestion window, what is left of the peer's, what the application could not hand over yet, and whether the
 * limit on bursts was reached: 1, or 2 where that made the window smaller. */
void tell_windows(void)
{
    struct sctp_status status = {.sstat_assoc_id = 0};
    socklen_t size = sizeof status;

    if (association != NULL && usrsctp_getsockopt(association, IPPROTO_SCTP, SCTP_STATUS, &status, &size) == 0) {
        unsigned cut = bursts_cut() != cut_before ? settings.strict_burst ? 1 : 2 : 0;

        report("window %u %u %zu %u", status.sstat_primary.spinfo_cwnd, status.sstat_rwnd, waiting_bytes, cut);
    }
}

/* Bytes of messages that the send buffer holds, and of those that it has no room for. */
void tell_queue(void)
{
    struct { /* sctp_sockstat */
        sctp_assoc_t association;
        uint32_t to_send, received;
    } use = {.association = 0};
    socklen_t size = sizeof use;

    if (association != NULL && usrsctp_getsockopt(association, IPPROTO_SCTP, GET_SNDBUF_USE, &use, &size) == 0) {
        report("queue %u %zu", use.to_send, waiting_bytes);
    }
}

/* SRTT in whole milliseconds; of a host that only receives it is that of the handshake. */
void tell_round_trip(void)
{
    struct sctp_status status = {.sstat_assoc_id = 0};
    socklen_t size = sizeof status;

    if (association != NULL && usrsctp_getsockopt(association, IPPROTO_SCTP, SCTP_STATUS, &status, &size) == 0) {
        report("round_trip %u", status.sstat_primary.spinfo_srtt);
    }
}

/* Bytes from now on, and chunks (512 where nothing is said); 0 leaves one as it is. What had no room goes on. */
void set_buffers(unsigned send, unsigned receive, unsigned chunks)
{
    int send_buffer = (int)send, receive_buffer = (int)receive;

    if (chunks != 0) {
        usrsctp_sysctl_set_sctp_max_chunks_on_queue(chunks);
    }
    if (receive != 0) {
        need(usrsctp_setsockopt(association, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer),
             "SO_RCVBUF");
    }
    if (send != 0) {
        need(usrsctp_setsockopt(association, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer), "SO_SNDBUF");
        send_waiting();
    }
}
