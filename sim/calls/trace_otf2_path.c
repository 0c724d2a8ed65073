/* trace_otf2_path.c - the anchor file of an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_otf2_path.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"

static bool is_anchor(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".otf2") == 0;
}

/* The first anchor file in a folder, which the caller frees; NULL: there is none. */
static char *find_anchor(const char *path)
{
    DIR *open = opendir(path);
    char *found = NULL;
    const struct dirent *entry;
    while (open != NULL && found == NULL && (entry = readdir(open)) != NULL) {
        if (is_anchor(entry->d_name) && asprintf(&found, "%s/%s", path, entry->d_name) < 0) {
            found = NULL;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return found;
}

bool tan_trace_otf2_path_is(const char *path)
{
    char *anchor = is_anchor(path) ? NULL : find_anchor(path);
    const bool is = is_anchor(path) || anchor != NULL;
    free(anchor);
    return is;
}

char *tan_trace_otf2_path_anchor(const char *path)
{
    char *found = find_anchor(path); /* a folder's name may end as a file's */
    return found != NULL ? found : strdup(path);
}

/* A file of the archive, which may be absent, is an input. */
static int take_file(const char *path, struct tan_error *e)
{
    if (access(path, F_OK) < 0) {
        return 0;
    }
    if (tan_input_regular(path, e) < 0) {
        return -1;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return tan_fail_errno(e, "cannot read %s", path);
    }
    const int result = tan_input_take(path, fd, e);
    close(fd);
    return result;
}

static int take_in_folder(const char *folder, const char *name, struct tan_error *e)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return tan_fail_nomem(e);
    }
    const int result = take_file(path, e);
    free(path);
    return result;
}

int tan_trace_otf2_path_take(const char *anchor, struct tan_error *e)
{
    char *base = strdup(anchor);
    char *definitions = NULL;
    if (base == NULL) {
        return tan_fail_nomem(e);
    }
    if (is_anchor(base)) {
        *strrchr(base, '.') = '\0';
    }
    int result = asprintf(&definitions, "%s.def", base) < 0 ? tan_fail_nomem(e)
                 : take_file(anchor, e) < 0                 ? -1
                                                            : take_file(definitions, e);
    DIR *open = result < 0 ? NULL : opendir(base);
    const struct dirent *entry;
    while (open != NULL && result == 0 && (entry = readdir(open)) != NULL) {
        result = entry->d_name[0] == '.' ? 0 : take_in_folder(base, entry->d_name, e);
    }
    if (open != NULL) {
        closedir(open);
    }
    free(definitions);
    free(base);
    return result;
}
