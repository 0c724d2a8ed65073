/* test_targets.c - settings of targets against every tree and every setting, enumerated
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/systems/failures.h"
#include "design/systems/setting.h"
#include "design/systems/setting_answer.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

#define US 1e-6

/* Machines that stress different ends of the formulas. */
static const struct tan_params machines[] = {
    {.method = TAN_METHOD_PAPER, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {20 * US, 30 * US, 0, 0, 0, 5 * US}},
    {.method = TAN_METHOD_JOINT, .value = {1 * US, 3 * US, 2 * US, 0.01 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {0, 0, 0, 1 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {1 * US, 1 * US, 1 * US, 30 * US, 0, 0}}, /* chains */
    {.method = TAN_METHOD_PAPER, .value = {1 * US, 2 * US, 30 * US, 0.5 * US, 7 * US, 11 * US}},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };
static const struct tan_model *const model = &tan_models[TAN_MODEL_TAN];

/* The recursion over parents in any order, as plainly as it can be. */
static double wave_of(const int32_t *parents, int32_t n, const struct tan_params *params)
{
    int32_t *children = calloc((size_t)n, sizeof *children);
    int32_t *missing = calloc((size_t)n, sizeof *missing);
    double *slowest = calloc((size_t)n, sizeof *slowest);
    double wave = NAN;
    assert_true(children != NULL && missing != NULL && slowest != NULL);
    for (int32_t i = 0; i < n; i++) {
        slowest[i] = -INFINITY;
        if (parents[i] >= 0) {
            children[parents[i]]++;
            missing[parents[i]]++;
        }
    }
    for (int32_t left = n; left > 0;) {
        const int32_t before = left;
        for (int32_t i = n - 1; i >= 0; i--) {
            if (missing[i] != 0) {
                continue;
            }
            const double time = children[i] == 0 ? params->value[TAN_C0]
                                                 : model->level(params, children[i]) + slowest[i];
            missing[i] = -1;
            left--;
            if (parents[i] < 0) {
                wave = time;
            } else {
                slowest[parents[i]] = fmax(slowest[parents[i]], time);
                missing[parents[i]]--;
            }
        }
        assert_true(left < before); /* else there is a cycle */
    }
    free(children);
    free(missing);
    free(slowest);
    return wave;
}

/* All rooted trees of n processes: parents[i] < i, every choice of them. */
static void try_parents(int32_t *parents, int32_t at, int32_t n, const struct tan_params *params,
                        double *by_members, double *by_leaves)
{
    if (at < n) {
        for (parents[at] = 0; parents[at] < at; parents[at]++) {
            try_parents(parents, at + 1, n, params, by_members, by_leaves);
        }
        return;
    }
    bool inner[16] = {false};
    int leaves = n;
    for (int32_t i = 1; i < n; i++) {
        leaves -= !inner[parents[i]];
        inner[parents[i]] = true;
    }
    const double wave = wave_of(parents, n, params);
    by_members[n] = fmin(by_members[n], wave);
    by_leaves[leaves] = fmin(by_leaves[leaves], wave);
}

/* Members up to 9 by all trees; leaves up to 4, whose best trees have at most 9 processes. */
TEST(every_tree)
{
    enum { MOST = 8, MORE = 9, LEAVES = 4 };
    const int32_t most = thorough() ? MORE : MOST;
    for (int m = 0; m < MACHINES; m++) {
        double members[MORE + 1];
        double leaves[MORE + 1];
        int32_t parents[MORE] = {-1};
        for (int i = 0; i <= MORE; i++) {
            members[i] = leaves[i] = INFINITY;
        }
        for (int32_t n = 2; n <= most; n++) {
            try_parents(parents, 1, n, &machines[m], members, leaves);
        }
        for (int n = 2; n <= most; n++) {
            struct tan_least_tree tree;
            assert_int_equal(tan_least_tree(TAN_ALL_MEMBERS, n, model, &machines[m], &tree), 0);
            assert_close(tree.wave, members[n], 1e-9 * members[n]);
        }
        for (int n = 2; n <= LEAVES; n++) {
            struct tan_least_tree tree;
            assert_int_equal(tan_least_tree(TAN_LEAVES_APART, n, model, &machines[m], &tree), 0);
            assert_close(tree.wave, leaves[n], 1e-9 * leaves[n]);
        }
    }
}

/* T(n) = the least over k children and over every size of the fullest of them. */
TEST(more_members)
{
    enum { MOST = 400 };
    static double least[MOST + 1];
    for (int m = 0; m < MACHINES; m++) {
        least[1] = machines[m].value[TAN_C0];
        for (int n = 2; n <= MOST; n++) {
            struct tan_least_tree tree;
            least[n] = INFINITY;
            for (int k = 1; k < n; k++) {
                least[n] =
                    fmin(least[n], model->level(&machines[m], k) + least[(n - 1 + k - 1) / k]);
            }
            assert_int_equal(tan_least_tree(TAN_ALL_MEMBERS, n, model, &machines[m], &tree), 0);
            assert_close(tree.wave, least[n], 1e-9 * least[n]);
        }
    }
}

/* The wave of every setting from the tree itself, in the target's numbering. */
static double wave_of_setting(const struct tan_target *target, const struct tan_setting *setting,
                              int64_t members, const struct tan_params *params)
{
    const struct tan_shape shape = tan_shape_of(target, setting, members, NULL);
    int32_t n;
    int32_t *parents = shape_parents(&shape, &n);
    struct tan_shape_cost cost;
    const double wave = wave_of(parents, n, params);
    assert_int_equal(tan_shape_cost(&shape, model, params, &cost), 0);
    assert_close(cost.wave, wave, 1e-9 * wave);
    assert_int_equal(cost.processes, n);
    double hops = 0.0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t at = parents[i]; at >= 0; at = parents[at]) {
            hops += 1.0;
        }
    }
    assert_close(cost.hops, hops, 1e-9 * hops);
    free(parents);
    return wave;
}

