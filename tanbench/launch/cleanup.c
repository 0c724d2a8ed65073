/* cleanup.c - removing processes and shared memory left behind by a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/cleanup.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHM_DIR "/dev/shm/"

enum { STEP_MS = 20, KILL_TIMEOUT_MS = 5000 };

/* Name, state and parent of a process; "", '?' and 0 if they cannot be read. */
static void read_stat(pid_t pid, char name[PROCESS_NAME_MAX], char *state, int *parent)
{
    char path[64];
    *state = '?';
    *parent = 0;
    *name = '\0';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    if (f != NULL) {
        if (fscanf(f, "%*d (%15[^)]) %c %d", name, state, parent) != 3) {
            *state = '?';
            *parent = 0;
        }
        fclose(f);
    }
}

bool process_ended(pid_t pid)
{
    char name[PROCESS_NAME_MAX];
    char state;
    int parent;
    if (kill(pid, 0) < 0 && errno == ESRCH) {
        return true;
    }
    read_stat(pid, name, &state, &parent);
    return state == 'Z' || state == 'X';
}

pid_t process_parent(pid_t pid, char name[PROCESS_NAME_MAX])
{
    char state;
    int parent;
    read_stat(pid, name, &state, &parent);
    return (pid_t)parent;
}

void descendants_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Call `visit` for the children of process `parent` until it returns true; returns whether it
 * did. */
static bool visit_children(pid_t parent, bool (*visit)(pid_t child, void *context), void *context)
{
    DIR *processes = opendir("/proc");
    bool done = false;
    for (const struct dirent *d; processes != NULL && !done && (d = readdir(processes)) != NULL;) {
        pid_t pid = isdigit((unsigned char)*d->d_name) ? atoi(d->d_name) : 0;
        char name[PROCESS_NAME_MAX];
        char state;
        int its_parent;
        if (pid > 0) {
            read_stat(pid, name, &state, &its_parent);
            done = its_parent == parent && visit(pid, context);
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
    return done;
}

/* Its own children become children of this process, and are killed in the next round. */
static bool kill_child(pid_t child, void *context)
{
    (void)context;
    kill(child, SIGKILL);
    return false;
}

static bool kill_with_children(pid_t pid, void *context)
{
    if (pid != getpid()) {
        visit_children(pid, kill_with_children, context);
        kill(pid, SIGKILL);
    }
    return false;
}

void descendants_kill(pid_t pid)
{
    visit_children(pid, kill_with_children, NULL);
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
            visit_children(getpid(), kill_child, NULL);
        }
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
    return false;
}

bool segments_of(pid_t pid, char prefix[SEGMENTS_PREFIX_MAX])
{
    static const char *const names[] = {SHM_DIR "vader_segment.", SHM_DIR "sm_segment."};
    char path[64];
    char line[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(path, "re");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *name = strstr(line, names[i]);
            const char *dot = name != NULL ? strrchr(name, '.') : NULL;
            if (dot != NULL && dot - name < SEGMENTS_PREFIX_MAX - 1) {
                snprintf(prefix, SEGMENTS_PREFIX_MAX, "%.*s", (int)(dot + 1 - name), name);
                found = true;
            }
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static bool find_segments(pid_t child, void *prefix)
{
    return segments_of(child, prefix);
}

bool segments_of_children(pid_t parent, char prefix[SEGMENTS_PREFIX_MAX])
{
    return visit_children(parent, find_segments, prefix);
}

void segments_remove(const char *prefix)
{
    const char *start = prefix + strlen(SHM_DIR);
    DIR *files = opendir(SHM_DIR);
    for (const struct dirent *d; files != NULL && (d = readdir(files)) != NULL;) {
        if (strncmp(d->d_name, start, strlen(start)) == 0) {
            unlinkat(dirfd(files), d->d_name, 0);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}
