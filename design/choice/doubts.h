/* doubts.h - what is doubted of an answer about trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_DOUBTS_H
#define TAN_DESIGN_CHOICE_DOUBTS_H

#include "design/choice/compare.h"
#include "design/choice/design.h"
#include "design/choice/fanouts.h"
#include "design/choice/forecast.h"
#include "model/machine/machine.h"

TAN_BEGIN_DECLS

/* Loss in 95 of 100 draws beyond which a recommendation is doubted. */
#define TAN_TRUSTED_LOSS 0.1

/* All append to `doubts`. */

/* Those of the machine's doubts that concern the recommended tree, what of it goes beyond the sizes
 * that were measured, and that it may be more than TAN_TRUSTED_LOSS slower than the best. */
void tan_doubt_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_doubts *doubts);
/* What is to be said of `n` trees beside it. */
void tan_doubt_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_doubts *doubts);
void tan_doubt_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_doubts *doubts);
/* The same for the predicted times of `n` trees, and where the parameters that they depend on are
 * not identified. */
void tan_doubt_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_doubts *doubts);

TAN_END_DECLS

#endif
