/* core_probe.c - how fast two cores are at the moment, without a message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/core_probe.h"

#include <math.h>

#include "base/clock.h"

double pace_work(void)
{
    enum { STEPS = 8000 };
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    const double begin = clock_seconds();
    for (uint64_t i = 0; i < STEPS; i++) {
        /* As many additions at once as a core can do. They are more than fit into a cycle and a
         * half, so that how the loop lies in memory does not count. */
        a += b ^ i;
        b += 7;
        c ^= a + i;
        d += i;
        e ^= d;
        f += e;
        __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f)); /* no shortcut */
    }
    return clock_seconds() - begin;
}

/* Wait until so many turns have been taken. */
static bool await(const struct pace_line *line, uint64_t turns, double deadline)
{
    while (atomic_load_explicit(&line->turns, memory_order_acquire) < turns) {
        if (clock_seconds() > deadline) {
            return false;
        }
    }
    return true;
}

static void take(struct pace_line *line, uint64_t turn)
{
    atomic_store_explicit(&line->turns, turn, memory_order_release);
}

double pace_pass(struct pace_line *line, uint64_t before, bool begins)
{
    const double patience = 1e-3;
    const double deadline = clock_seconds() + patience;
    double from = NAN;
    if (begins) {
        take(line, before + 1);
    }
    for (uint64_t turn = begins ? 2 : 1; turn <= PACE_TURNS; turn += 2) {
        if (!await(line, before + turn, deadline)) {
            return NAN;
        }
        if (turn == 2) { /* both are there now */
            from = clock_seconds();
        }
        if (turn < PACE_TURNS) {
            take(line, before + turn + 1);
        }
    }
    return (clock_seconds() - from) / (PACE_TURNS - 2);
}
