/* setting.h - settings of targets in text form, and rules of thumb
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_SETTING_H
#define TAN_DESIGN_SYSTEMS_SETTING_H

#include "base/text.h"
#include "design/systems/target.h"

/* "slurm" is the row without a version, "slurm@22.05" the one for that version, or the only one of
 * a system. NULL with an error if the name or the version is unknown, the known ones listed. */
const struct tan_target *tan_target_find(const char *name, struct tan_error *e);
/* The name that `word` is probably meant to be; .name is NULL if none is near. */
struct tan_nearest tan_target_nearest(const char *word);
/* Whether `row`, found for the name `asked`, stands for a version that is not known to behave like
 * it: the only row of its system, and not of that version. */
bool tan_target_only_one(const struct tan_target *row, const char *asked);

/* "TreeWidth=4" */
struct tan_text tan_setting_text(const struct tan_setting *setting);
/* The knob's value that puts all members directly below the root, or its largest one. */
int64_t tan_setting_widest(const struct tan_knob *knob, int64_t members);
/* Borrows nothing of `text`. Errors list what the target accepts, or how it treats a value it does
 * not. */
int tan_setting_parse(const struct tan_target *target, const char *text, struct tan_setting *out,
                      struct tan_error *e);
/* The target's default in one direction or both, for N members and messages of `bytes` bytes. If
 * that is no tree, or not known, out->knob is NULL. Returns the name of a default that is no tree,
 * "bcast=scatter-allgather", else NULL. */
const char *tan_target_default(const struct tan_target *target, int direction, int64_t members,
                               int64_t bytes, struct tan_setting *out);
/* The setting of a row of its table of defaults; a value outside the knob's range becomes its
 * nearest end. */
struct tan_setting tan_setting_default(const struct tan_target *target,
                                       const struct tan_default *row, int64_t members);

/* Print the targets and their settings for help texts. */
void tan_target_help(FILE *to);

/* Rules of thumb */

enum { TAN_THUMBS = 32 }; /* upper bound on the number of rules */

/* A rule for choosing the fanout. In Slurm, PRRTE and Flux the inner nodes are members of the tree;
 * here every rule serves the same number of leaves with separate internal processes, so that only
 * shapes are compared. For a system's exact trees see design/systems/rows. */
struct tan_thumb {
    const char *name; /* "Slurm, TreeWidth 16" */
    const char *help; /* "default since 23.11" */
    tan_baseline *tree;
    int64_t width;                    /* if the rule is a constant */
    int64_t (*rule)(int64_t members); /* otherwise; NULL: use width */
};

/* All rules: the targets' defaults that serve as rules, then shapes. `out`: TAN_THUMBS entries.
 * Returns their number. */
size_t tan_thumbs(struct tan_thumb *out);
/* The rule's tree for `leaves` leaves, as by its function, with the rule's width for them. */
void tan_thumb_tree(const struct tan_thumb *thumb, int64_t leaves, struct tan_plan *plan);
void tan_thumb_help(FILE *to);

#endif
