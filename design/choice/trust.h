/* trust.h - how far an answer may be relied on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_TRUST_H
#define TAN_DESIGN_CHOICE_TRUST_H

#include "design/choice/compare.h"
#include "design/choice/design.h"
#include "design/choice/fanouts.h"
#include "design/choice/forecast.h"
#include "model/machine/machine.h"

TAN_BEGIN_DECLS

/* Loss in 95 of 100 draws beyond which a recommendation is doubted. */
#define TAN_TRUSTED_LOSS 0.1

struct tan_trust {
    struct tan_doubts doubts; /* reasons not to rely on the answer */
    struct tan_doubts notes;  /* what it rests on beyond what was measured; no reason to doubt it */
};

/* Those of the machine's doubts that touch the recommended tree's time, and what the design itself
 * raises: fanouts more than twice as large as the largest that was measured, and a tree that may be
 * more than TAN_TRUSTED_LOSS slower than the best. */
void tan_trust_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_trust *trust);
/* Add what is to be said of `n` trees beside it. */
void tan_trust_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_trust *trust);
/* The same for any tree by its largest fanout and its processes; `params`: the machine's, with the
 * messages that are asked about. */
void tan_trust_size(int64_t max_fanout, int64_t processes, const struct tan_model *model,
                    const struct tan_params *params, const struct tan_machine *machine,
                    struct tan_trust *trust);
void tan_trust_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_trust *trust);
/* The same for the predicted times of `n` trees, and where the parameters that they depend on are
 * not identified. */
void tan_trust_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_trust *trust);

TAN_END_DECLS

#endif
