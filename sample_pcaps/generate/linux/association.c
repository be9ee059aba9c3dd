/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One association of the kernel: its socket and options, what the application sends and reads. */
#include "host.h"

#include <errno.h>
#include <linux/sctp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { SEND_BUFFER = 4 << 20, LARGEST_MESSAGE = 1 << 20 };

static struct settings settings;
static int listener = -1, association = -1;
static bool reading = true;
static struct message *waiting; /* what the send buffer had no room for */
static size_t waiting_count, waiting_from, waiting_bytes;
static struct sctp_assoc_stats counted; /* the kernel forgets it with the association */

static void set_option(int socket, int option, const void *value, size_t size, const char *what)
{
    need(setsockopt(socket, IPPROTO_SCTP, option, value, (socklen_t)size), what);
}

static void set_options(int socket)
{
    struct sctp_initmsg init = {.sinit_num_ostreams = (uint16_t)settings.streams, .sinit_max_instreams = 64};
    struct sctp_event event = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
    int at_once = !settings.nagle, interleaved = 2, receive_buffer = (int)settings.rcvbuf,
        send_buffer = settings.sndbuf != 0 ? (int)settings.sndbuf : SEND_BUFFER;

    set_option(socket, SCTP_NODELAY, &at_once, sizeof at_once, "SCTP_NODELAY");
    set_option(socket, SCTP_INITMSG, &init, sizeof init, "SCTP_INITMSG");
    set_option(socket, SCTP_EVENT, &event, sizeof event, "SCTP_EVENT");
    need(setsockopt(socket, SOL_SOCKET, SO_SNDBUFFORCE, &send_buffer, sizeof send_buffer), "SO_SNDBUF");
    if (receive_buffer != 0) {
        need(setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer), "SO_RCVBUF");
    }
    if (settings.interleaving) { /* RFC 8260 wants fragment interleaving first */
        struct sctp_assoc_value interleaving = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};

        set_option(socket, SCTP_FRAGMENT_INTERLEAVE, &interleaved, sizeof interleaved, "SCTP_FRAGMENT_INTERLEAVE");
        set_option(socket, SCTP_INTERLEAVING_SUPPORTED, &interleaving, sizeof interleaving, "I-DATA");
    }
}

/* To all own addresses; the peer tells its others in the handshake. */
static void bind_all(int socket)
{
    for (size_t i = 0; i < settings.addresses; i++) {
        union address own;
        size_t size = to_address(&own, settings.own[i], settings.port);

        set_option(socket, SCTP_SOCKOPT_BINDX_ADD, &own, size, "bind");
    }
}

void open_association(const struct settings *given)
{
    union address peer;
    size_t size;
    int opened;

    settings = *given;
    size = to_address(&peer, settings.peer[0], settings.peer_port);
    need(opened = socket(peer.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_SCTP), "socket");
    set_options(opened);
    bind_all(opened);
    if (settings.active) {
        association = opened;
        if (connect(opened, &peer.any, (socklen_t)size) < 0 && errno != EINPROGRESS) {
            need(-1, "connect");
        }
    } else {
        listener = opened;
        need(listen(listener, 1), "listen");
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

struct pollfd association_events(void)
{
    bool writes = waiting_from < waiting_count;

    return (struct pollfd){.fd = !reading && !writes ? -1
                                 : association >= 0  ? association
                                                     : listener,
                           .events = (short)((reading ? POLLIN : 0) | (writes ? POLLOUT : 0))};
}

void read_messages(void)
{
    static char buffer[LARGEST_MESSAGE];
    static size_t so_far;

    if (association < 0 && listener >= 0) {
        association = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    }
    while (association >= 0 && reading) {
        struct iovec part = {.iov_base = buffer, .iov_len = sizeof buffer};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        ssize_t size = recvmsg(association, &message, 0);

        if (size <= 0) {
            if (size == 0 || errno != EAGAIN) { /* over: nothing more to wait for */
                report("down");
                reading = false;
            }
            return;
        }
        if (message.msg_flags & MSG_NOTIFICATION) {
            notice((const union sctp_notification *)buffer);
            continue;
        }
        so_far += (size_t)size;
        if (message.msg_flags & MSG_EOR) {
            report("message %zu", so_far);
            so_far = 0;
        }
    }
}

static void append(struct msghdr *message, int type, const void *value, size_t size)
{
    struct cmsghdr *header = (struct cmsghdr *)((char *)message->msg_control + message->msg_controllen);

    header->cmsg_level = IPPROTO_SCTP;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), value, size);
    message->msg_controllen += CMSG_SPACE(size);
}

