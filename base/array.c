/* array.c - growing arrays, and the memory that is left for them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 }; /* a power of two */

int tan_array_enlarge(void *list, size_t *room, size_t wanted, size_t size)
{
    size_t more = *room < PTRDIFF_MAX / 2 ? 2 * *room : wanted;
    if (more < FIRST_ROOM) {
        more = FIRST_ROOM;
    }
    if (more < wanted) {
        more = wanted;
    }
    if (more > PTRDIFF_MAX / size) {
        return -1;
    }
    void *old; /* pointers to all object types have one representation */
    memcpy(&old, list, sizeof old);
    void *items = realloc(old, more * size);
    if (items == NULL) {
        return -1;
    }
    memcpy(list, &items, sizeof items);
    *room = more;
    /* cppcheck-suppress memleak ; now owned by the list */
    return 0;
}

/* The capacity is the smallest power of two that holds n items, so the list is full when n is
 * one. */
int tan_array_one_more(void *list, size_t n, size_t size)
{
    if (n < FIRST_ROOM ? n > 0 : (n & (n - 1)) != 0) {
        return 0;
    }
    size_t room = n;
    return tan_array_enlarge(list, &room, n + 1, size);
}

double tan_memory_available(void)
{
    char line[128];
    double kib = 0;
    FILE *f = fopen("/proc/meminfo", "re");
    while (f != NULL && kib == 0 && fgets(line, sizeof line, f) != NULL) {
        sscanf(line, "MemAvailable: %lf", &kib);
    }
    if (f != NULL) {
        fclose(f);
    }
    return kib * 1024;
}
