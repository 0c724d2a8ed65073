/* simulation.c - starting simulated ranks (SimGrid) instead of real ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/simulation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/launch/limits.h"
#include "topo/hostfile.h"

/* Environment of the simulated ranks. */
#define PLATFORM_VARIABLE "TANBENCH_PLATFORM" /* path of the platform file */
#define NAME_VARIABLE     "TANBENCH_PLATFORM_NAME"
#define SETTINGS_VARIABLE "TANBENCH_SETTINGS" /* NAME:VALUE, separated by spaces */
#define HOSTS_VARIABLE    "TANBENCH_HOSTS" /* file to which one process writes the list of hosts */

/* Memory of SimGrid, and of a rank without its messages; upper bounds of runs with 4369 and 16,276
 * ranks. */
#define BASE_BYTES 100e6
#define RANK_BYTES 60e3
#define IN_FLIGHT  1.5 /* both ends, and a copy in SMPI while in flight */
enum { MANY_RANKS = 1000, PATH_LENGTH = 4096 };

/* The eager limit: longer messages wait for their receiver. */
#define EAGER_SETTING "smpi/send-is-detached-thresh"
#define EAGER_BYTES   "65536"

/* Our defaults of settings that the platform file may contain. */
struct setting {
    const char *name, *value;
};
static const struct setting defaults[] = {
    {"smpi/simulate-computation", "no"}, /* the speed of this host is not the cluster's */
    {"smpi/host-speed", "10Gf"},
    {"smpi/lat-factor", "0:1"}, /* SimGrid's defaults are for TCP on Gigabit Ethernet */
    {"smpi/bw-factor", "0:1"},
    {EAGER_SETTING, EAGER_BYTES},
    {"smpi/test", "1e-6"},
    {"smpi/iprobe", "1e-6"},
    {"smpi/grow-injected-times", "no"},
    {"network/loopback-lat", "2e-7"}, /* SimGrid's defaults: 15 us and 500 MB/s */
    {"network/loopback-bw", "1e10"},
};
enum { DEFAULTS = sizeof defaults / sizeof *defaults };

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

/* Append one section, which is TIME, TIME:TIME or SIZE:TIME:TIME, in SMPI's form, where it applies
 * to messages longer than its size. */
