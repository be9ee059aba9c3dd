/* SPDX-License-Identifier: BSD-2-Clause */
/* For LD_PRELOAD: the plugin, and nothing else, gets no memory from calloc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_calloc(size_t count, size_t size);

void *calloc(size_t count, size_t size)
{
    Dl_info caller;
    if (dladdr(__builtin_return_address(0), &caller) && caller.dli_fname && strstr(caller.dli_fname, "/sctp_rack.so"))
        return NULL;
    return __libc_calloc(count, size);
}
