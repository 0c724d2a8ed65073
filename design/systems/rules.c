/* rules.c - a target's settings for ranges of members and message sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/rules.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/wave/wave_doubts.h"

/* A number of members and a size of messages. */
struct point {
    struct tan_target_problem problem;
    struct tan_target_way way; /* with the best value of every knob */
};

/* The points of one direction: sizes of one number of members lie side by side. */
struct grid {
    const struct tan_rules_problem *problem;
    int direction;
    int64_t members[TAN_RULES_TRIED];
    size_t n_members, n_sizes; /* tried */
    struct point *point;
};

/* The points that a rule covers: indices of the grid, the ends exclusive. */
struct range {
    size_t members, members_end;
    size_t sizes, sizes_end;
};

/* Enough for the 2.5 % quantile of a gain. */
enum { DRAWS = 100 };

size_t tan_rules_insert(int64_t ends[TAN_RULES_ENDS], size_t n, int64_t value)
{
    size_t at = n;
    while (at > 0 && ends[at - 1] >= value) {
        at--;
    }
    if (at == 0 || at == n || ends[at] == value || n == TAN_RULES_ENDS) {
        return n;
    }
    memmove(&ends[at + 1], &ends[at], (n - at) * sizeof *ends);
    ends[at] = value;
    return n + 1;
}

size_t tan_rules_ends(const struct tan_target *target, enum tan_rules_dimension dimension,
                      const int64_t *values, size_t n, int64_t ends[TAN_RULES_ENDS])
{
    memcpy(ends, values, n * sizeof *ends);
    const int64_t last = values[n - 1];
    n = n > 1 ? n : 2;
    ends[n - 1] = last + 1;
    for (int way = 0; way < 2; way++) {
        const struct tan_decision *d = target->decisions[way];
        for (; d != NULL && (d->members > 0 || d->bytes > 0); d++) {
            n = tan_rules_insert(ends, n, dimension == TAN_RULES_MEMBERS ? d->members : d->bytes);
        }
    }
    return n;
}

size_t tan_rules_grid(const int64_t *ends, size_t n, int64_t *tried)
{
    for (size_t i = 0; i + 1 < n; i++) {
        const int64_t last = ends[i + 1] - 1;
        tried[3 * i] = ends[i];
        tried[3 * i + 1] = llround(sqrt((double)ends[i] * (double)last));
        tried[3 * i + 2] = last;
    }
    return 3 * (n - 1);
}

static struct point *point_at(const struct grid *grid, size_t members, size_t size)
{
    return &grid->point[members * grid->n_sizes + size];
}

static int fill_grid(struct grid *grid, struct tan_error *e)
{
    const struct tan_rules_problem *p = grid->problem;
    grid->n_members = tan_rules_grid(p->members, p->n_members, grid->members);
    grid->n_sizes = p->n_sizes;
    grid->point = calloc(grid->n_members * grid->n_sizes, sizeof *grid->point);
    if (grid->point == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < grid->n_members; i++) {
        for (size_t k = 0; k < grid->n_sizes; k++) {
            struct point *point = point_at(grid, i, k);
            struct tan_target_way way[2];
            point->problem = (struct tan_target_problem){.target = p->target,
                                                         .members = grid->members[i],
                                                         .model = p->model,
                                                         .up = p->sizes[k].up,
                                                         .down = p->sizes[k].down,
                                                         .ways = grid->direction,
                                                         .network = p->network};
            if (tan_target_choose(&point->problem, way, e) < 0) {
                return -1;
            }
            point->way = way[0];
        }
    }
    return 0;
}

/* Regret and gain of a setting over a range; the gain is NaN if the default is no tree there.
 * *least: the point at which it gains least. */
static int weigh_setting(const struct grid *grid, const struct range *range,
                         const struct tan_setting *setting, struct tan_rule *rule,
                         const struct point **least, struct tan_error *e)
{
    rule->setting = *setting;
    rule->max_fanout = rule->max_below = 0;
    rule->regret = 0.0;
    rule->gain = INFINITY;
    for (size_t i = range->members; i < range->members_end; i++) {
        for (size_t k = range->sizes; k < range->sizes_end; k++) {
            const struct point *point = point_at(grid, i, k);
            const struct tan_priced *by_default = &point->way.by_default;
            struct tan_priced chosen = {.setting = *setting};
            if (tan_target_cost(&point->problem, setting, setting->knob->directions, &chosen.cost,
                                e) < 0) {
                return -1;
            }
            const double gain = by_default->setting.knob != NULL
                                    ? tan_priced_longer(&point->problem, by_default, &chosen, false)
                                    : NAN;
            rule->regret = fmax(rule->regret, tan_priced_longer(&point->problem, &chosen,
                                                                &point->way.priced[0], true));
            rule->max_fanout = GSL_MAX(chosen.cost.max_fanout, rule->max_fanout);
            rule->max_below = GSL_MAX(chosen.cost.max_below, rule->max_below);
            if (isnan(gain) || gain < rule->gain) {
                *least = point;
                rule->gain = gain;
            }
        }
    }
    return 0;
}

