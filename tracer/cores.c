/* cores.c - cores shared by traced ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/cores.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CPUS = 8192, SETS = MOST_CPUS / CPU_SETSIZE, KERNEL = 128 };

/* The cores a rank may use, each by its first CPU's number. */
struct seat {
    char kernel[KERNEL]; /* equal in all containers of a machine */
    cpu_set_t cores[SETS];
};

static size_t first_of_core(size_t cpu)
{
    char path[96];
    size_t first = cpu;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list",
             cpu);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fscanf(file, "%zu", &first) != 1 || first >= MOST_CPUS) {
            first = cpu;
        }
        fclose(file);
    }
    return first;
}

static void find_cores(cpu_set_t cores[SETS])
{
    const size_t size = SETS * sizeof *cores;
    cpu_set_t usable[SETS] = {0};
    if (sched_getaffinity(0, size, usable) < 0) {
        return;
    }
    for (size_t cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (CPU_ISSET_S(cpu, size, usable)) {
            CPU_SET_S(first_of_core(cpu), size, cores);
        }
    }
}

static void find_kernel(char kernel[KERNEL])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file == NULL || fgets(kernel, KERNEL, file) == NULL) {
        gethostname(kernel, KERNEL - 1);
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* A hash, so different kernels may share a number. */
static int number_of_kernel(const char *kernel)
{
    uint32_t sum = 0;
    for (; *kernel != '\0'; kernel++) {
        sum = 31 * sum + (unsigned char)*kernel;
    }
    return (int)(sum & INT32_MAX);
}

static bool is_within(const struct seat *seat, const struct seat *other)
{
    cpu_set_t both[SETS];
    CPU_AND_S(sizeof both, both, seat->cores, other->cores);
    return CPU_EQUAL_S(sizeof both, both, seat->cores);
}

static double load_of(const struct cores_share *share)
{
    return share->cores == 0 ? 0.0 : (double)share->ranks / share->cores;
}

/* The ranks on this one's kernel and all their cores; or only the ranks restricted to this one's
 * cores, if those share more. */
static struct cores_share share_here(void)
{
    struct seat own = {.kernel = ""};
    struct cores_share all = {.ranks = 0};
    struct cores_share within = {.ranks = 0};
    cpu_set_t together[SETS] = {0};
    MPI_Comm kernel;
    int rank;
    int ranks;
    find_kernel(own.kernel);
    find_cores(own.cores);
    PMPI_Comm_split(MPI_COMM_WORLD, number_of_kernel(own.kernel), 0, &kernel);
    PMPI_Comm_rank(kernel, &rank);
    PMPI_Comm_size(kernel, &ranks);
    for (int i = 0; i < ranks; i++) {
        struct seat seat = own;
        PMPI_Bcast(&seat, sizeof seat, MPI_BYTE, i, kernel);
        if (strcmp(seat.kernel, own.kernel) == 0) {
            all.ranks++;
            CPU_OR_S(sizeof together, together, together, seat.cores);
            within.ranks += is_within(&seat, &own);
        }
    }
    PMPI_Comm_free(&kernel);
    all.cores = CPU_COUNT_S(sizeof together, together);
    within.cores = CPU_COUNT_S(sizeof own.cores, own.cores);
    return load_of(&within) > load_of(&all) ? within : all;
}

struct cores_share cores_share(void)
{
    struct {
        double load;
        int rank;
    } most;
    struct cores_share share = share_here();
    gethostname(share.host, sizeof share.host - 1);
    most.load = load_of(&share);
    PMPI_Comm_rank(MPI_COMM_WORLD, &most.rank);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    PMPI_Bcast(&share, sizeof share, MPI_BYTE, most.rank, MPI_COMM_WORLD);
    return share;
}
