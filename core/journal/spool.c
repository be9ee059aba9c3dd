/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments, and the file for those beyond the limit. A full segment is written to the file and mapped from there: a
 * full disk is an error of the write, never a signal, and pages that nobody touches again take no memory. */
#define _DEFAULT_SOURCE /* madvise: posix_madvise does nothing for MADV_DONTNEED in glibc */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A write becomes a run of pages that the file system keeps together. One that is much longer makes each later write to
 * one of its pages dear; of records that are looked at here and there a look brings all of it. */
enum { PIECE = 1 << 18, STAYING_PIECE = 1 << 14, FIRST_ROOM = 16 };

static void fail(struct sr_spool_store *store, const char *what)
{
    if (store->failed)
        return;
    store->failed = what;
    store->reason = errno;
}

void sr_spool_store_init(struct sr_spool_store *store, size_t memory)
{
    long page = sysconf(_SC_PAGESIZE);
    *store = (struct sr_spool_store){.memory_left = memory, .page = page > 0 ? (size_t)page : 4096, .file = -1};
}

void sr_spool_store_free(struct sr_spool_store *store)
{
    if (store->file >= 0)
        close(store->file);
    store->file = -1;
}

void sr_spool_init(struct sr_spool *spool, struct sr_spool_store *store, uint32_t record_size)
{
    *spool = (struct sr_spool){.store = store, .size = record_size};
    spool->shift = (uint8_t)sr_spool_shift(record_size);
    spool->mask = (UINT32_C(1) << spool->shift) - 1;
}

void sr_spool_init_staying(struct sr_spool *spool, struct sr_spool_store *store, uint32_t record_size)
{
    sr_spool_init(spool, store, record_size);
    spool->stays = true;
}

/* In whole pages. */
static size_t segment_bytes(const struct sr_spool *spool)
{
    size_t page = spool->store->page;
    return ((size_t)(spool->mask + 1) * spool->size + page - 1) / page * page;
}

void sr_spool_clear(struct sr_spool *spool)
{
    spool->count = 0;
}

void sr_spool_warm(const struct sr_spool *spool, uint8_t *segment)
{
    struct sr_spool_store *store = spool->store;
    for (uint32_t i = 0; i < SR_SPOOL_WARM; i++)
        if (store->warm[i] == segment) {
            store->warmest = i;
            return;
        }
    store->warmest = store->coldest++ % SR_SPOOL_WARM;
    if (store->warm[store->warmest])
        madvise(store->warm[store->warmest], store->warm_bytes[store->warmest], MADV_DONTNEED);
    store->warm[store->warmest] = segment;
    store->warm_bytes[store->warmest] = segment_bytes(spool);
}

/* What takes its place in memory is not to be given back. */
static void unmap(struct sr_spool *spool, uint8_t *segment)
{
    for (uint32_t i = 0; i < SR_SPOOL_WARM; i++)
        if (spool->store->warm[i] == segment)
            spool->store->warm[i] = NULL;
    for (uint32_t i = 0; i < spool->store->looks_elsewhere; i++)
        if (spool->store->looked[i] == segment)
            spool->store->looked[i] = NULL;
    if (spool->store->near == segment)
        spool->store->near = NULL;
    munmap(segment, segment_bytes(spool));
}

void sr_spool_free(struct sr_spool *spool)
{
    for (uint32_t i = 0; i < spool->held; i++) {
        if (spool->segments[i].mapped)
            unmap(spool, spool->segments[i].at);
        else
            free(spool->segments[i].at);
    }
    free(spool->segments);
    *spool = (struct sr_spool){0};
}

