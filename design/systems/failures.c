/* failures.c - what a process that fails costs the trees of a target's settings
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The longest wait of a wave exceeds j timeouts if any process is down of those for which it is
 * that long, since it is no shorter for those above. */
#include "design/systems/failures.h"

#include <math.h>
#include <stdlib.h>

#include "design/systems/setting.h"

/* The timeouts that others wait for each process if it alone is down. The root's are 0. */
static int single_waits(const struct tan_tree *tree, tan_timeouts *timeouts, int64_t *waits,
                        struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    const int32_t fanout = tan_tree_max_fanout(tree);
    int32_t *size = calloc((size_t)n, sizeof *size);
    int32_t *height = calloc((size_t)n, sizeof *height);
    if (size != NULL && height != NULL) {
        tan_tree_subtree_sizes(tree, size);
        for (int32_t i = n - 1; i > 0; i--) {
            int32_t *above = &height[tan_tree_parent(tree, i)];
            *above = *above <= height[i] ? height[i] + 1 : *above;
            waits[i] = timeouts == NULL ? 1 : timeouts(height[i], size[i], fanout);
        }
        waits[0] = 0;
    }
    const int result = size == NULL || height == NULL ? tan_fail_nomem(e) : 0;
    free(size);
    free(height);
    return result;
}

static int descending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

int tan_failure_waits(const struct tan_tree *tree, tan_timeouts *timeouts, double p, double *one,
                      double *mean, double *expected, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    int64_t *waits = malloc((size_t)n * sizeof *waits);
    const int result = waits == NULL ? tan_fail_nomem(e) : single_waits(tree, timeouts, waits, e);
    if (result < 0) {
        free(waits);
        return -1;
    }
    qsort(waits, (size_t)n, sizeof *waits, descending);
    *one = (double)waits[0];
    *mean = 0.0;
    *expected = 0.0;
    for (int32_t i = 1; i < n; i++) { /* any of the first i is down: that long a wait, or longer */
        const double any = -expm1(i * log1p(-p));
        *mean += (double)waits[i - 1] / (n - 1);
        *expected += any * (double)(waits[i - 1] - waits[i]);
    }
    free(waits);
    return 0;
}

/* The settings, without repetition. */
struct selection {
    struct tan_setting_failure *row;
    int n;
};

static void select_setting(struct selection *s, const struct tan_knob *knob, int64_t value)
{
    const struct tan_setting setting = {knob, value};
    for (int i = 0; i < s->n; i++) {
        if (tan_setting_same(&s->row[i].setting, &setting)) {
            return;
        }
    }
    if (s->n < TAN_SETTING_FAILURES) {
        s->row[s->n++].setting = setting;
    }
}

static int by_knob_and_value(const void *left, const void *right)
{
    const struct tan_setting *a = &((const struct tan_setting_failure *)left)->setting;
    const struct tan_setting *b = &((const struct tan_setting_failure *)right)->setting;
    return a->knob != b->knob ? (a->knob > b->knob) - (a->knob < b->knob)
                              : (a->value > b->value) - (a->value < b->value);
}

/* Powers of two, and the widest value. */
static void select_values(struct selection *s, const struct tan_knob *knob, int64_t most)
{
    for (int64_t value = 2; value < most; value *= 2) {
        if (value >= knob->least) {
            select_setting(s, knob, value);
        }
    }
    select_setting(s, knob, most);
}

/* Whether the first setting takes a value. */
static bool select_settings(struct selection *s, const struct tan_target_problem *problem,
                            const struct tan_target_way *way)
{
    const struct tan_setting *first = &way->priced[0].setting;
    const struct tan_setting *by_default = &way->by_default.setting;
    const bool values = first->knob->split != NULL && first->knob->most > 0;
    if (first->knob->split != NULL || way->least.height > 0) { /* else it is no tree of levels */
        select_setting(s, first->knob, first->value);
    }
    for (size_t i = 1; i < way->n_priced; i++) {
        const struct tan_setting *priced = &way->priced[i].setting;
        if (!values || priced->knob == first->knob) {
            select_setting(s, priced->knob, priced->value);
        }
    }
    if (by_default->knob != NULL) {
        select_setting(s, by_default->knob, by_default->value);
    }
    if (values) {
        select_values(s, first->knob, tan_setting_widest(first->knob, problem->members));
    }
    return values;
}

