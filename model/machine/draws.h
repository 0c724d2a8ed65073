/* draws.h - draws of parameters from their intervals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_DRAWS_H
#define MODEL_MACHINE_DRAWS_H

#include "model/machine/machine.h"

/* Give params that have intervals but no draws some: each parameter on its own, normal about its
 * value with a 95 % range as wide as the interval on either side, cut at 0; an unidentified one
 * anywhere in its interval. The same numbers in every run. */
int tan_params_draw(struct tan_params *params, struct tan_error *e);

#endif
