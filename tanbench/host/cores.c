/* cores.c - cores usable by this process, binding, idle states
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/cores.h"

#include <fcntl.h>
#include <hwloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cores {
    hwloc_topology_t topology;
    hwloc_bitmap_t mask;  /* processing units this process may use */
    hwloc_bitmap_t bound; /* those it currently uses */
};

/* CPUs granted by the cgroup (version 2, then version 1); 0 if unlimited. Reads the root of the
 * cgroup namespace, which is the container's own cgroup. */
static double cgroup_quota(void)
{
    double quota = 0;
    double period = 0;
    double cpus = 0;
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (f != NULL) {
        if (fscanf(f, "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0) {
            cpus = quota / period;
        }
        fclose(f);
        return cpus;
    }
    f = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re");
    FILE *p = fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re");
    if (f != NULL && p != NULL && fscanf(f, "%lf", &quota) == 1 && fscanf(p, "%lf", &period) == 1 &&
        quota > 0 && period > 0) {
        cpus = quota / period;
    }
    if (f != NULL) {
        fclose(f);
    }
    if (p != NULL) {
        fclose(p);
    }
    return cpus;
}

struct cores *cores_create(void)
{
    struct cores *cores = calloc(1, sizeof *cores);
    if (cores == NULL) {
        return NULL;
    }
    /* Reading all devices, not just processors, would cost each rank milliseconds. */
    if (hwloc_topology_init(&cores->topology) < 0) {
        free(cores);
        return NULL;
    }
    hwloc_topology_set_all_types_filter(cores->topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(cores->topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    cores->mask = hwloc_bitmap_alloc();
    cores->bound = hwloc_bitmap_alloc();
    if (hwloc_topology_load(cores->topology) < 0 || cores->mask == NULL || cores->bound == NULL ||
        hwloc_get_cpubind(cores->topology, cores->mask, HWLOC_CPUBIND_PROCESS) < 0 ||
        hwloc_bitmap_copy(cores->bound, cores->mask) != 0) {
        cores_destroy(cores);
        return NULL;
    }
    return cores;
}

void cores_destroy(struct cores *cores)
{
    if (cores != NULL) {
        hwloc_bitmap_free(cores->mask);
        hwloc_bitmap_free(cores->bound);
        hwloc_topology_destroy(cores->topology);
        free(cores);
    }
}

int cores_count(const struct cores *cores)
{
    const int total = hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_CORE);
    int n = 0;
    for (int i = 0; i < total; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(cores->topology, HWLOC_OBJ_CORE, (unsigned)i);
        n += hwloc_bitmap_intersects(core->cpuset, cores->mask) != 0;
    }
    return n > 0 ? n : hwloc_bitmap_weight(cores->mask);
}

int cores_usable(const struct cores *cores)
{
    int n = cores_count(cores);
    double quota = cgroup_quota();
    if (quota > 0 && quota < n) {
        n = (int)quota;
    }
    return n > 1 ? n : 1;
}

bool cores_unbound(const struct cores *cores)
{
    return hwloc_bitmap_isequal(cores->mask, hwloc_topology_get_topology_cpuset(cores->topology)) !=
           0;
}

bool cores_alike(const struct cores *cores)
{
    return hwloc_cpukinds_get_nr(cores->topology, 0) <= 1;
}

/* The units of one core that are in the mask; empty past the last core. Freed by the caller. */
static hwloc_bitmap_t units_of(const struct cores *cores, int index)
{
    const int total = hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_CORE);
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (int i = 0; set != NULL && i < total; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(cores->topology, HWLOC_OBJ_CORE, (unsigned)i);
        if (hwloc_bitmap_intersects(core->cpuset, cores->mask) != 0 && index-- == 0) {
            hwloc_bitmap_and(set, core->cpuset, cores->mask);
        }
    }
    return set;
}

static bool bind_to(const struct cores *cores, hwloc_const_bitmap_t set, int whom)
{
    return set != NULL && hwloc_bitmap_iszero(set) == 0 &&
           hwloc_set_cpubind(cores->topology, set, whom) == 0;
}

void cores_bind_block(struct cores *cores, int index, int of)
{
    hwloc_bitmap_t set = units_of(cores, (int)((long)index * cores_count(cores) / of));
    if (bind_to(cores, set, HWLOC_CPUBIND_PROCESS)) {
        hwloc_bitmap_copy(cores->bound, set);
    }
    hwloc_bitmap_free(set);
}

bool cores_visit(const struct cores *cores, int index)
{
    hwloc_bitmap_t set = units_of(cores, index);
    const bool there = bind_to(cores, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
    return there;
}

void cores_return(const struct cores *cores)
{
    bind_to(cores, cores->bound, HWLOC_CPUBIND_THREAD);
}

void cores_binding(const struct cores *cores, char *buffer, size_t size)
{
    hwloc_bitmap_list_snprintf(buffer, size, cores->bound);
}

int cores_listed_together(const char *const *lists, int n)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_t all = hwloc_bitmap_alloc();
    bool known = set != NULL && all != NULL;
    for (int i = 0; i < n && known; i++) {
        known = hwloc_bitmap_list_sscanf(set, lists[i]) == 0 && hwloc_bitmap_weight(set) > 0 &&
                hwloc_bitmap_or(all, all, set) == 0;
    }
    const int weight = known ? hwloc_bitmap_weight(all) : 0;
    hwloc_bitmap_free(set);
    hwloc_bitmap_free(all);
    return weight > 0 ? weight : 0;
}

int cores_threads(const struct cores *cores)
{
    const int n = hwloc_bitmap_weight(cores->mask) / cores_count(cores);
    return n > 1 ? n : 1;
}

int cores_disable_idle(void)
{
    const int32_t longest_us = 0;
    int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, &longest_us, sizeof longest_us) != sizeof longest_us) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Idle time of the units in `set`, by /proc/stat, in seconds. */
static double idle_seconds(hwloc_const_bitmap_t set)
{
    char line[512];
    double ticks = 0.0;
    int found = 0;
    FILE *stat = fopen("/proc/stat", "r");
    while (stat != NULL && fgets(line, sizeof line, stat) != NULL) {
        unsigned unit;
        double idle;
        double waiting;
        if (sscanf(line, "cpu%u %*f %*f %*f %lf %lf", &unit, &idle, &waiting) == 3 &&
            hwloc_bitmap_isset(set, unit) != 0) {
            ticks += idle + waiting;
            found++;
        }
    }
    if (stat != NULL) {
        fclose(stat);
    }
    return found == hwloc_bitmap_weight(set) ? ticks / (double)sysconf(_SC_CLK_TCK) : NAN;
}

double cores_idle_seconds(const struct cores *cores, int n, int *units)
{
    hwloc_bitmap_t all = hwloc_bitmap_alloc();
    double idle = NAN;
    for (int i = 0; all != NULL && i < n; i++) {
        hwloc_bitmap_t core = units_of(cores, i);
        if (core != NULL) {
            hwloc_bitmap_or(all, all, core);
        }
        hwloc_bitmap_free(core);
    }
    if (all != NULL) {
        *units = hwloc_bitmap_weight(all);
        idle = idle_seconds(all);
    }
    hwloc_bitmap_free(all);
    return idle;
}

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
