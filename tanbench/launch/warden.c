/* warden.c - the process that stays when the one that started the job is killed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000 };

static int open_process(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

static _Noreturn void guard(int parent, int launcher, const char *const *files)
{
    struct pollfd end = {.fd = parent, .events = POLLIN};

    while (poll(&end, 1, -1) < 0) {
    }
    end.fd = launcher;
    if (poll(&end, 1, PATIENCE_MS) == 0) {
        syscall(SYS_pidfd_send_signal, launcher, SIGKILL, NULL, 0);
    }
    for (; *files; files++) {
        unlink(*files);
    }
    _exit(0);
}

pid_t warden_start(pid_t launcher, const char *const *files)
{
    int parent_end = open_process(getpid());
    int launcher_end = open_process(launcher);
    pid_t pid = parent_end < 0 || launcher_end < 0 ? -1 : fork();

    if (pid == 0) {
        /* Who reads what this process's parent prints shall not wait for this one. */
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        guard(parent_end, launcher_end, files);
    }
    close(parent_end);
    close(launcher_end);
    return pid;
}

void warden_end(pid_t warden)
{
    if (warden > 0) {
        kill(warden, SIGKILL);
        waitpid(warden, NULL, 0);
    }
}