static int price(const struct tan_target_problem *problem, const struct tan_target_way *way,
                 struct tan_setting_failure *row, struct tan_error *e)
{
    /* that of a tree of any shape, found or given, is known already */
    struct tan_shape_cost cost = way->priced[0].cost;
    if ((row->setting.knob->split != NULL ||
         !tan_setting_same(&row->setting, &way->priced[0].setting)) &&
        tan_target_cost(problem, &row->setting, way->direction, &cost, e) < 0) {
        return -1;
    }
    row->wave = row->expected = cost.wave;
    row->height = cost.height;
    row->max_fanout = cost.max_fanout;
    row->most_lost = cost.max_below;
    return 0;
}

/* The waits of the tree of a setting that is priced. */
static int add_waits(const struct tan_target_problem *problem, const struct tan_target_way *way,
                     struct tan_setting_failure *row, struct tan_error *e)
{
    const struct tan_target *target = problem->target;
    const double timeout = target->fails.timeout;
    double one;
    double mean;
    double expected;
    const struct tan_shape shape =
        tan_shape_of(target, &row->setting, problem->members, way->least.fanout);
    struct tan_tree *tree = tan_shape_tree(&shape, e);
    const int result = tree == NULL ? -1
                                    : tan_failure_waits(tree, target->fails.timeouts,
                                                        problem->p_down, &one, &mean, &expected, e);
    tan_tree_destroy(tree);
    if (result == 0) {
        /* others wait once in a round trip */
        const double counted = tan_target_halves(problem) ? timeout / 2 : timeout;
        row->wait = timeout * one;
        row->mean_wait = counted * mean;
        row->expected = problem->p_down > 0.0 ? row->wave + counted * expected : NAN;
    }
    return result;
}

int tan_setting_failure(const struct tan_target_problem *problem, const struct tan_target_way *way,
                        struct tan_setting_failure *row, struct tan_error *e)
{
    enum { LARGE = 1 << 20 };
    const bool given_tree = row->setting.knob->split == NULL && way->least.height == 0;
    if (way->priced[0].cost.processes > LARGE || !(problem->target->fails.timeout > 0.0) ||
        given_tree) {
        return 0;
    }
    return price(problem, way, row, e) < 0 || add_waits(problem, way, row, e) < 0 ? -1 : 1;
}

/* How much longer its wave is than another's, seconds; 0 if they are equal. */
static double saved_by(const struct tan_setting_failure *best,
                       const struct tan_setting_failure *row)
{
    const double saved = row->wave - best->wave;
    return saved > best->wave * TAN_SEARCH_EQUAL ? saved : 0.0;
}

/* How good a setting is where processes fail: by its expected wave; without a probability by how
 * few waves must meet a process that is down for it to be better than `best`. */
static double merit(const struct tan_setting_failure *row, const struct tan_setting_failure *best,
                    double p_down)
{
    const double saved = saved_by(best, row);
    return p_down > 0.0  ? -row->expected
           : saved > 0.0 ? (best->mean_wait - row->mean_wait) / saved
                         : -INFINITY;
}

/* Add the best value, which need not be a power of two, in steps of 3 %, and if failures are asked
 * for the fastest one of each height, on which Slurm's waits depend. Only these and values that
 * would be the best one if nobody waited have their waits computed. */
