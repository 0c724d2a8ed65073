/* work.h - filter work that takes a given CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_WORK_H
#define TAN_BENCH_PLAN_WORK_H

/* Multiply small matrices until this thread has used `seconds` of CPU time (not wall-clock time,
 * since filters of ranks on a shared core do not run at the same time). Exceeds it by at most one
 * product and one reading of the clock, about a microsecond; returns at once for 0. */
void tan_work_for(double seconds);

#endif