/* What a message costs with a process's first child, and the interval to the next of its `x`. */
struct hop {
    double first, interval, leaf, once;
};

static struct hop hop_of(const struct tan_model *m, const struct tan_params *params, int64_t x)
{
    const double *v = params->value;
    if (m->node == NULL) {
        const double first = m->level(params, 1);
        return (struct hop){first, x > 1 ? (m->level(params, x) - first) / (double)(x - 1) : 0.0,
                            0.0, v[TAN_C0]};
    }
    const double growth = v[TAN_C2] * (double)(x - 1);
    const double busy = (params->one_way == TAN_DOWN ? v[TAN_A] : v[TAN_B]) + growth;
    return (struct hop){v[TAN_A] + v[TAN_L] + v[TAN_B] + growth, fmax(busy, v[TAN_G]),
                        2 * v[TAN_C0], 0.0};
}

static int rising(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (*a > *b) - (*a < *b);
}

/* One direction over a subtree, child by child in the order of `split`. */
static double one_way_below(const struct tan_target *t, const struct tan_setting *setting,
                            const struct tan_model *m, const struct tan_params *params,
                            int64_t size, int depth)
{
    enum { MOST = 1024 };
    struct tan_branch branch[TAN_BRANCHES];
    double below[MOST];
    int n = 0;
    if (size == 1) {
        return hop_of(m, params, 1).leaf;
    }
    const int kinds = setting->knob->split(setting->value, size, depth, branch);
    for (int b = 0; b < kinds; b++) {
        const double time = one_way_below(t, setting, m, params, branch[b].size,
                                          branch[b].depth != 0 ? branch[b].depth : depth + 1);
        for (int64_t k = 0; k < branch[b].count; k++) {
            assert_true(n < MOST);
            below[n++] = time;
        }
    }
    const bool up = params->one_way == TAN_UP;
    const int senders = !up && t->senders > 1 ? t->senders : 1;
    const struct hop hop = hop_of(m, params, (n + senders - 1) / senders);
    double next = 0.0, last = 0.0;
    if (up) {
        qsort(below, (size_t)n, sizeof *below, rising);
    }
    for (int i = 0; i < n; i++) {
        const double start = up ? fmax(next, below[i]) : (double)(i / senders) * hop.interval;
        last = fmax(last, start + hop.first + (up ? 0.0 : below[i]));
        next = start + hop.interval;
    }
    return last;
}

