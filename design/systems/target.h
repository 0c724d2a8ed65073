/* target.h - systems that build their own trees, as table rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_TARGET_H
#define TAN_DESIGN_SYSTEMS_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "design/search/baselines.h"
#include "model/wave/wave.h"
#include "topo/tree.h"

/* What the number N counts. */
enum tan_population {
    TAN_LEAVES_APART, /* leaves; internal processes are additional (MRNet) */
    TAN_ALL_MEMBERS,  /* all processes, of which some are internal (Slurm, Flux, MPI) */
};

/* Children whose subtrees have equal size. */
struct tan_branch {
    int64_t size;  /* >= 1; processes of the subtree if all are members, else leaves below */
    int64_t count; /* >= 1; number of such children */
    /* The `depth` passed to the children's split; 0: their parent's plus one. Where the shape
     * depends on more than size and depth, a negative number can encode the rest. */
    int depth;
    bool falling; /* of the children of this size these are the last ones, by falling numbers;
                     else the first ones, by rising numbers */
};
enum { TAN_BRANCHES = TAN_CHILDREN_KINDS };

/* One setting of a target: a width, a radix, a keyword. */
struct tan_knob {
    /* The setting up to its value, "TreeWidth=" or "kary:"; all of it if it takes no value,
     * "binomial". NULL ends a table. */
    const char *name;
    const char *help; /* NULL: only a default, which no setting selects */
    /* Allowed values; most 0: takes no value, and `split` and `parents` are called with `least`. */
    int64_t least, most;
    int directions; /* TAN_UP, TAN_DOWN or both */
    /* What the target does with other values, to complete a sentence ("64 is used, with a
     * warning"); NULL: it refuses them too. */
    const char *outside;
    /* The children, in the order in which they are sent to, of a process whose subtree has `size` >
     * 1 (including the process if all are
     * members), `depth` hops below the root, or the number in its branch (depth 0: `size` is that
     * of the whole tree). Describes what the target builds by sizes alone. `out` has TAN_BRANCHES
     * entries; returns how many are used. NULL: the target accepts any tree. O(branches). */
    int (*split)(int64_t value, int64_t size, int depth, struct tan_branch *out);
    /* The same tree in the target's numbering, if that is not breadth first: parents[i] for
     * processes 0 .. n - 1, -1 for the root. NULL: breadth first, from split. O(n). */
    void (*parents)(int64_t value, int32_t n, int32_t *parents);
};

/* A row of a table from a macro, which clang-format lays out as a call. */
#define TAN_TABLE_ROW(...)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define TAN_NO_KNOB TAN_TABLE_ROW(NULL, NULL, 0, 0, 0, NULL, NULL, NULL)

/* A setting: a knob and its value. */
struct tan_setting {
    const struct tan_knob *knob; /* NULL if none */
    int64_t value;
};

/* By the name: rows of targets that share decisions have tables of knobs of their own. */
static inline bool tan_setting_same(const struct tan_setting *a, const struct tan_setting *b)
{
    return a->value == b->value &&
           (a->knob == b->knob ||
            (a->knob != NULL && b->knob != NULL && strcmp(a->knob->name, b->knob->name) == 0));
}

/* A built-in or recommended setting. */
struct tan_default {
    const char *name;                 /* "default since 23.11"; NULL ends a table */
    int knob;                         /* index into the target's knobs */
    int64_t value;                    /* if the rule is a constant */
    int64_t (*rule)(int64_t members); /* otherwise; NULL: use value */
    /* If it is also a common rule of thumb elsewhere: the name of that rule, and its tree for
     * separate leaves; else NULL. */
    const char *thumb;
    tan_baseline *tree;
};

/* The default of a target whose choice depends on the question. The first row that matches
 * applies; the last row of a table always matches. */
struct tan_decision {
    int64_t members;             /* matches fewer members, root included; 0: any number */
    int64_t bytes;               /* matches smaller messages; 0: any size */
    const struct tan_knob *knob; /* NULL if the default is no tree */
    int64_t value;
    const char *name; /* of a default that is no tree: "bcast=scatter-allgather"; else NULL */
};

/* A setting that the target silently ignores or interprets unexpectedly. */
struct tan_trap {
    const char *start;  /* prefix of such settings; NULL ends a table */
    const char *reason; /* a clause: "coll/tuned builds its reduce trees with 2 children" */
};

