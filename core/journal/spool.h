/* SPDX-License-Identifier: BSD-2-Clause */
/* Where records of one size are kept by number: in memory up to a limit that the spools of a store share, beyond it in
 * a temporary file without a name, mapped. Records are only ever added; those that are there may be written to. In a
 * spool whose records stay, they may also be pointed at. */
#ifndef SR_JOURNAL_SPOOL_H
#define SR_JOURNAL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SR_SPOOL_WARM = 4,    /* segments of the file */
    SR_SPOOL_LOOKED = 64, /* likewise */
};

/* What the spools of one journal share. */
struct sr_spool_store {
    uint8_t *warm[SR_SPOOL_WARM]; /* segments in the file that were visited last: a ring; NULL: none */
    size_t warm_bytes[SR_SPOOL_WARM];
    uint32_t warmest, coldest;        /* the last visited, and the next to be given back */
    uint8_t *near;                    /* segment in the file that sr_spool_look looked at last */
    uint8_t *looked[SR_SPOOL_LOOKED]; /* those that it looked at since it gave them back, some more than once */
    size_t looked_bytes[SR_SPOOL_LOOKED];
    uint32_t looks_elsewhere; /* so many of them */
    uint32_t pages;           /* that its looks may have brought since then */
    size_t memory_left;       /* bytes; then segments go to the file as they fill up */
    size_t page;              /* bytes of a page: segments in the file begin at one */
    uint64_t file_length;     /* bytes */
    int file;                 /* -1 before the first segment in it */
    int reason;               /* errno of what could not be done */
    const char *failed;       /* what could not be done: nothing is appended any more; NULL while all is well */
};

struct sr_spool_segment {
    uint8_t *at;
    bool mapped; /* it lies in the file */
};

struct sr_spool {
    struct sr_spool_store *store;
    struct sr_spool_segment *segments;
    uint64_t count;    /* of the records */
    uint32_t held;     /* segments */
    uint32_t room;     /* for segments */
    uint32_t returned; /* segments from the first on that were given back, though they may be in memory again */
    uint32_t returns;  /* how often */
    uint32_t swept;    /* up to here those looked at again were given back in this round */
    uint32_t size;     /* bytes of a record */
    uint32_t mask;     /* records of a segment, a power of two, less one */
    uint8_t shift;     /* its logarithm */
    bool last_is_lent; /* the last segment is memory beyond the limit, and goes to the file when it is full */
    bool stays;        /* no record ever moves: beyond the limit a segment is in the file before its first */
};

void sr_spool_store_init(struct sr_spool_store *store, size_t memory);
void sr_spool_store_free(struct sr_spool_store *store); /* after its spools */

void sr_spool_init(struct sr_spool *spool, struct sr_spool_store *store, uint32_t record_size);
/* Likewise, of records that stay where they are. */
void sr_spool_init_staying(struct sr_spool *spool, struct sr_spool_store *store, uint32_t record_size);
void sr_spool_free(struct sr_spool *spool);
/* Forgets all records; what held them holds the next ones. */
void sr_spool_clear(struct sr_spool *spool);

/* A segment is the largest power of two of records that takes no more bytes. */
#define SR_SPOOL_SEGMENT 1048576
static inline unsigned sr_spool_shift(uint32_t record_size)
{
    return 31u - (unsigned)__builtin_clz(SR_SPOOL_SEGMENT / record_size);
}

/* Record `n`, which was appended. */
static inline void *sr_spool_at(const struct sr_spool *spool, uint64_t n)
{
    return spool->segments[n >> spool->shift].at + (n & spool->mask) * spool->size;
}

/* Likewise, where whoever compiles knows the size: half the way. */
static inline void *sr_spool_at_sized(const struct sr_spool *spool, uint64_t n, uint32_t record_size)
{
    unsigned shift = sr_spool_shift(record_size);
    return spool->segments[n >> shift].at + (n & ((UINT64_C(1) << shift) - 1)) * record_size;
}

/* A segment in the file that was not the last visited. */
void sr_spool_warm(const struct sr_spool *spool, uint8_t *segment);

/* Likewise, for who looks at long lists or here and there: of all that is looked at so, SR_SPOOL_WARM segments stay in
 * memory. */
static inline void *sr_spool_visit(const struct sr_spool *spool, uint64_t n)
{
    const struct sr_spool_segment *segment = &spool->segments[n >> spool->shift];
    if (segment->mapped && segment->at != spool->store->warm[spool->store->warmest])
        sr_spool_warm(spool, segment->at);
    return segment->at + (n & spool->mask) * spool->size;
}

/* A look at a segment in the file. */
void sr_spool_look_into(const struct sr_spool *spool, uint8_t *segment);

/* A record that stays, for who looks at them in any order: now and then the memory of all that lie in the file is given
 * back, so that it does not go with their number. Who points at one finds it again. */
static inline void *sr_spool_look(const struct sr_spool *spool, uint64_t n)
{
    const struct sr_spool_segment *segment = &spool->segments[n >> spool->shift];
    if (segment->mapped)
        sr_spool_look_into(spool, segment->at);
    return segment->at + (n & spool->mask) * spool->size;
}

/* A further segment, of which one record is taken. */
void *sr_spool_append_segment(struct sr_spool *spool);

/* Room for one more record, not cleared; NULL when the store has failed. It moves when the next one is appended. */
static inline void *sr_spool_append(struct sr_spool *spool)
{
    if ((spool->count & spool->mask) == 0)
        return sr_spool_append_segment(spool);
    return sr_spool_at(spool, spool->count++);
}

/* Room for `count` records of four bytes side by side, 1 to SR_SPOOL_LIST; some numbers may be left out before them.
 * `*first` is the number of the first. NULL when the store has failed. */
#define SR_SPOOL_LIST 65536
void *sr_spool_append_list(struct sr_spool *spool, uint32_t count, uint64_t *first);

/* Forgets the last `count` records. */
static inline void sr_spool_take_back(struct sr_spool *spool, uint64_t count)
{
    spool->count -= count;
}

/* Whoever walks over the records is done with those before `n`: the memory that they take is given back as far as they
 * lie in the file. They may still be read and written. */
void sr_spool_done_before(struct sr_spool *spool, uint64_t n);
/* Likewise with all, whichever were looked at. */
void sr_spool_done(struct sr_spool *spool);

/* Whoever walks over the records is about to write to all of those that lie side by side with `n`: they come into
 * memory at once, which takes far less than one page after the other. */
void sr_spool_will_write(const struct sr_spool *spool, uint64_t n);

#endif