static double one_way_time(const struct tan_model *m, const struct tan_params *params,
                           const struct tan_tree *tree)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_one_way_time_at(m, &tiers, NULL, tree);
}

/* The same as wave_of_setting for what goes one way, or up and then down; over the tree itself it
 * takes as long. */
static double one_way_wave(const struct tan_target *target, const struct tan_setting *setting,
                           const struct tan_model *m, int64_t members,
                           const struct tan_params *params, int direction)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_shape shape = tan_shape_of(target, setting, members, NULL);
    struct tan_tree *tree = tan_shape_tree(&shape, &e);
    double sum = 0.0;
    assert_no_error(e);
    for (int way = TAN_UP; way <= TAN_DOWN; way *= 2) {
        struct tan_params one = *params;
        one.one_way = way;
        if ((direction & way) != 0) {
            const double time =
                hop_of(m, &one, 1).once +
                one_way_below(target, setting, m, &one, members + target->counts.root_apart, 0);
            if (m->node == NULL && (way == TAN_UP || target->senders <= 1)) {
                assert_close(one_way_time(m, &one, tree), time, 1e-12 + 1e-9 * time);
            }
            sum += time;
        }
    }
    tan_tree_destroy(tree);
    return sum;
}

typedef double setting_wave(const struct tan_target *target, const struct tan_setting *setting,
                            int64_t members, const struct tan_params *params);

/* The least wave of all values of a knob. Those beyond the tree's size build what that size does.
 */
static double best_of_knob(const struct tan_target *target, const struct tan_knob *knob,
                           const struct tan_model *m, int64_t members,
                           const struct tan_params *params, int direction, setting_wave *wave)
{
    const int64_t most = knob->most < members + 1 ? knob->most : members + 1;
    double best = INFINITY;
    for (int64_t v = knob->least; v <= most || v == knob->least; v++) {
        const struct tan_setting setting = {knob, v};
        best = fmin(best, tan_target_one_way(target)
                              ? one_way_wave(target, &setting, m, members, params, direction)
                              : wave(target, &setting, members, params));
    }
    return best;
}

/* The reported best setting of every target is the best of all its settings. */
TEST(every_setting)
{
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        for (int64_t n = 2; n <= 300; n += thorough() ? 1 : 59) {
            const struct tan_params *params = &machines[n % MACHINES];
            const struct tan_target_problem problem = {
                .target = *t, .members = n, .model = model, .up = params, .down = params};
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_target_way way[2];
            const int ways = tan_target_choose(&problem, way, &e);
            assert_no_error(e);
            assert_true(ways > 0);
            for (int w = 0; w < ways; w++) {
                for (size_t i = 0; i < way[w].n_priced; i++) {
                    const struct tan_priced *priced = &way[w].priced[i];
                    const struct tan_knob *knob = priced->setting.knob;
                    if (knob->split == NULL) {
                        assert_close(priced->cost.wave, way[w].least.wave,
                                     1e-9 * priced->cost.wave);
                        continue;
                    }
                    const double best =
                        best_of_knob(*t, knob, model, n, params, way[w].direction, wave_of_setting);
                    assert_close(priced->cost.wave, best, 1e-9 * best);
                    assert_true(priced->cost.wave >= way[0].priced[0].cost.wave * (1 - 1e-9) ||
                                w > 0);
                    assert_true(best >= way[w].least.wave * (1 - 1e-9));
                }
            }
        }
    }
}

/* Without draws, the runner-up is the fastest of all settings with another tree than the best one.
 */
