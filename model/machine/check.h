/* check.h - trees that no fit used, and how far the models are off them
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_MACHINE_CHECK_H
#define MODEL_MACHINE_CHECK_H

#include "base/error.h"

TAN_BEGIN_DECLS

/* The models that are checked, by the names of tan_models. */
enum { TAN_CHECK_TAN, TAN_CHECK_LOGP, TAN_CHECK_OVERLAP, TAN_CHECK_MODELS };
extern const char *const tan_check_models[TAN_CHECK_MODELS];

struct tan_check {
    char topo[64];
    double wave;                    /* median, seconds */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not predicted */
};

/* Zero is none. */
enum { TAN_MAX_CHECKS = 16 };
struct tan_checks {
    int n;
    struct tan_check row[TAN_MAX_CHECKS];
};

/* The mean absolute error of a model; NaN unless it predicts every tree, and there is one. */
double tan_checks_error(const struct tan_checks *checks, int model);
/* The model of the least one; of equal ones the first; -1: there is none. */
int tan_checks_best(const struct tan_checks *checks);

TAN_END_DECLS

#endif
