/* check.h - held-out trees, and the models' errors on them
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_MODEL_MACHINE_CHECK_H
#define TAN_MODEL_MACHINE_CHECK_H

#include "base/error.h"

TAN_BEGIN_DECLS

/* The checked models, a subset of tan_models. */
enum { TAN_CHECK_TAN, TAN_CHECK_LOGP, TAN_CHECK_OVERLAP, TAN_CHECK_MODELS };
extern const char *const tan_check_models[TAN_CHECK_MODELS];

struct tan_check {
    char topo[64];                  /* spec of the tree, truncated */
    double wave;                    /* median, seconds */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not predicted */
};

enum { TAN_MAX_CHECKS = 16 };
/* Zero-initialised: empty. */
struct tan_checks {
    int n;
    struct tan_check row[TAN_MAX_CHECKS];
};

/* Mean absolute error of a model (TAN_CHECK_TAN...); NaN without trees, or if it does not predict
 * all of them. */
double tan_checks_error(const struct tan_checks *checks, int model);
/* The largest absolute error of the model of that name; NaN as above, or if it was not checked. */
double tan_checks_worst(const struct tan_checks *checks, const char *model);
/* Mean errors that differ by no more than this, 0.01 percentage points, count as equal for
 * tan-overlap. */
#define TAN_CHECKS_SAME 1e-4
/* The model with the smallest mean error. Of equals tan-overlap, which also holds where requests
 * and answers overlap, else the first one. -1 if no model predicts all trees. */
int tan_checks_best(const struct tan_checks *checks);

TAN_END_DECLS

#endif