TEST(next_settings)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target *slurm = tan_target_find("slurm", &e);
    for (int64_t n = 9; n <= 300; n += 97) {
        const struct tan_params *params = &machines[n % MACHINES];
        const struct tan_target_problem problem = {
            .target = slurm, .members = n, .model = model, .up = params, .down = params};
        struct tan_target_way way[2];
        assert_int_equal(tan_target_choose(&problem, way, &e), 1);
        assert_int_equal(tan_target_weigh(&problem, true, &way[0], &e), 0);
        const double best = way[0].priced[0].cost.wave;
        double next = INFINITY;
        for (int64_t value = slurm->knobs[0].least; value <= n; value++) {
            const struct tan_setting setting = {&slurm->knobs[0], value};
            const struct tan_shape shape = tan_shape_of(slurm, &setting, n, NULL);
            struct tan_shape_cost cost;
            assert_int_equal(tan_shape_cost(&shape, model, params, &cost), 0);
            next = cost.hops != way[0].priced[0].cost.hops ? fmin(next, cost.wave) : next;
        }
        assert_non_null(way[0].runner_up.setting.knob);
        assert_true(isnan(way[0].runner_up.share));
        assert_close(way[0].runner_up.slower, fmax(0.0, next / best - 1.0), 1e-9);
        assert_close(wave_of_setting(slurm, &way[0].runner_up.setting, n, params), next,
                     1e-9 * next);
    }
}

/* The wave of a setting's tree under tan-overlap, each process's branches in their order. */
static double overlapping_wave(const struct tan_target *target, const struct tan_setting *setting,
                               int64_t members, const struct tan_params *params)
{
    enum { MOST = 1024 };
    static int64_t size[MOST];
    static int depth[MOST];
    static int32_t parents[MOST];
    const struct tan_shape shape = tan_shape_of(target, setting, members, NULL);
    struct tan_branch branch[TAN_BRANCHES];
    struct tan_shape_cost cost;
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_model *overlap = tan_model_find("tan-overlap", &e);
    int32_t n = 1;
    size[0] = shape.size;
    depth[0] = 0;
    parents[0] = -1;
    for (int32_t i = 0; i < n; i++) {
        const int kinds =
            size[i] > 1 ? setting->knob->split(setting->value, size[i], depth[i], branch) : 0;
        for (int b = 0; b < kinds; b++) {
            for (int64_t k = 0; k < branch[b].count; k++) {
                assert_true(n < MOST);
                parents[n] = i;
                size[n] = branch[b].size;
                depth[n++] = branch[b].depth != 0 ? branch[b].depth : depth[i] + 1;
            }
        }
    }
    struct tan_tree *tree = tan_tree_create(parents, n, NULL, &e);
    assert_no_error(e);
    const double wave = tan_wave_time(overlap, params, tree);
    tan_tree_destroy(tree);
    assert_int_equal(tan_shape_cost(&shape, overlap, params, &cost), 0);
    assert_close(cost.wave, wave, 1e-12);
    assert_close(cost.in_turn, wave, 1e-12);
    assert_int_equal(cost.processes, n);
    return wave;
}

/* The same as above where requests and answers overlap: the best setting is that of all. */
TEST(overlapping_settings)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_model *overlap = tan_model_find("tan-overlap", &e);
    static const struct tan_params sets[] = {
        {.method = TAN_METHOD_OVERLAP, .value = {2e-6, 1.8e-6, 1.5e-6, 0, 0.2e-6, 0}},
        {.method = TAN_METHOD_OVERLAP, .value = {20e-6, 0.4e-6, 1.5e-6, 1e-8, 0.1e-6, 3e-6}},
    };
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        for (int64_t n = 2; n <= 200; n += thorough() ? 7 : 99) {
            const struct tan_params *params = &sets[n / 66 % 2];
            const struct tan_target_problem problem = {
                .target = *t, .members = n, .model = overlap, .up = params, .down = params};
            struct tan_target_way way[2];
            const int ways = tan_target_choose(&problem, way, &e);
            assert_no_error(e);
            for (int w = 0; w < ways; w++) {
                for (size_t i = 0; i < way[w].n_priced; i++) {
                    const struct tan_priced *priced = &way[w].priced[i];
                    const struct tan_knob *knob = priced->setting.knob;
                    if (knob->split == NULL) {
                        assert_close(priced->cost.wave, way[w].least.wave, 1e-12);
                        continue;
                    }
                    const double best = best_of_knob(*t, knob, overlap, n, params, way[w].direction,
                                                     overlapping_wave);
                    assert_close(priced->cost.wave, best, 1e-10);
                }
            }
        }
    }
}

