/* ssh.c - minimal ssh for launchers, between the hosts of tests
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/hosts/ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 22, CHUNK = 1 << 16, NO_CONNECTION = 255 };

/* From the server: `length` bytes of output follow, or none and `value` is the exit status. */
enum { FRAME_STATUS = 0, FRAME_OUT = 1, FRAME_ERR = 2 };
struct frame {
    uint32_t kind, length, value;
};

static bool put(int fd, const void *data, size_t n)
{
    for (const char *p = data; n > 0;) {
        const ssize_t written = write(fd, p, n);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        p += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool get(int fd, void *data, size_t n)
{
    return n == 0 || recv(fd, data, n, MSG_WAITALL) == (ssize_t)n;
}

static pid_t start_shell(const char *command, int pipes[3][2])
{
    for (int i = 0; i < 3; i++) {
        if (pipe2(pipes[i], O_CLOEXEC)) {
            return -1;
        }
    }
    const pid_t pid = fork();
    if (pid == 0) {
        setsid();
        dup2(pipes[0][0], STDIN_FILENO);
        dup2(pipes[1][1], STDOUT_FILENO);
        dup2(pipes[2][1], STDERR_FILENO);
        signal(SIGPIPE, SIG_DFL);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    return pid;
}

/* One connection. As with sshd, the session ends when the command has and nobody holds its output.
 */
static void serve_one(int connection)
{
    static char data[CHUNK];
    static struct {
        struct frame frame;
        char data[CHUNK];
    } output;
    const int on = 1;
    uint32_t length = 0;
    int pipes[3][2];
    int status = 0;

    /* As sshd does: the end of a message does not wait until what came before is acknowledged. */
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!get(connection, &length, sizeof length) || length >= CHUNK ||
        !get(connection, data, length)) {
        return;
    }
    data[length] = '\0';
    const pid_t pid = start_shell(data, pipes);
    struct pollfd fds[] = {
        {connection, POLLIN, 0}, {pipes[1][0], POLLIN, 0}, {pipes[2][0], POLLIN, 0}};
    while (pid > 0 && (fds[1].fd >= 0 || fds[2].fd >= 0)) {
        if (poll(fds, 3, -1) < 0) {
            continue;
        }
        if (fds[0].revents) {
            const ssize_t n = read(connection, data, sizeof data);
            if (n <= 0 || !put(pipes[0][1], data, (size_t)n)) {
                close(pipes[0][1]);
                fds[0].fd = -1;
            }
        }
        for (int i = 1; i < 3; i++) {
            const ssize_t n = fds[i].revents ? read(fds[i].fd, output.data, CHUNK) : 0;
            output.frame = (struct frame){i == 1 ? FRAME_OUT : FRAME_ERR, (uint32_t)n, 0};
            if (n > 0 && !put(connection, &output, sizeof output.frame + (size_t)n)) {
                return; /* nobody is there: the command finds its pipes closed */
            }
            if (fds[i].revents && n <= 0) {
                fds[i].fd = -1;
            }
        }
    }
    waitpid(pid, &status, 0);
    const struct frame end = {
        FRAME_STATUS, 0,
        (uint32_t)(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status))};
    put(connection, &end, sizeof end);
}

int ssh_listen(void)
{
    const int on = 1;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};

    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (const struct sockaddr *)&address, sizeof address) ||
        listen(listener, 256)) {
        perror("hosts: port 22");
        _exit(1);
    }
    return listener;
}

_Noreturn void ssh_serve(int listener)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    for (;;) {
        const int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0 && fork() == 0) {
            close(listener);
            serve_one(connection);
            _exit(0);
        }
        close(connection);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
}

static int connect_to(const char *host)
{
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    const char *user = strchr(host, '@');
    struct addrinfo *found;
    const int on = 1;

    const int problem = getaddrinfo(user ? user + 1 : host, "22", &hints, &found);
    if (problem) {
        fprintf(stderr, "ssh: %s: %s\n", host, gai_strerror(problem));
        return -1;
    }
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, found->ai_addr, found->ai_addrlen)) {
        fprintf(stderr, "ssh: connect to host %s: %s\n", host, strerror(errno));
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    freeaddrinfo(found);
    return fd;
}

/* The options of OpenSSH that launchers pass. */
static char **skip_options(char **word)
{
    for (; *word && **word == '-'; word++) {
        word += strchr("bcDeFiIJlLmoOpQRSwW", (*word)[1]) && !(*word)[2] && word[1] ? 1 : 0;
    }
    return word;
}

int ssh_call(char **arguments)
{
    static char data[CHUNK];
    char **word = skip_options(arguments);
    size_t length = 0;
    struct frame frame;

    const int fd = *word ? connect_to(*word) : -1;
    if (fd < 0) {
        return NO_CONNECTION;
    }
    while (*++word) {
        length += (size_t)snprintf(data + length, sizeof data - length, "%s ", *word);
        if (length >= sizeof data) {
            return NO_CONNECTION;
        }
    }
    const uint32_t n = (uint32_t)length;
    put(fd, &n, sizeof n);
    put(fd, data, length);
    struct pollfd fds[] = {{fd, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    for (;;) {
        if (poll(fds, 2, -1) < 0) {
            continue;
        }
        if (fds[1].revents) {
            const ssize_t got = read(STDIN_FILENO, data, sizeof data);
            if (got <= 0 || !put(fd, data, (size_t)got)) {
                shutdown(fd, SHUT_WR);
                fds[1].fd = -1;
            }
        }
        if (!fds[0].revents) {
            continue;
        }
        if (!get(fd, &frame, sizeof frame) || frame.length > sizeof data ||
            !get(fd, data, frame.length)) {
            return NO_CONNECTION;
        }
        if (frame.kind == FRAME_STATUS) {
            return (int)frame.value;
        }
        put((int)frame.kind, data, frame.length);
    }
}
