/* handles.h - numbers for requests and communicators, whose handles an MPI uses again
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_HANDLES_H
#define TRACER_HANDLES_H

#include <stdint.h>

/* A handle is a pointer in Open MPI and a number in MPICH. */
#define KEY(handle) ((uintptr_t)(handle))

/* A table from handles to numbers that are given once. Its memory is never freed: it is needed
 * until the process ends. */
struct handles {
    struct handle *slot;
    uint32_t room, used; /* room: a power of two, or 0 */
    int64_t next;
};

/* The number of a handle; -1: it has none. */
int64_t handles_find(const struct handles *h, uintptr_t handle);
/* A new number for it; -1 where memory is short. */
int64_t handles_add(struct handles *h, uintptr_t handle);
void handles_remove(struct handles *h, uintptr_t handle);

#endif
