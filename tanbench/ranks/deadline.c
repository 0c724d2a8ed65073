/* deadline.c - time limit for waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/deadline.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char sentence[512];
static bool begun;
static double limit;
static volatile double due;

/* base/clock.h may be a simulated clock. */
static double real_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_timer(double seconds)
{
    const double whole = floor(seconds);
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void exit_at_deadline(int signum)
{
    (void)signum;
    const double left = due - real_seconds();
    if (left > 0) { /* it was renewed */
        set_timer(fmax(left, 1e-3));
        return;
    }
    if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0) {
        /* nowhere to report it */
    }
    _exit(TAN_FAILED);
}

void deadline_begin(double seconds, const char *format, ...)
{
    const double longest = 1e8; /* limit for a timer, three years */
    const int room = (int)sizeof sentence - 1;
    va_list arguments;

    deadline_end();
    if (seconds <= 0 || seconds > longest) {
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
    signal(SIGALRM, exit_at_deadline);
    begun = true;
    limit = seconds;
    due = real_seconds() + limit;
    set_timer(fmax(seconds, 1e-3));
}

void deadline_renew(void)
{
    if (begun) {
        due = real_seconds() + limit;
    }
}

int deadline_check(struct tan_error *e)
{
    if (!begun || real_seconds() < due - DEADLINE_GRACE) {
        return 0;
    }
    deadline_end();
    return tan_fail(e, DEADLINE_PASSED, limit - DEADLINE_GRACE);
}

void deadline_end(void)
{
    if (begun) {
        begun = false;
        set_timer(0);
    }
}
