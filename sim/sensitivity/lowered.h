/* lowered.h - costs of messages less as much of one as all of them have
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_SIM_SENSITIVITY_LOWERED_H
#define TAN_SIM_SENSITIVITY_LOWERED_H

#include "sim/sensitivity/cost.h"

TAN_BEGIN_DECLS

/* The cost in a link, in the units of struct tan_sample. */
double tan_cost_of(const struct tan_link *link, enum tan_cost cost);
/* The least value of it in all links of `p`: by so much it can be lowered in all of them. Of o that
 * of receivers counts, too. */
double tan_cost_least(const struct tan_sim_params *p, enum tan_cost cost);

/* A response begins with nothing added. With these parameters it begins below the original costs,
 * which are then reached with `by` added. */
struct tan_lowered {
    struct tan_sim_params params; /* its sizes are those below */
    struct tan_sized_link *sizes; /* owned; NULL if there are none */
};
/* `p` with `by` less of a cost in all links, at most tan_cost_least. */
int tan_lowered_make(const struct tan_sim_params *p, enum tan_cost cost, double by,
                     struct tan_lowered *out, struct tan_error *e);
void tan_lowered_clear(struct tan_lowered *l);

TAN_END_DECLS

#endif
