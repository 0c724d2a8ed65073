/* ucp_sources.c - preloaded into MPICH over UCX: prints the source of every awaited message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *receive(void *worker, void *buffer, size_t count, uint64_t tag, uint64_t mask,
                      const void *param);

/* In the tags of MPICH 4 the sender's rank stands above 32 bits of the message's own tag. */
void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t count, uint64_t tag, uint64_t mask,
                       const void *param);
void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t count, uint64_t tag, uint64_t mask,
                       const void *param)
{
    static receive *real;
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "ucp_tag_recv_nbx");
    }
    fprintf(stderr, "awaits %s %u %08x\n", getenv("PMI_RANK"), (unsigned)(tag >> 32 & 0xffff),
            (unsigned)tag);
    return real(worker, buffer, count, tag, mask, param);
}
