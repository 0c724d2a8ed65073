/* children.h - the children of a node, by kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_WAVE_CHILDREN_H
#define MODEL_WAVE_CHILDREN_H

#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* Children that are alike, of at most TAN_CHILDREN_KINDS kinds; a node asks them in the order of
 * the kinds. */
enum { TAN_CHILDREN_KINDS = 256 };
struct tan_children {
    int64_t count;
    int64_t leaves; /* below each */
    double below;   /* its time, as the function that takes them says; seconds */
};

TAN_END_DECLS

#endif
