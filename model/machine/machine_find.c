/* machine_find.c - location of machine files: the user's and the shipped one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "model/machine/machine.h"

#ifndef TAN_DATADIR
#define TAN_DATADIR "/usr/local/share/tan"
#endif

char *tan_machine_user_path(bool trusted, struct tan_error *e)
{
    const char *name = trusted ? "machine.json" : "machine.untrusted.json";
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    char *path = NULL;
    int length;
    if (config != NULL && config[0] == '/') { /* XDG ignores relative paths */
        length = asprintf(&path, "%s/tan/%s", config, name);
    } else if (home != NULL && home[0] != '\0') {
        length = asprintf(&path, "%s/.config/tan/%s", home, name);
    } else {
        tan_fail(e, "there is no place for the machine file: neither XDG_CONFIG_HOME nor HOME is "
                    "set; name a file");
        return NULL;
    }
    if (length < 0) {
        tan_fail_nomem(e);
        return NULL;
    }
    if (tan_has_controls(path)) { /* it appears in messages */
        tan_fail(e, "%s: XDG_CONFIG_HOME or HOME contains control characters; name a file", path);
        free(path);
        return NULL;
    }
    return path;
}

bool tan_machine_is_calibrated(void)
{
    char *path = tan_machine_user_path(true, NULL);
    const bool there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return there;
}

int tan_machine_make_folders(const char *path, struct tan_error *e)
{
    char *copy = strdup(path);
    int result = copy == NULL ? tan_fail_nomem(e) : 0;
    char *slash = copy;
    while (result == 0 && (slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        if (mkdir(copy, 0700) < 0 && errno != EEXIST && access(copy, F_OK) < 0) {
            result = tan_fail_errno(e, "cannot make the directory %s", copy);
        }
        *slash = '/';
    }
    free(copy);
    return result;
}

int tan_machine_save_user(const struct tan_machine *machine, const char *path, struct tan_error *e)
{
    return tan_machine_make_folders(path, e) < 0 ? -1 : tan_machine_save(machine, path, e);
}

/* Shipped machines with parameters of trees; the first is the stand-in. */
static const char *const names[] = {"cab", "cab-joint", "cab-two-modes", "now", "t3d", NULL};

/* Directories of their files, best first; ".." is relative to the program's directory. */
static const char *const folders[] = {
    "../share/tan",        /* installed, even if moved */
    "../../configs",       /* build/bin */
    "../../../configs",    /* build/mpi/mpicc, build/sanitized/bin */
    "../../../../configs", /* build/sanitized/mpi/mpicc */
    TAN_DATADIR,           /* as configured */
    "configs",             /* built elsewhere, run from the source tree */
};

/* The directory of the running program, or of the library if another program has loaded it (as
 * smpirun does), with a final slash; false if unknown. */
static bool program_directory(char buffer[PATH_MAX])
{
    Dl_info here;
    const bool loaded = dladdr(names, &here) != 0 && here.dli_fname[0] == '/' &&
                        realpath(here.dli_fname, buffer) != NULL;
    if (!loaded) {
        const ssize_t length = readlink("/proc/self/exe", buffer, PATH_MAX - 1);
        if (length <= 0) {
            return false;
        }
        buffer[length] = '\0';
    }
    char *slash = strrchr(buffer, '/');
    if (slash == NULL) {
        return false;
    }
    slash[1] = '\0';
    return true;
}

/* The path of a shipped machine; malloc'd. */
static char *find_shipped(const char *name, struct tan_error *e)
{
    char directory[PATH_MAX];
    const bool known = program_directory(directory);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const bool beside = folders[i][0] == '.';
        if (known || !beside) {
            char candidate[2 * PATH_MAX];
            snprintf(candidate, sizeof candidate, "%s%s/%s.json", beside ? directory : "",
                     folders[i], name);
            char *path = realpath(candidate, NULL);
            if (path != NULL) {
                return path;
            }
        }
    }
    tan_fail(e,
             "there is no machine file: %s.json is neither in %s nor in configs/ or share/tan/ "
             "around %s; name one, or calibrate this machine",
             name, TAN_DATADIR, known ? directory : "the program");
    return NULL;
}

/* Whether `path` may be the name of a shipped machine. Files take precedence. */
static bool is_name(const char *path)
{
    return path[0] != '\0' && path[strcspn(path, "/.")] == '\0' && strcmp(path, "-") != 0 &&
           access(path, F_OK) < 0;
}

static char *find_named(const char *name, struct tan_error *e)
{
    const struct tan_choices choices = TAN_CHOICES(names);
    if (tan_choice_find(choices, "", name, NULL) < 0) {
        const struct tan_nearest nearest = tan_choice_nearest(choices, name);
        const bool near = nearest.name != NULL;
        tan_fail(e,
                 "there is no file \"%s\", and no shipped machine of this name%s%s%s; there are %s",
                 name, near ? " (did you mean " : "", near ? nearest.name : "", near ? "?)" : "",
                 tan_choice_list(choices).text);
        return NULL;
    }
    return find_shipped(name, e);
}

/* The path of the machine file that `path` refers to; malloc'd. */
static char *resolve_path(const char *path, bool *stand_in, struct tan_error *e)
{
    if (path != NULL && is_name(path)) {
        return find_named(path, e);
    }
    if (path != NULL) {
        char *copy = strdup(path);
        if (copy == NULL) {
            tan_fail_nomem(e);
        }
        return copy;
    }
    if (tan_machine_is_calibrated()) {
        return tan_machine_user_path(true, e);
    }
    *stand_in = true;
    return find_shipped(names[0], e);
}

struct tan_machine *tan_machine_find(const char *path, char **used, struct tan_error *e)
{
    struct tan_machine *machine = NULL;
    bool stand_in = false;
    *used = resolve_path(path, &stand_in, e);
    if (*used != NULL) {
        machine = tan_machine_load(*used, e);
    }
    if (machine != NULL) {
        machine->stand_in = stand_in;
        if (strcmp(*used, "-") == 0) {
            free(*used);
            *used = strdup(tan_input_name("-"));
        }
    } else {
        free(*used);
        *used = NULL;
    }
    return machine;
}