/* What the application asks of an association that was aborted meanwhile fails, and nothing comes of it. */
static void needed_of_the_living(long result, const char *what)
{
    bool gone = errno == EPIPE || errno == ENOTCONN || errno == ECONNRESET || errno == ETIMEDOUT;

    if (result >= 0 || !gone) {
        need(result, what);
    }
}

/* False where there is no room for it. */
static bool sends(const struct message *given)
{
    static char zeros[LARGEST_MESSAGE];
    _Alignas(struct cmsghdr) char control[256] = {0};
    struct iovec part = {.iov_base = zeros, .iov_len = given->size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
    struct sctp_sndinfo info = {.snd_sid = (uint16_t)given->stream, .snd_flags = given->unordered ? SCTP_UNORDERED : 0};
    struct sctp_prinfo reliability = {.pr_policy = SCTP_PR_SCTP_NONE};

    if (given->rtx_limit >= 0) {
        reliability = (struct sctp_prinfo){.pr_policy = SCTP_PR_SCTP_RTX, .pr_value = (uint32_t)given->rtx_limit};
    } else if (given->lifetime_ms >= 0) {
        reliability = (struct sctp_prinfo){.pr_policy = SCTP_PR_SCTP_TTL, .pr_value = (uint32_t)given->lifetime_ms};
    }
    append(&message, SCTP_SNDINFO, &info, sizeof info);
    if (reliability.pr_policy != SCTP_PR_SCTP_NONE) {
        append(&message, SCTP_PRINFO, &reliability, sizeof reliability);
    }
    ssize_t sent = sendmsg(association, &message, MSG_NOSIGNAL);

    if (sent < 0 && errno == EAGAIN && settings.sndbuf != 0) {
        return false;
    }
    needed_of_the_living(sent, "send");
    return true;
}

void send_waiting(void)
{
    while (waiting_from < waiting_count && sends(&waiting[waiting_from])) {
        waiting_bytes -= waiting[waiting_from++].size;
    }
}

void send_message(const struct message *message)
{
    if (waiting_from == waiting_count && sends(message)) {
        return;
    }
    waiting = realloc(waiting, (waiting_count + 1) * sizeof *waiting);
    need(waiting == NULL ? -1 : 0, "memory");
    waiting[waiting_count++] = *message;
    waiting_bytes += message->size;
}

/* The congestion window, what is left of the peer's, what the application could not hand over yet, and 0: a limit on
 * bursts is undone as soon as they left (sctp_transport_burst_reset), and not counted. */
void tell_windows(void)
{
    struct sctp_status status = {.sstat_assoc_id = 0};
    socklen_t size = sizeof status;

    if (association >= 0 && getsockopt(association, IPPROTO_SCTP, SCTP_STATUS, &status, &size) == 0) {
        report("window %u %u %zu 0", status.sstat_primary.spinfo_cwnd, status.sstat_rwnd, waiting_bytes);
    }
}

void set_reading(bool on)
{
    reading = on;
    read_messages();
}

void shut_down(void)
{
    needed_of_the_living(shutdown(association, SHUT_WR), "shutdown");
}

void look_at_counters(void)
{
    struct sctp_assoc_stats now = {0};
    socklen_t size = sizeof now;

    if (association >= 0 && getsockopt(association, IPPROTO_SCTP, SCTP_GET_ASSOC_STATS, &now, &size) == 0) {
        counted = now;
    }
}

void tell_counters_of_association(void)
{
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"rtxchunks", counted.sas_rtxchunks},   {"oodchunks", counted.sas_oodchunks},
        {"ouodchunks", counted.sas_ouodchunks}, {"idupchunks", counted.sas_idupchunks},
        {"osacks", counted.sas_osacks},
    };

    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        report("counter %s %llu", counters[i].name, (unsigned long long)counters[i].value);
    }
}
