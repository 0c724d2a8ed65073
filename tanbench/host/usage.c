/* usage.c - memory use of this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

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