/* A file that nobody else can open, and that is gone with the process. */
static bool open_file(struct sr_spool_store *store)
{
    const char *directory = getenv("TMPDIR");
    char name[4096];
    if (!directory || directory[0] == '\0')
        directory = "/tmp";
    int length = snprintf(name, sizeof name, "%s/sctp-rack-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof name)
        errno = ENAMETOOLONG;
    else
        store->file = mkstemp(name);
    if (store->file < 0) {
        fail(store, "cannot create a temporary file");
        return false;
    }
    unlink(name);
    fcntl(store->file, F_SETFD, FD_CLOEXEC);
    return true;
}

/* Writes the memory to the end of the file; false when that fails. */
static bool write_out(struct sr_spool_store *store, const uint8_t *from, size_t bytes, size_t at_once)
{
    if (store->file < 0 && !open_file(store))
        return false;
    for (size_t done = 0; done < bytes;) {
        size_t piece = bytes - done < at_once ? bytes - done : at_once;
        ssize_t count = pwrite(store->file, from + done, piece, (off_t)(store->file_length + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            fail(store, "cannot write to the temporary file");
            return false;
        }
        done += (size_t)count;
    }
    return true;
}

/* A segment in the file that holds what is at `from`; NULL when that fails. */
static uint8_t *in_file(const struct sr_spool *spool, const uint8_t *from)
{
    struct sr_spool_store *store = spool->store;
    size_t bytes = segment_bytes(spool);
    if (!write_out(store, from, bytes, spool->stays ? STAYING_PIECE : PIECE))
        return NULL;
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, (off_t)store->file_length);
    if (mapped == MAP_FAILED) {
        fail(store, "cannot map the temporary file");
        return NULL;
    }
    store->file_length += bytes;
    return mapped;
}

/* The last segment, which is lent memory and full, goes to the file; the memory is returned. NULL when that fails. */
static uint8_t *spill_last(struct sr_spool *spool)
{
    struct sr_spool_segment *last = &spool->segments[spool->held - 1];
    size_t bytes = segment_bytes(spool);
    uint8_t *memory = last->at;
    uint8_t *mapped = in_file(spool, memory);

    if (!mapped)
        return NULL;
    *last = (struct sr_spool_segment){mapped, true};
    if (spool->held > 1 && last[-1].mapped) /* its last record was looked at: with that come the pages around it */
        madvise(last[-1].at, bytes, MADV_DONTNEED);
    spool->last_is_lent = false;
    return memory;
}

static uint8_t *memory_for_segment(struct sr_spool *spool)
{
    size_t bytes = segment_bytes(spool);
    if (spool->last_is_lent)
        return spill_last(spool);
    uint8_t *memory = malloc(bytes);
    if (!memory)
        fail(spool->store, "no memory");
    return memory;
}

static bool make_room(struct sr_spool *spool)
{
    uint32_t room = spool->room ? spool->room * 2 : FIRST_ROOM;
    struct sr_spool_segment *segments = realloc(spool->segments, room * sizeof *segments);
    if (!segments) {
        fail(spool->store, "no memory");
        return false;
    }
    spool->segments = segments;
    spool->room = room;
    return true;
}

/* A segment in the file from its first record on: space is there for all of them. */
static bool extend_in_file(struct sr_spool *spool)
{
    size_t bytes = segment_bytes(spool);
    uint8_t *nothing = calloc(1, bytes), *mapped = NULL;
    if (!nothing)
        fail(spool->store, "no memory");
    else
        mapped = in_file(spool, nothing);
    free(nothing);
    if (mapped)
        spool->segments[spool->held++] = (struct sr_spool_segment){mapped, true};
    return mapped != NULL;
}

/* One more segment; false when the store fails. The first is in memory, so that little needs no file. */
static bool extend(struct sr_spool *spool)
{
    struct sr_spool_store *store = spool->store;
    size_t bytes = segment_bytes(spool);
    bool fits = store->memory_left >= bytes;

    if (store->failed || (spool->held == spool->room && !make_room(spool)))
        return false;
    if (spool->stays && spool->held > 0 && !fits)
        return extend_in_file(spool);
    uint8_t *memory = memory_for_segment(spool);
    if (!memory)
        return false;
    spool->segments[spool->held++] = (struct sr_spool_segment){memory, false};
    spool->last_is_lent = !fits && !spool->stays;
    if (fits)
        store->memory_left -= bytes;
    return true;
}

void *sr_spool_append_segment(struct sr_spool *spool)
{
    uint64_t at = spool->count >> spool->shift;
    if (at == spool->held && !extend(spool))
        return NULL;
    if (at > 0 && spool->segments[at - 1].mapped) /* it was cleared, and has just been filled again */
        madvise(spool->segments[at - 1].at, segment_bytes(spool), MADV_DONTNEED);
    return sr_spool_at(spool, spool->count++);
}

void *sr_spool_append_list(struct sr_spool *spool, uint32_t count, uint64_t *first)
{
    uint64_t left = -spool->count & spool->mask; /* in the last segment; 0 also where there is none yet */
    if (left < count && left > 0)
        spool->count += left;
    *first = spool->count;
    void *room = sr_spool_append(spool);
    if (room)
        spool->count += count - 1;
    return room;
}

static void give_back(const struct sr_spool *spool, uint64_t from, uint64_t end)
{
    for (uint64_t i = from; i < end; i++)
        if (spool->segments[i].mapped)
            madvise(spool->segments[i].at, segment_bytes(spool), MADV_DONTNEED);
}

/* What was given back and looked at again since is in memory until its turn comes: of the latest ones soon, as mostly
 * they are looked at, of those before a few at a time, so that the cost goes with the length. */
void sr_spool_done_before(struct sr_spool *spool, uint64_t n)
{
    enum { LATEST_EVERY = 16, LATEST = 32, AT_A_TIME = 4 };
    uint64_t before = n >> spool->shift;
    before = before < spool->held ? before : spool->held;
    if (before < spool->returned) { /* another walk has begun, or the last has ended */
        give_back(spool, 0, before);
    } else if (++spool->returns % LATEST_EVERY == 0) {
        uint64_t latest = before > LATEST ? before - LATEST : 0;
        give_back(spool, latest < spool->returned ? latest : spool->returned, before);
        spool->swept = spool->swept < latest ? spool->swept : 0;
        uint64_t end = spool->swept + AT_A_TIME * LATEST_EVERY;
        give_back(spool, spool->swept, end < latest ? end : latest);
        spool->swept = (uint32_t)end;
    } else {
        give_back(spool, spool->returned, before);
    }
    spool->returned = (uint32_t)before;
}

/* A look elsewhere brings the pages around it, too: 64 KiB (fault_around_bytes of Linux). Where it goes on in the same
 * segment it mostly goes on side by side. */
void sr_spool_look_into(const struct sr_spool *spool, uint8_t *segment)
{
    enum { ELSEWHERE = 16, MOST = ELSEWHERE * SR_SPOOL_LOOKED /* pages: 4 MiB */ };
    struct sr_spool_store *store = spool->store;
    if (segment == store->near) {
        store->pages++;
    } else {
        store->looked[store->looks_elsewhere] = store->near = segment;
        store->looked_bytes[store->looks_elsewhere++] = segment_bytes(spool);
        store->pages += ELSEWHERE;
    }
    if (store->pages < MOST)
        return;
    for (uint32_t i = 0; i < store->looks_elsewhere; i++)
        if (store->looked[i])
            madvise(store->looked[i], store->looked_bytes[i], MADV_DONTNEED);
    store->near = NULL;
    store->pages = store->looks_elsewhere = 0;
}

void sr_spool_done(struct sr_spool *spool)
{
    spool->returned = spool->held + 1; /* all of them */
    sr_spool_done_before(spool, UINT64_MAX);
}

void sr_spool_will_write(const struct sr_spool *spool, uint64_t n)
{
#ifdef MADV_POPULATE_WRITE
    const struct sr_spool_segment *segment = &spool->segments[n >> spool->shift];
    if (segment->mapped)
        madvise(segment->at, segment_bytes(spool), MADV_POPULATE_WRITE);
#else
    (void)spool;
    (void)n;
#endif
}