/* A constant of the formula by which the system's documentation chooses a setting. */
struct tan_term {
    const char *name;    /* "alpha"; NULL ends a table */
    const char *unit;    /* "us"; "" for a plain number */
    const char *meaning; /* "a level without its children" */
    /* In that unit, for the setting's value; NaN if the machine file does not contain it. If the
     * parameters have no payload, messages have the measured size. */
    double (*value)(const struct tan_model *model, const struct tan_params *params,
                    int64_t setting);
};

/* Of MPI libraries. */
#define TAN_MPI_JOB_ENDS                                                                           \
    "The whole job ends, unless the program handles errors (the default is MPI_ERRORS_ARE_FATAL) " \
    "and the launcher lets the others live (Open MPI since 5.0: --with-ft ulfm; MPICH: "           \
    "-disable-auto-cleanup). (MPI_Comm_call_errhandler(3) and the page on ULFM of Open MPI 5.0)"

/* Input for writing a configuration; borrows everything. */
struct tan_answer {
    const struct tan_target *target;
    struct tan_setting up, down; /* equal if one setting covers both directions */
    int64_t members;
    const struct tan_tree *tree; /* for a target that accepts any tree; else NULL */
    const char *const *host;     /* name per process; NULL: unknown, placeholders are written */
};

struct tan_rules;

/* Timeouts for a process that is down, with a subtree of this height (0: a leaf) and of so many
 * processes, itself included, in a tree whose largest fanout is `fanout`. */
typedef int64_t tan_timeouts(int32_t height, int32_t processes, int32_t fanout);

/* A system, or a range of its versions. */
struct tan_target {
    /* "slurm" for the newest version that is out, "slurm@24.05" for those up to 24.05 */
    const char *name;
    const char *title; /* "Slurm" */
    struct {
        const char *newest; /* the last version that a row without one in its name holds for,
                               "26.11"; NULL if it is the only row and of no known version */
        const char *oldest; /* the first version that the row holds for; NULL: all before it, too */
    } versions;
    const char *help; /* its settings, in one line */
    struct {
        enum tan_population population;
        const char *member; /* what N counts: "nodes below the controller" */
        bool ranks;         /* whether members are ranks, several of which may run on one host */
        bool root_apart;    /* if all are members: whether the root is not one of the N */
    } counts;
    /* What settings for the way up, and for the way down, govern: "MPI_Reduce", "MPI_Bcast". A
     * setting for both is priced for the first, and then the second over the same tree. Both NULL:
     * a wave is a request and its answers, of which half is priced. */
    const char *operation[2];
    const char *also_down; /* what else goes down the tree of a setting for the way up; or NULL */
    int senders;           /* messages that a process sends down at the same time; 0: one */
    const struct tan_knob *knobs; /* in listing order */
    /* The default, up and down; NULL if it is always the first of `defaults`. */
    const struct tan_decision *decisions[2];
    struct {
        /* What replaces this default, up and down, where several hosts run several ranks each:
         * "coll/han"; NULL if nothing does. */
        const char *by[2];
        bool evenly;     /* only if all these hosts run equally many */
        const char *off; /* if it also comes before all settings: what switches it off; or NULL */
    } shared;
    const struct tan_default *defaults; /* the built-in one and what its documentation advises */
    const struct tan_trap *traps;       /* NULL if none */
    const char *note; /* when it builds another tree than these settings say; NULL: never */
    /* Write the complete configuration; comments say where each part goes, and all other lines can
     * be used as they are. -1 with an error. */
    int (*write)(const struct tan_answer *answer, FILE *to, struct tan_error *e);
    /* The same for ranges of members and sizes; NULL: a setting holds for all sizes. */
    void (*write_rules)(const struct tan_rules *rules, FILE *to);
    struct {
        const char *formula;          /* from its documentation; NULL if there is none */
        const struct tan_term *terms; /* the constants of the formula; NULL without one */
    } own;
    struct {
        /* What it does when a process of its tree fails, how long others wait, and where that is
         * from; NULL: not known. */
        const char *how;
        /* Seconds that others wait for a process that is down, by default, and how often one after
         * the other, never fewer than for one below it; 0: not known, NULL: once. */
        double timeout;
        tan_timeouts *timeouts;
    } fails;
    /* Prefix of comments in its configuration: "#"; NULL if it has none. */
    const char *comment;
    const char *read_back; /* how a user can check which tree was built */
};
/* Rows are defined as tan_target_NAME in design/systems/rows, where the Makefile finds them. */
extern const struct tan_target *const tan_targets[]; /* sorted by name; NULL-terminated */

#endif
