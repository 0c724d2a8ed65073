/* filter.c - reductions of packets in internal processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/filter.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

/* Leaf i's elements are those of leaf 0 plus i times this. */
enum { LEAF_STEP = 3 };

#define DEFINE_COMBINE(name, expression)                                                           \
    static void name(void *to, const void *from, size_t n)                                         \
    {                                                                                              \
        int64_t *restrict out = to;                                                                \
        const int64_t *restrict in = from;                                                         \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = (expression);                                                                 \
        }                                                                                          \
    }

DEFINE_COMBINE(sum_elements, out[i] + in[i])
DEFINE_COMBINE(min_elements, in[i] < out[i] ? in[i] : out[i])
DEFINE_COMBINE(max_elements, in[i] > out[i] ? in[i] : out[i])

/* Averages travel as sums with the number of leaves; only the root divides. */
static void divide_elements(void *to, size_t n, uint32_t leaves)
{
    int64_t *out = to;
    for (size_t i = 0; i < n; i++) {
        out[i] /= leaves;
    }
}

static double expect_first(double first, uint32_t leaves, uint64_t leaf_sum)
{
    (void)leaves;
    (void)leaf_sum;
    return first;
}

static double expect_last(double first, uint32_t leaves, uint64_t leaf_sum)
{
    (void)leaf_sum;
    return first + LEAF_STEP * ((double)leaves - 1);
}

static double expect_sum(double first, uint32_t leaves, uint64_t leaf_sum)
{
    return leaves * first + LEAF_STEP * (double)leaf_sum;
}

static double expect_mean(double first, uint32_t leaves, uint64_t leaf_sum)
{
    return (double)((int64_t)expect_sum(first, leaves, leaf_sum) / leaves);
}

const struct filter tan_filters[] = {
    {.name = "null",
     .help = "pass the first child's packet on and drop the others",
     .expected = expect_first},
    {.name = "sum",
     .help = "add, element by element",
     .combine = sum_elements,
     .adds = true,
     .expected = expect_sum},
    {.name = "min",
     .help = "least value, element by element",
     .combine = min_elements,
     .expected = expect_first},
    {.name = "max",
     .help = "greatest value, element by element",
     .combine = max_elements,
     .expected = expect_last},
    {.name = "avg",
     .help = "average over the leaves, element by element",
     .combine = sum_elements,
     .finish = divide_elements,
     .adds = true,
     .expected = expect_mean},
    {.name = "concat",
     .help = "all leaves' values, one after the other (payloads grow towards the root)",
     .grows = true,
     .expected = expect_first},
    {.name = NULL},
};

const struct filter *tan_filter_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_filters), "--filter", name, e);
    return row < 0 ? NULL : &tan_filters[row];
}

void tan_filter_combine(const struct filter *filter, struct packet *out, const struct packet *in)
{
    if (filter->grows) {
        memcpy(out->payload + out->bytes, in->payload, in->bytes);
        out->bytes += in->bytes;
    } else if (filter->combine != NULL) {
        filter->combine(out->payload, in->payload, in->bytes / ELEMENT_BYTES);
    }
    out->leaves += in->leaves;
    out->leaf_sum += in->leaf_sum;
    out->sent_first = in->sent_first < out->sent_first ? in->sent_first : out->sent_first;
    out->sent_last = in->sent_last > out->sent_last ? in->sent_last : out->sent_last;
    out->heard_last = in->heard_last > out->heard_last ? in->heard_last : out->heard_last;
}

void tan_filter_finish(const struct filter *filter, struct packet *out)
{
    if (filter->finish != NULL) {
        filter->finish(out->payload, out->bytes / ELEMENT_BYTES, out->leaves);
    }
}

/* The element that wave `wave` changes, and by how much. */
static size_t changed_element(uint32_t wave, size_t n)
{
    return wave % n;
}

/* Leaf 0's element `i` of `n`. */
static int64_t value_of(size_t i, size_t n, uint32_t wave)
{
    const int64_t initial = (int64_t)(i % 1009) * 7 + 1;
    return initial + (i == changed_element(wave, n) ? wave % 65521 + 1 : 0);
}

static double load_value(const void *payload, size_t i)
{
    return (double)((const int64_t *)payload)[i];
}

void tan_payload_fill(uint32_t leaf, void *payload, size_t bytes)
{
    int64_t *elements = payload;
    size_t n = bytes / ELEMENT_BYTES;
    for (size_t i = 0; i < n; i++) {
        elements[i] = value_of(i, n, 0) + (int64_t)leaf * LEAF_STEP;
    }
}

void tan_payload_turn(uint32_t leaf, uint32_t from, uint32_t to, void *payload, size_t bytes)
{
    int64_t *elements = payload;
    size_t n = bytes / ELEMENT_BYTES;
    if (n > 0) {
        size_t old = changed_element(from, n);
        size_t new = changed_element(to, n);
        elements[old] = value_of(old, n, to) + (int64_t)leaf * LEAF_STEP;
        elements[new] = value_of(new, n, to) + (int64_t)leaf * LEAF_STEP;
    }
}

