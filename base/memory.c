/* memory.c - memory of this machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include <stdio.h>

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