static int add_best_values(struct selection *s, const struct tan_target_problem *problem,
                           const struct tan_target_way *way, struct tan_error *e)
{
    enum { MANY = 1 << 16, HEIGHTS = 32 }; /* processes, whose trees take long; of binary trees */
    struct tan_setting_failure fastest[HEIGHTS] = {{.setting = {NULL, 0}}};
    const struct tan_setting *first = &way->priced[0].setting;
    const int64_t steps = problem->members > MANY || tan_target_is_vast(problem) ? 4 : 34;
    const int64_t most = tan_setting_widest(first->knob, problem->members);
    struct tan_setting_failure best = s->row[0], found = {.setting = {NULL, 0}};
    double merits = problem->p_down > 0.0 ? -INFINITY : 0.0;
    for (int i = 0; i < s->n; i++) {
        best = tan_setting_same(&s->row[i].setting, first) ? s->row[i] : best;
    }
    for (int i = 0; i < s->n; i++) {
        merits = fmax(merits, merit(&s->row[i], &best, problem->p_down));
    }
    for (int64_t value = first->knob->least; value <= most; value += 1 + value / steps) {
        struct tan_setting_failure row = {.setting = {first->knob, value}};
        if (price(problem, way, &row, e) < 0) {
            return -1;
        }
        const int64_t h = row.height;
        if (problem->p_down > 0.0 && value > 0 && h < HEIGHTS &&
            (fastest[h].setting.knob == NULL || row.wave < fastest[h].wave)) {
            fastest[h] = row;
        }
        if (merit(&row, &best, problem->p_down) > merits) {
            if (add_waits(problem, way, &row, e) < 0) {
                return -1;
            }
            const double reached = merit(&row, &best, problem->p_down);
            found = reached > merits ? row : found;
            merits = fmax(merits, reached);
        }
    }
    if (found.setting.knob != NULL && s->n < TAN_SETTING_FAILURES) {
        s->row[s->n++] = found;
    }
    for (int h = 0; h < HEIGHTS; h++) {
        const int n = s->n;
        if (fastest[h].setting.knob != NULL) {
            select_setting(s, fastest[h].setting.knob, fastest[h].setting.value);
        }
        if (s->n > n) {
            s->row[n] = fastest[h];
            if (add_waits(problem, way, &s->row[n], e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

int tan_setting_failures(const struct tan_target_problem *problem, const struct tan_target_way *way,
                         struct tan_setting_failure out[TAN_SETTING_FAILURES], struct tan_error *e)
{
    struct selection s = {out, 0};
    const bool values = select_settings(&s, problem, way);
    for (int i = 0; i < s.n; i++) {
        const int known = tan_setting_failure(problem, way, &out[i], e);
        if (known <= 0) {
            return known;
        }
    }
    if (values && add_best_values(&s, problem, way, e) < 0) {
        return -1;
    }
    if (values) {
        qsort(out, (size_t)s.n, sizeof *out, by_knob_and_value);
    }
    return s.n;
}

const struct tan_setting_failure *tan_failure_of(const struct tan_setting_failure *rows, int n,
                                                 const struct tan_setting *setting)
{
    const struct tan_setting_failure *end = rows + n;
    while (rows < end && !tan_setting_same(&rows->setting, setting)) {
        rows++;
    }
    return rows < end ? rows : NULL;
}

const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n)
{
    const struct tan_setting_failure *least = rows;
    for (int i = 1; i < n; i++) {
        least = rows[i].expected < least->expected ? &rows[i] : least;
    }
    return least;
}

struct tan_break_even tan_break_even(const struct tan_setting_failure *rows, int n,
                                     const struct tan_setting *best)
{
    const struct tan_setting_failure *row = tan_failure_of(rows, n, best);
    struct tan_break_even least = {.waves = 0.0};
    for (int i = 0; i < n && row != NULL; i++) {
        const double saved = saved_by(row, &rows[i]);
        const double lost = row->mean_wait - rows[i].mean_wait;
        if (saved > 0.0 && lost / saved > least.waves) {
            least = (struct tan_break_even){&rows[i], lost / saved};
        }
    }
    return least;
}
