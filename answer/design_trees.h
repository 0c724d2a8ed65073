/* design_trees.h - levels and trees of a design: the best, by rules of thumb, and given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_DESIGN_TREES_H
#define TAN_ANSWER_DESIGN_TREES_H

#include "answer/answer.h"

/* A level. Times are seconds, NaN if not known separately. */
struct tan_level_row {
    int64_t fanout, nodes; /* nodes: 0 if unknown */
    double latency, overhead, work, gap, cost;
};
extern const struct tan_field tan_level_fields[];

/* The costs of a level with this fanout, in place of level->fanout, which is too narrow for
 * designs: latency, gap and the overhead that makes up the rest, including the work. Latency and
 * overhead are NaN unless the parameters separate them. */
struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params);

/* Set the title of a table of levels; `once`: seconds of a wave beside them, 0 if none. */
void tan_level_title(struct tan_json_writer *w, json_t *table, const char *title, double once);

/* Set a choice and its levels. */
void tan_design_set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                           const struct tan_choice *c);
/* Set everything of a design, as `tan-design/1`. `compared` may be NULL. */
void tan_design_set(struct tan_json_writer *w, json_t *top, const struct tan_design *d, int listed,
                    const struct tan_compared *compared, size_t n_compared,
                    const struct tan_basis *from);
/* Tables of details: the levels of the recommended tree, at most `listed` of the best trees, those
 * by rules of thumb, and `n` given ones. */
void tan_design_detail(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                       int listed, const struct tan_compared *compared, size_t n);

#endif
