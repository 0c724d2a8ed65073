/* shm_segments.c - names of shared memory that a job of Open MPI leaves when nobody is there to
 * remove them SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/shm_segments.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tanbench/launch/descendants.h"

#define FOLDER "/dev/shm/"

bool segments_of(pid_t pid, char prefix[SEGMENTS_PREFIX_MAX])
{
    static const char *const names[] = {FOLDER "vader_segment.", FOLDER "sm_segment."};
    char path[64];
    char line[512];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *name = strstr(line, names[i]);
            const char *dot = name ? strrchr(name, '.') : NULL;
            if (dot && dot - name < SEGMENTS_PREFIX_MAX - 1) {
                snprintf(prefix, SEGMENTS_PREFIX_MAX, "%.*s", (int)(dot + 1 - name), name);
                found = true;
            }
        }
    }
    if (f) {
        fclose(f);
    }
    return found;
}

static bool look(pid_t child, void *prefix)
{
    return segments_of(child, prefix);
}

bool segments_of_children(pid_t parent, char prefix[SEGMENTS_PREFIX_MAX])
{
    return descendants_visit(parent, look, prefix);
}

void segments_remove(const char *prefix)
{
    const char *start = prefix + strlen(FOLDER);
    DIR *folder = opendir(FOLDER);

    for (const struct dirent *d; folder && (d = readdir(folder));) {
        if (!strncmp(d->d_name, start, strlen(start))) {
            unlinkat(dirfd(folder), d->d_name, 0);
        }
    }
    if (folder) {
        closedir(folder);
    }
}
