/* setting_answer.h - answer for one target: setting, tree, constants and configuration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_SETTING_ANSWER_H
#define TAN_DESIGN_SYSTEMS_SETTING_ANSWER_H

#include "design/systems/export.h"
#include "design/systems/failures.h"

struct tan_target_answer {
    struct tan_target_problem problem; /* borrows what it points to */
    bool given;                   /* the setting or tree was given, so it is not the best one */
    bool exported;                /* the tree was given */
    struct tan_export export[2];  /* per direction, if `exported` */
    struct tan_target_way way[2]; /* up or both; then down, if it has a setting of its own */
    /* The best setting per direction, where the default comes first all the same, because what that
     * loses is no more than the model may err (tan_default_margin), or a given one that is slower;
     * else its knob is NULL. */
    struct tan_priced instead[2];
    /* With a probability that processes are down, way[].priced[0] is chosen by expected waves, and
     * this is the one with the shortest wave without them. */
    struct tan_setting shortest[2];
    struct tan_setting_failure failure[2][TAN_SETTING_FAILURES]; /* per direction */
    int n_failures[2];
    int n_ways;
    /* Per direction, seconds of the best tree of any shape, if the target cannot build it and its
     * best setting is slower; else NaN. */
    double any_shape[2];
    /* The tree that the target builds per direction, in its own numbering; NULL if it has more than
     * TAN_TARGET_LISTED processes. A given tree that is built as it is is borrowed. */
    const struct tan_tree *tree[2];
    struct tan_tree *built[2];     /* the others; owned */
    int64_t flat_until;            /* the largest N for which a flat tree is best; 0 for one way */
    struct tan_interval flat_ci95; /* low > high if unknown */
    char *configuration;           /* complete, with comments; owned */
};

/* Largest tree that is built for listing. */
enum { TAN_TARGET_LISTED = 1 << 20 };

/* What is given besides the problem; NULL members are not. Borrows everything. */
struct tan_target_wish {
    const struct tan_setting *setting; /* evaluate this instead of the best */
    const struct tan_tree *tree;       /* find the setting that builds this tree, or the nearest */
    const char *const *hosts; /* names of n_hosts hosts for the processes, in the target's order and
                                 without a root that is not a member; a host of several ranks is
                                 named for each of them */
    size_t n_hosts;
};

/* Fails if there are too few hosts, or the target cannot use their names. */
int tan_target_answer(const struct tan_target_problem *problem, const struct tan_target_wish *wish,
                      struct tan_target_answer *out, struct tan_error *e);
void tan_target_answer_clear(struct tan_target_answer *answer);
/* Whether the answer for a direction is the default, which was not asked for. */
bool tan_target_keeps(const struct tan_target_answer *answer, int way);
/* Append notes: which hosts the ranks are assumed on, what one-way times are assumed from,
 * and when the target builds another tree. */
void tan_target_add_notes(const struct tan_target_answer *answer, struct tan_doubts *doubts);

/* Fail unless N is given in the way the target counts: as `leaves` or as `members`, the other being
 * 0. */
int tan_target_check_count(const struct tan_target *target, int64_t leaves, int64_t members,
                           const struct tan_model *model, const struct tan_params *params,
                           struct tan_error *e);

/* The constant for the setting that `way` puts first, in its unit; NaN if the machine file lacks
 * it. *ci95: its interval over the draws of the parameters; low > high if unknown. */
double tan_term_value(const struct tan_term *term, const struct tan_target_problem *problem,
                      const struct tan_target_way *way, struct tan_interval *ci95);

/* The cost of a child beyond the first, averaged over the `fanout` leaves of a process; with a
 * single one, of a second. Seconds. */
double tan_term_child(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout);

#endif
