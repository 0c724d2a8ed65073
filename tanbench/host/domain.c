/* domain.c - identifying processes on the same host
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/domain.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void host_kernel(char kernel[KERNEL_MAX])
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    *kernel = '\0';
    if (f != NULL) {
        if (fgets(kernel, KERNEL_MAX, f) == NULL) {
            *kernel = '\0';
        }
        kernel[strcspn(kernel, "\n")] = '\0';
        fclose(f);
    }
}

void host_domain(char domain[DOMAIN_MAX])
{
    char kernel[KERNEL_MAX];
    struct stat shm = {.st_dev = 0};
    struct stat pids = {.st_ino = 0};
    host_kernel(kernel);
    stat("/dev/shm", &shm);
    stat("/proc/self/ns/pid", &pids);
    snprintf(domain, DOMAIN_MAX, "%s.%llx.%llu", kernel, (unsigned long long)shm.st_dev,
             (unsigned long long)pids.st_ino);
}
