/* SPDX-License-Identifier: BSD-2-Clause */
/* What core/journal/spool.c asks of files that are mapped: in a page there is none, so that rows stay in memory
 * (no_files.c). wasi-libc has a header of this name that only says so. */
#ifndef SR_PAGE_MMAN_H
#define SR_PAGE_MMAN_H

#include <stddef.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MADV_DONTNEED = 4 };
#define MAP_FAILED ((void *)-1)

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t length);
int madvise(void *address, size_t length, int advice);
int mkstemp(char *name);

#endif
