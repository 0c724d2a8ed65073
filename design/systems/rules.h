/* rules.h - a target's settings for ranges of members and message sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_RULES_H
#define TAN_DESIGN_SYSTEMS_RULES_H

#include "design/systems/choose.h"

/* Most ends of ranges of members or sizes. A range extends from one end to the next, exclusive. */
enum { TAN_RULES_ENDS = 64 };

enum tan_ruling {
    TAN_RULE_SETTING, /* the rule's setting is faster than the default */
    TAN_RULE_NO_GAIN, /* keep the default: no setting gains more than the model's error */
    TAN_RULE_NO_TREE, /* keep the default: it is not a tree, so its time is unknown */
    TAN_RULE_OFFERED, /* keep the default: messages wait for receivers, unlike measured ones */
};

/* The setting for a range of members and a range of message sizes. Outside of all ranges the target
 * keeps its default. */
struct tan_rule {
    int64_t members, members_most; /* inclusive */
    int64_t bytes, bytes_most;     /* inclusive */
    enum tan_ruling ruling;
    struct tan_setting setting; /* knob NULL: keep the default */
    int64_t max_fanout;         /* of the setting's trees, or the default's */
    int64_t max_below;          /* payloads in the longest message of these trees */
    /* The smallest of the default's wave time / the setting's - 1 over the members and sizes tried
     * in the range; NaN if the default is kept. */
    double gain;
    /* The largest of its wave time / the best setting's - 1, also if the default is kept; NaN if
     * that is not a tree, or not measured. */
    double regret;
};

/* The messages of one size. */
struct tan_rules_size {
    int64_t bytes;
    const struct tan_params *up, *down; /* with their payloads; may be equal */
};

struct tan_rules_problem {
    const struct tan_target *target;
    const struct tan_model *model;
    bool network;           /* as in struct tan_target_problem */
    const int64_t *members; /* n_members ends of ranges, ascending, each at least 2 */
    size_t n_members;
    /* n_sizes entries, as tan_rules_grid lists them for the ends of sizes */
    const struct tan_rules_size *sizes;
    size_t n_sizes;
    /* Largest relative error of the model's predictions; NaN: unknown, and every gain counts. */
    double error;
};

struct tan_rules {
    const struct tan_target *target;
    int direction[2]; /* TAN_UP, TAN_DOWN or both */
    int n_ways;
    struct tan_rule *rule[2]; /* n[w] for direction[w], by members, then by bytes; owned */
    size_t n[2];
};

/* Which limit of a struct tan_decision. */
enum tan_rules_dimension { TAN_RULES_MEMBERS, TAN_RULES_BYTES };
/* Make the ends of ranges from `n` ascending values, 1 <= n < TAN_RULES_ENDS: the values, the last
 * one plus 1 so that its range includes it, and, as far as they fit, all numbers between them at
 * which the target's default changes, so that every range has one default. A single value becomes a
 * range of its own. Returns the number of ends. */
size_t tan_rules_ends(const struct tan_target *target, enum tan_rules_dimension dimension,
                      const int64_t *values, size_t n, int64_t ends[TAN_RULES_ENDS]);
/* Insert `value` into `n` ends if it lies between them and there is room; the new number. */
size_t tan_rules_insert(int64_t ends[TAN_RULES_ENDS], size_t n, int64_t value);

/* The values at which settings are compared: of range i its first value, the geometric mean and its
 * last value, from tried[3 i] on. Returns the number of entries, 3 (n - 1) for n ends. */
enum { TAN_RULES_TRIED = 3 * TAN_RULES_ENDS };
size_t tan_rules_grid(const int64_t *ends, size_t n, int64_t *tried);

/* Choose the setting of every range: among the settings that are best for one of the members and
 * sizes tried, and whose gain exceeds the margin for all of them, the one with the least regret. At
 * the members and size with the smallest gain, that gain must also exceed the margin in 97.5 % of
 * the draws of the parameters. Adjacent ranges with the same rules are joined. After an error
 * nothing needs to be cleared. */
int tan_rules_choose(const struct tan_rules_problem *problem, struct tan_rules *out,
                     struct tan_error *e);
void tan_rules_clear(struct tan_rules *rules);

#endif
