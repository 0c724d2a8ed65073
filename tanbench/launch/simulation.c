/* simulation.c - starting simulated ranks (SimGrid) instead of real ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "topo/hostfile.h"

/* Environment of the simulated ranks. */
#define PLATFORM_VARIABLE "TANBENCH_PLATFORM" /* path of the platform file */
#define NAME_VARIABLE     "TANBENCH_PLATFORM_NAME"
#define SETTINGS_VARIABLE "TANBENCH_SETTINGS" /* --cfg=NAME:VALUE, with a blank before each */
#define HOSTS_VARIABLE    "TANBENCH_HOSTS" /* file to which one process writes the list of hosts */

enum { PATH_LENGTH = 4096 };

/* The eager limit: longer messages wait for their receiver. */
#define EAGER_SETTING "smpi/send-is-detached-thresh"
#define EAGER_BYTES   "65536"

/* Our defaults of settings that the platform file may contain; NULL: the eager limit. */
static const struct {
    const char *name, *value;
} defaults[] = {
    {"smpi/simulate-computation", "no"}, /* the speed of this host is not the cluster's */
    {"smpi/host-speed", "10Gf"},
    {"smpi/lat-factor", "0:1"}, /* SimGrid's defaults are for TCP on Gigabit Ethernet */
    {"smpi/bw-factor", "0:1"},
    {EAGER_SETTING, NULL},
    {"smpi/async-small-thresh", NULL}, /* or they would travel only after their receive is posted */
    {"smpi/test", "1e-6"},
    {"smpi/iprobe", "1e-6"},
    {"smpi/grow-injected-times", "no"},
    {"network/loopback-lat", "2e-7"}, /* SimGrid's defaults: 15 us and 500 MB/s */
    {"network/loopback-bw", "1e10"},
};

/* A number of seconds, or a duration with a unit. */
static int read_time(const char *what, const char *text, double *seconds, struct tan_error *e)
{
    char *end;
    *seconds = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*seconds) && *seconds >= 0) {
        return 0;
    }
    return tan_parse_duration(what, text, seconds, e);
}

/* Write one section, which is TIME, TIME:TIME or SIZE:TIME:TIME, in SMPI's form, where it applies
 * to messages longer than its size. */
static int write_section(FILE *to, const char *what, char *section, struct tan_error *e)
{
    char *part[3] = {NULL};
    int n = 0;
    int64_t from = 0;
    double time[2] = {0, 0};
    while (n < 3 && section != NULL) {
        part[n++] = strsep(&section, ":");
    }
    if (section != NULL) {
        return tan_fail_usage(
            e,
            "%s: each section is TIME, TIME:TIME or SIZE:TIME:TIME, the second TIME "
            "for each byte",
            what);
    }
    const int first = n == 3; /* index of the first time, after the size */
    if (first && tan_parse_size(what, part[0], 0, INT64_C(1) << 40, &from, e) < 0) {
        return -1;
    }
    for (int i = first; i < n; i++) {
        if (read_time(what, part[i], &time[i - first], e) < 0) {
            return -1;
        }
    }
    fprintf(to, "%lld:%.9g:%.9g", (long long)(from > 0 ? from - 1 : 0), time[0], time[1]);
    return 0;
}

/* Write the setting `name` with the overhead that an option gives, if it does, and with `more`. */
static int write_overhead(FILE *to, const char *name, const char *what, const char *value,
                          const char *more, struct tan_error *e)
{
    char *copy = value != NULL ? strdup(value) : NULL;
    const char *before = ":";
    int result = value == NULL || copy != NULL ? 0 : tan_fail_nomem(e);
    char *section;
    if (copy != NULL) {
        fprintf(to, " '--cfg=%s", name);
    }
    for (char *rest = copy; result == 0 && (section = strsep(&rest, ";")) != NULL; before = ";") {
        fputs(before, to);
        result = write_section(to, what, section, e);
    }
    if (copy != NULL) {
        fprintf(to, "%s'", more);
    }
    free(copy);
    return result;
}

int simulation_check_arguments(char *const *argv, struct tan_error *e)
{
    for (int i = 1; argv[i] != NULL; i++) {
        if (argv[i][0] == '\0' || strpbrk(argv[i], " \t\n*?[") != NULL) {
            return tan_fail_usage(e,
                                  "--platform: smpirun takes no arguments that are empty or have "
                                  "blanks or one of *?[ in them, such as \"%s\"",
                                  argv[i]);
        }
    }
    return 0;
}

