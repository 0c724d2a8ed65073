/* stop.c - requests to stop: signals, and waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/stop.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tanbench/ranks/world.h"

/* Process-wide, since signal handlers take no argument. */
static struct {
    volatile sig_atomic_t signum; /* 0: no signal */
    double since;                 /* time when stop_check noticed it; 0: not yet */
    struct rank_slot *slot;       /* of this rank */
} stop;

static void record_signal(int signum)
{
    stop.signum = signum;
}

/* Open MPI's mpirun kills all ranks of a host a second after sending SIGTERM, or as soon as one of
 * them ends: if ranks ended at once, rank 0 would have no time to save results and report. */
static void leave_soon(int signum)
{
    (void)signum;
    atomic_store(&stop.slot->signalled, true);
    alarm(1);
}

static void exit_late(int signum)
{
    (void)signum;
    _exit(TAN_FAILED);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

void stop_install(const struct world *world)
{
    struct sigaction action = {.sa_handler = world->rank == 0 ? record_signal : leave_soon};
    stop.slot = &world->slots[world->peers[world->rank].local];
    sigemptyset(&action.sa_mask);
    /* exceeding a file size limit is an error, like a full disk */
    signal(SIGXFSZ, SIG_IGN);
    /* so is a closed pipe */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, exit_late);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], &action, NULL);
    }
}

void stop_uninstall(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
    }
}

bool stop_requested(void)
{
    return stop.signum != 0;
}

/* Seconds between two signals of the timer. They are counted instead of reading a clock: a process
 * that was stopped, as batch systems do, gets one of them for all of that time. */
enum { TICK = 1 };

static char sentence[512];
static volatile sig_atomic_t begun;
static double limit;
static volatile double left; /* seconds */

static void set_timer(time_t seconds)
{
    const struct itimerval timer = {.it_interval = {.tv_sec = seconds},
                                    .it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void count_tick(int signum)
{
    (void)signum;
    left -= TICK;
    if (!begun || left > 0) {
        return;
    }
    if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0) {
        /* nowhere to report it */
    }
    _exit(TAN_FAILED);
}

void deadline_begin(double seconds, const char *format, ...)
{
    const int room = (int)sizeof sentence - 1;
    va_list arguments;
    deadline_end();
    if (seconds <= 0) {
        return;
    }
    *sentence = '\0';
    if (format != NULL) {
        int n = snprintf(sentence, sizeof sentence, "tanbench: ");
        va_start(arguments, format);
        n += vsnprintf(sentence + n, sizeof sentence - (size_t)n, format, arguments);
        va_end(arguments);
        n = n < room ? n : room - 1;
        sentence[n] = '\n';
        sentence[n + 1] = '\0';
    }
    signal(SIGALRM, count_tick);
    left = limit = seconds;
    begun = true;
    set_timer(TICK);
}

void deadline_renew(void)
{
    left = limit + TICK; /* of which a part has passed */
}

void deadline_end(void)
{
    if (begun) {
        begun = false;
        set_timer(0);
    }
}

/* Set `e` and return -1 shortly before the deadline, which ends. */
static int deadline_check(struct tan_error *e)
{
    if (!begun || left > DEADLINE_GRACE) {
        return 0;
    }
    deadline_end();
    return tan_fail(e, DEADLINE_PASSED, limit - DEADLINE_GRACE);
}

/* Seconds that rank 0 gives the current wave to end after a signal, unless other ranks of its host
 * have received it, too, and end soon. Less than mpirun allows before it kills ranks. */
#define GRACE_SECONDS 0.5

static bool some_rank_was_signalled(const struct world *world)
{
    for (int i = 0; i < world->local_size; i++) {
        if (atomic_load(&world->slots[i].signalled)) {
            return true;
        }
    }
    return false;
}

int stop_check(const struct world *world, struct tan_error *e)
{
    if (world->rank != 0) {
        return 0;
    }
    if (!stop.signum) {
        return deadline_check(e);
    }
    double now = tan_clock_seconds();
    stop.since = stop.since > 0 ? stop.since : now;
    if (some_rank_was_signalled(world) || now > stop.since + GRACE_SECONDS) {
        return tan_fail(e, "interrupted");
    }
    return 0;
}
