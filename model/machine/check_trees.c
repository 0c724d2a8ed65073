/* check_trees.c - held-out trees, and the models' errors on them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

const char *const tan_check_models[TAN_CHECK_MODELS] = {
    [TAN_CHECK_TAN] = "tan",
    [TAN_CHECK_LOGP] = "logp",
    [TAN_CHECK_OVERLAP] = "tan-overlap",
};

/* Whether an error is more than TAN_CHECKS_MOST as it is printed, with one decimal. */
static bool is_beyond(double error)
{
    return 100 * fabs(error) > 100 * TAN_CHECKS_MOST + 0.05;
}

double tan_checks_error(const struct tan_checks *checks, int model)
{
    return checks->trees > 0 ? checks->error[model] : NAN;
}

void tan_checks_choose(struct tan_checks *checks)
{
    const double overlap = checks->error[TAN_CHECK_OVERLAP];
    double least = INFINITY;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        if (checks->error[m] < least) {
            least = checks->error[m];
            checks->best = m;
        }
    }
    if (overlap <= least + 1e-4 || (overlap <= 2 * least && !is_beyond(overlap))) {
        checks->best = TAN_CHECK_OVERLAP;
    }
    checks->trees = isinf(least) ? 0 : checks->trees;
}

void tan_checks_average(struct tan_checks *checks)
{
    checks->trees = checks->n;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        checks->error[m] = 0;
        for (int i = 0; i < checks->n; i++) {
            checks->error[m] += fabs(checks->row[i].error[m]) / checks->n;
        }
    }
    tan_checks_choose(checks);
}

int tan_checks_best(const struct tan_checks *checks)
{
    return checks->trees > 0 ? checks->best : -1;
}

/* TAN_CHECK_MODELS if it is none of them. */
static int find_model(const char *model)
{
    int m = 0;
    while (m < TAN_CHECK_MODELS && strcmp(tan_check_models[m], model) != 0) {
        m++;
    }
    return m;
}

double tan_checks_mean(const struct tan_checks *checks, const char *model)
{
    const int m = find_model(model);
    return m == TAN_CHECK_MODELS ? NAN : tan_checks_error(checks, m);
}

double tan_checks_margin(double error)
{
    return error >= 1.0 ? INFINITY : fmax(2 * error / (1 - error), 0.0); /* 0 for NaN */
}

double tan_checks_may_err(const struct tan_checks *checks, const char *model)
{
    const int m = find_model(model);
    if (m == TAN_CHECK_MODELS || checks->n == 0) {
        return tan_checks_mean(checks, model);
    }
    double worst = 0.0;
    for (int i = 0; i < checks->n; i++) {
        const double error = fabs(checks->row[i].error[m]);
        if (isnan(error)) {
            return NAN;
        }
        worst = fmax(worst, error);
    }
    return worst;
}

struct tan_text tan_checks_text(const struct tan_checks *checks, const char *model)
{
    struct tan_text others = {""};
    double own = NAN;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        const double error = tan_checks_error(checks, m);
        if (strcmp(tan_check_models[m], model) == 0) {
            own = error;
        } else if (!isnan(error)) {
            others = tan_printed("%s%s%s %s", others.text, *others.text != '\0' ? ", " : " (",
                                 tan_check_models[m], tan_share_text(error).text);
        }
    }
    if (isnan(own)) {
        return (struct tan_text){""};
    }
    return tan_printed("%s, %s off on %d tree%s%s left out of its fit%s%s", model,
                       tan_share_text(own).text, checks->trees, checks->trees == 1 ? "" : "s",
                       checks->processes > 0
                           ? tan_printed(" of up to %" PRId64 " processes", checks->processes).text
                           : "",
                       others.text, *others.text != '\0' ? ")" : "");
}

void tan_checks_print(const struct tan_checks *checks, FILE *to)
{
    if (checks->trees == 0) {
        return;
    }
    const struct tan_text text = tan_checks_text(checks, tan_check_models[checks->best]);
    if (*text.text != '\0') {
        fputs("Model: ", to);
        tan_text_wrap(to, text.text, 7, 7);
    }
}

void tan_checks_doubt(const struct tan_checks *checks, int64_t hosts, bool racks,
                      struct tan_doubts *doubts)
{
    const int best = tan_checks_best(checks);
    const struct tan_check *uneven =
        best == TAN_CHECK_OVERLAP || *checks->uneven.topo == '\0' ? NULL : &checks->uneven;
    const struct tan_check *worst = uneven;
    for (int i = 0; i < checks->n && best >= 0; i++) {
        const struct tan_check *check = &checks->row[i];
        if (worst == NULL || fabs(check->error[best]) > fabs(worst->error[best])) {
            worst = check;
        }
    }
    if (best >= 0 && is_beyond(checks->own_error[best])) {
        tan_doubts_add(doubts, TAN_DOUBT, "misfit", checks->own_error[best], TAN_TOUCHES_ALL,
                       "%s, the best model, is %.1f %% off the waves that it was fitted to",
                       tan_check_models[best], 100 * checks->own_error[best]);
    }
    if (best >= 0 && worst != NULL && is_beyond(worst->error[best])) {
        tan_doubts_add(
            doubts, TAN_DOUBT, "check", worst->error[best], TAN_TOUCHES_ALL,
            "%s, which no fit%s%s used, is predicted %+.1f %% off by %s, the best model%s",
            worst->topo, worst == uneven ? " of " : "",
            worst == uneven ? tan_check_models[best] : "", 100 * worst->error[best],
            tan_check_models[best],
            hosts <= 1 ? ""
            : racks    ? ": shared links, or unlike hosts?"
                       : ": shared links, or unlike hosts? If they are in racks, calibrate with "
                         "--racks FILE");
    }
}
