/* target_check.h - assertions about settings of targets
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_UNIT_DESIGN_TARGET_CHECK_H
#define TAN_TESTS_UNIT_DESIGN_TARGET_CHECK_H

#include <stdlib.h>

#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "tests/unit/check.h"

/* The target refuses the setting with an error whose text contains `wrong`. */
static inline void assert_setting_refused(const char *target, const char *text, const char *wrong)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_setting setting;
    const struct tan_target *t = tan_target_find(target, &e);
    assert_non_null(t);
    assert_int_equal(tan_setting_parse(t, text, &setting, &e), -1);
    assert_error(e, TAN_USAGE, wrong);
}

/* The parents of all processes of a shape; the caller frees them. */
static inline int32_t *shape_parents(const struct tan_shape *shape, int32_t *processes)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_shape_tree(shape, &e);
    assert_no_error(e);
    *processes = tan_tree_size(tree);
    int32_t *parents = malloc((size_t)*processes * sizeof *parents);
    assert_non_null(parents);
    tan_tree_parents(tree, parents);
    tan_tree_destroy(tree);
    return parents;
}

#endif
