/* clock.c - clocks of real machines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct timespec timespec_of(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    return t;
}

double tan_clock_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double tan_clock_cpu_seconds(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void tan_clock_sleep(double seconds)
{
    const struct timespec t = timespec_of(seconds);
    nanosleep(&t, NULL);
}

void tan_clock_sleep_until(double instant)
{
    const struct timespec t = timespec_of(instant);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

void tan_clock_compute_until(double instant)
{
    while (tan_clock_seconds() < instant) {
    }
}
