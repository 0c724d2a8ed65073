/* design_doubts.h - doubts about answers on trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_DESIGN_DOUBTS_H
#define TAN_DESIGN_CHOICE_DESIGN_DOUBTS_H

#include "design/choice/design.h"
#include "design/choice/forecast.h"
#include "model/machine/machine.h"

/* Loss in 95 of 100 draws above which a recommendation is doubted. */
#define TAN_TRUSTED_LOSS 0.1

/* All functions append to `doubts`. */

/* The machine's doubts that concern the recommended tree, its excess over the measured sizes,
 * handshakes, and a possible loss of more than TAN_TRUSTED_LOSS. */
void tan_doubt_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_doubts *doubts);
/* The same, without the loss, for `n` trees that are compared with it. */
void tan_doubt_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_doubts *doubts);
/* The same for every fanout of the table, and its tree if it has one. */
void tan_doubt_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_doubts *doubts);
/* The same for the predicted times of `n` trees, and doubts about unidentified parameters that
 * matter for them. */
void tan_doubt_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_doubts *doubts);

#endif
