/* step.c - progress through the steps of a measurement
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/step.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "bench/plan/duration.h"
#include "tanbench/host/progress.h"

/* Seconds between lines that replace each other, and lines that stay. */
static const double often = 0.5;
static const double seldom = 60.0;

static void print_line(const struct p2p_step *s, double left, const char *what)
{
    char duration[32];
    char end[32];
    char far[96];
    if (isfinite(left)) {
        snprintf(far, sizeof far, "about %s left, until %s",
                 tan_format_duration(left, duration, sizeof duration),
                 tan_format_end(left, time(NULL), end, sizeof end));
    } else {
        snprintf(far, sizeof far, "about %s after it",
                 tan_format_duration(s->later, duration, sizeof duration));
    }
    if (progress_on_terminal()) {
        progress_show("[step %d of %d, %s] %s", s->number, s->of, far, what);
    } else {
        fprintf(stderr, "tanbench: step %d of %d, %s: %s\n", s->number, s->of, far, what);
    }
}

void p2p_step_show(const struct p2p_step *s, double left, const char *format, ...)
{
    static double shown = -INFINITY; /* time of the last line */
    static int number;               /* its step */
    const double now = tan_clock_seconds();
    const double all = isnan(left) ? NAN : fmax(left, 0.0) + s->later;
    char what[96];
    va_list arguments;
    const bool kept = !progress_on_terminal();
    if (kept && shown < 0.0) {
        shown = now; /* no line in the first minute */
    }
    const bool begins = !kept && s->number != number;
    if (!s->shown || (!begins && now - shown < (kept ? seldom : often))) {
        return;
    }
    shown = now;
    number = s->number;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    print_line(s, all, what);
}

void p2p_step_hide(const struct p2p_step *s)
{
    if (s->shown) {
        progress_show(NULL);
    }
}