/* Keep the default over a range; its regret is NaN if it is no tree somewhere. */
static void keep_default(const struct grid *grid, const struct range *range, struct tan_rule *rule)
{
    rule->setting = (struct tan_setting){NULL, 0};
    rule->gain = NAN;
    rule->max_fanout = rule->max_below = 0;
    double most = 0.0;
    for (size_t i = range->members; i < range->members_end; i++) {
        for (size_t k = range->sizes; k < range->sizes_end; k++) {
            const struct point *point = point_at(grid, i, k);
            const struct tan_target_way *way = &point->way;
            const bool known = way->by_default.setting.knob != NULL;
            const double regret =
                tan_priced_longer(&point->problem, &way->by_default, &way->priced[0], true);
            most = known && !isnan(most) ? fmax(most, regret) : NAN;
            rule->max_fanout = GSL_MAX(rule->max_fanout, way->by_default.cost.max_fanout);
        }
    }
    rule->regret = most;
}

/* The gain at a point under a draw of the parameters. */
static int drawn_gain(const struct point *point, const struct tan_setting *setting, int draw,
                      double *gain, struct tan_error *e)
{
    const struct tan_params up = tan_params_drawn(point->problem.up, draw);
    const struct tan_params down = tan_params_drawn(point->problem.down, draw);
    struct tan_target_problem drawn = point->problem;
    struct tan_priced chosen = {.setting = *setting};
    struct tan_priced by_default = point->way.by_default;
    drawn.up = &up;
    drawn.down = &down;
    if (tan_target_cost(&drawn, setting, setting->knob->directions, &chosen.cost, e) < 0 ||
        tan_target_cost(&drawn, &by_default.setting, by_default.setting.knob->directions,
                        &by_default.cost, e) < 0) {
        return -1;
    }
    *gain = tan_priced_longer(&drawn, &by_default, &chosen, false);
    return 0;
}

/* The smallest plausible gain at a point: the 2.5 % quantile over the draws of the parameters;
 * *gain stays as it is if there are none. */
static int least_gain(const struct point *point, const struct tan_setting *setting, double *gain,
                      struct tan_error *e)
{
    const int draws = point->problem.up->n_draws;
    double gains[DRAWS];
    size_t n = 0;
    for (; n < DRAWS && n < (size_t)draws; n++) {
        const int draw = (int)(n * (size_t)draws / (draws < DRAWS ? (size_t)draws : DRAWS));
        if (drawn_gain(point, setting, draw, &gains[n], e) < 0) {
            return -1;
        }
    }
    if (n > 0) {
        gsl_sort(gains, 1, n);
        *gain = gsl_stats_quantile_from_sorted_data(gains, 1, n, 0.025);
    }
    return 0;
}

/* Make it the best one if it gains enough in all of the range, and has less regret. */
static int try_setting(const struct grid *grid, const struct range *range,
                       const struct tan_setting *setting, struct tan_rule *best,
                       const struct point **least, struct tan_error *e)
{
    const struct point *at = NULL;
    struct tan_rule rule = *best;
    if (tan_setting_same(&best->setting, setting)) {
        return 0;
    }
    if (weigh_setting(grid, range, setting, &rule, &at, e) < 0) {
        return -1;
    }
    if (rule.gain > tan_default_margin(grid->problem->error) &&
        (best->setting.knob == NULL || rule.regret < best->regret)) {
        *best = rule;
        *least = at;
    }
    return 0;
}

/* Of the settings that are best somewhere in the range, where links may be shared of all knobs, and
 * gain enough everywhere, the one with the least regret. `best` stays without a setting if there is
 * none. */
static int choose_setting(const struct grid *grid, const struct range *range, struct tan_rule *best,
                          const struct point **least, struct tan_error *e)
{
    for (size_t i = range->members; i < range->members_end; i++) {
        for (size_t k = range->sizes; k < range->sizes_end; k++) {
            const struct point *at = point_at(grid, i, k);
            const struct tan_target_way *way = &at->way;
            const size_t candidates = grid->problem->network ? way->n_priced : 1;
            for (size_t j = 0; j < candidates && way->by_default.setting.knob != NULL; j++) {
                const struct tan_priced *one = &way->priced[j];
                const double gain = tan_priced_longer(&at->problem, &way->by_default, one, false);
                if (gain > tan_default_margin(grid->problem->error) &&
                    try_setting(grid, range, &one->setting, best, least, e) < 0) {
                    return -1;
                }
            }
        }
    }
    return 0;
}

/* Whether messages of the setting wait for their receivers, unlike all that were measured: how far
 * the model errs is then not known. */
static bool is_offered(const struct grid *grid, const struct range *range,
                       const struct tan_rule *rule)
{
    bool offered = false;
    for (size_t k = range->sizes; k < range->sizes_end; k++) {
        const struct tan_rules_size *size = &grid->problem->sizes[k];
        const bool down = grid->direction == TAN_DOWN;
        const struct tan_params *params = down ? size->down : size->up;
        offered |=
            tan_wave_offered_from(grid->problem->model, params, down ? 1 : rule->max_below) >= 0;
    }
    return offered;
}

