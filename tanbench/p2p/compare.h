/* compare.h - measured one-way times compared with a machine file's predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_COMPARE_H
#define TAN_TANBENCH_P2P_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "model/machine/machine.h"
#include "tanbench/p2p/values.h"
#include "tanbench/sampling/p2p_samples.h"

struct p2p_comparison {
    const struct p2p_measurement *measured;
    const struct tan_machine *machine;
    const char *file;
    json_t *environment; /* of this job */
    double seconds;      /* age of the machine file's measurement; NaN if unknown, or simulated */
    double *one_way;     /* per size, seconds; owned */
    double *predicted;   /* per model and size, seconds; NaN if the file lacks a parameter; owned */
    struct p2p_errors errors[TAN_P2P_MODELS]; /* none of models that lack a size's parameters */
    int own;                                  /* the model plogp, the machine file's own table */
    /* Whether one-way times are those of the table, within 20 % on average. Otherwise errors are of
     * no model, and only those of plogp are shown. */
    bool repeats;
};

/* All arguments are borrowed while `c` is in use. Always clear `c`. */
int p2p_compare(struct p2p_comparison *c, const struct p2p_measurement *measured,
                const struct tan_machine *machine, const char *file, json_t *environment,
                struct tan_error *e);
void p2p_comparison_clear(struct p2p_comparison *c);
/* Whether interference affected too many samples, now or in the machine file. */
bool p2p_comparison_disturbed(const struct p2p_comparison *c);
void p2p_comparison_print(const struct p2p_comparison *c, FILE *to);
/* `tan-p2p-validation/1`, to be completed and finished by the caller. */
json_t *p2p_comparison_json(struct tan_json_writer *w, const struct p2p_comparison *c);

#endif
