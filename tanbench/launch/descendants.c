/* descendants.c - leaving none of the processes behind that this one has started
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/descendants.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 20, HOPELESS_MS = 5000 };

void descendants_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static pid_t parent_of(pid_t pid)
{
    char path[64];
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    if (f) {
        if (fscanf(f, "%*d (%*[^)]) %*c %d", &parent) != 1) {
            parent = 0;
        }
        fclose(f);
    }
    return parent;
}

bool descendants_visit(pid_t parent, bool (*visit)(pid_t child, void *of), void *of)
{
    DIR *processes = opendir("/proc");
    bool done = false;

    for (const struct dirent *d; processes && !done && (d = readdir(processes));) {
        pid_t pid = isdigit((unsigned char)*d->d_name) ? atoi(d->d_name) : 0;
        done = pid > 0 && parent_of(pid) == parent && visit(pid, of);
    }
    if (processes) {
        closedir(processes);
    }
    return done;
}

/* Their own children become ours, and are next. */
static bool kill_child(pid_t child, void *of)
{
    (void)of;
    kill(child, SIGKILL);
    return false;
}

bool descendants_end(int grace_ms)
{
    for (int ms = 0; ms < grace_ms + HOPELESS_MS; ms += STEP_MS) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0) {
            return true; /* no child is left */
        }
        if (ms >= grace_ms) {
            descendants_visit(getpid(), kill_child, NULL);
        }
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
    return false;
}
