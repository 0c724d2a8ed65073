/* hosts.c - private cluster of several hosts on one Linux machine, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hosts N [--rate RATE] [--delay TIME] [--queue fifo|fair] [--payload SIZE] COMMAND...
 *                             run COMMAND on the login node of a cluster of hosts h1..hN
 *
 * A host is a set of namespaces (network, host name, mounts, IPC, processes) with its own /dev/shm,
 * /tmp, /proc and /sys; every other file is shared, as on a cluster with one file system, and so
 * are /run/shared and the folder that COMMAND is started in. All of them are within the login
 * node's namespaces, which end with COMMAND or with this process: whatever is killed, nothing is
 * left, and several clusters may exist at once. The network is a bridge, or with --rate or --delay
 * a switch (switch.h): everybody's link has that rate, each way, and that delay, and frames leave
 * in the order in which they came, or connections take turns (--queue fair). --payload says how
 * long a message takes, and refuses one that is too short to be told from what the processes need.
 * Exit status: COMMAND's; 2 for a wrong command line; 3 where COMMAND succeeded on such a network
 * and something was lost or sent again, so that its times mean nothing; 77, with the reason on the
 * last line, where this machine cannot have such a cluster.
 *
 * COMMAND, and what it starts on any host, finds in its PATH `ssh HOST COMMAND...` (ssh.h) and
 *
 * host exec HOST COMMAND...   run it there (HOST may be "login"), environment and folder kept, also
 *                             when the network does not reach it
 * host cable HOST down|up     pull the cable, or plug it in again
 * host off HOST               power off: the host falls silent, its processes are gone
 * host pause|resume HOST      stop all of its processes, or let them go on
 * host slow HOST RATE|none    let the bridge send to it no faster, as in 1mbit (needs tc)
 * host count [HOST]           since the start: TCP segments sent again, frames lost, and frames and
 *                             bytes sent
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/hosts/network.h"
#include "tests/hosts/options.h"
#include "tests/hosts/ssh.h"
#include "tests/hosts/switch.h"

#define CONTROL "/run/hosts/control"
#define USAGE                                                                                      \
    "usage: hosts N [--rate RATE] [--delay TIME] [--queue fifo|fair] [--payload SIZE] "            \
    "COMMAND...\n"

enum { MESSAGE = 1 << 17, SKIPPED = 77, ALL = -1 };
enum { NAMESPACES = CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWPID };

extern char **environ;

/* What AddressSanitizer reads, in a build with it: looking for leaks takes a thread, which a
 * process that has left its PID namespace cannot start. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static struct {
    struct options options;
    int n;
    struct switch_port *ports; /* what the switch counts; 0 is the login node's */
    pid_t pid[MAX_HOSTS + 1];  /* of each host's process 1, from 1 */
    int start[MAX_HOSTS + 1];  /* our end of a pair of sockets: one byte means go on, or done */
    char *title;               /* this program's arguments in memory, of `room` bytes */
    size_t room;
} cluster;

