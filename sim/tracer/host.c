/* host.c - real host of a traced process, and cores shared by ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/host.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Time */

static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The processor's counter that the kernel's clock reads, in less than half the time. */
static uint64_t read_ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Whether the kernel's clock relies on that counter: if not, it may stop or differ between cores.
 */
static bool has_ticks(void)
{
    char name[8] = "";
    FILE *source = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (source == NULL) {
        return false;
    }
    const bool known = fgets(name, sizeof name, source) != NULL && strcmp(name, "tsc\n") == 0;
    fclose(source);
    return known;
}

struct reading {
    uint64_t ticks;
    int64_t ns;
};

/* Both clocks at the same time. Any attempt may be interrupted, so the shortest counts. */
static struct reading read_both(void)
{
    enum { ATTEMPTS = 3 };
    struct reading best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ATTEMPTS; i++) {
        const uint64_t before = read_ticks();
        const int64_t ns = clock_ns();
        const uint64_t took = read_ticks() - before;
        if (took < least) {
            least = took;
            best = (struct reading){before + took / 2, ns};
        }
    }
    return best;
}

/* The last comparison of the two clocks, and for how many ticks it is valid: for no longer than it
 * took, so that the error does not exceed that of a reading. Each thread has its own. */
struct comparison {
    struct reading at;
    uint64_t valid;
    double ns_per_tick;
};
static _Thread_local struct comparison compared __attribute__((tls_model("initial-exec")));

static int64_t compare_clocks(void)
{
    enum { SHORTEST_NS = 1000000, LONGEST_NS = 100000000 };
    static int usable = -1;
    usable = usable < 0 ? has_ticks() : usable;
    if (!usable) {
        return clock_ns();
    }
    const struct reading now = read_both();
    const struct reading last = compared.at;
    const int64_t ns = now.ns - last.ns;
    if (last.ticks == 0) {
        compared.at = now;
    } else if (ns >= SHORTEST_NS) {
        compared.at = now;
        compared.ns_per_tick = (double)ns / (double)(now.ticks - last.ticks);
        compared.valid =
            (uint64_t)((double)(ns < LONGEST_NS ? ns : LONGEST_NS) / compared.ns_per_tick);
    }
    return now.ns;
}

int64_t host_ns(void)
{
    const uint64_t ticks = read_ticks() - compared.at.ticks;
    return ticks < compared.valid ? compared.at.ns + (int64_t)((double)ticks * compared.ns_per_tick)
                                  : compare_clocks();
}

/* Sleeping overshoots, so spin for the last part. */
void host_wait(double seconds)
{
    const int64_t late = 200000;
    const int64_t end = host_ns() + (int64_t)(seconds * 1e9);
    const int64_t asleep = end - host_ns() - late;
    if (asleep > 0) {
        nanosleep(&(struct timespec){asleep / 1000000000, asleep % 1000000000}, NULL);
    }
    while (host_ns() < end) {
    }
}

/* Host and process */

void host_name(char *name, size_t size)
{
    name[size - 1] = '\0';
    gethostname(name, size - 1);
}

bool host_has_parent(void)
{
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* The ranks on this host, and all processors that any of them may use. */
static struct cores_share share_here(void)
{
    struct cores_share share = {.cores = 0};
    cpu_set_t own;
    cpu_set_t together;
    MPI_Comm host;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_size(host, &share.ranks);
    PMPI_Allreduce(&own, &together, sizeof own, MPI_BYTE, MPI_BOR, host);
    PMPI_Comm_free(&host);
    share.cores = CPU_COUNT(&together);
    gethostname(share.host, sizeof share.host - 1);
    return share;
}

struct cores_share cores_share(void)
{
    struct {
        double load;
        int rank;
    } most;
    struct cores_share share = share_here();
    most.load = share.cores == 0 ? 0.0 : (double)share.ranks / share.cores;
    PMPI_Comm_rank(MPI_COMM_WORLD, &most.rank);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    PMPI_Bcast(&share, sizeof share, MPI_BYTE, most.rank, MPI_COMM_WORLD);
    return share;
}
