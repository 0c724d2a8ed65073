/* trust.c - how far an answer may be relied on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/trust.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "design/choice/host_design.h"

/* Fanouts up to this many times the largest measured one follow from a curve that fits there. */
static const double far = 2.0;

/* An answer, for what is asked of its levels. */
struct answer {
    const struct tan_model *model;
    const struct tan_params *params;
    struct tan_trust *trust;
    int64_t max_fanout, processes;
};

static bool touches_level(const struct tan_doubt *doubt, const struct answer *answer,
                          int64_t fanout)
{
    if (doubt->most_fanout > 0 && (fanout < doubt->least_fanout || fanout > doubt->most_fanout)) {
        return false;
    }
    struct tan_params moved = *answer->params;
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (doubt->touches & 1u << p) {
            moved.value[p] = 1.5 * moved.value[p] + 1e-6;
        }
    }
    const bool once = moved.value[TAN_C0] != answer->params->value[TAN_C0];
    return once ||
           answer->model->level(&moved, fanout) != answer->model->level(answer->params, fanout);
}

/* Take over the doubts that touch a level. */
static void touch(const struct tan_doubts *doubts, const struct answer *answer, int64_t fanout)
{
    for (int i = 0; i < doubts->n; i++) {
        if (touches_level(&doubts->row[i], answer, fanout)) {
            const struct tan_doubts one = {1, {doubts->row[i]}};
            tan_doubts_join(&answer->trust->doubts, &one);
        }
    }
}

/* Sizes beyond the measured ones. */
static void extrapolate(const struct answer *answer)
{
    enum { LARGE = 100 };
    const unsigned growth = 1u << TAN_B | 1u << TAN_C2;
    const int64_t widest = answer->params->max_fanout;
    const int64_t tallest = answer->params->max_height;
    const double ratio = widest > 0 ? (double)answer->max_fanout / (double)widest : 0.0;
    const double largest = fmax((double)widest, (double)tallest);
    /* growth matters to the answer when it does at its widest node */
    const struct tan_doubt grows = {.touches = growth};
    if (ratio > 1.0 && touches_level(&grows, answer, answer->max_fanout)) {
        tan_doubts_add(
            ratio > far ? &answer->trust->doubts : &answer->trust->notes, "extrapolated", ratio,
            growth, "a fanout of %" PRId64 " is beyond %" PRId64 ", the largest that was measured",
            answer->max_fanout, widest);
    }
    if (largest > 0.0 && (double)answer->processes > LARGE * largest) {
        tan_doubts_add(&answer->trust->notes, "large", (double)answer->processes / largest,
                       TAN_TOUCHES_ALL,
                       "no tree of more than %.0f processes was measured; times of larger ones "
                       "follow from the model",
                       largest + 1.0);
    }
}

static void doubt_choice(const struct tan_design *d, struct tan_doubts *doubts)
{
    char rival[300] = "";
    char decide[64] = "";
    char fanouts[256];
    const struct tan_choice *choice = &d->choices[0];
    if (!(choice->loss > TAN_TRUSTED_LOSS)) {
        return;
    }
    if (d->n_heights > 1) {
        snprintf(rival, sizeof rival, ", such as %.60s",
                 tan_plan_fanouts(&d->heights[1].plan, fanouts, sizeof fanouts));
    }
    if (d->decide[0] != '\0') {
        snprintf(decide, sizeof decide, "; measure %s to decide", d->decide);
    }
    tan_doubts_add(doubts, "undecided", choice->loss, TAN_TOUCHES_ALL,
                   "the parameters are too uncertain: this tree may be %.0f %% slower than the "
                   "best%s%s",
                   100.0 * choice->loss, rival, decide);
}

void tan_trust_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_trust *trust)
{
    const struct tan_plan *plan = &d->choices[0].plan;
    const struct answer answer = {d->problem.model, d->problem.params, trust, plan->max_fanout,
                                  plan->processes};
    *trust = (struct tan_trust){.doubts = {.n = 0}};
    for (int i = 0; i < plan->height; i++) {
        touch(&machine->doubts, &answer, plan->fanout[i]);
    }
    extrapolate(&answer);
    doubt_choice(d, &trust->doubts);
}

void tan_trust_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_trust *trust)
{
    *trust = (struct tan_trust){.doubts = {.n = 0}};
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        const struct answer answer = {model, &machine->tan, trust, f->max_fanout, f->processes};
        for (int32_t k = 0; k < f->prediction.levels; k++) {
            if (k == 0 || f->prediction.level[k].fanout != f->prediction.level[k - 1].fanout) {
                touch(&machine->doubts, &answer, f->prediction.level[k].fanout);
            }
        }
        extrapolate(&answer);
    }
}

void tan_trust_host(const struct tan_machine *machine, struct tan_trust *trust)
{
    const double error = machine->host.error;
    *trust = (struct tan_trust){.doubts = {.n = 0}};
    if (error > TAN_HOST_MAX_ERROR) {
        tan_doubts_add(&trust->doubts, "host-error", error, TAN_TOUCHES_ALL,
                       "the simulation misses the trees that it was fitted to by %.0f %% on "
                       "average; calibrate again when nothing else uses the cores",
                       100 * error);
    }
}