__attribute__((format(printf, 1, 2))) static _Noreturn void skip(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fprintf(stderr, "hosts: no cluster can be made here: ");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, ": %s\n", strerror(errno));
    exit(SKIPPED);
}

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    char command[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

static void write_file(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (fd < 0 || write(fd, text, strlen(text)) < 0) {
        skip("%s", path);
    }
    close(fd);
}

static void mount_new(const char *type, const char *where, unsigned long flags, const char *data)
{
    if (mount(type, where, type, flags, data)) {
        skip("mounting %s", where);
    }
}

static void bind_fd(int fd, const char *where)
{
    char from[32];

    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (mount(from, where, NULL, MS_BIND | MS_REC, NULL)) {
        skip("mounting %s again", where);
    }
}

/* The file systems that every host has for itself. The current folder stays, also below /tmp. */
static void mount_own(void)
{
    char folder[PATH_MAX];
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int groups = open("/sys/fs/cgroup", O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (here < 0 || !getcwd(folder, sizeof folder)) {
        skip("this folder");
    }
    mount_new("tmpfs", "/dev/shm", 0, "mode=1777,size=2g");
    mount_new("tmpfs", "/tmp", 0, "mode=1777,size=2g");
    mount_new("proc", "/proc", 0, NULL);
    if (mount("sysfs", "/sys", "sysfs", MS_RDONLY, NULL) == 0 && groups >= 0) {
        bind_fd(groups,
                "/sys/fs/cgroup"); /* one for the machine: limits of cores are found there */
    }
    if (!strncmp(folder, "/tmp/", 5)) {
        for (char *slash = folder + 5; (slash = strchr(slash, '/')); *slash++ = '/') {
            *slash = '\0';
            mkdir(folder, 0755);
        }
        mkdir(folder, 0755);
        bind_fd(here, folder);
    }
    if (chdir(folder)) {
        skip("%s", folder);
    }
    close(here);
    close(groups);
}

/* What ps shows. Whoever looks for COMMAND by its name must not find this program. */
static void set_title(const char *title)
{
    memset(cluster.title, 0, cluster.room);
    snprintf(cluster.title, cluster.room, "%s", title);
}

/* --- A host --- */

static _Noreturn void run_host(int number, int start)
{
    char name[16];
    char byte;

    snprintf(name, sizeof name, "h%d", number);
    if (read(start, &byte, 1) != 1) {
        _exit(1);
    }
    set_title(name);
    if (sethostname(name, strlen(name))) {
        skip("naming host %d", number);
    }
    mount_own();
    if (network_configure("eth0", number, cluster.options.slow ? cluster.n : 0)) {
        skip("configuring eth0 with ip");
    }
    const int listener = ssh_listen(); /* before the cluster begins: nobody is refused */
    if (fork() == 0) {
        const int null = open("/dev/null", O_RDWR);
        dup2(null, STDIN_FILENO);
        clearenv();
        setenv("PATH",
               "/run/hosts/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
        setenv("HOME", "/", 1);
        if (chdir("/")) {
            skip("/");
        }
        setsid();
        ssh_serve(listener);
    }
    close(listener);
    if (write(start, "", 1) != 1) {
        _exit(1);
    }
    close(start);
    for (;;) {
        if (wait(NULL) < 0) {
            pause();
        }
    }
}

/* Links from a bridge to all hosts. */
static void print_bridge(FILE *ip)
{
    fprintf(ip, "link add br0 type bridge\n");
    for (int i = 1; i <= cluster.n; i++) {
        fprintf(ip,
                "link add v%d type veth peer name eth0 netns %d\n"
                "link set v%d master br0 up\n",
                i, (int)cluster.pid[i], i);
    }
}

/* The switch's devices, each where it belongs. Their queues take what is sent at once. */
static void print_switch(FILE *ip)
{
    for (int i = 0; i <= cluster.n; i++) {
        char address[18];
        fprintf(ip, "link set nht%d address %s txqueuelen 10000\n", i, switch_address(i, address));
        if (i > 0) {
            fprintf(ip, "link set nht%d netns %d name eth0\n", i, (int)cluster.pid[i]);
        } else {
            fprintf(ip, "link set nht0 name eth0\n");
        }
    }
}

static void make_links(void)
{
    const bool slow = cluster.options.slow;
    FILE *ip = popen("ip -batch -", "w");

    if (!ip) {
        skip("ip");
    }
    (slow ? print_switch : print_bridge)(ip);
    if (pclose(ip) || network_configure(slow ? "eth0" : "br0", 0, slow ? cluster.n : 0)) {
        skip("making links with ip");
    }
}

/* It goes on without the terminal, whose Ctrl-C is for COMMAND. */
static void start_switch(void)
{
    static int fds[MAX_HOSTS + 1];
    char name[16];

    for (int i = 0; i <= cluster.n; i++) {
        snprintf(name, sizeof name, "nht%d", i);
        if ((fds[i] = switch_open(name)) < 0) {
            skip("TAP devices of the kernel (/dev/net/tun)");
        }
    }
    if (fork() == 0) {
        set_title("switch");
        setsid();
        switch_run(&cluster.options.link, fds, cluster.n + 1, cluster.ports);
    }
    for (int i = 0; i <= cluster.n; i++) {
        close(fds[i]);
    }
}

static void start_hosts(void)
{
    char byte;

    for (int i = 1; i <= cluster.n; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
            skip("socketpair");
        }
        cluster.pid[i] = (pid_t)syscall(SYS_clone, NAMESPACES | SIGCHLD, NULL, NULL, NULL, NULL);
        if (cluster.pid[i] < 0) {
            skip("namespaces of host %d", i);
        }
        if (cluster.pid[i] == 0) {
            close(pair[0]);
            run_host(i, pair[1]);
        }
        close(pair[1]);
        cluster.start[i] = pair[0];
    }
    make_links();
    for (int i = 1; i <= cluster.n; i++) {
        if (write(cluster.start[i], "", 1) != 1) {
            skip("starting host %d", i);
        }
    }
    for (int i = 1; i <= cluster.n; i++) {
        if (read(cluster.start[i], &byte, 1) != 1) {
            exit(SKIPPED); /* it has said why */
        }
        close(cluster.start[i]);
    }
}

/* --- What happens to them: one process for each request --- */

static void enter(int host, int namespaces)
{
    const int fd = (int)syscall(SYS_pidfd_open, cluster.pid[host], 0);

    if (host > 0 && (fd < 0 || setns(fd, namespaces))) {
        fprintf(stderr, "host: h%d is off\n", host);
        _exit(1);
    }
    close(fd);
}

static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int do_exec(int host, char **words, int connection)
{
    char *folder = *words++;

    if (!*words) {
        fprintf(stderr, "host: exec needs a command\n");
        return 2;
    }
    enter(host, NAMESPACES);
    char **environment = words;
    while (*environment++) {
    }
    const pid_t pid = fork();
    if (pid == 0) {
        setsid();
        if (chdir(folder) && chdir("/")) {
            _exit(126);
        }
        environ = environment;
        execvp(words[0], words);
        fprintf(stderr, "host: %s: %s\n", words[0], strerror(errno));
        _exit(127);
    }
    for (int i = 0; i < 3; i++) {
        close(i);
    }
    struct pollfd fds[] = {{(int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0}, {connection, 0, 0}};
    poll(fds, 2, -1);
    if (fds[1].revents) {
        kill(-pid, SIGHUP); /* who asked is gone */
    }
    int status;
    waitpid(pid, &status, 0);
    return status_of(status);
}

static int do_cable(int host, char **words, int connection)
{
    const bool up = words[1] && !strcmp(words[1], "up");

    (void)connection;
    if (!cluster.options.slow) { /* the host loses its carrier and keeps its routes */
        return shell("ip link set v%d %s", host, up ? "up" : "down");
    }
    cluster.ports[host].unplugged = !up;
    return 0;
}

/* The cable first, so that nothing says goodbye. */
static int do_off(int host, char **words, int connection)
{
    char *down[] = {words[0], "down", NULL};
    const pid_t pid = fork();

    if (pid == 0) {
        _exit(do_cable(host, down, connection));
    }
    waitpid(pid, NULL, 0);
    return kill(cluster.pid[host], SIGKILL) ? 1 : 0;
}

static int signal_all(int host, int signum)
{
    enter(host, CLONE_NEWPID);
    const pid_t pid = fork();
    if (pid == 0) { /* process 1 and this one do not count; what forks meanwhile is met again */
        _exit(kill(-1, signum) || kill(-1, signum) ? 1 : 0);
    }
    int status;
    waitpid(pid, &status, 0);
    return status_of(status);
}

static int do_pause(int host, char **words, int connection)
{
    (void)words;
    (void)connection;
    return signal_all(host, SIGSTOP);
}

static int do_resume(int host, char **words, int connection)
{
    (void)words;
    (void)connection;
    return signal_all(host, SIGCONT);
}

static int do_slow(int host, char **words, int connection)
{
    (void)connection;
    if (!words[1] || cluster.options.slow) {
        fprintf(stderr, "host: slow needs a rate, and a cluster without --rate and --delay\n");
        return 2;
    }
    return !strcmp(words[1], "none")
               ? shell("tc qdisc del dev v%d root", host)
               : shell("tc qdisc replace dev v%d root tbf rate %.20s burst 16kb limit 1mb", host,
                       words[1]);
}

/* What went wrong at a host, 0 being the login node. */
struct losses {
    long long retransmitted, dropped;
};

static struct losses losses_of(int host)
{
    char pid[16];

    snprintf(pid, sizeof pid, "%d", (int)cluster.pid[host]);
    return (struct losses){network_retransmitted(pid),
                           network_dropped(pid) + (long long)cluster.ports[host].dropped};
}

static int do_count(int host, char **words, int connection)
{
    (void)words;
    (void)connection;
    printf("host retransmitted dropped frames bytes\n");
    for (int i = host == ALL ? 0 : host; i <= (host == ALL ? cluster.n : host); i++) {
        const struct losses losses = losses_of(i);
        printf(i > 0 ? "h%d" : "login", i);
        printf(" %lld %lld %lld %lld\n", losses.retransmitted, losses.dropped,
               (long long)cluster.ports[i].frames, (long long)cluster.ports[i].bytes);
    }
    return fflush(stdout) ? 1 : 0;
}

/* Say which hosts lost something on a slow network. Returns whether any did. */
static bool report_losses(void)
{
    bool any = false;

    for (int i = 0; cluster.options.slow && i <= cluster.n; i++) {
        const struct losses losses = losses_of(i);
        char name[16];
        if (losses.retransmitted > 0 || losses.dropped > 0) {
            snprintf(name, sizeof name, i > 0 ? "h%d" : "login", i);
            fprintf(stderr,
                    "hosts: %s: TCP segments sent again: %lld, frames lost: %lld; the times of "
                    "this run mean nothing\n",
                    name, losses.retransmitted, losses.dropped);
            any = true;
        }
    }
    return any;
}

static const struct action {
    const char *name;
    int (*run)(int host, char **words, int connection); /* words: folder, then arguments */
    int lowest;                                         /* host that it may happen to */
} actions[] = {
    {"exec", do_exec, 0},     {"cable", do_cable, 1},   {"off", do_off, 1},
    {"pause", do_pause, 1},   {"resume", do_resume, 1}, {"slow", do_slow, 1},
    {"count", do_count, ALL},
};

static int number_of(const char *name)
{
    const int number = *name == 'h' ? atoi(name + 1) : 0;

    return !strcmp(name, "login")               ? 0
           : !strcmp(name, "all")               ? ALL
           : number >= 1 && number <= cluster.n ? number
                                                : ALL - 1;
}

/* A request is one message: verb, host, folder, arguments, an empty end, environment, all ended by
 * NUL, with three descriptors. An argument has a mark before it, so that it may be empty. */
static int answer(int connection)
{
    static char text[MESSAGE];
    static char *words[MESSAGE / 2];
    union {
        // cppcheck-suppress unusedStructMember ; it is the room behind the header
        char space[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr header;
    } control;
    struct iovec vector = {text, sizeof text - 1};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    const ssize_t length = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    int fds[3];
    int n = 0;

    if (length <= 0 || message.msg_controllen < sizeof control) {
        return 1;
    }
    memcpy(fds, CMSG_DATA(&control.header), sizeof fds);
    for (int i = 0; i < 3; i++) {
        dup2(fds[i], i);
    }
    for (char *p = text; p < text + length; p += strlen(p) + 1) {
        words[n++] = *p ? p + 1 : NULL;
    }
    const int host = number_of(words[1]);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (!strcmp(actions[i].name, words[0]) && host >= actions[i].lowest) {
            return actions[i].run(host, words + 2, connection);
        }
    }
    fprintf(stderr, "host: no such request: %s %s; see the head of tests/hosts/hosts.c\n", words[0],
            words[1]);
    return 2;
}

static int listen_for_requests(void)
{
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = CONTROL};

    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) || listen(fd, 64)) {
        skip("%s", CONTROL);
    }
    return fd;
}