TEST(settings_as_text)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target *flux = tan_target_find("flux", &e);
    struct tan_setting s;
    assert_int_equal(tan_setting_parse(flux, "kary:16", &s, &e), 0);
    assert_int_equal(s.value, 16);
    assert_string_equal(tan_setting_text(&s).text, "kary:16");
    assert_int_equal(tan_setting_parse(flux, "binomial", &s, &e), 0);
    assert_string_equal(tan_setting_text(&s).text, "binomial");
    static const struct {
        const char *text, *wrong;
    } rows[] = {
        {"kary:", "takes a whole number"},
        {"kary:4x", "takes a whole number"},
        {"kary:3000000000", "takes 0 to"},
        {"tree", "Flux takes kary:K"},
        {"", "Flux takes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_setting_refused("flux", rows[i].text, rows[i].wrong);
    }
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_null(tan_target_find("cray", &e));
    assert_error(e, TAN_USAGE, "flux");
}

/* What a row of defaults sets is a value of its knob, the least if it takes none; without a knob,
 * or with a rule, there is none. The last row for so many members has all sizes that the rows
 * before it have not. */
TEST(values_of_defaults)
{
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        const struct tan_default *row = (*t)->defaults;
        for (int i = 0; row != NULL && row[i].name != NULL; i++) {
            const struct tan_knob *knob = &(*t)->knobs[row[i].knob];
            at_row("%s: %s", (*t)->name, row[i].name);
            assert_true(row[i].rule != NULL
                            ? row[i].value == 0
                            : row[i].value >= knob->least && row[i].value <= knob->most);
        }
        for (int way = 0; way < 2; way++) {
            const struct tan_decision *d = (*t)->decisions[way];
            for (bool last = d == NULL; !last; d++) {
                at_row("%s: below %" PRId64 " members, %" PRId64 " bytes", (*t)->name, d->members,
                       d->bytes);
                assert_true(d->knob == NULL
                                ? d->value == 0
                                : d->value == d->knob->least ||
                                      (d->value > d->knob->least && d->value <= d->knob->most));
                assert_true((d->knob == NULL) == (d->name != NULL));
                assert_true(d->bytes == 0 || (d[1].members == d->members &&
                                              (d[1].bytes == 0 || d[1].bytes > d->bytes)));
                last = d->members == 0 && d->bytes == 0;
            }
        }
    }
}

/* Flat beats two levels while level(n) <= level(x) + level(ceil(n / x)) for all x. */
TEST(flat_until)
{
    for (int m = 0; m < 2; m++) {
        int64_t last = 1;
        for (int64_t n = 2; n < 200; n++) {
            double least = INFINITY;
            for (int64_t x = 2; x < n; x++) {
                least = fmin(least, model->level(&machines[m], x) +
                                        model->level(&machines[m], (n + x - 1) / x));
            }
            if (model->level(&machines[m], n) > least) {
                break;
            }
            last = n;
        }
        struct tan_interval ci95;
        assert_int_equal(tan_flat_until(TAN_LEAVES_APART, false, model, &machines[m], &ci95), last);
        assert_true(ci95.low > ci95.high);
    }
}

