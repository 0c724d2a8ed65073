/* rules.h - a target's settings for ranges of members and message sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_RULES_H
#define TAN_DESIGN_TARGETS_RULES_H

#include "design/targets/choose.h"

/* Most ends of ranges of members or sizes; a range is from one end to the next, without it. */
enum { TAN_RULES_ENDS = 64 };

enum tan_ruling {
    TAN_RULE_SETTING, /* the rule's setting is faster than the default */
    TAN_RULE_NO_GAIN, /* the default stays: no setting gains more than the model may err */
    TAN_RULE_NO_TREE, /* the default stays: it is no tree, so its time is not known */
};

/* What a target is told for a range of members and one of sizes; outside all ranges, nothing. */
struct tan_rule {
    int64_t members, members_most; /* inclusive */
    int64_t bytes, bytes_most;     /* inclusive */
    enum tan_ruling ruling;
    struct tan_setting setting; /* knob NULL: the default stays */
    int64_t max_fanout;         /* of the setting's trees */
    /* Over the members and sizes tried in the range: by what share the default's wave is longer
     * than the rule's, at least, and the rule's wave (or the default's, where that stays) longer
     * than that of the best setting, at most. NaN: not known. */
    double gain, regret;
};

/* The messages of one size. */
struct tan_rules_size {
    int64_t bytes;
    const struct tan_params *up, *down; /* with their payloads; may be equal */
};

struct tan_rules_problem {
    const struct tan_target *target;
    const struct tan_model *model;
    const int64_t *members; /* n_members ends, each at least 2 */
    size_t n_members;
    /* n_sizes, those that tan_rules_grid makes of the ends of sizes */
    const struct tan_rules_size *sizes;
    size_t n_sizes;
    /* The largest share by which predictions of the model may be wrong; NaN: not known, and every
     * gain counts. */
    double error;
};

struct tan_rules {
    const struct tan_target *target;
    int direction[2]; /* TAN_UP, TAN_DOWN or both */
    int n_ways;
    struct tan_rule *rule[2]; /* n[w] per way: by members, then by bytes; owned */
    size_t n[2];
};

/* What a decision's row limits. */
enum tan_rules_dimension { TAN_RULES_MEMBERS, TAN_RULES_BYTES };
/* Make the ends of ranges from n ascending values, n < TAN_RULES_ENDS: these, with the number after
 * the last one in its place, and where the target's default changes between them, so that every
 * range has one default. A single value is a range of its own. Returns the number of ends. */
size_t tan_rules_ends(const struct tan_target *target, enum tan_rules_dimension dimension,
                      const int64_t *values, size_t n, int64_t ends[TAN_RULES_ENDS]);

/* What is tried of each range: its first value, one between, and its last, at tried[3 i] and after.
 * Returns the number of entries, 3 (n - 1) for n ends. */
enum { TAN_RULES_TRIED = 3 * TAN_RULES_ENDS };
size_t tan_rules_grid(const int64_t *ends, size_t n, int64_t *tried);

/* By what share the default must take longer for a rule: that by which the ratio of two predictions
 * may be wrong. */
double tan_rules_margin(double error);

/* Choose the setting of every range: of those that are best at a point that is tried, and gain
 * enough at all of them, the one with the least regret. Neighbouring ranges with the same rules are
 * joined. */
int tan_rules_choose(const struct tan_rules_problem *problem, struct tan_rules *out,
                     struct tan_error *e);
void tan_rules_clear(struct tan_rules *rules);

#endif
