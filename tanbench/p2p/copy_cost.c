/* copy_cost.c - what copying takes beyond the caches
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/copy_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { CHUNK = 64 * 1024, LEAST = 2 * CHUNK, MOST = 256 << 20, REPEATS = 5 };
enum { LEAST_COPIED = 4 << 20 }; /* in one repeat, so that reading the clock does not count */

/* Every other piece of `bytes` to the one behind it, once around. */
static void copy_around(unsigned char *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 2 * CHUNK) {
        memcpy(memory + at + CHUNK, memory + at, CHUNK);
    }
}

/* Seconds for each byte copied: of a few repeats the fastest, as a neighbour only makes it slower.
 */
static double measure(unsigned char *memory, size_t bytes)
{
    const size_t rounds = bytes < 2 * LEAST_COPIED ? 2 * LEAST_COPIED / bytes : 1;
    double least = INFINITY;

    copy_around(memory, bytes);
    for (int i = 0; i < REPEATS; i++) {
        const double begin = clock_seconds();
        for (size_t k = 0; k < rounds; k++) {
            copy_around(memory, bytes);
        }
        least = fmin(least, clock_seconds() - begin);
    }
    return least / (double)rounds / ((double)bytes / 2);
}

void p2p_memory_copy(struct tan_p2p *p)
{
    const double available = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 8;
    size_t most = LEAST;
    size_t n = 1;

    while (most < MOST && (double)most * 2 <= available) {
        most *= 2;
        n++;
    }
    unsigned char *memory = malloc(most);
    struct tan_p2p_copy *copy = calloc(n, sizeof *copy);
    if (memory == NULL || copy == NULL) {
        free(memory);
        free(copy);
        return;
    }
    memset(memory, 1, most);
    free(p->copy);
    p->copy = copy;
    p->n_copies = n;
    for (size_t i = 0; i < n; i++) {
        const size_t bytes = (size_t)LEAST << i;
        copy[i] = (struct tan_p2p_copy){(int64_t)bytes, measure(memory, bytes)};
    }
    free(memory);
}
