/* work.h - filter work of a given CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_WORK_H
#define BENCH_PLAN_WORK_H

/* Multiply small matrices until this thread has used `seconds` of a core's time (not of the wall's:
 * filters of ranks that share a core do not run at once). Over by no more than a product and a
 * look at the clock, about a microsecond; returns at once for 0. */
void tan_work_for(double seconds);

#endif
