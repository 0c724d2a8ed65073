/* recovery.h - a wave that was interrupted by failures, and its recovery
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_SAMPLING_RECOVERY_H
#define TAN_BENCH_SAMPLING_RECOVERY_H

#include <stdint.h>

#include "bench/plan/leaf_set.h"

/* A process that did not answer in time. Sent as it is. */
struct silent {
    int32_t node;
    int32_t parent; /* which waited for it */
    double waited;  /* seconds, from the request's arrival at that parent */
};

/* Parts of a recovery, one after the other. */
enum recovery_step {
    STEP_WAVE,   /* the request and the answers, until the last process silent was given up */
    STEP_TREE,   /* every process gets its new parent, and says so */
    STEP_RESEND, /* the request for the leaves missing, through the new parents */
    STEPS
};
extern const char *const tan_recovery_step_names[STEPS]; /* "notice", "reparent", "resend" */

struct step {
    int32_t kind;  /* enum recovery_step */
    int32_t found; /* processes found silent */
    double seconds;
};

/* Owned by the measurement. Several failures may be found one after the other; each repeats the
 * steps. */
struct recovery {
    int32_t wave;
    int n_steps, n_silent;
    struct step *steps;
    struct silent *silent;    /* in the order in which they were found */
    struct leaf_set partial;  /* leaves in the result when the first failure was noticed */
    struct leaf_set complete; /* leaves in the wave's result */
    int part; /* of the cell's measurements, each of which begins with the whole tree; set by
                 tan_results_add */
};

/* Seconds of all steps of `kind`, or (STEPS) of all. */
double tan_recovery_seconds(const struct recovery *r, int kind);
/* 0, or -1 if memory is short. */
int tan_recovery_copy(struct recovery *to, const struct recovery *from);
void tan_recovery_clear(struct recovery *r);

#endif
