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
#include <unistd.h>

#include "base/error.h"

static char sentence[512];
static bool begun;

static void exit_at_deadline(int signum)
{
    (void)signum;
    if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0) {
        /* nowhere to report it */
    }
    _exit(TAN_FAILED);
}

static void set_timer(double seconds)
{
    const double whole = floor(seconds);
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
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
    set_timer(fmax(seconds, 1e-3));
}

void deadline_end(void)
{
    if (begun) {
        begun = false;
        set_timer(0);
    }
}
