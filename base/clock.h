/* clock.h - reading the time, sleeping, busy-waiting
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CLOCK_H
#define TAN_BASE_CLOCK_H

/* All times are in seconds. Under a simulator (tanbench/ranks/machine.h) they are simulated. */

/* Time since an arbitrary fixed point; monotonic, its rate adjusted only by NTP slewing. */
double tan_clock_seconds(void);
/* CPU time of this thread. Takes a system call. */
double tan_clock_cpu_seconds(void);

/* Sleep. May end late by the wake-up latency, or early on a signal. */
void tan_clock_sleep(double seconds);
/* Sleep until tan_clock_seconds is `instant`. */
void tan_clock_sleep_until(double instant);
/* Keep the core busy until tan_clock_seconds is `instant`. */
void tan_clock_compute_until(double instant);

#endif
