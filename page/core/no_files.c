/* SPDX-License-Identifier: BSD-2-Clause */
/* A page has no files: rows are kept in memory, and where that is full a temporary file fails as memory does. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int none(void)
{
    errno = ENOMEM;
    return -1;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    (void)address;
    (void)length;
    (void)protection;
    (void)flags;
    (void)file;
    (void)offset;
    none();
    return MAP_FAILED;
}

int munmap(void *address, size_t length)
{
    (void)address;
    (void)length;
    return none();
}

int madvise(void *address, size_t length, int advice)
{
    (void)address;
    (void)length;
    (void)advice;
    return none();
}

int mkstemp(char *name)
{
    (void)name;
    return none();
}
