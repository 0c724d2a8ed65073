/* design_doubts.c - doubts about answers on trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/design_doubts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/wave/wave_doubts.h"

static void doubt_choice(const struct tan_design *d, struct tan_doubts *doubts)
{
    char rival[300] = "";
    char decide[64] = "";
    char fanouts[256];
    const struct tan_choice *choice = &d->choices[0];
    if (!(choice->loss > TAN_TRUSTED_LOSS)) {
        return;
    }
    if (d->levels.n > 1) {
        snprintf(rival, sizeof rival, ", such as %.60s",
                 tan_plan_fanouts(&d->levels.height[1].plan, fanouts, sizeof fanouts));
    }
    if (d->levels.decide[0] != '\0') {
        snprintf(decide, sizeof decide, "; measure %s to decide", d->levels.decide);
    }
    tan_doubts_add(doubts, TAN_DOUBT, "undecided", choice->loss, TAN_TOUCHES_ALL,
                   "the parameters are too uncertain: this tree may be %.0f %% slower than the "
                   "best%s%s",
                   100.0 * choice->loss, rival, decide);
}

void tan_doubt_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_doubts *doubts)
{
    const struct tan_model *model = d->problem.model;
    const struct tan_params *params = d->problem.params;
    const struct tan_plan *plan = &d->choices[0].plan;
    for (int i = 0; i < plan->height; i++) {
        tan_doubt_fanout(plan->fanout[i], model, params, machine, doubts);
    }
    tan_doubt_size(plan->max_fanout, plan->processes, 0, model, params, machine, doubts);
    tan_doubt_handshakes(plan->below[0], model, params, doubts);
    doubt_choice(d, doubts);
}

void tan_doubt_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_doubts *doubts)
{
    for (size_t i = 0; i < n; i++) { /* those about the machine come first */
        tan_doubt_fanout(compared[i].max_fanout, model, &machine->tan, machine, doubts);
    }
    for (size_t i = 0; i < n; i++) {
        tan_doubt_tree(compared[i].max_fanout, compared[i].max_below, compared[i].processes, 0,
                       model, &machine->tan, machine, doubts);
    }
}

void tan_doubt_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_doubts *doubts)
{
    for (int i = 0; i < TAN_FANOUTS; i++) { /* those about the machine come first */
        tan_doubt_fanout(rows[i].fanout, model, &machine->tan, machine, doubts);
    }
    for (int i = 0; i < TAN_FANOUTS; i++) {
        const struct tan_plan *plan = &rows[i].plan;
        tan_doubt_tree(rows[i].fanout, plan->height > 0 ? plan->below[0] : 1, plan->processes, 0,
                       model, &machine->tan, machine, doubts);
    }
}

/* Whether a fit without a latency suffices for the model's levels: it knows only the sum L + 2a. */
static bool needs_only_sum(const struct tan_model *model, const struct tan_params *params)
{
    struct tan_params moved = *params;
    moved.value[TAN_L] += params->value[TAN_A];
    moved.value[TAN_A] /= 2.0;
    const double level = model->level(params, 2);
    return tan_params_split(params) && fabs(model->level(&moved, 2) - level) <= 1e-9 * level;
}

/* A tree's times under draws of its levels' parameters, if those are not identified; else none. */
static struct tan_interval possible_times(const struct tan_forecast *f,
                                          const struct tan_model *model,
                                          const struct tan_params *params)
{
    struct tan_interval times = {INFINITY, 0.0};
    bool unidentified = false;
    for (int p = 0; p < TAN_PARAMS; p++) {
        unidentified = unidentified || (params->unidentified[p] && p != TAN_G &&
                                        !(p == TAN_L && needs_only_sum(model, params)));
    }
    for (int i = 0; i < params->n_draws && unidentified && params->payload == NULL; i++) {
        const struct tan_params moved = tan_params_drawn(params, i);
        double wave = moved.value[TAN_C0];
        for (int32_t k = 0; k < f->prediction.levels; k++) {
            wave += model->level(&moved, f->prediction.level[k].fanout);
        }
        times.low = fmin(times.low, wave);
        times.high = fmax(times.high, wave);
    }
    return times;
}

/* Doubt the times of trees for which draws of unidentified parameters give very different ones;
 * the doubt names the worst. */
static void doubt_times(const struct tan_forecast *forecasts, size_t n,
                        const struct tan_model *model, const struct tan_params *params,
                        struct tan_doubts *doubts)
{
    const double most = 1.0 + TAN_TRUSTED_LOSS;
    struct tan_interval widest = {1.0, 1.0};
    const char *spec = NULL;
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        const struct tan_interval times = possible_times(&forecasts[i], model, params);
        if (!(times.high > most * times.low)) {
            continue;
        }
        others += spec != NULL;
        if (spec == NULL || times.high / times.low > widest.high / widest.low) {
            widest = times;
            spec = forecasts[i].spec;
        }
    }
    if (spec != NULL) {
        char more[64] = "";
        if (others > 0) {
            snprintf(more, sizeof more, ", and of %zu other%s", others, others > 1 ? "s" : "");
        }
        tan_doubts_add(doubts, TAN_DOUBT, "not-identified", widest.high / widest.low,
                       TAN_TOUCHES_ALL,
                       "the data do not identify the time of %.60s%s under %s: %.4g to %.4g us",
                       spec, more, model->name, 1e6 * widest.low, 1e6 * widest.high);
    }
}

void tan_doubt_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_doubts *doubts)
{
    for (size_t i = 0; i < n; i++) { /* those about the machine come first */
        const struct tan_forecast *f = &forecasts[i];
        for (int32_t k = 0; k < f->prediction.levels; k++) {
            if (k == 0 || f->prediction.level[k].fanout != f->prediction.level[k - 1].fanout) {
                tan_doubt_fanout(f->prediction.level[k].fanout, model, &machine->tan, machine,
                                 doubts);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        tan_doubt_tree(f->max_fanout, f->max_below, f->processes, f->hosts, model, &machine->tan,
                       machine, doubts);
    }
    doubt_times(forecasts, n, model, &machine->tan, doubts);
}
