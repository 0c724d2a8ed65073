/* children.h - the children of a node, by kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_MODEL_WAVE_CHILDREN_H
#define TAN_MODEL_WAVE_CHILDREN_H

#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* Children of one kind. A node has up to TAN_CHILDREN_KINDS of them, and sends its requests to one
 * after the other. */
enum { TAN_CHILDREN_KINDS = 256 };
struct tan_children {
    int64_t count;
    int64_t leaves; /* below each child */
    double below;   /* the child's time, as defined by the function that takes it; seconds */
};

TAN_END_DECLS

#endif
