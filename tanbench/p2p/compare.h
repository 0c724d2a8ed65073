/* compare.h - comparison of one-way times with a machine file's predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_COMPARE_H
#define TANBENCH_P2P_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "bench/sampling/p2p_samples.h"
#include "model/machine/machine.h"

struct p2p_comparison {
    const struct p2p_measurement *measured;
    const struct tan_machine *machine;
    const char *file;
    json_t *environment; /* of this job */
    double seconds;      /* since the machine file was measured; NaN: unknown */
    double *one_way;     /* by size, seconds; owned */
    double *predicted;   /* by model and size, the same; NaN: the file lacks a parameter; owned */
    struct {
        double mean, worst; /* absolute, as shares; NaN: no predictions */
    } errors[TAN_P2P_MODELS];
};

/* Compare; all arguments are borrowed for as long as `c` is in use. Clear it in any case. */
int p2p_compare(struct p2p_comparison *c, const struct p2p_measurement *measured,
                const struct tan_machine *machine, const char *file, json_t *environment,
                struct tan_error *e);
void p2p_comparison_clear(struct p2p_comparison *c);
/* Interference, now or while the machine file was measured. */
bool p2p_comparison_disturbed(const struct p2p_comparison *c);
void p2p_comparison_print(const struct p2p_comparison *c, FILE *to);
/* `tan-p2p-validation/1`; NULL: memory is short. */
json_t *p2p_comparison_json(const struct p2p_comparison *c);

#endif
