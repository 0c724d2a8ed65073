/* deadline.c - time limit for waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/deadline.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

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

int deadline_check(struct tan_error *e)
{
    if (!begun || left > DEADLINE_GRACE) {
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