/* Seconds per byte of long payloads; 0 if memory is short. */
static double measure_speed(const struct filter *filter)
{
    enum { PAYLOAD = 65536, REPEATS = 1000 };
    unsigned char *out = malloc(PAYLOAD);
    unsigned char *in = malloc(PAYLOAD);
    double least = INFINITY;
    if (out != NULL && in != NULL) {
        tan_payload_fill(0, out, PAYLOAD);
        tan_payload_fill(1, in, PAYLOAD);
        for (int i = 0; i < REPEATS; i++) {
            double begin = tan_clock_seconds();
            filter->combine(out, in, PAYLOAD / ELEMENT_BYTES);
            least = fmin(least, tan_clock_seconds() - begin);
        }
    }
    free(out);
    free(in);
    return isfinite(least) ? least / PAYLOAD : 0.0;
}

double tan_filter_speed(const struct filter *filter)
{
    static double known[sizeof tan_filters / sizeof *tan_filters]; /* 0: not measured */
    double *seconds = &known[filter - tan_filters];
    if (*seconds == 0 && filter->combine != NULL) {
        *seconds = measure_speed(filter);
    }
    return *seconds;
}

int tan_filter_verify(const struct filter *filter, const struct packet *result, uint32_t wave,
                      uint32_t leaves, uint32_t leaf_bytes, struct tan_error *e)
{
    size_t n = leaf_bytes / ELEMENT_BYTES;
    uint32_t parts = filter->grows ? leaves : 1;
    uint64_t leaf_sum = (uint64_t)leaves * (leaves - 1) / 2;
    if (result->wave != wave || result->leaves != leaves || result->bytes != parts * leaf_bytes) {
        return tan_fail(
            e,
            "wave %" PRIu32 ": the root received wave %" PRIu32 " with %" PRIu32
            " leaves and %" PRIu32 " bytes, not %" PRIu32 " leaves and %" PRIu32 " bytes",
            wave, result->wave, result->leaves, result->bytes, leaves, parts * leaf_bytes);
    }
    for (uint32_t part = 0; part < parts; part++) {
        const unsigned char *payload = result->payload + (size_t)part * leaf_bytes;
        for (size_t i = 0; i < n; i++) {
            double first = (double)(value_of(i, n, wave) + (int64_t)part * LEAF_STEP);
            double expected = filter->expected(first, leaves, leaf_sum);
            double got = load_value(payload, i);
            if (got != expected) {
                return tan_fail(e,
                                "wave %" PRIu32 ", element %zu: the %s is %.17g but must be %.17g",
                                wave, (size_t)part * n + i, filter->name, got, expected);
            }
        }
    }
    return 0;
}

/* Number of the leaf whose payload in wave `wave` has these elements; -1 if there is none. */
static double leaf_of(const void *payload, size_t n, uint32_t wave, uint32_t tree_leaves)
{
    double leaf = 0;
    for (size_t i = 0; i < n; i++) {
        double steps = (load_value(payload, i) - (double)value_of(i, n, wave)) / LEAF_STEP;
        if (i == 0) {
            leaf = steps;
        }
        if (steps != leaf || !(steps >= 0 && steps < tree_leaves) || steps != trunc(steps)) {
            return -1;
        }
    }
    return leaf;
}

/* Whether the elements are those required for the leaves that the packet counts. */
static bool adds_up(const struct filter *filter, const struct packet *result, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (load_value(result->payload, i) != filter->expected((double)value_of(i, n, result->wave),
                                                               result->leaves, result->leaf_sum)) {
            return false;
        }
    }
    return true;
}

/* Whether the payload is the concatenation of the payloads of `parts` leaves of the tree. If these
 * are all the leaves that the packet counts, their numbers must add up to its sum, too. */
static bool are_leaves(const struct packet *result, size_t n, uint32_t parts, uint32_t tree_leaves)
{
    double sum = 0;
    for (uint32_t part = 0; part < parts; part++) {
        double leaf = leaf_of(result->payload + (size_t)part * n * ELEMENT_BYTES, n, result->wave,
                              tree_leaves);
        if (leaf < 0) {
            return false;
        }
        sum += leaf;
    }
    return n == 0 || parts != result->leaves || sum == (double)result->leaf_sum;
}

int tan_filter_verify_part(const struct filter *filter, const struct packet *result,
                           uint32_t tree_leaves, uint32_t leaf_bytes, struct tan_error *e)
{
    size_t n = leaf_bytes / ELEMENT_BYTES;
    uint32_t parts = filter->grows ? result->leaves : 1;
    if (result->leaves == 0 || result->leaves > tree_leaves ||
        result->bytes != parts * leaf_bytes ||
        !(filter->adds ? adds_up(filter, result, n) : are_leaves(result, n, parts, tree_leaves))) {
        return tan_fail(e,
                        "wave %" PRIu32 ": the %s of %" PRIu32 " leaves in %" PRIu32
                        " bytes does not match the values of any leaves of this tree",
                        result->wave, filter->name, result->leaves, result->bytes);
    }
    return 0;
}

void tan_work_for(double seconds)
{
    if (seconds > 0) {
        const double end = tan_clock_cpu_seconds() + seconds;
        while (tan_clock_cpu_seconds() < end) {
        }
    }
}
