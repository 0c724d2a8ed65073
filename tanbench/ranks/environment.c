/* environment.c - description of the machine and the job for results files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/environment.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "tanbench/ranks/machine.h"

extern char **environ;

/* The first line of a file; with `key`, what follows the colon in the first line that starts with
 * it. `fallback` if there is no such line. */
static json_t *line_of(const char *path, const char *key, const char *fallback)
{
    char line[256];
    const char *found = NULL;
    FILE *f = fopen(path, "re");
    while (f != NULL && found == NULL && fgets(line, sizeof line, f) != NULL) {
        char *text = line;
        line[strcspn(line, "\n")] = '\0';
        if (key != NULL) {
            text = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
            text = text != NULL ? text + 1 + strspn(text + 1, " \t") : NULL;
        }
        found = text;
    }
    if (f != NULL) {
        fclose(f);
    }
    return tan_json_text(found != NULL ? found : fallback);
}

/* Record the variables that configure MPI, except those that launchers set for their own use. */
static void set_mpi_settings(struct tan_json_writer *w, json_t *settings)
{
    static const char *const prefixes[] = {"OMPI_MCA_", "PMIX_MCA_",  "PRTE_MCA_", "UCX_",
                                           "MPICH_",    "MPIR_CVAR_", "FI_",       "HYDRA_"};
    static const char *const launcher[] = {
        "OMPI_MCA_orte_",  "OMPI_MCA_ess",   "OMPI_MCA_pmix",         "OMPI_MCA_plm",
        "OMPI_MCA_hwloc_", "OMPI_MCA_shmem", "OMPI_MCA_initial_wdir", "PMIX_MCA_mca_base"};
    for (char **v = environ; *v != NULL; v++) {
        const char *equals = strchr(*v, '=');
        int recorded = 0;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            recorded |= strncmp(*v, prefixes[i], strlen(prefixes[i])) == 0;
        }
        for (size_t i = 0; i < sizeof launcher / sizeof *launcher; i++) {
            recorded &= strncmp(*v, launcher[i], strlen(launcher[i])) != 0;
        }
        if (recorded && equals != NULL) {
            char name[128];
            snprintf(name, sizeof name, "%.*s", (int)(equals - *v), *v);
            tan_json_set(w, settings, name, tan_json_text(equals + 1));
        }
    }
}

struct tan_text environment_mpi(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    const char *version;
    MPI_Get_library_version(text, &length);
    if (strncmp(text, "Open MPI v", 10) == 0) {
        return tan_printed("Open MPI %.*s", (int)strcspn(text + 10, ", \n"), text + 10);
    }
    if (strncmp(text, "MPICH", 5) == 0 && (version = strchr(text, ':')) != NULL) {
        version += 1 + strspn(version + 1, " \t");
        return tan_printed("MPICH %.*s", (int)strcspn(version, " \t\n"), version);
    }
    if (strncmp(text, "SMPI Version ", 13) == 0) { /* without the full stop */
        return tan_printed("SMPI %.*s", (int)strcspn(text + 13, " \n") - 1, text + 13);
    }
    return tan_printed("%.*s", (int)strcspn(text, "\n"), text);
}

static void set_job(struct tan_json_writer *w, json_t *job, const struct world *world)
{
    tan_json_set_int(w, job, "ranks", world->size);
    tan_json_set_int(w, job, "cores_per_host", world->usable_cores);
    tan_json_set_bool(w, job, "oversubscribed", world->oversubscribed);
    tan_json_set_string(w, job, "network", world->network_real ? "real" : NULL);
    tan_json_set_bool(w, job, "cores_awake", world->awake >= 0);
    if (!machine_simulated) {
        tan_json_set_string(w, job, "binding", world->binding.always ? "block" : "auto");
    }
    json_t *hosts = tan_json_set_array(w, job, "hosts");
    tan_json_set(w, job, "map", tan_json_text(world->map != NULL ? world->map : "launcher"));
    json_t *rank_host = tan_json_set_array(w, job, "rank_host");
    json_t *rank_cpus = tan_json_set_array(w, job, "rank_cpus");
    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->leader == i) {
            tan_json_append(w, hosts, tan_json_text(peer->host));
        }
        tan_json_append(w, rank_host, json_integer(peer->host_index));
        tan_json_append(w, rank_cpus, json_string(world_binding(world, i)));
    }
}

json_t *environment_describe(const struct world *world, const struct timer *timer, int argc,
                             char **argv)
{
    struct tan_text kernel = {""};
    char date[64];
    struct utsname u;
    time_t now = time(NULL);
    struct tan_json_writer w = {.failed = false};
    json_t *o = tan_json_new_object(&w);
    if (uname(&u) == 0) {
        kernel = tan_printed("%.40s %.64s %.40s", u.sysname, u.release, u.machine);
    }
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    tan_json_set_string(&w, o, "version", TAN_VERSION);
    tan_json_set_string(&w, o, "date", date);
    json_t *command = tan_json_set_array(&w, o, "command");
    for (int i = 0; i < argc; i++) {
        const char *name = i == 0 ? strrchr(argv[0], '/') : NULL;
        tan_json_append(&w, command, tan_json_text(name != NULL ? name + 1 : argv[i]));
    }
    tan_json_set(&w, o, "mpi", tan_json_text(environment_mpi().text));
    json_t *simulation = machine_simulation();
    if (simulation != NULL) {
        tan_json_set(&w, o, "simulated", simulation);
    }
    set_mpi_settings(&w, tan_json_set_object(&w, o, "mpi_settings"));
    set_job(&w, tan_json_set_object(&w, o, "job"), world);
    tan_json_set(&w, o, "kernel", tan_json_text(kernel.text));
    tan_json_set(&w, o, "processor", line_of("/proc/cpuinfo", "model name", "unknown"));
    tan_json_set(&w, o, "governor",
                 line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL, "none"));
    tan_json_set(&w, o, "clocksource",
                 line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource", NULL,
                         "unknown"));
    /* affects long messages, between hosts and over loopback */
    tan_json_set(&w, o, "tcp_congestion",
                 line_of("/proc/sys/net/ipv4/tcp_congestion_control", NULL, "unknown"));
    json_t *clock = tan_json_set_object(&w, o, "timer");
    tan_json_set_string(&w, clock, "clock", "CLOCK_MONOTONIC");
    tan_json_set_fixed(&w, clock, "cost_ns", timer->cost * 1e9, 2);
    tan_json_set_fixed(&w, clock, "resolution_ns", timer->resolution * 1e9, 2);
    return tan_json_finish(&w, o);
}
