/* thumb.c - rules of thumb: defaults and recommendations of systems, and common shapes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/thumb.h"

#include "base/text.h"
#include "design/systems/target.h"

static int64_t square_root(int64_t leaves)
{
    return tan_least_root(leaves, 2);
}

static const struct tan_thumb others[] = {
    {"STAT, fanout 64", "its automatic topology, over MRNet", tan_baseline_capped, 64, NULL},
    {"STAT, square root", "as its manual advises", tan_baseline_two, 0, square_root},
    {"flat", "all leaves below the root", tan_baseline_flat, 0, NULL},
    {"binary", "every node splits its leaves in two halves", tan_baseline_binary, 0, NULL},
    {"binomial", "as in MPI libraries: node i below i with its lowest set bit cleared",
     tan_baseline_binomial, 0, NULL},
};

size_t tan_thumbs(struct tan_thumb *out)
{
    size_t n = 0;
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        const struct tan_default *d = (*t)->defaults;
        for (; d != NULL && d->name != NULL && n < TAN_THUMBS; d++) {
            if (d->thumb != NULL) {
                out[n++] = (struct tan_thumb){d->thumb, d->name, d->tree, d->value, d->rule};
            }
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0] && n < TAN_THUMBS; i++) {
        out[n++] = others[i];
    }
    return n;
}

void tan_thumb_tree(const struct tan_thumb *thumb, int64_t leaves, struct tan_plan *plan)
{
    const int64_t width = thumb->rule != NULL ? thumb->rule(leaves) : thumb->width;
    thumb->tree(width, leaves, plan);
}

void tan_thumb_help(FILE *to)
{
    enum { COLUMN = 24 };
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    for (size_t i = 0; i < n; i++) {
        tan_text_item(to, thumbs[i].name, thumbs[i].help, COLUMN);
    }
}
