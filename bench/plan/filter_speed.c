/* filter_speed.c - how long a filter takes for a byte
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/plan/filter.h"

enum { PAYLOAD = 65536, REPEATS = 1000, MOST_FILTERS = 16 };

static double measure(const struct filter *filter, enum element element)
{
    const size_t elements = PAYLOAD / ELEMENT_BYTES;
    unsigned char *out = malloc(PAYLOAD);
    unsigned char *in = malloc(PAYLOAD);
    double least = INFINITY;
    if (out != NULL && in != NULL) {
        tan_payload_fill(element, 0, out, PAYLOAD);
        tan_payload_fill(element, 1, in, PAYLOAD);
        for (int i = 0; i < REPEATS; i++) {
            const double begin = clock_seconds();
            filter->combine[element](out, in, elements);
            least = fmin(least, clock_seconds() - begin);
        }
    }
    free(out);
    free(in);
    return isfinite(least) ? least / PAYLOAD : 0.0;
}

double tan_filter_speed(const struct filter *filter, enum element element)
{
    static double known[MOST_FILTERS][ELEMENTS]; /* 0: not yet */
    const size_t row = (size_t)(filter - tan_filters);
    if (filter->combine[element] == NULL || row >= MOST_FILTERS) {
        return 0.0;
    }
    if (known[row][element] == 0.0) {
        known[row][element] = measure(filter, element);
    }
    return known[row][element];
}
