/* response_internal.h - parts of a search for the finish time as a function
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_RESPONSE_INTERNAL_H
#define TAN_SIM_SENSITIVITY_RESPONSE_INTERNAL_H

#include "sim/sensitivity/response.h"

/* Whether T is known between two samples: nothing lies between them, or a line. */
bool tan_response_known(const struct tan_response *r, const struct tan_sample *a,
                        const struct tan_sample *b);
/* By how much T at `b` misses the line of `a`. */
double tan_response_miss(enum tan_cost cost, const struct tan_sample *a,
                         const struct tan_sample *b);
/* Set everything in `r` that follows from its samples, of which the range ends in the last one, or
 * where T reaches `limit`. */
int tan_response_join(struct tan_response *r, double limit, struct tan_error *e);

#endif