static void accept_request(int listener)
{
    const int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    if (connection >= 0 && fork() == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        const int status = answer(connection);
        _exit(write(connection, &status, sizeof status) != sizeof status);
    }
    close(connection);
}

/* --- The login node --- */

static void make_files(const char *program)
{
    static const char *const names[] = {"/run/hosts/bin/host", "/run/hosts/bin/ssh"};
    static char path[PATH_MAX + 32];
    char text[32 * (MAX_HOSTS + 2)];
    size_t length = 0;

    mount_new("tmpfs", "/run", 0, "mode=0755");
    mkdir("/run/hosts", 0755);
    mkdir("/run/hosts/bin", 0755);
    mkdir("/run/shared", 01777);
    length += (size_t)sprintf(text, "127.0.0.1 localhost\n" NETWORK ".254 login\n");
    for (int i = 1; i <= cluster.n; i++) {
        length += (size_t)sprintf(text + length, NETWORK ".%d h%d\n", i, i);
    }
    write_file("/run/hosts/hosts", text);
    if (mount("/run/hosts/hosts", "/etc/hosts", NULL, MS_BIND, NULL)) {
        skip("mounting /etc/hosts");
    }
    if (shell("cp '%s' %s && ln %s %s", program, names[0], names[0], names[1])) {
        skip("copying %s", program);
    }
    snprintf(path, sizeof path, "/run/hosts/bin:%s",
             getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    setenv("PATH", path, 1);
    unsetenv("TMPDIR");
}

static _Noreturn void run_login(char **command, const char *program, int parent)
{
    sigset_t child;
    struct pollfd life = {parent, 0, 0};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (poll(&life, 1, 0) != 0) {
        _exit(1); /* the parent was killed before the prctl */
    }
    cluster.pid[0] = getpid();
    if (sethostname("login", 5)) {
        skip("naming the login node");
    }
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
        skip("making mounts private");
    }
    make_files(program);
    if (cluster.options.slow) {
        start_switch();
    }
    mount_own();
    start_hosts();
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const int listener = listen_for_requests();
    const pid_t pid = fork();
    if (pid == 0) {
        execvp(command[0], command);
        fprintf(stderr, "hosts: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    set_title("login");
    sigprocmask(SIG_BLOCK, &child, NULL);
    const int ended = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    for (;;) {
        struct pollfd fds[] = {{listener, POLLIN, 0}, {ended, POLLIN, 0}};
        struct signalfd_siginfo info;
        int status;
        pid_t gone;
        while ((gone = waitpid(-1, &status, WNOHANG)) > 0) {
            if (gone == pid) {
                status = status_of(status);
                exit(report_losses() && status == 0 ? TAN_UNTRUSTED : status);
                /* and the kernel ends all others */
            }
        }
        poll(fds, 2, -1);
        if (fds[0].revents) {
            accept_request(listener);
        }
        (void)!read(ended, &info, sizeof info);
    }
}

static void become_root(void)
{
    const uid_t uid = geteuid();
    const gid_t gid = getegid();
    char text[64];

    if (uid == 0) {
        return;
    }
    if (unshare(CLONE_NEWUSER)) {
        skip("neither root nor a user namespace");
    }
    write_file("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "0 %u 1", (unsigned)uid);
    write_file("/proc/self/uid_map", text);
    snprintf(text, sizeof text, "0 %u 1", (unsigned)gid);
    write_file("/proc/self/gid_map", text);
}

/* --- The client --- */

static int request(char **words)
{
    static char text[MESSAGE];
    char folder[PATH_MAX];
    int fds[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    union {
        // cppcheck-suppress unusedStructMember ; it is the room behind the header
        char space[CMSG_SPACE(sizeof fds)];
        struct cmsghdr header;
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof fds),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = CONTROL};
    size_t n = 0;
    int status = 1;

    if (words[0] && !words[1] && !strcmp(words[0], "count")) {
        return request((char *[]){words[0], "all", NULL});
    }
    if (!words[0] || !words[1] || !getcwd(folder, sizeof folder)) {
        fprintf(stderr, "usage: host exec|cable|off|pause|resume|slow HOST [ARGUMENT]...\n"
                        "       host count [HOST]\n");
        return 2;
    }
    for (int i = 0; words[i] && n < sizeof text - PATH_MAX; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "+%s%c", words[i], 0);
        n += i == 1 ? (size_t)snprintf(text + n, sizeof text - n, "+%s%c", folder, 0) : 0;
    }
    text[n++] = '\0';
    for (int i = 0; environ[i] && n < sizeof text - 1; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "+%s%c", environ[i], 0);
    }
    if (n >= sizeof text - 1) {
        fprintf(stderr, "host: the command and its environment are too long\n");
        return 2;
    }
    text[n++] = '\0';
    memcpy(CMSG_DATA(&control.header), fds, sizeof fds);
    struct iovec vector = {text, n};
    const struct msghdr message = {.msg_iov = &vector,
                                   .msg_iovlen = 1,
                                   .msg_control = &control,
                                   .msg_controllen = sizeof control};
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) ||
        sendmsg(fd, &message, 0) < 0) {
        fprintf(stderr, "host: %s: %s\n", CONTROL, strerror(errno));
        return 1;
    }
    return read(fd, &status, sizeof status) == sizeof status ? status & 0xff : 1;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    char program[PATH_MAX] = "";
    int life[2];
    struct tan_error e = TAN_ERROR_INIT;
    int status;

    if (!strcmp(name, "host")) {
        return request(argv + 1);
    }
    if (!strcmp(name, "ssh")) {
        return ssh_call(argv + 1);
    }
    if (options_read(argc, argv, &cluster.options, &e) < 0 ||
        (cluster.options.payload > 0 && options_check_payload(&cluster.options, &e) < 0)) {
        fprintf(stderr, "hosts: %s\n%s", e.text, argc > 1 ? "" : USAGE);
        return TAN_USAGE;
    }
    cluster.n = cluster.options.n;
    if (shell("command -v ip >/dev/null")) {
        fprintf(stderr, "hosts: no cluster can be made here without ip (package iproute2)\n");
        return SKIPPED;
    }
    cluster.ports = mmap(NULL, SWITCH_PORTS * sizeof *cluster.ports, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cluster.ports == MAP_FAILED) {
        skip("memory");
    }
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 || pipe2(life, O_CLOEXEC)) {
        skip("this program");
    }
    cluster.title = argv[0];
    cluster.room = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[0]);
    become_root();
    if (unshare(NAMESPACES)) {
        skip("namespaces");
    }
    const pid_t pid = fork();
    if (pid < 0) {
        skip("a process namespace");
    }
    if (pid == 0) {
        close(life[1]);
        run_login(cluster.options.command, program, life[0]);
    }
    waitpid(pid, &status, 0);
    return status_of(status);
}
