/* children.h - the children of a node, by kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_MODEL_WAVE_CHILDREN_H
#define TAN_MODEL_WAVE_CHILDREN_H

#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* Children of up to TAN_CHILDREN_KINDS kinds; a node asks them kind by kind. */
enum { TAN_CHILDREN_KINDS = 256 };
struct tan_children {
    int64_t count;
    int64_t leaves; /* below each child */
    double below;   /* the child's time, as defined by the function that takes it; seconds */
};

TAN_END_DECLS

#endif
