/* machine_find.c - location of machine files: the user's and the shipped one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (config != NULL && config[0] == '/') { /* XDG: relative paths are to be ignored */
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
    return path;
}

/* Make the folders that lead to `path`. */
static int make_folders(char *path, struct tan_error *e)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST && access(path, F_OK) < 0) {
            return tan_fail_errno(e, "cannot make the directory %s", path);
        }
        *slash = '/';
    }
    return 0;
}

int tan_machine_save_user(const struct tan_machine *machine, const char *path, struct tan_error *e)
{
    char *folders = strdup(path);
    if (folders == NULL) {
        return tan_fail_nomem(e);
    }
    const int made = make_folders(folders, e);
    free(folders);
    return made < 0 ? -1 : tan_machine_save(machine, path, e);
}

/* Possible paths of cab.json, best first; paths that start with ".." start at the program's
 * directory. */
static const char *const shipped[] = {
    "../share/tan/cab.json",        /* installed, wherever the tree was moved to */
    "../../configs/cab.json",       /* build/bin */
    "../../../configs/cab.json",    /* build/mpi/mpicc, build/sanitized/bin */
    "../../../../configs/cab.json", /* build/sanitized/mpi/mpicc */
    TAN_DATADIR "/cab.json",        /* as configured */
    "configs/cab.json",             /* built elsewhere, run from the source tree */
};

/* The directory of the running program, with a final slash; false when it is not known. */
static bool program_directory(char *buffer, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
    if (length <= 0) {
        return false;
    }
    buffer[length] = '\0';
    char *slash = strrchr(buffer, '/');
    if (slash == NULL) {
        return false;
    }
    slash[1] = '\0';
    return true;
}

/* The path of the shipped machine file; malloc'd. */
static char *find_shipped(struct tan_error *e)
{
    char directory[PATH_MAX];
    const bool known = program_directory(directory, sizeof directory);
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        const bool beside = shipped[i][0] == '.';
        if (known || !beside) {
            char candidate[2 * PATH_MAX];
            snprintf(candidate, sizeof candidate, "%s%s", beside ? directory : "", shipped[i]);
            char *path = realpath(candidate, NULL);
            if (path != NULL) {
                return path;
            }
        }
    }
    tan_fail(e,
             "there is no machine file: cab.json is neither in %s nor in configs/ or share/tan/ "
             "around %s; name one, or calibrate this machine",
             TAN_DATADIR, known ? directory : "the program");
    return NULL;
}

struct tan_machine *tan_machine_find(const char *path, char **used, struct tan_error *e)
{
    struct tan_machine *machine = NULL;
    *used = path != NULL ? strdup(path) : tan_machine_user_path(true, NULL);
    if (path == NULL && (*used == NULL || access(*used, F_OK) < 0)) {
        free(*used);
        *used = find_shipped(e);
    } else if (*used == NULL) {
        tan_fail_nomem(e);
    }
    if (*used != NULL) {
        machine = tan_machine_load(*used, e);
    }
    if (machine == NULL) {
        free(*used);
        *used = NULL;
    }
    return machine;
}
