/* check.h - held-out trees, and the models' errors on them
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_MODEL_MACHINE_CHECK_H
#define TAN_MODEL_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/machine/doubt.h"

TAN_BEGIN_DECLS

/* The checked models, a subset of tan_models. */
enum { TAN_CHECK_TAN, TAN_CHECK_LOGP, TAN_CHECK_OVERLAP, TAN_CHECK_MODELS };
extern const char *const tan_check_models[TAN_CHECK_MODELS];

struct tan_check {
    char topo[64];                  /* spec of the tree, truncated */
    double wave;                    /* median, seconds */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not predicted */
};

enum { TAN_MAX_CHECKS = 64 };
/* Zero-initialised: empty. */
struct tan_checks {
    int n;
    struct tan_check row[TAN_MAX_CHECKS]; /* trees that no fit used */
    /* Trees that tell the models apart, those of the fits included, as fits without them predict
     * them; 0: not judged. */
    int trees;
    double error[TAN_CHECK_MODELS]; /* mean absolute error on these; NaN: not predicted */
    int best;                       /* the model that answers use by default */
    /* Mean absolute error on the waves that the model is fitted to; not written to files. */
    double own_error[TAN_CHECK_MODELS];
};

/* Errors above which a model's answers are doubted, whatever it was fitted to. */
#define TAN_CHECKS_MOST 0.05

/* checks->error of a model (TAN_CHECK_TAN...); NaN if none was judged. */
double tan_checks_error(const struct tan_checks *checks, int model);
/* The largest absolute error of the model of that name on the rows; NaN without rows, if it does
 * not predict all of them, or if it was not checked. */
double tan_checks_worst(const struct tan_checks *checks, const char *model);
/* Mean errors that differ by no more than this, 0.01 percentage points, count as equal for
 * tan-overlap. */
#define TAN_CHECKS_SAME 1e-4
/* Set checks->best to the model with the smallest error. Of equals tan-overlap, which also holds
 * where requests and answers overlap, else the first one. None: checks->trees becomes 0. */
void tan_checks_choose(struct tan_checks *checks);
/* Judge by the rows alone: for files that say nothing of other trees. */
void tan_checks_average(struct tan_checks *checks);
/* checks->best; -1 if none was judged. */
int tan_checks_best(const struct tan_checks *checks);
/* "tan, 2 % off on 18 trees left out of its fit (logp 40 %)"; false, and "", if the error of the
 * model of that name is unknown. */
enum { TAN_CHECKS_TEXT = 280 };
bool tan_checks_text(const struct tan_checks *checks, const char *model,
                     char text[TAN_CHECKS_TEXT]);
/* Print a line "Model: ..." about the best one; nothing if none was judged. */
void tan_checks_print(const struct tan_checks *checks, FILE *to);
/* Doubt the best model if it is further than TAN_CHECKS_MOST off its own waves, and the row that it
 * mispredicts most, if by more. `hosts` on which they were measured; 0: unknown. */
void tan_checks_doubt(const struct tan_checks *checks, int64_t hosts, struct tan_doubts *doubts);

TAN_END_DECLS

#endif
