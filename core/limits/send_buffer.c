/* SPDX-License-Identifier: BSD-2-Clause */
/* What is outstanding stays in a send buffer until it is acknowledged. Where that is smaller than both windows, each
 * acknowledgement lets as much leave as it took away: the most that is outstanding is the same again and again. A
 * sender that fills its congestion window has at least a packet more with each window that is acknowledged without a
 * loss (RFC 9260 section 7.2.2; in slow start more, section 7.2.1), whatever its stack. */
#include "send_buffer.h"

#include "../wire/time.h"

enum {
    MESSAGE_BEGINS = 2, /* B bit */
    WINDOWS = 3,        /* that are sent: the first may have been acknowledged in part before, which counts (7.2.2) */
    MAX_BURST = 4,      /* packets, that feedback lets leave at most (section 6.1 D): that may be the limit */
};

void sr_send_buffer_sent(struct sr_send_buffer *buffer, uint8_t flags, uint64_t bytes, uint64_t outstanding_bytes)
{
    buffer->message_bytes = flags & MESSAGE_BEGINS ? bytes : buffer->message_bytes + bytes;
    if (buffer->message_bytes > buffer->largest_message_bytes)
        buffer->largest_message_bytes = buffer->message_bytes;
    if (outstanding_bytes > buffer->peak_bytes)
        buffer->peak_bytes = outstanding_bytes;
}

static void begin(struct sr_send_buffer *buffer, uint64_t peak_bytes, const struct sr_send_buffer_burst *burst)
{
    buffer->window_bound_bytes = peak_bytes + buffer->late_bytes;
    buffer->least_bytes = buffer->most_bytes = buffer->window_peak_bytes = peak_bytes;
    buffer->begin_bytes = buffer->window_bytes = burst->sent_bytes;
    buffer->window_begin_ns = burst->time_ns;
    buffer->bursts = buffer->heard = buffer->had = buffer->cut = 0;
    if (buffer->known_bytes > 0)
        return;
    buffer->low_bytes = buffer->left_bytes = UINT64_MAX;
    buffer->mark_bytes = 0;
}

static bool ends_window(const struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst)
{
    int64_t lasted_ns;
    return !sr_elapsed(burst->time_ns, buffer->window_begin_ns, &lasted_ns) || lasted_ns >= burst->round_trip_ns ||
           burst->sent_bytes - buffer->window_bytes >= buffer->most_bytes;
}

/* What passes the tap of a slow host before that takes it seems to be outstanding no more: a window that may have had
 * as much all the same says nothing against the level. */
static void end_window(struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst, uint64_t apart_bytes)
{
    uint64_t peak_bytes = buffer->window_peak_bytes, bound_bytes = buffer->window_bound_bytes;
    buffer->window_peak_bytes = buffer->window_bound_bytes = 0;
    buffer->window_bytes = burst->sent_bytes;
    buffer->window_begin_ns = burst->time_ns;
    if (buffer->most_bytes > bound_bytes + apart_bytes)
        begin(buffer, peak_bytes, burst);
    else if (buffer->most_bytes - peak_bytes <= apart_bytes && peak_bytes < buffer->least_bytes)
        buffer->least_bytes = peak_bytes;
}

static bool is_known(const struct sr_send_buffer *buffer)
{
    return buffer->known_bytes > 0 && buffer->least_bytes >= buffer->known_bytes;
}

void sr_send_buffer_pass(struct sr_send_buffer *buffer)
{
    buffer->peak_bytes = 0;
    if (!is_known(buffer))
        buffer->most_bytes = 0;
}

void sr_send_buffer_break(struct sr_send_buffer *buffer)
{
    buffer->peak_bytes = buffer->most_bytes = 0;
}

/* A buffer has room for a message or not, and what is left of it may be less than a packet. */
static uint64_t unevenness(const struct sr_send_buffer *buffer, uint64_t largest_bytes)
{
    return buffer->largest_message_bytes > largest_bytes ? buffer->largest_message_bytes : largest_bytes;
}

/* As much was sent as lets a congestion window grow by two packets more than the peaks differ. */
static bool is_long_enough(const struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst)
{
    uint64_t differ_bytes = buffer->most_bytes - buffer->least_bytes;
    uint64_t packets = (differ_bytes + burst->largest_bytes - 1) / burst->largest_bytes;
    return (burst->sent_bytes - buffer->begin_bytes) / buffer->most_bytes >= WINDOWS + packets;
}