/* A tree that a setting builds is found again; others are told apart by their height. */
TEST(given_trees)
{
    static const struct {
        const char *spec, *target, *setting;
        int direction;
        enum tan_exported result;
    } rows[] = {
        {"levels:4x4", "flux", "kary:4", TAN_DOWN, TAN_EXPORT_EXACT},
        {"chain:9", "flux", "kary:1", TAN_DOWN, TAN_EXPORT_EXACT},
        {"binomial:8", "flux", "binomial", TAN_DOWN, TAN_EXPORT_EXACT},
        {"nto1:63", "prrte", NULL, TAN_UP, TAN_EXPORT_EXACT},
        {"levels:3x4", "flux", "mincrit:3", TAN_DOWN, TAN_EXPORT_EXACT},
        {"levels:3x2x2", "flux", "custom", TAN_DOWN, TAN_EXPORT_EXACT},
        {"levels:3x4", "prrte", NULL, TAN_UP, TAN_EXPORT_APPROXIMATE},
        {"chain:9", "prrte", NULL, TAN_UP, TAN_EXPORT_IMPOSSIBLE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        struct tan_target_problem problem = {.target = tan_target_find(rows[i].target, &e),
                                             .model = model,
                                             .up = &machines[0],
                                             .down = &machines[0]};
        struct tan_export x;
        assert_no_error(e);
        problem.members = tan_export_members(problem.target, tree);
        assert_int_equal(tan_export_find(&problem, tree, rows[i].direction, &x, &e), 0);
        assert_int_equal(x.result, rows[i].result);
        if (rows[i].setting != NULL) {
            assert_string_equal(tan_setting_text(&x.setting).text, rows[i].setting);
        }
        struct tan_params one = machines[0];
        one.one_way = rows[i].direction;
        assert_close(x.given.wave, one_way_time(model, &one, tree), 1e-12);
        tan_tree_destroy(tree);
    }
}

TEST(counts)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target *flux = tan_target_find("flux", &e);
    assert_int_equal(tan_target_check_count(flux, 0, 8, model, &machines[0], &e), 0);
    assert_int_equal(tan_target_check_count(flux, 100, 0, model, &machines[0], &e), -1);
    assert_error(e, TAN_USAGE, "--members 100 if these are all of them");
}

/* Few members leave time for every draw: as for the values themselves, a flat tree is the best
 * under the even ones, where children cost nothing, and not under the odd ones. */
TEST(every_draw_counts)
{
    enum { DRAWS = 200 };
    double draws[DRAWS * TAN_PARAMS] = {0};
    for (size_t i = 0; i < DRAWS; i++) {
        draws[i * TAN_PARAMS + TAN_L] = 1 * US;
        draws[i * TAN_PARAMS + TAN_B] = i % 2 == 0 ? 0 : 1 * US;
    }
    const struct tan_params known = {
        .method = TAN_METHOD_JOINT, .value = {1 * US}, .draws = draws, .n_draws = DRAWS};
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target_problem problem = {.target = tan_target_find("slurm", &e),
                                               .members = 60,
                                               .model = model,
                                               .up = &known,
                                               .down = &known};
    struct tan_target_way way[2];
    assert_int_equal(tan_target_choose(&problem, way, &e), 1);
    assert_int_equal(tan_target_weigh(&problem, true, &way[0], &e), 0);
    assert_close(way[0].priced[0].cost.wave, 1 * US, 1e-15);
    assert_close(way[0].share, 0.5, 1e-12);
    /* of its two levels the root has 8 children, as all below it: 2, and 16 instead of 9 at best */
    assert_int_equal(way[0].runner_up.setting.value, 8);
    assert_close(way[0].runner_up.mean_regret, 0.75, 1e-12);
}

/* A hop costs 10 us and a further child 1 us. In 17 of 100 draws hops are free, so that a chain is
 * the best; to fall back on, it would be useless. */
TEST(fall_back)
{
    enum { DRAWS = 100 };
    double draws[DRAWS * TAN_PARAMS] = {0};
    for (size_t i = 0; i < DRAWS; i++) {
        draws[i * TAN_PARAMS + TAN_L] = i % 6 == 0 ? 0 : 10 * US;
        draws[i * TAN_PARAMS + TAN_B] = 1 * US;
        draws[i * TAN_PARAMS + TAN_C0] = 10 * US;
    }
    const struct tan_params known = {.method = TAN_METHOD_JOINT,
                                     .value = {10 * US, 0, 1 * US, 0, 0, 10 * US},
                                     .draws = draws,
                                     .n_draws = DRAWS};
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target_problem problem = {.target = tan_target_find("slurm", &e),
                                               .members = 200,
                                               .model = model,
                                               .up = &known,
                                               .down = &known};
    struct tan_target_way way[2];
    assert_int_equal(tan_target_choose(&problem, way, &e), 1);
    assert_int_equal(tan_target_weigh(&problem, true, &way[0], &e), 0);
    assert_close(way[0].share, 0.83, 1e-12);
    assert_true(way[0].runner_up.setting.value > 1);
    assert_true(way[0].runner_up.slower < 0.2);
    assert_true(way[0].runner_up.mean_regret < 1);
}

