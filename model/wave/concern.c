/* concern.c - the doubts about a machine that concern an answer
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/concern.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "model/wave/payload.h"

bool tan_doubt_concerns(const struct tan_doubt *doubt, const struct tan_model *model,
                        const struct tan_params *params, int64_t fanout)
{
    if (doubt->most_fanout > 0 && (fanout < doubt->least_fanout || fanout > doubt->most_fanout)) {
        return false;
    }
    struct tan_params moved = *params;
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (doubt->touches & 1u << p) {
            moved.value[p] = 1.5 * moved.value[p] + 1e-6;
        }
    }
    return moved.value[TAN_C0] != params->value[TAN_C0] ||
           model->level(&moved, fanout) != model->level(params, fanout);
}

void tan_doubts_concerning(const struct tan_doubts *all, const struct tan_model *model,
                           const struct tan_params *params, int64_t fanout,
                           struct tan_doubts *found)
{
    for (int i = 0; i < all->n; i++) {
        if (tan_doubt_concerns(&all->row[i], model, params, fanout)) {
            const struct tan_doubts one = {1, {all->row[i]}};
            tan_doubts_join(found, &one);
        }
    }
}

void tan_doubt_handshakes(const struct tan_model *model, const struct tan_params *params,
                          int64_t leaves, struct tan_doubts *doubts)
{
    const int64_t limit = params->payload == NULL || model->node == NULL
                              ? -1
                              : tan_payload_offered_from(params->payload, leaves);
    char size[32];
    if (limit >= 0) {
        tan_doubts_add(doubts, "rendezvous", (double)limit, TAN_TOUCHES_ALL,
                       "messages longer than %s are sent by rendezvous, as no measured one was: "
                       "%s takes the handshake for a longer way",
                       tan_format_size(limit, size, sizeof size), model->name);
    }
}

void tan_doubt_sizes(const struct tan_model *model, const struct tan_params *params,
                     int64_t max_fanout, int64_t processes, struct tan_doubts *doubts,
                     struct tan_doubts *notes)
{
    const double far = 2.0; /* up to here a curve that fits may be continued */
    enum { LARGE = 100 };
    const struct tan_doubt growth = {.touches = 1u << TAN_B | 1u << TAN_C2};
    const int64_t widest = params->max_fanout;
    const double ratio = widest > 0 ? (double)max_fanout / (double)widest : 0.0;
    const double largest = fmax((double)widest, (double)params->max_height);
    if (ratio > 1.0 && tan_doubt_concerns(&growth, model, params, max_fanout)) {
        tan_doubts_add(ratio > far ? doubts : notes, "extrapolated", ratio, growth.touches,
                       "a fanout of %" PRId64 " is beyond %" PRId64
                       ", the largest that was measured",
                       max_fanout, widest);
    }
    if (largest > 0.0 && (double)processes > LARGE * largest) {
        tan_doubts_add(notes, "large", (double)processes / largest, TAN_TOUCHES_ALL,
                       "no tree of more than %.0f processes was measured; times of larger ones "
                       "follow from the model",
                       largest + 1.0);
    }
}
