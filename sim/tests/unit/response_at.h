/* response_at.h - values of a finish time that is a function of a cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TESTS_UNIT_RESPONSE_AT_H
#define TAN_SIM_TESTS_UNIT_RESPONSE_AT_H

#include "sim/sensitivity/response.h"

/* T at `added`, within the range: between its pieces. */
static inline double response_at(const struct tan_response *r, double added)
{
    size_t i = 0;
    for (size_t end = r->n_pieces; end - i > 1;) {
        const size_t middle = i + (end - i) / 2;
        if (r->pieces[middle].from <= added) {
            i = middle;
        } else {
            end = middle;
        }
    }
    if (r->n_pieces == 0) {
        return r->start;
    }
    const struct tan_response_piece *piece = &r->pieces[i];
    const double width = piece->to - piece->from;
    return width > 0.0 ? piece->finish_from +
                             (piece->finish_to - piece->finish_from) * (added - piece->from) / width
                       : piece->finish_from;
}

#endif
