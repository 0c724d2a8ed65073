/* environment.c - what a reader must know of the machine and the job to judge a measurement
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/environment.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* First line of a small file, or `fallback`. With `key`, what follows "key...: " in the first line
 * that starts with it. */
static json_t *line_of(const char *path, const char *key, const char *fallback)
{
    char line[256];
    json_t *found = NULL;
    FILE *f = fopen(path, "re");

    while (f && !found && fgets(line, sizeof line, f)) {
        char *text = line;
        line[strcspn(line, "\n")] = '\0';
        if (key) {
            text = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
            text = text ? text + 1 + strspn(text + 1, " \t") : NULL;
        }
        found = text ? json_string(text) : NULL;
    }
    if (f) {
        fclose(f);
    }
    return found ? found : json_string(fallback);
}

/* Settings that change what MPI does; the launcher's own bookkeeping is left out. */
static json_t *settings_of_mpi(void)
{
    static const char *const prefixes[] = {"OMPI_MCA_", "PMIX_MCA_",  "PRTE_MCA_", "UCX_",
                                           "MPICH_",    "MPIR_CVAR_", "FI_",       "HYDRA_"};
    static const char *const launcher[] = {
        "OMPI_MCA_orte_",  "OMPI_MCA_ess",   "OMPI_MCA_pmix",         "OMPI_MCA_plm",
        "OMPI_MCA_hwloc_", "OMPI_MCA_shmem", "OMPI_MCA_initial_wdir", "PMIX_MCA_mca_base"};
    json_t *settings = json_object();

    for (char **v = environ; *v; v++) {
        const char *equals = strchr(*v, '=');
        int ours = 0;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            ours |= !strncmp(*v, prefixes[i], strlen(prefixes[i]));
        }
        for (size_t i = 0; i < sizeof launcher / sizeof *launcher; i++) {
            ours &= strncmp(*v, launcher[i], strlen(launcher[i])) != 0;
        }
        if (ours && equals) {
            char name[128];
            snprintf(name, sizeof name, "%.*s", (int)(equals - *v), *v);
            json_object_set_new(settings, name, json_string(equals + 1));
        }
    }
    return settings;
}

void environment_mpi(char *buffer, size_t size)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    const char *version;

    MPI_Get_library_version(text, &length);
    if (!strncmp(text, "Open MPI v", 10)) {
        snprintf(buffer, size, "Open MPI %.*s", (int)strcspn(text + 10, ", \n"), text + 10);
    } else if (!strncmp(text, "MPICH", 5) && (version = strchr(text, ':'))) {
        version += 1 + strspn(version + 1, " \t");
        snprintf(buffer, size, "MPICH %.*s", (int)strcspn(version, " \t\n"), version);
    } else {
        snprintf(buffer, size, "%.*s", (int)strcspn(text, "\n"), text);
    }
}

static json_t *describe_ranks(const struct world *world)
{
    json_t *hosts = json_array();
    json_t *rank_host = json_array();
    json_t *rank_cpus = json_array();

    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->leader == i) {
            json_array_append_new(hosts, json_string(peer->host));
        }
        json_array_append_new(rank_host, json_integer(peer->host_index));
        json_array_append_new(rank_cpus, json_string(world_binding(world, i)));
    }
    return json_pack("{s:i, s:i, s:b, s:b, s:o, s:s, s:o, s:o}", "ranks", world->size,
                     "cores_per_host", world->usable_cores, "oversubscribed", world->oversubscribed,
                     "cores_awake", world->awake >= 0, "hosts", hosts, "map",
                     world->map ? world->map : "launcher", "rank_host", rank_host, "rank_cpus",
                     rank_cpus);
}

static json_t *describe_timer(const struct timer *timer)
{
    return json_pack("{s:s, s:f, s:f}", "clock", "CLOCK_MONOTONIC", "cost_ns",
                     round(timer->cost * 1e11) / 100, "resolution_ns",
                     round(timer->resolution * 1e11) / 100);
}

json_t *environment_describe(const struct world *world, const struct timer *timer, int argc,
                             char **argv)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    char kernel[160] = "";
    char date[64];
    struct utsname u;
    time_t now = time(NULL);
    json_t *command = json_array();

    environment_mpi(mpi, sizeof mpi);
    if (!uname(&u)) {
        snprintf(kernel, sizeof kernel, "%.40s %.64s %.40s", u.sysname, u.release, u.machine);
    }
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    for (int i = 0; i < argc; i++) {
        const char *name = i == 0 ? strrchr(argv[0], '/') : NULL;
        json_array_append_new(command, json_string(name ? name + 1 : argv[i]));
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "version",
                     TAN_VERSION, "date", date, "command", command, "mpi", mpi, "mpi_settings",
                     settings_of_mpi(), "job", describe_ranks(world), "kernel", kernel, "processor",
                     line_of("/proc/cpuinfo", "model name", "unknown"), "governor",
                     line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL, "none"),
                     "clocksource",
                     line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                             NULL, "unknown"),
                     "timer", describe_timer(timer));
}