static int read_section(const char *what, char *section, char **to, struct tan_error *e)
{
    char *part[3] = {NULL};
    int n = 0;
    int64_t from = 0;
    double time[2] = {0, 0};
    char *text;
    for (char *p; n < 3 && (p = strsep(&section, ":")) != NULL;) {
        part[n++] = p;
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
    if (asprintf(&text, "%s%s%lld:%.9g:%.9g", *to != NULL ? *to : "", *to != NULL ? ";" : "",
                 (long long)(from > 0 ? from - 1 : 0), time[0], time[1]) < 0) {
        return tan_fail_nomem(e);
    }
    free(*to);
    *to = text;
    return 0;
}

/* The overhead in SMPI's form, to be freed; NULL with an error. */
static char *read_overhead(const char *what, const char *value, struct tan_error *e)
{
    char *copy = strdup(value);
    char *rest = copy;
    char *text = NULL;
    int result = copy != NULL ? 0 : tan_fail_nomem(e);
    for (char *section; result == 0 && (section = strsep(&rest, ";")) != NULL;) {
        result = read_section(what, section, &text, e);
    }
    free(copy);
    if (result != 0) {
        free(text);
        return NULL;
    }
    return text;
}

int simulation_check_overhead(const char *what, const char *value, struct tan_error *e)
{
    char *text = read_overhead(what, value, e);
    const int result = text != NULL ? 0 : -1;
    free(text);
    return result;
}

int simulation_check_setting(const char *what, const char *value, struct tan_error *e)
{
    const char *colon = strchr(value, ':');
    if (colon == NULL || colon == value || !colon[1] || strpbrk(value, " \t") != NULL) {
        return tan_fail_usage(e, "%s: \"%s\" is not NAME:VALUE, such as smpi/os:0:1e-6:0", what,
                              value);
    }
    return 0;
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

/* The directory of this program, with a trailing '/'. */
static void own_folder(char *buffer, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
    buffer[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(buffer, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
}

/* Whether one of these directories, relative to this program, contains `name`; *path is then the
 * first. */
static bool find_beside(const char *const *folders, const char *name, int mode, char *path)
{
    char own[PATH_LENGTH - 300];
    own_folder(own, sizeof own);
    for (; *folders != NULL; folders++) {
        snprintf(path, PATH_LENGTH, "%s%s%s", own, *folders, name);
        if (access(path, mode) == 0) {
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

static void list_platforms(char *text, size_t size)
{
    char folder[PATH_LENGTH];
    struct dirent **entries;
    size_t at = 0;
    const int n = find_beside(platform_folders, "", R_OK, folder)
                      ? scandir(folder, &entries, NULL, alphasort)
                      : 0;
    *text = '\0';
    for (int i = 0; i < n; i++) {
        const char *dot = strstr(entries[i]->d_name, ".xml");
        if (dot != NULL && !dot[4] && at < size) {
            at += (size_t)snprintf(text + at, size - at, "%s%.*s", at ? ", " : "",
                                   (int)(dot - entries[i]->d_name), entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (n > 0) {
        free(entries);
    }
}

/* Find the platform file; -1 with an error (TAN_USAGE) that lists the shipped ones. */
static int find_platform(const char *name, char path[PATH_LENGTH], struct tan_error *e)
{
    char file[256];
    char shipped[1000];
    snprintf(file, sizeof file, "%.240s.xml", name);
    if (strchr(name, '/') == NULL && access(name, F_OK) != 0 &&
        find_beside(platform_folders, file, R_OK, path)) {
        return 0;
    }
    snprintf(path, PATH_LENGTH, "%s", name);
    if (access(name, R_OK) == 0) {
        return 0;
    }
    const int why = errno;
    list_platforms(shipped, sizeof shipped);
    return tan_fail_usage(e, "--platform %s: %s; shipped platforms: %s", name, strerror(why),
                          *shipped != '\0' ? shipped : "none were found");
}

/* The whole file, to be freed; NULL with an error. A regular one, since SimGrid opens it again. */
static char *read_text(const char *path, struct tan_error *e)
{
    struct stat found;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        tan_fail_usage(e, "cannot read %s: it is not a regular file", path);
        return NULL;
    }
    char *text = tan_read_text(path, NULL, e);
    if (text != NULL && *text == '\0') {
        tan_fail_usage(e, "cannot read %s: it is empty", path);
        free(text);
        text = NULL;
    }
    return text;
}

/* Whether the platform file sets SimGrid's `name`, in a <prop id="NAME" value="...">. */
static bool text_sets(const char *text, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    return strstr(text, quoted) != NULL;
}

/* A growing list of NAME:VALUE. */
struct settings {
    char *text; /* separated by spaces */
    bool failed;
};

static void add_setting(struct settings *to, const char *name, const char *value)
{
    char *text;
    if (asprintf(&text, "%s%s%s:%s", to->text != NULL ? to->text : "", to->text != NULL ? " " : "",
                 name, value) < 0) {
        to->failed = true;
        return;
    }
    free(to->text);
    to->text = text;
}

static bool user_sets(const struct simulation *s, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < s->n_settings; i++) {
        if (strncmp(s->settings[i], name, length) == 0 && s->settings[i][length] == ':') {
            return true;
        }
    }
    return false;
}

static int add_overhead(struct settings *to, const char *name, const char *value,
                        struct tan_error *e)
{
    char *text = value != NULL ? read_overhead(name, value, e) : NULL;
    if (value != NULL && text == NULL) {
        return -1;
    }
    if (text != NULL) {
        add_setting(to, name, text);
    }
    free(text);
    return 0;
}

/* The eager limit as it will be passed to SimGrid. */
static void find_eager_limit(const struct simulation *s, const char *text, char limit[32])
{
    const char *place = strstr(text, EAGER_SETTING);
    snprintf(limit, 32, EAGER_BYTES);
    place = place != NULL ? strstr(place, "value=\"") : NULL;
    if (place != NULL) {
        snprintf(limit, 32, "%.*s", (int)strcspn(place + 7, "\""), place + 7);
    }
    for (int i = 0; i < s->n_settings; i++) {
        if (strncmp(s->settings[i], EAGER_SETTING, strlen(EAGER_SETTING)) == 0) {
            snprintf(limit, 32, "%s", strchr(s->settings[i], ':') + 1);
        }
    }
    if (s->eager_limit > 0) {
        snprintf(limit, 32, "%lld", (long long)s->eager_limit);
    }
}

/* Let eager messages travel before their receive is posted, which is not SimGrid's default. */
static void add_eager_limit(struct settings *to, const struct simulation *s, const char *text,
                            const char *limit)
{
    static const char small[] = "smpi/async-small-thresh";
    if (s->eager_limit > 0) {
        add_setting(to, EAGER_SETTING, limit);
    }
    if (s->eager_limit > 0 || (!text_sets(text, small) && !user_sets(s, small))) {
        add_setting(to, small, limit);
    }
}

/* An Isend occupies its process as long as a blocking send, except for a rendezvous: for those SMPI
 * charges nothing for a blocking send, but the configured time for an Isend. */
static int add_isend(struct settings *to, const char *os, const char *limit, struct tan_error *e)
{
    char *value = NULL;
    if (asprintf(&value, "%s;%s:0:0", os, limit) < 0) {
        return tan_fail_nomem(e);
    }
    const int result = add_overhead(to, "smpi/ois", value, e);
    free(value);
    return result;
}

/* All settings of the run, to be freed; NULL with an error. `text`: the platform file. */
static char *collect_settings(const struct simulation *s, const char *text, struct tan_error *e)
{
    struct settings all = {.text = NULL};
    char limit[32];
    for (int i = 0; i < DEFAULTS; i++) {
        const bool eager = s->eager_limit > 0 && strcmp(defaults[i].name, EAGER_SETTING) == 0;
        if (!text_sets(text, defaults[i].name) && !user_sets(s, defaults[i].name) && !eager) {
            add_setting(&all, defaults[i].name, defaults[i].value);
        }
    }
    find_eager_limit(s, text, limit);
    add_eager_limit(&all, s, text, limit);
    const bool as_send = s->os != NULL && s->ois == NULL && !user_sets(s, "smpi/ois");
    if (add_overhead(&all, "smpi/os", s->os, e) < 0 ||
        add_overhead(&all, "smpi/or", s->receive, e) < 0 ||
        (as_send ? add_isend(&all, s->os, limit, e) : add_overhead(&all, "smpi/ois", s->ois, e))) {
        free(all.text);
        return NULL;
    }
    for (int i = 0; i < s->n_settings; i++) {
        const size_t length = strcspn(s->settings[i], ":");
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length, s->settings[i]);
        add_setting(&all, name, s->settings[i] + length + 1);
    }
    if (all.failed) {
        tan_fail_nomem(e);
        free(all.text);
        return NULL;
    }
    return all.text;
}

/* The words of the launcher's command, {n} for the number of ranks; to be freed. */
static char *make_command(const char *path, const char *hosts, const char *settings,
                          const char *log)
{
    char *command = NULL;
    size_t size;
    FILE *to = open_memstream(&command, &size);
    char *copy = strdup(settings);
    char *rest = copy;
    if (to == NULL || copy == NULL) {
        free(copy);
        if (to != NULL) {
            fclose(to);
        }
        free(command);
        return NULL;
    }
    fprintf(to, "smpirun -quiet -no-privatize -np {n} -platform %s", path);
    if (hosts != NULL) {
        fprintf(to, " -hostfile %s", hosts);
    }
    for (char *setting; (setting = strsep(&rest, " ")) != NULL;) {
        fprintf(to, " --cfg=%s", setting);
    }
    /* the first one silences reports of deadlocks */
    fprintf(to, " --log=ker_engine.app:file:/dev/null --log=%s", log);
    fclose(to);
    free(copy);
    return command;
}

/* Run `command` with one rank, its output going to `log`. Returns its exit status, or -1. */
static int run_one(const char *command, const char *program, const char *log)
{
    static char one[] = "1";
    char *copy = strdup(command);
    char *words[128];
    int n = 0;
    int status = -1;
    for (char *rest = copy, *word;
         copy != NULL && n < 120 && (word = strsep(&rest, " ")) != NULL;) {
        words[n++] = strcmp(word, "{n}") != 0 ? word : one;
    }
    words[n++] = (char *)(uintptr_t)program;
    words[n] = NULL;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(log, O_WRONLY | O_TRUNC | O_CLOEXEC);
        const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (out >= 0 && in >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
            dup2(in, STDIN_FILENO) >= 0) {
            execvp(words[0], words);
        }
        _exit(127);
    }
    free(copy);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* Copy up to the end of the line, without the asterisks with which SimGrid frames some lines. */
static void copy_complaint(const char *line, char *text, size_t size)
{
    size_t n = 0;
    for (; *line != '\0' && *line != '\n' && n + 1 < size; line++) {
        if (*line != '*' && !(*line == ' ' && n > 0 && text[n - 1] == ' ')) {
            text[n++] = *line;
        }
    }
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    text[n] = '\0';
}

/* SimGrid's first error message. */
static void read_complaint(const char *log, char *text, size_t size)
{
    static const char *const marks[] = {"CRITICAL] ", "ERROR] ", "error: ", "terminate called"};
    static const char exception[] = "Uncaught exception ";
    char line[1000];
    FILE *f = fopen(log, "re");
    snprintf(text, size, "no reason was given");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            const char *place = strstr(line, marks[i]);
            if (place != NULL) {
                place += strlen(marks[i]);
                const char *behind = strstr(place, ": ");
                const bool named =
                    strncmp(place, exception, strlen(exception)) == 0 && behind != NULL;
                copy_complaint(named ? behind + 2 : place, text, size);
                fclose(f);
                return;
            }
        }
    }
    if (f != NULL) {
        fclose(f);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Hosts of the platform. */
struct hosts {
    char *text, **names; /* owned; indexed by host */
    int n;
};

static void hosts_clear(struct hosts *hosts)
{
    free(hosts->text);
    free(hosts->names);
}

static int hosts_read(struct hosts *hosts, const char *path, struct tan_error *e)
{
    size_t lines = 0;
    *hosts = (struct hosts){.text = tan_read_text(path, NULL, e)};
    for (const char *c = hosts->text; c != NULL && *c != '\0'; c++) {
        lines += *c == '\n';
    }
    hosts->names = hosts->text != NULL ? calloc(lines + 1, sizeof *hosts->names) : NULL;
    if (hosts->names == NULL) {
        return e->status ? -1 : tan_fail_nomem(e);
    }
    for (char *rest = hosts->text, *name; (name = strsep(&rest, "\n")) != NULL;) {
        if (*name != '\0') {
            hosts->names[hosts->n++] = name;
        }
    }
    qsort(hosts->names, (size_t)hosts->n, sizeof *hosts->names, compare_names);
    return 0;
}

/* Fill hosts in order, each with as many ranks as it may have. */
static int place_in_order(const struct simulation *s, const struct hosts *hosts, int ranks, FILE *f,
                          struct tan_error *e)
{
    const int64_t per_host = s->ranks_per_host > 0 ? s->ranks_per_host : 1;
    if (ranks > hosts->n * per_host) {
        return tan_fail_usage(e,
                              "--platform %s has %d host%s, and %d ranks need %d: use "
                              "--ranks-per-host %d, or measure smaller trees",
                              s->platform, hosts->n, hosts->n == 1 ? "" : "s", ranks,
                              (int)((ranks + per_host - 1) / per_host),
                              (ranks + hosts->n - 1) / hosts->n);
    }
    for (int64_t i = 0; i < ranks; i++) {
        fprintf(f, "%s\n", hosts->names[i / per_host]);
    }
    return 0;
}

/* Place ranks on the hosts named in the map file. */
static int place_by_map(const struct simulation *s, const struct hosts *hosts, FILE *f,
                        struct tan_error *e)
{
    struct tan_hostfile list;
    int result = 0;
    if (tan_hostfile_read(s->map, &list, e) < 0) {
        return -1;
    }
    result = tan_hostfile_by_slot(&list, s->map, e);
    for (size_t i = 0; i < list.n && result == 0; i++) {
        const struct tan_listed_host *host = &list.hosts[i];
        if (bsearch(&host->name, hosts->names, (size_t)hosts->n, sizeof *hosts->names,
                    compare_names) != NULL) {
            fprintf(f, "%s\n", host->name);
        } else {
            result = tan_fail_usage(e, "%s:%d: --platform %s has no host \"%s\"; it has %s to %s",
                                    s->map, host->line, s->platform, host->name, hosts->names[0],
                                    hosts->names[hosts->n - 1]);
        }
    }
    tan_hostfile_clear(&list);
    return result;
}

/* Rewrite `path`, the list of the platform's hosts, as the list of the ranks' hosts. */
static int place_ranks(const struct simulation *s, const char *path, int ranks, struct tan_error *e)
{
    struct hosts hosts;
    FILE *f = NULL;
    int result = hosts_read(&hosts, path, e);
    if (result == 0 && hosts.n == 0) {
        result = tan_fail_usage(e, "--platform %s has no hosts", s->platform);
    }
    if (result == 0 && (f = fopen(path, "we")) == NULL) {
        result = tan_fail_errno(e, "cannot write %s", path);
    }
    if (result == 0) {
        result =
            s->map != NULL ? place_by_map(s, &hosts, f, e) : place_in_order(s, &hosts, ranks, f, e);
    }
    if (f != NULL && fclose(f) != 0 && result == 0) {
        result = tan_fail_errno(e, "cannot write %s", path);
    }
    hosts_clear(&hosts);
    return result;
}

static int check_memory(int ranks, double bytes, bool quiet, struct tan_error *e)
{
    const double needed = BASE_BYTES + ranks * (RANK_BYTES + IN_FLIGHT * bytes);
    const double available = limits_available_memory();
    if (available > 0 && needed > available) {
        return tan_fail(e,
                        "%d simulated ranks need some %.1f GB of memory, and %.1f GB are available "
                        "here: measure fewer ranks",
                        ranks, needed / 1e9, available / 1e9);
    }
    if (ranks >= MANY_RANKS && !quiet) {
        fprintf(stderr, "tanbench: %d simulated ranks need some %.0f MB of memory\n", ranks,
                needed / 1e6);
    }
    return 0;
}

/* Let SimGrid write the platform's hosts to the file `hosts`. */
static int look_at_platform(const struct simulation *s, const char *path, const char *settings,
                            const char *program, const char *hosts, struct tan_error *e)
{
    char log[LAUNCH_PATH_MAX];
    char why[500];
    char *command = make_command(path, NULL, settings, "xbt_cfg.thresh:error");
    int result = -1;
    const int file = launch_make_nameless("tanbench-log", log, e);
    if (command == NULL || file < 0) {
        free(command);
        return e->status ? -1 : tan_fail_nomem(e);
    }
    setenv(HOSTS_VARIABLE, hosts, 1);
    const int status = run_one(command, program, log);
    unsetenv(HOSTS_VARIABLE);
    read_complaint(log, why, sizeof why);
    if (status == 127) {
        tan_fail(e, "--platform needs SimGrid's smpirun: install libsimgrid-dev");
    } else if (status != 0) {
        tan_fail_usage(e, "--platform %s: SimGrid cannot use it: %s", s->platform, why);
    } else {
        result = 0;
    }
    close(file);
    free(command);
    return result;
}

static int find_program(char path[PATH_LENGTH], struct tan_error *e)
{
    return find_beside(program_folders, "tanbench-simulated", R_OK, path)
               ? 0
               : tan_fail(e, "--platform needs SimGrid, which this tanbench was built without: "
                             "install libsimgrid-dev and build again");
}

int simulation_prepare(const struct simulation *s, struct launch *launch, double bytes, bool quiet,
                       struct tan_error *e)
{
    static char program[PATH_LENGTH];
    static char hosts[LAUNCH_PATH_MAX];
    char path[PATH_LENGTH];
    char *text;
    char *settings = NULL;
    int result = -1;
    if (find_program(program, e) < 0 || find_platform(s->platform, path, e) != 0 ||
        (text = read_text(path, e)) == NULL) {
        return -1;
    }
    if (strpbrk(path, " \t") != NULL) {
        tan_fail_usage(e, "--platform %s: smpirun cannot take a path with blanks", path);
        goto done;
    }
    settings = collect_settings(s, text, e);
    if (settings == NULL || launch_make_nameless("tanbench-hosts", hosts, e) < 0) {
        goto done;
    }
    if (look_at_platform(s, path, settings, program, hosts, e) < 0 ||
        place_ranks(s, hosts, launch->ranks, e) != 0 ||
        check_memory(launch->ranks, bytes, quiet, e) < 0) {
        goto done;
    }
    setenv(PLATFORM_VARIABLE, path, 1);
    setenv(NAME_VARIABLE, s->platform, 1);
    setenv(SETTINGS_VARIABLE, settings, 1);
    launch->program = program;
    launch->command = make_command(path, hosts, settings, "root.thresh:critical");
    result = launch->command != NULL ? 0 : tan_fail_nomem(e);
done:
    free(settings);
    free(text);
    return result;
}

void simulation_clear(struct launch *launch)
{
    free(launch->command);
}

void simulation_describe(struct tan_json_writer *w, json_t *o)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const char *path = getenv(PLATFORM_VARIABLE);
    const char *name = getenv(NAME_VARIABLE);
    const char *settings = getenv(SETTINGS_VARIABLE);
    char *text = path != NULL ? read_text(path, &ignored) : NULL;
    char *copy = strdup(settings != NULL ? settings : "");
    char *rest = copy;
    tan_json_set(w, o, "platform", tan_json_text(name != NULL ? name : "unknown"));
    json_t *all = tan_json_set_object(w, o, "settings");
    for (char *setting; copy != NULL && *copy != '\0' && (setting = strsep(&rest, " ")) != NULL;) {
        const char *value = strsep(&setting, ":");
        tan_json_set(w, all, value, tan_json_text(setting != NULL ? setting : ""));
    }
    tan_json_set(w, o, "platform_text", tan_json_text(text != NULL ? text : ""));
    free(copy);
    free(text);
}

const char *simulation_asked_hosts(void)
{
    return getenv(HOSTS_VARIABLE);
}
