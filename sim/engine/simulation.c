/* simulation.c - results of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/simulation.h"

#include <stdlib.h>

void tan_simulation_clear(struct tan_simulation *r)
{
    free(r->rank_finish);
    free(r->phase);
    free(r->unexpected);
    free(r->unmatched);
    free(r->blocked);
    free(r->unfinished);
    free(r->history);
    *r = (struct tan_simulation){0};
}