/* Find a file in one of these directories, relative to this program's. */
static bool find_beside(const char *const *folders, const char *name, char path[PATH_LENGTH])
{
    char own[PATH_LENGTH - 300];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    for (; slash != NULL && *folders != NULL; folders++) {
        snprintf(path, PATH_LENGTH, "%.*s/%s%s", (int)(slash - own), own, *folders, name);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* As seen from build/bin, from build/mpi/MPICC, and from where programs are installed. */
static const char *const program_folders[] = {"../mpi/smpicc/", "../smpicc/", "../libexec/tan/",
                                              NULL};
static const char *const platform_folders[] = {
    "../../configs/platforms/", "../../../configs/platforms/", "../share/tan/platforms/", NULL};

static const char *const platforms[] = {"backbone", "crossbar", "dahu",    "dragonfly",
                                        "fattree",  "no-costs", "twosites"};

/* The path of a platform file, or of a shipped one. */
static int find_platform(const char *name, char path[PATH_LENGTH], struct tan_error *e)
{
    if (strchr(name, '/') != NULL || access(name, F_OK) == 0 ||
        !find_beside(platform_folders, tan_printed("%s.xml", name).text, path)) {
        snprintf(path, PATH_LENGTH, "%s", name);
    }
    return name[strcspn(name, "/.")] != '\0' || access(path, F_OK) == 0
               ? 0
               : tan_choice_find(TAN_CHOICES(platforms), "--platform: there is no such file, and",
                                 name, e);
}

/* Whether the user or the platform file, in a <prop id="NAME" value="...">, sets SimGrid's `name`.
 */
static bool is_set(const struct simulation *s, const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < s->n_settings; i++) {
        if (strncmp(s->settings[i], name, length) == 0 && s->settings[i][length] == ':') {
            return true;
        }
    }
    return strstr(text, tan_printed("\"%s\"", name).text) != NULL;
}

/* The eager limit as it will be passed to SimGrid. */
static void find_eager_limit(const struct simulation *s, const char *text, char limit[32])
{
    const size_t length = strlen(EAGER_SETTING);
    const char *place = strstr(text, EAGER_SETTING);
    snprintf(limit, 32, EAGER_BYTES);
    place = place != NULL ? strstr(place, "value=\"") : NULL;
    if (place != NULL) {
        snprintf(limit, 32, "%.*s", (int)strcspn(place + 7, "\""), place + 7);
    }
    for (int i = 0; i < s->n_settings; i++) {
        if (strncmp(s->settings[i], EAGER_SETTING ":", length + 1) == 0) {
            snprintf(limit, 32, "%s", s->settings[i] + length + 1);
        }
    }
}

/* Write all settings of the run, as words of a command. `text`: the platform file. */
static int write_settings(FILE *to, const struct simulation *s, const char *text,
                          struct tan_error *e)
{
    char limit[32];
    find_eager_limit(s, text, limit);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const char *value = defaults[i].value;
        if (!is_set(s, text, defaults[i].name)) {
            fprintf(to, " --cfg=%s:%s", defaults[i].name, value != NULL ? value : limit);
        }
    }
    /* An Isend occupies its process as long as a blocking send, except for a rendezvous: for those
     * SMPI charges nothing for a blocking send, but the configured time for an Isend. */
    const bool as_send = !is_set(s, "", "smpi/ois");
    const long long least = strtoll(limit, NULL, 10);
    const struct tan_text free_sends = tan_printed(";%lld:0:0", least > 0 ? least - 1 : 0);
    if (write_overhead(to, "smpi/os", "--os", s->os, "", e) < 0 ||
        write_overhead(to, "smpi/or", "--or", s->receive, "", e) < 0 ||
        write_overhead(to, "smpi/ois", "--os", as_send ? s->os : NULL, free_sends.text, e) < 0) {
        return -1;
    }
    for (int i = 0; i < s->n_settings; i++) {
        fputs(" --cfg=", to);
        tan_words_quote(to, s->settings[i]);
    }
    return 0;
}

/* All settings of the run, as words of a command, to be freed; NULL with an error. */
static char *make_settings(const struct simulation *s, const char *text, struct tan_error *e)
{
    char *settings = NULL;
    size_t size;
    FILE *to = open_memstream(&settings, &size);
    int result = to != NULL ? write_settings(to, s, text, e) : tan_fail_nomem(e);
    if (to != NULL && fclose(to) != 0 && result == 0) {
        result = tan_fail_nomem(e);
    }
    if (result < 0) {
        free(settings);
        return NULL;
    }
    return settings;
}

/* The command that starts `ranks`, to be freed; NULL if memory is short. */
static char *make_command(const char *ranks, const char *path, const char *hosts,
                          const char *settings, const char *log)
{
    char *command = NULL;
    size_t size;
    FILE *to = open_memstream(&command, &size);
    if (to == NULL) {
        return NULL;
    }
    fprintf(to, "smpirun -quiet -no-privatize -np %s -platform ", ranks);
    tan_words_quote(to, path);
    /* the first log silences reports of deadlocks */
    fprintf(to, "%s%s%s --log=ker_engine.app:file:/dev/null --log=%s",
            hosts != NULL ? " -hostfile " : "", hosts != NULL ? hosts : "", settings, log);
    return fclose(to) == 0 ? command : NULL;
}

/* Let SimGrid write the platform's hosts to the file `hosts`, and say on standard error what it
 * has against the platform or a setting. */
