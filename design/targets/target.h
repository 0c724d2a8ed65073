/* target.h - systems that build trees of their own, as rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_TARGET_H
#define TAN_DESIGN_TARGETS_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "design/search/baselines.h"
#include "model/wave/wave.h"

/* What the number N of a question counts. */
enum tan_population {
    TAN_LEAVES_APART, /* leaves; internal processes come besides (MRNet, STAT) */
    TAN_ALL_MEMBERS,  /* processes of which some are internal ones as well (Slurm, Flux, MPI) */
};

/* Children whose subtrees are of one size. */
struct tan_branch {
    int64_t size;  /* >= 1; of all members: processes of the subtree; else the leaves below */
    int64_t count; /* >= 1: how many such children */
    int depth;     /* what the children's split gets as its depth; 0: one more than their parent's.
                      Of a tree whose shape needs more than the sizes a number of its own. */
};
enum { TAN_BRANCHES = TAN_CHILDREN_KINDS };

/* Directions that a setting decides about. */
enum tan_direction { TAN_UP = 1, TAN_DOWN = 2 };

/* One thing that a target can be told: a width, a radix, a keyword. */
struct tan_knob {
    /* As the setting is written, up to its value: "TreeWidth=", "kary:"; the whole of it where
     * there is no value: "binomial". NULL ends a table. */
    const char *name;
    const char *help;
    int64_t least, most; /* values; most 0: there is none */
    int directions;      /* TAN_UP, TAN_DOWN or both */
    /* What the target does with a value outside, as the rest of a sentence ("64 is used, with a
     * warning"); NULL: it refuses it, too. */
    const char *outside;
    /* The children of a process whose subtree has `size` > 1, itself included where all are
     * members, `depth` hops below the root (depth 0: `size` is that of the whole tree): what the
     * target builds, by its sizes alone. Into `out`, TAN_BRANCHES entries; returns how many are
     * used. NULL: the target takes every tree. O(branches). */
    int (*split)(int64_t value, int64_t size, int depth, struct tan_branch *out);
    /* The same tree in the target's numbering, where that is not breadth first: parents[i] for the
     * processes 0 .. n - 1, -1 for the root. NULL: breadth first, by split. O(n). */
    void (*parents)(int64_t value, int32_t n, int32_t *parents);
};

/* A setting: a knob and its value. */
struct tan_setting {
    const struct tan_knob *knob; /* NULL: none */
    int64_t value;
};

/* A setting that the target has by itself, or that its documents or users advise. */
struct tan_default {
    const char *name;                 /* "default since 23.11"; NULL ends a table */
    int knob;                         /* index into the target's knobs */
    int64_t value;                    /* of a rule that is one number */
    int64_t (*rule)(int64_t members); /* else; NULL: value */
    /* Of those that people take for a rule of thumb elsewhere, too: the name of that, and its tree
     * for leaves apart; else NULL. */
    const char *thumb;
    tan_baseline *tree;
};

/* A setting that the target would silently ignore, or that does something else than it says. */
struct tan_trap {
    const char *start;  /* settings that begin so; NULL ends a table */
    const char *reason; /* a clause: "coll/tuned builds its reduce trees with 2 children" */
};

/* A constant of the formula by which the system's own documents choose a setting. */
struct tan_term {
    const char *name;    /* "alpha"; NULL ends a table */
    const char *unit;    /* "us"; "": a number */
    const char *meaning; /* "a level without its children" */
    /* In that unit, for the setting's value; NaN: the machine file does not say. Without a payload
     * in the parameters messages are as measured. */
    double (*value)(const struct tan_model *model, const struct tan_params *params,
                    int64_t setting);
};

/* What a configuration is written from. */
struct tan_answer {
    const struct tan_target *target;
    struct tan_setting up, down; /* the same where one setting decides about both */
    int64_t members;
    /* The tree of a target that takes every tree: `processes` parents in any order, -1 the root;
     * else NULL. */
    const int32_t *parents;
    int32_t processes;
    const char *const *host; /* by process; NULL: not known, and then the target's names of tests */
};

struct tan_target {
    const char *name;  /* "slurm" */
    const char *title; /* "Slurm" */
    const char *help;  /* what it can be told, a line */
    enum tan_population population;
    const char *member;                 /* what N counts: "nodes below the controller" */
    bool root_apart;                    /* of all members: the root is not one of the N */
    const struct tan_knob *knobs;       /* in the order in which they are listed */
    const struct tan_default *defaults; /* the first is what the target does untold */
    const struct tan_trap *traps;       /* NULL: none */
    /* Write the configuration, complete and commented: what goes where. The lines that are not
     * comments are those that count. */
    int (*write)(const struct tan_answer *answer, FILE *to, struct tan_error *e);
    const char *formula;          /* of its documents; NULL: they have none */
    const struct tan_term *terms; /* the constants of the formula */
    const char *comment;          /* how its comments begin: "#"; NULL: it has none */
    const char *read_back;        /* how a user sees which tree was really built */
};
/* Every file of this folder with a row in it has one called tan_target_NAME. */
extern const struct tan_target *const tan_targets[]; /* NULL ends it; by name */

#endif
