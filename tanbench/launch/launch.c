/* launch.c - starting the job's ranks if the user has not
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/launch.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "tanbench/host/cores.h"

/* An environment variable for a launcher or the MPI library. */
struct variable {
    const char *name, *value; /* value NULL: queue_places */
    bool only_root;           /* set only if root starts the job */
};

/* Allow starting as root and more ranks than cores, and leave binding to tanbench. */
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

static const struct variable mpich_variables[] = {
    {UCX_QUEUE_VARIABLE, NULL, false},
    {"UCX_POSIX_FIFO_SIZE", NULL, false},
    {NULL, NULL, false},
};

static const struct variable no_variables[] = {{NULL, NULL, false}};

/* The launchers of each MPI library, most specific name first. The last row is for all others. */
static const struct library {
    const char *version; /* how the text of MPI_Get_library_version starts */
    const char *launchers[4];
    const struct variable *variables;
    const char *srun; /* option for srun */
    bool needs_srun;  /* without that option MPI_Init aborts; else every process is a singleton */
} libraries[] = {
    {"Open MPI",
     {"mpirun.openmpi", "mpirun", "mpiexec", NULL},
     openmpi_variables,
     "--mpi=pmix",
     true},
    {"MPICH",
     {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", NULL},
     mpich_variables,
     "--mpi=pmi2",
     false},
    {"", {"mpiexec", "mpirun", NULL}, no_variables, "--mpi=pmi2 or --mpi=pmix", false},
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

/* `word` with every "{n}" replaced by `ranks`; NULL if out of memory. */
static char *insert_ranks(const char *word, int ranks)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    for (const char *place; (place = strstr(word, "{n}")) != NULL; word = place + 3) {
        fprintf(out, "%.*s%d", (int)(place - word), word, ranks);
    }
    fputs(word, out);
    if (fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Launchers may not forward the environment to other hosts, so ranks are started by env(1), which
 * sets these. */
static const char *const forwarded[] = {REPORT_VARIABLE, DOMAIN_VARIABLE, PARENT_VARIABLE,
                                        NUMBER_VARIABLE, RESULTS_VARIABLE};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

/* Append "env" and the variables that are set. Returns false if out of memory. */
static bool add_variables(char **words, size_t *n)
{
    if ((words[(*n)++] = strdup("env")) == NULL) {
        return false;
    }
    for (int i = 0; i < FORWARDED; i++) {
        const char *value = getenv(forwarded[i]);
        if (value != NULL && asprintf(&words[(*n)++], "%s=%s", forwarded[i], value) < 0) {
            words[*n - 1] = NULL;
            return false;
        }
    }
    return true;
}

/* What the ranks run: this program, shown as the user typed it. */
static const char *program_of(const struct launch *launch, char *const *argv)
{
    static char self[4096];
    if (launch->program != NULL) {
        return launch->program;
    }
    return !launch->show_only && readlink("/proc/self/exe", self, sizeof self - 1) > 0 ? self
                                                                                       : argv[0];
}

/* The complete command line: `command` with the number of ranks, the variables (unless it is only
 * shown), the program, and our arguments except --dry-run, which may be abbreviated. */
static char **make_words(const char *command, const struct launch *launch, char *const *argv,
                         struct tan_error *e)
{
    size_t arguments = 0;
    size_t n = 0;
    char **launcher = tan_words_split("--launcher", command, e);
    if (launcher == NULL) {
        return NULL;
    }
    while (argv[arguments] != NULL) {
        arguments++;
    }
    char **words = calloc(strlen(command) + FORWARDED + arguments + 3, sizeof *words);
    if (words == NULL) {
        goto fail;
    }
    for (char **word = launcher; *word != NULL; word++) {
        if ((words[n++] = insert_ranks(*word, launch->ranks)) == NULL) {
            goto fail;
        }
    }
    if (!launch->show_only && launch->command == NULL && !add_variables(words, &n)) {
        goto fail;
    }
    for (size_t i = 0; i < arguments; i++) {
        if (i > 0 && strlen(argv[i]) > 3 && strncmp(argv[i], "--dry-run", strlen(argv[i])) == 0) {
            continue;
        }
        if ((words[n++] = strdup(i == 0 ? program_of(launch, argv) : argv[i])) == NULL) {
            goto fail;
        }
    }
    tan_words_free(launcher);
    return words;

fail:
    tan_fail_nomem(e);
    tan_words_free(launcher);
    tan_words_free(words);
    return NULL;
}

/* Under MPICH, UCX has a queue for messages from other ranks of the host. If more answer at once
 * than it has places, by default 64, the others take a path that is fifty times slower. Each place
 * is memory of its own, so that a queue of many makes the waves that do not need it longer, while
 * streams fill any. */
static int queue_places(const struct launch *launch)
{
    enum { UCX_DEFAULT = 64, STREAM = 1024 };
    const double usable = 0.75; /* as tanbench/results/cell_doubts.c has it */
    int places = launch->stream ? STREAM : UCX_DEFAULT;
    while (launch->ranks > usable * places) {
        places *= 2;
    }
    return places;
}

static void set_variables(const struct variable *v, const struct launch *launch)
{
    const struct tan_text places = tan_printed("%d", queue_places(launch));
    for (; v->name != NULL; v++) {
        const char *value = v->value != NULL ? v->value : places.text;
        if ((v->only_root && geteuid() != 0) || getenv(v->name) != NULL) {
            continue;
        }
        if (launch->show_only) {
            printf("%s=%s ", v->name, value);
        } else {
            setenv(v->name, value, 0);
        }
    }
}

/* The first of the library's launchers that is installed, or NULL. */
static const char *find_launcher(const struct library *library)
{
    const char *const *name = library->launchers;
    while (*name != NULL && !tan_program_found(*name)) {
        name++;
    }
    return *name;
}

const char *launch_own_launcher(void)
{
    const struct library *library = this_library();
    const char *name = find_launcher(library);
    return name != NULL ? name : library->launchers[0];
}

int launch_queue_places(void)
{
    enum { UCX_DEFAULT = 64 };
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    const char *places = getenv(UCX_QUEUE_VARIABLE);
    int length;
    MPI_Get_library_version(version, &length);
    if (strstr(version, "ch4:ucx") == NULL) {
        return 0;
    }
    return places != NULL && atoi(places) > 0 ? atoi(places) : UCX_DEFAULT;
}

const char *launch_srun_option(bool *needed)
{
    *needed = this_library()->needs_srun;
    return this_library()->srun;
}

/* The launcher's command line, to be freed; NULL with an error. */
static char *launcher_command(const struct launch *launch, const struct library *library,
                              struct tan_error *e)
{
    char *command;
    if (launch->launcher != NULL || launch->command != NULL) {
        command = strdup(launch->command != NULL ? launch->command : launch->launcher);
    } else {
        const char *name = find_launcher(library);
        if (name == NULL) {
            tan_fail(e,
                     "no launcher found in PATH (looked for %s): install one, or name another with "
                     "--launcher 'COMMAND -n {n}'",
                     tan_choice_list(TAN_CHOICES(library->launchers)).text);
            return NULL;
        }
        if (asprintf(&command, "%s -n {n}", name) < 0) {
            command = NULL;
        }
    }
    if (command == NULL) {
        tan_fail_nomem(e);
    }
    return command;
}

/* Set the variables that the launcher and the ranks inherit from this process. */
static void set_environment(const struct launch *launch, const char *report)
{
    char domain[DOMAIN_MAX];
    host_domain(domain);
    setenv(NUMBER_VARIABLE, tan_printed("%d", launch->number).text, 1);
    unsetenv(RESULTS_VARIABLE);
    if (launch->results != NULL) {
        setenv(RESULTS_VARIABLE, launch->results, 1);
    }
    setenv(REPORT_VARIABLE, report, 1);
    setenv(DOMAIN_VARIABLE, domain, 1);
    setenv(PARENT_VARIABLE, tan_printed("%d", (int)getpid()).text, 1);
    /* Within a task of srun, a launcher that uses srun would wait for that task's end, and its
     * ranks would mistake the task's size for their own. */
    if (getenv("SLURM_STEP_ID") != NULL) {
        setenv("SLURM_OVERLAP", "1", 0);
    }
    unsetenv(SRUN_TASKS_VARIABLE);
}

int launch_make_file(const char *launcher, const char *what, char path[LAUNCH_PATH_MAX],
                     struct tan_error *e)
{
    char folder[LAUNCH_PATH_MAX - 64];
    int file = -1;
    if (!launch_is_here(launcher) && getcwd(folder, sizeof folder) != NULL) {
        snprintf(path, LAUNCH_PATH_MAX, "%s/.tanbench-%s-XXXXXX", folder, what);
        file = mkstemp(path);
    }
    if (file < 0) {
        snprintf(path, LAUNCH_PATH_MAX, "/tmp/tanbench-%s-XXXXXX", what);
        file = mkstemp(path);
    }
    if (file < 0) {
        return tan_fail_errno(e, "cannot create %s", path);
    }
    close(file);
    return 0;
}

int launch_make_nameless(const char *what, char path[LAUNCH_PATH_MAX], struct tan_error *e)
{
    const int descriptor = memfd_create(what, MFD_CLOEXEC);
    if (descriptor < 0) {
        return tan_fail_errno(e, "cannot create a file in memory (%s)", what);
    }
    snprintf(path, LAUNCH_PATH_MAX, "/proc/%d/fd/%d", (int)getpid(), descriptor);
    return descriptor;
}

/* Create the file to which ranks append their reports; *descriptor: to be closed, or -1. */
static int make_report(const char *launcher, char path[LAUNCH_PATH_MAX], int *descriptor,
                       struct tan_error *e)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    *descriptor =
        launch_is_here(launcher) ? launch_make_nameless("tanbench-report", path, &ignored) : -1;
    return *descriptor < 0 ? launch_make_file(launcher, "report", path, e) : 0;
}

/* Returns the exit status, or -1 with an error. */
static int start_launcher(const char *command, const struct launch *launch, char **argv,
                          struct tan_error *e)
{
    char report[LAUNCH_PATH_MAX];
    int status = -1;
    int descriptor;
    if (make_report(launch->launcher, report, &descriptor, e) < 0) {
        return -1;
    }
    set_environment(launch, report);
    char **words = make_words(command, launch, argv, e);
    if (words != NULL) {
        fflush(NULL);
        status = launch_supervise(words, launch, report, e);
    }
    tan_words_free(words);
    if (descriptor < 0) {
        unlink(report);
    } else {
        close(descriptor);
    }
    return status;
}

/* Print the command line. */
static int show_launcher(const char *command, const struct launch *launch, char **argv,
                         struct tan_error *e)
{
    char **words = make_words(command, launch, argv, e);
    if (words == NULL) {
        return -1;
    }
    for (char **w = words; *w != NULL; w++) {
        tan_words_quote(stdout, *w);
        putchar(w[1] != NULL ? ' ' : '\n');
    }
    tan_words_free(words);
    return TAN_DONE;
}

int launch_run(const struct launch *launch, char **argv, struct tan_error *e)
{
    const struct library *library = this_library();
    char *command = launcher_command(launch, library, e);
    if (command == NULL) {
        return TAN_FAILED;
    }
    set_variables(launch->launcher != NULL || launch->command != NULL ? no_variables
                                                                      : library->variables,
                  launch);
    const int status = launch->show_only ? show_launcher(command, launch, argv, e)
                                         : start_launcher(command, launch, argv, e);
    free(command);
    return status < 0 ? TAN_FAILED : status;
}

static int replace_stdin(const char *text, size_t length, struct tan_error *e)
{
    const int fd = memfd_create("standard input", MFD_CLOEXEC);
    FILE *copy = fd >= 0 ? fdopen(fd, "w") : NULL;
    const bool kept = copy != NULL && fwrite(text, 1, length, copy) == length &&
                      fflush(copy) == 0 && dup2(fd, STDIN_FILENO) >= 0;
    const int result = kept ? 0 : tan_fail_errno(e, "cannot keep standard input");
    if (copy != NULL) {
        fclose(copy);
    } else if (fd >= 0) {
        close(fd);
    }
    rewind(stdin);
    return result;
}

int stdin_copy(struct tan_error *e)
{
    size_t length;
    char *text = tan_read_file("-", &length, e);
    const int failed = text != NULL ? replace_stdin(text, length, e) : -1;
    free(text);
    return failed;
}
