/* program.c - execution of external drawing programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int tan_program_run(const char *const argv[], const char *what, int from, int to,
                    struct tan_error *e)
{
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, from, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&streams, to, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failed =
        posix_spawnp(&pid, argv[0], &streams, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&streams);
    if (failed != 0) {
        errno = failed;
        return tan_fail_errno(e, "cannot run %s", argv[0]);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? 0
               : tan_fail(e, "%s failed on %s", argv[0], what);
}
