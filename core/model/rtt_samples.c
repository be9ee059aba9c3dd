/* SPDX-License-Identifier: BSD-2-Clause */
/* Karn's rule over more than one TSN. */
#include "rtt_samples.h"

#include <stdlib.h>
#include <string.h>

void sr_fence_free(struct sr_karn_fence *fence)
{
    free(fence->posts);
    *fence = (struct sr_karn_fence){0};
}

bool sr_fence_copy(struct sr_karn_fence *to, const struct sr_karn_fence *from)
{
    *to = (struct sr_karn_fence){.room = from->room, .first = from->first, .count = from->count};
    if (from->room == 0)
        return true;
    to->posts = malloc(from->room * sizeof *to->posts);
    if (!to->posts)
        return false;
    memcpy(to->posts, from->posts, from->room * sizeof *to->posts);
    return true;
}

static bool make_room(struct sr_karn_fence *fence)
{
    if (fence->first + fence->count < fence->room)
        return true;
    if (fence->first > fence->room / 2) {
        memmove(fence->posts, fence->posts + fence->first, fence->count * sizeof *fence->posts);
        fence->first = 0;
        return true;
    }
    uint32_t room = fence->room ? fence->room * 2 : 16;
    struct sr_fence_post *posts = realloc(fence->posts, room * sizeof *posts);
    if (!posts)
        return false;
    fence->posts = posts;
    fence->room = room;
    return true;
}

bool sr_fence_retransmitted(struct sr_karn_fence *fence, int64_t seq, int64_t now_ns, int64_t oldest_ns, int64_t una)
{
    for (; fence->count > 0; fence->first++, fence->count--) {
        const struct sr_fence_post *post = &fence->posts[fence->first];
        if (post->time_ns >= oldest_ns && (fence->count == 1 || post[1].seq >= una))
            break;
    }
    /* Below the cumulative TSN all are alike: none of them comes after a chunk that is still asked about. */
    if (seq < una)
        seq = una - 1;
    while (fence->count > 0 && fence->posts[fence->first + fence->count - 1].seq >= seq)
        fence->count--;
    if (!make_room(fence))
        return false;
    fence->posts[fence->first + fence->count++] = (struct sr_fence_post){now_ns, seq};
    return true;
}

bool sr_fence_clean(const struct sr_karn_fence *fence, int64_t seq, int64_t sent_ns)
{
    uint32_t low = fence->first, high = fence->first + fence->count;
    if (fence->count == 0 || fence->posts[high - 1].time_ns < sent_ns)
        return true;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fence->posts[middle].time_ns < sent_ns)
            low = middle + 1;
        else
            high = middle;
    }
    /* RFC 9260 section 6.3.1 C5b: sample TSN r only if no TSN <= r was retransmitted since r was sent. */
    return fence->posts[low].seq > seq;
}