static int choose_rule(const struct grid *grid, const struct range *range, struct tan_rule *rule,
                       struct tan_error *e)
{
    const struct point *least = NULL;
    double gain = INFINITY;
    if (choose_setting(grid, range, rule, &least, e) < 0 ||
        (least != NULL && least_gain(least, &rule->setting, &gain, e) < 0)) {
        return -1;
    }
    rule->ruling = TAN_RULE_SETTING;
    const bool offered = least != NULL && is_offered(grid, range, rule);
    if (least == NULL || gain <= tan_default_margin(grid->problem->error) || offered) {
        keep_default(grid, range, rule);
        rule->ruling = offered               ? TAN_RULE_OFFERED
                       : isnan(rule->regret) ? TAN_RULE_NO_TREE
                                             : TAN_RULE_NO_GAIN;
        rule->regret = offered ? NAN : rule->regret;
    }
    return 0;
}

static bool same_rule(const struct tan_rule *a, const struct tan_rule *b)
{
    return a->ruling == b->ruling && tan_setting_same(&a->setting, &b->setting);
}

/* Widen a rule by an equal one; the regrets of both are known, or neither is. */
static void join_rule(struct tan_rule *rule, const struct tan_rule *more)
{
    rule->members_most = more->members_most;
    rule->bytes_most = more->bytes_most;
    rule->gain = fmin(rule->gain, more->gain);
    rule->regret = fmax(rule->regret, more->regret);
    rule->max_fanout = GSL_MAX(rule->max_fanout, more->max_fanout);
    rule->max_below = GSL_MAX(rule->max_below, more->max_below);
}

/* Append a rule for the same members as those from `block` on, or widen the one before. */
static size_t add_rule(struct tan_rule *rules, size_t block, size_t n, const struct tan_rule *rule)
{
    if (n > block && same_rule(&rules[n - 1], rule)) {
        join_rule(&rules[n - 1], rule);
        return n;
    }
    rules[n] = *rule;
    return n + 1;
}

/* Join the members of two neighbouring blocks if their rules are the same; the second one begins at
 * `second`. Returns how many rules are left of n. */
static size_t join_blocks(struct tan_rule *rules, size_t first, size_t second, size_t n)
{
    bool same = second - first == n - second;
    for (size_t i = 0; same && second + i < n; i++) {
        const struct tan_rule *a = &rules[first + i];
        const struct tan_rule *b = &rules[second + i];
        same = same_rule(a, b) && a->bytes == b->bytes && a->bytes_most == b->bytes_most;
    }
    for (size_t i = 0; same && second + i < n; i++) {
        join_rule(&rules[first + i], &rules[second + i]);
    }
    return same ? second : n;
}

static int choose_way(const struct tan_rules_problem *p, int direction, struct tan_rules *out,
                      struct tan_error *e)
{
    struct grid grid = {.problem = p, .direction = direction};
    const int way = out->n_ways;
    int result = -1;
    out->direction[way] = direction;
    out->n_ways++;
    if (fill_grid(&grid, e) < 0) {
        goto done;
    }
    out->rule[way] = calloc(grid.n_members * grid.n_sizes, sizeof *out->rule[way]);
    if (out->rule[way] == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    size_t first = 0;
    size_t n = 0;
    for (size_t i = 0; 3 * i < grid.n_members; i++) {
        const size_t block = n;
        for (size_t k = 0; 3 * k < grid.n_sizes; k++) {
            const struct range range = {3 * i, 3 * i + 3, 3 * k, 3 * k + 3};
            struct tan_rule rule = {.members = grid.members[range.members],
                                    .members_most = grid.members[range.members_end - 1],
                                    .bytes = p->sizes[range.sizes].bytes,
                                    .bytes_most = p->sizes[range.sizes_end - 1].bytes};
            if (choose_rule(&grid, &range, &rule, e) < 0) {
                goto done;
            }
            n = add_rule(out->rule[way], block, n, &rule);
        }
        const size_t left = block > 0 ? join_blocks(out->rule[way], first, block, n) : n;
        first = left < n ? first : block;
        n = left;
    }
    out->n[way] = n;
    result = 0;

done:
    free(grid.point);
    return result;
}

int tan_rules_choose(const struct tan_rules_problem *problem, struct tan_rules *out,
                     struct tan_error *e)
{
    static const int apart[] = {TAN_UP, TAN_DOWN, 0};
    static const int both[] = {TAN_UP | TAN_DOWN, 0};
    *out = (struct tan_rules){.target = problem->target};
    for (const int *d = tan_target_apart(problem->target) ? apart : both; *d != 0; d++) {
        if (choose_way(problem, *d, out, e) < 0) {
            tan_rules_clear(out);
            return -1;
        }
    }
    return 0;
}

void tan_rules_clear(struct tan_rules *rules)
{
    free(rules->rule[0]);
    free(rules->rule[1]);
    rules->rule[0] = rules->rule[1] = NULL;
}
