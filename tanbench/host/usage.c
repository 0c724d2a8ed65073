/* usage.c - CPU time and memory of this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double usage_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int64_t usage_memory(void)
{
    int64_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f) {
        if (fscanf(f, "%*d %" SCNd64, &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return pages * sysconf(_SC_PAGESIZE);
}
