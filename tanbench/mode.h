/* mode.h - what makes waves: modes as rows of one table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MODE_H
#define TANBENCH_MODE_H

#include <stdbool.h>
#include <stdio.h>

#include "tanbench/cell_run.h"
#include "tanbench/sampling.h"

struct results;

struct mode {
    const char *name, *help;
    bool clocks; /* leaves' times are needed: their clocks are compared with the root's */
    bool pushes; /* after a closed loop leaves push waves up by themselves */
    /* Rank 0: measure a tree; the others follow and are done afterwards. What was measured before
     * an error stays in *m. */
    int (*lead)(struct cell_run *run, struct measurement *m, struct tan_error *e);
    /* Every other rank of the tree. */
    int (*follow)(struct cell_run *run, struct tan_error *e);
    /* The table of its results. */
    void (*print)(const struct results *r, FILE *to);
};

/* A row with name NULL ends the table. */
extern const struct mode modes[];
/* *mode becomes the number of a row. */
int mode_find(const char *name, int *mode, struct tan_error *e);
void mode_help(FILE *to);

/* The whole of a tree's measurement: clocks, the mode's own part, what came of its packets. */
int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_follow(struct cell_run *run, struct tan_error *e);

/* The rows' functions that are in files of their own. */
int sync_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int timed_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int timed_follow(struct cell_run *run, struct tan_error *e);
/* Takes results of streams at the root (stream_sink); `context` is the cell_run. */
int timed_sink(void *context, const struct packet *result, struct tan_error *e);
/* From all ranks' reports: what the pushing took. */
void timed_conclude(const struct cell_run *run, const struct report *reports,
                    struct measurement *m);

#endif