static int list_hosts(const struct simulation *s, const char *path, const char *settings,
                      const char *program, const char *hosts, struct tan_error *e)
{
    char *command = make_command("1", path, NULL, settings, "root.thresh:warning");
    char *whole = NULL;
    if (command == NULL || asprintf(&whole, "%s '%s' </dev/null >&2", command, program) < 0) {
        free(command);
        return tan_fail_nomem(e);
    }
    setenv(HOSTS_VARIABLE, hosts, 1);
    const int status = system(whole);
    unsetenv(HOSTS_VARIABLE);
    free(whole);
    free(command);
    return status == 0 ? 0 : tan_fail_usage(e, "--platform %s: SimGrid cannot use it", s->platform);
}

static int compare_hosts(const void *a, const void *b)
{
    return strverscmp(((const struct tan_listed_host *)a)->name,
                      ((const struct tan_listed_host *)b)->name);
}

/* Fill hosts in the order of their numbers, each with as many ranks as it may have. */
static int place_in_order(const struct simulation *s, struct tan_hostfile *hosts, int ranks,
                          FILE *to, struct tan_error *e)
{
    const int64_t per_host = s->ranks_per_host > 0 ? s->ranks_per_host : 1;
    const int n = (int)hosts->n;
    if (ranks > n * per_host) {
        return tan_fail_usage(e,
                              "--platform %s has %d host%s, and %d ranks need %d: use "
                              "--ranks-per-host %d, or measure smaller trees",
                              s->platform, n, n == 1 ? "" : "s", ranks,
                              (int)((ranks + per_host - 1) / per_host), (ranks + n - 1) / n);
    }
    qsort(hosts->hosts, hosts->n, sizeof *hosts->hosts, compare_hosts);
    for (int64_t i = 0; i < ranks; i++) {
        fprintf(to, "%s\n", hosts->hosts[i / per_host].name);
    }
    return 0;
}

/* Replace `path`, the list of the platform's hosts, by that of the ranks' hosts: those of the map
 * file, or in order. */
static int place_ranks(const struct simulation *s, const char *path, int ranks, struct tan_error *e)
{
    const char *from = s->map != NULL ? s->map : path;
    struct tan_hostfile hosts;
    if (tan_hostfile_read(from, &hosts, e) < 0) {
        return -1;
    }
    FILE *to = fopen(path, "we");
    int result = to == NULL       ? tan_fail_errno(e, "cannot write %s", path)
                 : s->map != NULL ? tan_hostfile_by_slot(&hosts, from, e)
                                  : place_in_order(s, &hosts, ranks, to, e);
    for (size_t i = 0; s->map != NULL && result == 0 && i < hosts.n; i++) {
        fprintf(to, "%s\n", hosts.hosts[i].name);
    }
    if (to != NULL && fclose(to) != 0 && result == 0) {
        result = tan_fail_errno(e, "cannot write %s", path);
    }
    tan_hostfile_clear(&hosts);
    return result;
}

int simulation_prepare(const struct simulation *s, struct launch *launch, struct tan_error *e)
{
    static char program[PATH_LENGTH];
    static char hosts[LAUNCH_PATH_MAX];
    char path[PATH_LENGTH];
    if (!find_beside(program_folders, "tanbench-simulated", program)) {
        return tan_fail(e, "--platform needs SimGrid, which this tanbench was built without: "
                           "install libsimgrid-dev and build again");
    }
    char *text = find_platform(s->platform, path, e) < 0 ? NULL : tan_read_text(path, NULL, e);
    char *settings = text != NULL ? make_settings(s, text, e) : NULL;
    free(text);
    if (settings == NULL || launch_make_nameless("tanbench-hosts", hosts, e) < 0 ||
        list_hosts(s, path, settings, program, hosts, e) < 0 ||
        place_ranks(s, hosts, launch->ranks, e) < 0) {
        free(settings);
        return -1;
    }
    setenv(PLATFORM_VARIABLE, path, 1);
    setenv(NAME_VARIABLE, s->platform, 1);
    setenv(SETTINGS_VARIABLE, settings, 1);
    launch->program = program;
    launch->command = make_command("{n}", path, hosts, settings, "root.thresh:critical");
    free(settings);
    return launch->command != NULL ? 0 : tan_fail_nomem(e);
}

void simulation_describe(struct tan_json_writer *w, json_t *o)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const char *path = getenv(PLATFORM_VARIABLE);
    const char *name = getenv(NAME_VARIABLE);
    const char *settings = getenv(SETTINGS_VARIABLE);
    char *text = path != NULL ? tan_read_text(path, NULL, &ignored) : NULL;
    char **words = tan_words_split("", settings != NULL ? settings : "", &ignored);
    tan_json_set(w, o, "platform", tan_json_text(name != NULL ? name : "unknown"));
    json_t *all = tan_json_set_object(w, o, "settings");
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        char *value = words[i] + strlen("--cfg=");
        const char *setting = strsep(&value, ":");
        tan_json_set(w, all, setting, tan_json_text(value != NULL ? value : ""));
    }
    tan_json_set(w, o, "platform_text", tan_json_text(text != NULL ? text : ""));
    tan_words_free(words);
    free(text);
}

const char *simulation_asked_hosts(void)
{
    return getenv(HOSTS_VARIABLE);
}
