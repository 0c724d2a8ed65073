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
    char topo[64];
    double wave;                    /* median, seconds */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not predicted */
};

/* Zero-initialised: empty. */
enum { TAN_MAX_CHECKS = 16 };
struct tan_checks {
    int n;
    struct tan_check row[TAN_MAX_CHECKS];
};

/* Mean absolute error of a model; NaN if there are no trees, or some that it does not predict. */
double tan_checks_error(const struct tan_checks *checks, int model);
/* The largest absolute error of the model of that name; NaN as above, or if it was not checked. */
double tan_checks_worst(const struct tan_checks *checks, const char *model);
/* Errors that differ by less do not tell tan-overlap from another model: 0.01 percentage points. */
#define TAN_CHECKS_SAME 1e-4
/* The model with the smallest error, the first of equals; tan-overlap, which also holds where
 * requests and answers overlap, if its error is the same. -1 if there is none. */
int tan_checks_best(const struct tan_checks *checks);

TAN_END_DECLS

#endif
