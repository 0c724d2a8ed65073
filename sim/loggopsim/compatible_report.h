/* compatible_report.h - results in LogGOPSim's format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_LOGGOPSIM_COMPATIBLE_REPORT_H
#define TAN_SIM_LOGGOPSIM_COMPATIBLE_REPORT_H

#include <stdio.h>

#include "sim/loggopsim/compatible.h"

/* Print the results of tan_simulate_compatible: a line with the parameters, then the finish time of
 * every host (LogGOPSim itself stops at 16 hosts), or if messages or receives are left, each host's
 * queue of them. */
void tan_compatible_print(const struct tan_schedule *s, const struct tan_sim_params *p,
                          const struct tan_simulation *r, const struct tan_compatible_times *times,
                          FILE *to);

#endif
