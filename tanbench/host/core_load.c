/* core_load.c - processor time that others take on the ranks' cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/core_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

static double cpu_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &t) == 0
               ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
               : NAN;
}

struct core_load core_load_read(const struct cores *cores, int n, const struct peer *peers,
                                int ranks)
{
    struct core_load load = {.time = tan_clock_seconds(), .idle = NAN};
    if (cores == NULL) {
        return load;
    }
    load.idle = cores_idle_seconds(cores, n, &load.units);
    for (int i = 0; i < ranks; i++) {
        if (peers[i].host_index == peers[0].host_index) {
            load.ranks += cpu_seconds(peers[i].pid);
        }
    }
    return load;
}

bool core_load_by_others(const struct core_load *begin, const struct core_load *end)
{
    const double tick = 0.01;
    const double all = end->units * (end->time - begin->time);
    const double others = all - (end->idle - begin->idle) - (end->ranks - begin->ranks);
    return others > all / 10.0 + 2.0 * tick * end->units; /* false for NaN */
}

int64_t usage_memory(void)
{
    int64_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f != NULL) {
        if (fscanf(f, "%*d %" SCNd64, &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return pages * sysconf(_SC_PAGESIZE);
}
