/* trace_otf2_path.c - the anchor file of an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_otf2_path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_anchor(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".otf2") == 0;
}

/* The first anchor file in a folder, which the caller frees; NULL: there is none. */
static char *find(const char *path)
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

bool trace_otf2_path_is(const char *path)
{
    char *anchor = is_anchor(path) ? NULL : find(path);
    const bool is = is_anchor(path) || anchor != NULL;
    free(anchor);
    return is;
}

char *trace_otf2_path_anchor(const char *path)
{
    char *found = find(path); /* a folder's name may end as a file's */
    return found != NULL ? found : strdup(path);
}
