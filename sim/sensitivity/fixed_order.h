/* fixed_order.h - schedules whose order of service does not depend on costs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_FIXED_ORDER_H
#define TAN_SIM_SENSITIVITY_FIXED_ORDER_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Whether CPUs and NICs serve operations in the same order, and messages match the same receives,
 * whatever the costs in `p`: the dependencies of each rank leave its operations a single order, no
 * resource is shared by ranks, nothing matches wildcards, and messages of a channel have the same
 * latency and overhead, so that they arrive in the order in which they are sent. The finish time is
 * then the greatest of sums of costs that are the same for all costs. True is certain; false is
 * not: other schedules can have a fixed order, too. O(operations + dependencies). */
int tan_order_is_fixed(const struct tan_schedule *s, const struct tan_sim_params *p, bool *fixed,
                       struct tan_error *e);

#endif