/* "Best with probability p" from 400 draws: of 400 other truths of the same uncertainty as many
 * bear it out, to 10 points: the standard error of both shares' difference is at most 3.6. */
TEST(probabilities)
{
    enum { DRAWS = 400 };
    static double draws[2 * DRAWS * TAN_PARAMS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    int sure = 0;
    int unsure = 0;
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 2 * DRAWS * TAN_PARAMS; i++) {
            draws[i] = machines[m].value[i % TAN_PARAMS] * (1 + gsl_ran_gaussian(rng, 0.3));
        }
        struct tan_params known = machines[m];
        struct tan_params truths = machines[m];
        known.draws = draws;
        truths.draws = draws + DRAWS * TAN_PARAMS;
        known.n_draws = truths.n_draws = DRAWS;
        for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
            const int64_t least = thorough() || m > 0 ? 20 : 320;
            const int64_t most = thorough() ? 5000 : least;
            for (int64_t n = least; n <= most; n *= 4) {
                const struct tan_target_problem problem = {
                    .target = *t, .members = n, .model = model, .up = &known, .down = &known};
                const struct tan_target_problem truth = {
                    .target = *t, .members = n, .model = model, .up = &truths, .down = &truths};
                struct tan_error e = TAN_ERROR_INIT;
                struct tan_target_way way[2];
                struct tan_target_way held;
                const int ways = tan_target_choose(&problem, way, &e);
                assert_true(ways > 0);
                for (int w = 0; w < ways; w++) {
                    assert_int_equal(tan_target_weigh(&problem, true, &way[w], &e), 0);
                    const struct tan_setting *setting = &way[w].priced[0].setting;
                    if (setting->knob->split == NULL) {
                        continue;
                    }
                    assert_int_equal(tan_target_evaluate(&truth, setting, &held, &e), 0);
                    assert_int_equal(tan_target_weigh(&truth, false, &held, &e), 0);
                    assert_close(way[w].share, held.share, 0.1);
                    sure += way[w].share > 0.9;
                    unsure += way[w].share < 0.7;
                }
            }
        }
    }
    assert_true(sure > 0 && unsure > 0);
    gsl_rng_free(rng);
}

/* What failures cost every target's trees, against the sizes of their subtrees. */
TEST(failures_by_setting)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t t = 0; tan_targets[t] != NULL; t++) {
        const struct tan_target *target = tan_targets[t];
        struct tan_target_problem problem = {.target = target,
                                             .members = 300,
                                             .model = model,
                                             .up = &machines[0],
                                             .down = &machines[0],
                                             .p_down = 0.01};
        struct tan_target_way way[2];
        struct tan_setting_failure rows[TAN_SETTING_FAILURES];
        assert_true(tan_target_choose(&problem, way, &e) > 0);
        const int n = tan_setting_failures(&problem, &way[0], rows, &e);
        assert_true(target->fails.timeout > 0.0 ? n > 0 && target->fails.how != NULL : n == 0);
        assert_true(target->fails.timeout > 0.0 || target->fails.timeouts == NULL);
        for (int i = 0; i < n; i++) {
            struct tan_shape_cost cost;
            at_row("%s, row %d", target->name, i);
            assert_int_equal(
                tan_target_cost(&problem, &rows[i].setting, way[0].direction, &cost, &e), 0);
            assert_close(rows[i].wave, cost.wave, 1e-12);
            assert_int_equal(rows[i].most_lost, cost.max_below);
            if (target->fails.timeouts == NULL) {
                const double any = 1 - pow(0.99, (double)cost.processes - 1);
                const double share = tan_target_one_way(target) ? 1.0 : 0.5;
                assert_close(rows[i].expected, cost.wave + share * target->fails.timeout * any,
                             1e-9);
                assert_close(rows[i].wait, target->fails.timeout, 1e-9);
            }
        }
    }
}

RUN_TESTS(NULL, NULL)
