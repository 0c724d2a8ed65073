/* cleanup.c - removing processes left behind by a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/cleanup.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 20, KILL_TIMEOUT_MS = 5000 };

/* State and parent of a process; '?' and 0 if they cannot be read. */
static void read_stat(pid_t pid, char *state, int *parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    if (f == NULL || fscanf(f, "%*d (%*15[^)]) %c %d", state, parent) != 2) {
        *state = '?';
        *parent = 0;
    }
    if (f != NULL) {
        fclose(f);
    }
}

bool process_ended(pid_t pid)
{
    char state;
    int parent;
    if (kill(pid, 0) < 0 && errno == ESRCH) {
        return true;
    }
    read_stat(pid, &state, &parent);
    return state == 'Z' || state == 'X';
}

void descendants_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kill the children of this process. Their own children become its children, and are killed in the
 * next round. */
static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    for (const struct dirent *d; processes != NULL && (d = readdir(processes)) != NULL;) {
        const pid_t pid = isdigit((unsigned char)*d->d_name) ? atoi(d->d_name) : 0;
        char state;
        int parent;
        read_stat(pid, &state, &parent);
        if (pid > 0 && parent == getpid()) {
            kill(pid, SIGKILL);
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
}

bool descendants_end(int grace_ms)
{
    for (int ms = 0; ms < grace_ms + KILL_TIMEOUT_MS; ms += STEP_MS) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0) {
            return true; /* no children left */
        }
        if (ms >= grace_ms) {
            kill_children();
        }
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
    return false;
}