bool sr_send_buffer_begins(const struct sr_send_buffer *buffer)
{
    return buffer->bursts == 1;
}

/* As many packets left as a limit on bursts lets leave, and no feedback made room since then but the last. */
static bool may_be_cut(const struct sr_send_buffer_burst *burst, uint64_t peak_bytes)
{
    return burst->packets_before == MAX_BURST && burst->before_bytes + burst->largest_bytes > peak_bytes;
}

/* Feedback made room for a packet, and nothing left: a congestion window would have let it (RFC 9260 section 6.1 B). */
static bool let_pass(const struct sr_send_buffer_burst *burst, uint64_t peak_bytes)
{
    return burst->before_bytes + burst->largest_bytes <= peak_bytes;
}

static void see_left(struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst, uint64_t peak_bytes)
{
    if (peak_bytes >= buffer->least_bytes && buffer->left_bytes < buffer->low_bytes)
        buffer->low_bytes = buffer->left_bytes;
    buffer->left_bytes = burst->left_bytes;
    if (let_pass(burst, peak_bytes) && burst->left_bytes > buffer->mark_bytes)
        buffer->mark_bytes = burst->left_bytes;
}

/* An application that goes on once its buffer is empty to some part waits for that at any congestion window above it,
 * as behind a loss. */
static bool waits_for_mark(const struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst,
                           uint64_t peak_bytes)
{
    return buffer->known_bytes > 0 && burst->left_bytes <= buffer->mark_bytes &&
           burst->before_bytes > buffer->mark_bytes && let_pass(burst, peak_bytes);
}

static enum sr_send_buffer_says say(const struct sr_send_buffer *buffer)
{
    if (2 * buffer->had > buffer->bursts)
        return SR_SEND_BUFFER_HAD_IT;
    return 2 * buffer->heard > buffer->bursts ? SR_SEND_BUFFER_ANSWERS : SR_SEND_BUFFER_FULL;
}

enum sr_send_buffer_says sr_send_buffer_burst(struct sr_send_buffer *buffer, const struct sr_send_buffer_burst *burst)
{
    uint64_t peak_bytes = buffer->peak_bytes, apart_bytes = unevenness(buffer, burst->largest_bytes);
    buffer->peak_bytes = 0;
    bool is_known_again = peak_bytes >= buffer->known_bytes && buffer->least_bytes < buffer->known_bytes;
    /* Less than a full buffer ever had left: something else keeps data from leaving. */
    bool falls = is_known(buffer) && peak_bytes < buffer->low_bytes;
    bool waits = peak_bytes < buffer->known_bytes && waits_for_mark(buffer, burst, peak_bytes);
    if (buffer->most_bytes == 0 || peak_bytes > buffer->least_bytes + apart_bytes || is_known_again || falls || waits)
        begin(buffer, peak_bytes, burst);
    if (peak_bytes > buffer->window_peak_bytes)
        buffer->window_peak_bytes = peak_bytes;
    if (peak_bytes + buffer->late_bytes > buffer->window_bound_bytes)
        buffer->window_bound_bytes = peak_bytes + buffer->late_bytes;
    buffer->late_bytes = burst->late_bytes;
    if (peak_bytes > buffer->most_bytes)
        buffer->most_bytes = peak_bytes;
    if (ends_window(buffer, burst))
        end_window(buffer, burst, apart_bytes);
    buffer->bursts++;
    buffer->heard += burst->heard;
    buffer->had += burst->had_it;
    buffer->cut += may_be_cut(burst, peak_bytes);
    if (peak_bytes > buffer->known_bytes + apart_bytes)
        buffer->known_bytes = 0;
    bool known = is_known(buffer);
    if (buffer->known_bytes == 0 || known)
        see_left(buffer, burst, peak_bytes);
    if (waits)
        return say(buffer);
    if (peak_bytes == 0 || burst->largest_bytes == 0 || 2 * buffer->cut > buffer->bursts ||
        !(known || is_long_enough(buffer, burst)))
        return SR_SEND_BUFFER_PERHAPS;
    if (!known)
        buffer->known_bytes = buffer->least_bytes;
    return say(buffer);
}
