/* launch.c - starting the job's ranks when the user did not
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/launch.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tanbench/launch/launch_internal.h"

/* Settings that a launcher needs for more ranks than cores, for root, and to leave binding to us.
 */
struct variable {
    const char *name, *value;
    bool only_root;
};

static const struct variable openmpi_variables[] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1", true},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", true},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1", false},
    {"OMPI_MCA_hwloc_base_binding_policy", "none", false},
    {"PRTE_ALLOW_RUN_AS_ROOT", "1", true},
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", true},
    {"PRTE_MCA_rmaps_default_mapping_policy", "slot:oversubscribe", false},
    {"PRTE_MCA_hwloc_default_binding_policy", "none", false},
    {NULL, NULL, false},
};

static const struct variable no_variables[] = {{NULL, NULL, false}};

/* The launchers of each MPI library, the surest name first. */
static const struct library {
    const char *version; /* what MPI_Get_library_version begins with */
    const char *launchers[4];
    const char *options; /* Hydra would kill rank 0 before it can say which rank died */
    const struct variable *variables;
} libraries[] = {
    {"Open MPI", {"mpirun.openmpi", "mpirun", "mpiexec", NULL}, "", openmpi_variables},
    {"MPICH",
     {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", NULL},
     "-disable-auto-cleanup ",
     no_variables},
    {"", {"mpiexec", "mpirun", NULL}, "", no_variables},
};

static const struct library *this_library(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    const struct library *library = libraries;

    MPI_Get_library_version(version, &length);
    while (strncmp(version, library->version, strlen(library->version)) != 0) {
        library++;
    }
    return library;
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");

    for (path = path ? path : ""; *path; path += strcspn(path, ":"), path += *path == ':') {
        char file[4096];
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(path, ":"), path, program);
        if (access(file, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Words of a command line; room for the program's own arguments is made behind them. */
static char **split_command(const char *command, int ranks, char *const *argv, struct tan_error *e)
{
    size_t own = 0;
    size_t words = 0;
    char number[16];
    char *text = strdup(command);

    while (argv[own]) {
        own++;
    }
    char **out = calloc(strlen(command) + own + 2, sizeof *out);
    if (!text || !out) {
        tan_fail_nomem(e);
        free(text);
        free(out);
        return NULL;
    }
    snprintf(number, sizeof number, "%d", ranks);
    char *rest;
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        char *place = strstr(word, "{n}");
        size_t size = strlen(word) + sizeof number;
        out[words] = malloc(size);
        if (!out[words]) {
            tan_fail_nomem(e);
            break;
        }
        if (place) {
            snprintf(out[words], size, "%.*s%s%s", (int)(place - word), word, number, place + 3);
        } else {
            snprintf(out[words], size, "%s", word);
        }
        words++;
    }
    free(text);
    for (size_t i = 0; i < own; i++) {
        out[words + i] = strdup(argv[i]);
    }
    return out;
}

static void free_words(char **words)
{
    for (char **w = words; w && *w; w++) {
        free(*w);
    }
    free(words);
}

static void set_variables(const struct variable *v, bool show)
{
    for (; v->name; v++) {
        if ((v->only_root && geteuid() != 0) || getenv(v->name)) {
            continue;
        }
        if (show) {
            printf("%s=%s ", v->name, v->value);
        } else {
            setenv(v->name, v->value, 0);
        }
    }
}

static void show_command(char **words)
{
    for (char **w = words; *w; w++) {
        bool plain = strspn(*w, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_=+./:,@%") == strlen(*w);
        printf(plain && **w ? "%s%s" : "%s'%s'", w == words ? "" : " ", *w);
    }
    printf("\n");
}

int launch_run(const struct launch *launch, char **argv, struct tan_error *e)
{
    const struct library *library = this_library();
    char command[256];
    char report[] = "/tmp/tanbench-report-XXXXXX";
    char self[4096];
    char pid[16];
    char number[16];
    int status = TAN_FAILED;

    if (launch->launcher) {
        snprintf(command, sizeof command, "%s", launch->launcher);
    } else {
        const char *const *name = library->launchers;
        while (*name && !in_path(*name)) {
            name++;
        }
        if (!*name) {
            tan_fail(e,
                     "no launcher found (looked for %s in PATH): install it, or name one with "
                     "--launcher 'COMMAND -n {n}'",
                     library->launchers[0]);
            return TAN_FAILED;
        }
        snprintf(command, sizeof command, "%s %s-n {n}", *name, library->options);
    }
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *given = argv[0];
    if (length > 0 && !launch->show_only) {
        self[length] = '\0';
        argv[0] = self;
    }
    char **words = split_command(command, launch->ranks, argv, e);
    argv[0] = given;
    if (!words) {
        return TAN_FAILED;
    }
    if (launch->show_only) {
        set_variables(launch->launcher ? no_variables : library->variables, true);
        show_command(words);
        free_words(words);
        return TAN_DONE;
    }
    set_variables(launch->launcher ? no_variables : library->variables, false);
    int file = mkstemp(report);
    if (file < 0) {
        tan_fail_errno(e, "cannot create %s", report);
        free_words(words);
        return TAN_FAILED;
    }
    close(file);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(number, sizeof number, "%d", launch->number);
    setenv(NUMBER_VARIABLE, number, 1);
    if (launch->journal) {
        setenv(JOURNAL_VARIABLE, launch->journal, 1);
    }
    setenv(REPORT_VARIABLE, report, 1);
    setenv(PARENT_VARIABLE, pid, 1);
    fflush(NULL);
    status = launch_supervise(words, launch, report, e);
    unlink(report);
    free_words(words);
    return status < 0 ? TAN_FAILED : status;
}
