/* cache_walk.c - a process that displaces what the caches of a core hold
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/cache_walk.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 64, USUAL_CACHE = 1 << 20 };

/* Nothing here may wait for a lock that the parent had when it was copied. */
__attribute__((noreturn)) static void walk(pid_t parent, volatile char *memory, size_t size)
{
    const struct sched_param none = {.sched_priority = 0};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "tan-cache-walk");
    if (getppid() != parent || sched_setscheduler(0, SCHED_IDLE, &none) != 0) {
        _exit(1);
    }
    close_range(0, ~0U, 0); /* a launcher waits until nobody has its ranks' output open */
    for (;;) {
        for (size_t i = 0; i < size; i += LINE) {
            memory[i]++;
        }
    }
}

pid_t cache_walk_start(struct tan_error *e)
{
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const size_t size = 2 * (size_t)(cache > 0 ? cache : USUAL_CACHE);
    const pid_t parent = getpid();
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigset_t all;
    sigset_t before;

    if (memory == MAP_FAILED) {
        return tan_fail_nomem(e);
    }
    madvise(memory, size, MADV_NOHUGEPAGE); /* to push out what the core knows of pages, too */
    sigfillset(&all);                       /* no handler of the parent's runs in its copy */
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    if (child == 0) {
        walk(parent, memory, size);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    munmap(memory, size);
    return child < 0 ? tan_fail_errno(e, "cannot start a process") : child;
}

void cache_walk_stop(pid_t walk)
{
    if (walk > 0) {
        kill(walk, SIGKILL);
        waitpid(walk, NULL, 0);
    }
}
