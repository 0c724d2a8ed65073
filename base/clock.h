/* clock.h - time: reading it, sleeping and computing for a while
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* All times are in seconds. Under a simulator (tanbench/machine) they are simulated. */

/* Since some fixed moment; monotonic, unadjusted in rate by more than NTP's slewing. */
double tan_clock_seconds(void);
/* Of a core's time that this thread has used. A system call. */
double tan_clock_cpu_seconds(void);
/* Of cores' time that this process has used. A system call. */
double tan_clock_process_seconds(void);

/* Sleep. The end may be late by the time that a wake-up takes; signals end it early. */
void tan_clock_sleep(double seconds);
/* Sleep until tan_clock_seconds is `instant`. */
void tan_clock_sleep_until(double instant);
/* Keep the core busy until tan_clock_seconds is `instant`. */
void tan_clock_compute_until(double instant);

#endif
