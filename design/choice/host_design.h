/* host_design.h - the best trees for processes that share the cores of one host (model tan-host)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_HOST_DESIGN_H
#define TAN_DESIGN_CHOICE_HOST_DESIGN_H

#include <stdbool.h>

#include "design/targets/thumb.h"
#include "model/machine/machine.h"
#include "topo/tree.h"

/* Name of the model, and its explanation for help texts. */
#define TAN_HOST_MODEL "tan-host"
#define TAN_HOST_HELP  "simulates processes that share the cores of one host (no cost of a level)"

/* Maximum number of processes that are simulated (larger trees are not considered), and of leaves
 * of a design. */
enum { TAN_HOST_PROCESSES = 1000, TAN_HOST_LEAVES = 400 };
/* Simulations whose fit misses its own trees by more than this share are not trustworthy. */
#define TAN_HOST_MAX_ERROR 0.25

/* A tree with its simulated wave. */
struct tan_host_tree {
    char spec[280];       /* for topo/spec.h */
    const char *rule;     /* that built it; NULL: a level-uniform tree */
    struct tan_plan plan; /* its times are 0: a simulation has no costs of levels */
    double wave;          /* seconds: half round trip */
    double slower;        /* share of the fastest choice's wave; negative is possible
                             outside the limits only */
    bool tied;            /* differs from the fastest choice by no more than `tie` */
    bool within_limits;   /* of the problem */
};

struct tan_host_design {
    struct tan_problem problem;        /* borrows the parameters */
    const struct tan_machine *machine; /* borrowed */
    double tie; /* share by which two waves may differ because the simulation errs: twice the error
                   of its fit, at least 5 % */
    struct tan_host_tree *choices; /* the recommended one first: of the ties the one with the fewest
                                      processes; after the ties by wave time */
    size_t n_choices, n_tied;
    size_t fastest;              /* of the choices */
    int64_t height;              /* all level-uniform trees with up to this many levels were
                                    simulated, and the best of TAN; 0: with any number of levels */
    struct tan_host_tree *rules; /* what rules of thumb build */
    size_t n_rules;
};

/* Fail, naming the file (NULL: there is none) and the way out, unless `machine` has what tan-host
 * needs: the parameters, the cores of a host, and messages of `bytes` (0: whatever was measured)
 * that do not grow. */
int tan_host_check(const struct tan_machine *machine, const char *file, int64_t bytes, bool grow,
                   struct tan_error *e);
/* Half a round trip of the tree in seconds, on one host with the machine's cores: as tanbench
 * places its processes (tan_placement_spread). At most TAN_HOST_PROCESSES. */
int tan_host_predict(const struct tan_machine *machine, const struct tan_tree *tree, double *wave,
                     struct tan_error *e);
/* Simulate all level-uniform trees within the limits of `problem`, where these are too many those
 * with few levels and the best ones under the problem's model; and what rules of thumb build. The
 * machine passes tan_host_check. At most TAN_HOST_LEAVES leaves; up to some seconds. */
int tan_host_design(const struct tan_problem *problem, const struct tan_machine *machine,
                    struct tan_host_design *out, struct tan_error *e);
void tan_host_design_clear(struct tan_host_design *d);

#endif
