/* outputs.c - files that a run writes, and whether they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/cmd/outputs.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

/* A file that the options name. */
struct file {
    const char *what; /* "--json" */
    const char *path; /* NULL: not given; "-": standard input or output */
    bool written;
};

const char *outputs_journal(const struct options *o, enum journal_mode *mode,
                            char buffer[JOURNAL_PATH_MAX])
{
    *mode = o->resume && o->force ? JOURNAL_FORCE
            : o->resume           ? JOURNAL_CONTINUE
            : o->journal          ? JOURNAL_NEW
                                  : JOURNAL_REPLACE;
    return o->resume             ? o->resume
           : o->journal          ? o->journal
           : options_messages(o) ? NULL
                                 : tan_journal_beside(o->json, buffer);
}

void outputs_print_resume(const char *journal)
{
    if (journal && tan_journal_has_cells(journal)) {
        fprintf(stderr, "tanbench: what was measured is kept: go on with tanbench resume %s\n",
                journal);
    }
}

/* The folder of `path`, without symbolic links, and its last name: two files that are not there yet
 * are the same when these are. NULL when there is no such folder. */
static char *place(const char *path)
{
    char folder[PATH_MAX];
    char copy[PATH_MAX];
    char *text = NULL;

    if (strlen(path) >= sizeof copy || !realpath(dirname(strcpy(copy, path)), folder) ||
        asprintf(&text, "%s/%s", folder, basename(strcpy(copy, path))) < 0) {
        return NULL;
    }
    return text;
}

static bool is_same(const struct file *a, const struct file *b)
{
    const bool both_stdout = tan_output_is_stdout(a->path) && tan_output_is_stdout(b->path);
    struct stat of_a;
    struct stat of_b;
    const int there =
        (tan_output_is_stdout(a->path) ? fstat(STDOUT_FILENO, &of_a) : stat(a->path, &of_a)) == 0;
    const int other =
        (tan_output_is_stdout(b->path) ? fstat(STDOUT_FILENO, &of_b) : stat(b->path, &of_b)) == 0;

    if (both_stdout || there != other) {
        return both_stdout;
    }
    if (there) { /* any number of outputs may go to /dev/null */
        return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino && !S_ISCHR(of_a.st_mode);
    }
    char *place_a = place(a->path);
    char *place_b = place(b->path);
    const bool same = place_a && place_b && !strcmp(place_a, place_b);
    free(place_a);
    free(place_b);
    return same;
}

static int check_different(const struct file *files, int n, struct tan_error *e)
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            const struct file *a = &files[i];
            const struct file *b = &files[j];
            if (!a->path || !b->path || (!a->written && !b->written) || !is_same(a, b)) {
                continue;
            }
            return tan_fail_usage(e, "%s and %s are both %s: name another file for one of them",
                                  a->what, b->what,
                                  tan_output_is_stdout(b->path) ? "standard output" : b->path);
        }
    }
    return 0;
}

/* Its folder need not be there yet: it will be made in the nearest one that is. */
static int check_user_file(const char *path, struct tan_error *e)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash; access(folder, F_OK) && (slash = strrchr(folder + 1, '/'));) {
        *slash = '\0';
    }
    strncat(folder, "/.", sizeof folder - strlen(folder) - 1); /* fails if it is no folder */
    return access(folder, W_OK) ? tan_fail_errno(e, "cannot write %s", path) : 0;
}

/* Opening what is no regular file may have side effects. */
static int check_writable(const struct file *file, struct tan_error *e)
{
    struct stat s;

    if (!file->written || !file->path || tan_output_is_stdout(file->path)) {
        return 0;
    }
    if (stat(file->path, &s) == 0 && !S_ISREG(s.st_mode)) {
        errno = S_ISDIR(s.st_mode) ? EISDIR : EACCES;
        return S_ISDIR(s.st_mode) || access(file->path, W_OK)
                   ? tan_fail_errno(e, "cannot write %s", file->path)
                   : 0;
    }
    struct tan_output *o = tan_output_open(file->path, e);
    tan_output_discard(o);
    return o ? 0 : -1;
}

/* "-" is standard input here. */
static const char *input(const char *path)
{
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

int outputs_check(const struct options *o, struct tan_error *e)
{
    const bool makes_machine =
        o->command == COMMAND_CALIBRATE || o->command == COMMAND_P2P_CALIBRATE;
    const bool users = makes_machine && !o->operand;
    char beside[JOURNAL_PATH_MAX];
    enum journal_mode mode;
    char *mine = users ? tan_machine_user_path(true, e) : NULL;
    const char *machine = users                                                 ? mine
                          : makes_machine || o->command == COMMAND_P2P_VALIDATE ? o->operand
                                                                                : NULL;
    const struct file files[] = {
        {"standard output",
         tan_output_is_stdout(o->json) || tan_output_is_stdout(o->raw) ? NULL : "-", true},
        {"--json", o->json, true},
        {"--raw", o->raw, true},
        {"the journal", outputs_journal(o, &mode, beside), true},
        {"the machine file", machine, makes_machine},
        {"--experiment", input(o->experiment), false},
        {"--machine", input(o->machine), false},
        {"--emulate", input(o->emulate), false},
    };
    enum { FILES = sizeof files / sizeof *files };
    int result = users && !mine ? -1 : check_different(files, FILES, e);

    for (int i = 0; i < FILES && result == 0; i++) {
        result = mine && files[i].path == mine && access(mine, F_OK) ? check_user_file(mine, e)
                                                                     : check_writable(&files[i], e);
    }
    free(mine);
    return result;
}
