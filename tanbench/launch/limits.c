/* limits.c - capacity of this host, and limits on the startup time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/launch.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/array.h"
#include "tanbench/host/cores.h"

/* Per rank, rounded up from measurements with Open MPI 4.1 and MPICH 4.0: 4 and 7 MB; and 3.3 and 4
 * open files per rank in their launchers. */
#define RANK_BYTES 8e6
enum { RANK_FILES = 4, LAUNCHER_FILES = 32 };

/* For a start without a queue. */
#define START_SECONDS      60.0
#define RANK_START_SECONDS 0.1

bool launch_is_here(const char *launcher)
{
    static const char *const elsewhere[] = {
        "SLURM_JOB_ID",  "PBS_NODEFILE", "LSB_JOBID",       "PE_HOSTFILE",
        "FLUX_JOB_ID",   "COBALT_JOBID", "HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile",
        "LOADL_STEP_ID", "PJM_JOBID",    "OAR_NODEFILE",    "PRTE_MCA_prte_default_hostfile",
    };
    bool here = launcher == NULL;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        here &= getenv(elsewhere[i]) == NULL;
    }
    return here;
}

double launch_start_seconds(int ranks)
{
    return START_SECONDS + RANK_START_SECONDS * ranks;
}

double launch_default_timeout(const char *launcher, int ranks)
{
    return launch_is_here(launcher) ? launch_start_seconds(ranks) : 0;
}

static int check_cores(int ranks, struct tan_error *e)
{
    enum { PER_CORE = 128 };
    struct cores *cores = cores_create();
    const int n = cores != NULL ? cores_usable(cores) : 1;
    cores_destroy(cores);
    return ranks > PER_CORE * n
               ? tan_fail_usage(e,
                                "%d ranks on %d core%s are more than %d a core: use --launcher "
                                "'COMMAND -n {n}' to start them all the same",
                                ranks, n, n > 1 ? "s" : "", PER_CORE)
               : 0;
}

static int check_memory(int ranks, double bytes, struct tan_error *e)
{
    const double needed = ranks * (RANK_BYTES + bytes);
    const double available = tan_memory_available();
    return available > 0 && needed > available
               ? tan_fail(e,
                          "%d ranks need some %.1f GB of memory, and %.1f GB are available here: "
                          "measure fewer ranks, or start them on more hosts",
                          ranks, needed / 1e9, available / 1e9)
               : 0;
}

static int check_files(int ranks, struct tan_error *e)
{
    const rlim_t needed = (rlim_t)ranks * RANK_FILES + LAUNCHER_FILES;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= needed) {
        return 0;
    }
    if (limit.rlim_max < needed) {
        return tan_fail(e,
                        "the launcher of %d ranks needs some %ju open files, and this shell allows "
                        "%ju: measure fewer ranks, or raise the limit (ulimit -n)",
                        ranks, (uintmax_t)needed, (uintmax_t)limit.rlim_max);
    }
    limit.rlim_cur = needed;
    return setrlimit(RLIMIT_NOFILE, &limit) < 0
               ? tan_fail_errno(e, "cannot raise the limit of open files")
               : 0;
}

int launch_check_host(int ranks, double bytes, struct tan_error *e)
{
    return check_cores(ranks, e) < 0 || check_memory(ranks, bytes, e) < 0 ||
                   check_files(ranks, e) < 0
               ? -1
               : 0;
}
