/* test_even.c - the search for even trees where requests and answers overlap
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "design/search/limits.h"
#include "design/search/search.h"
#include "model/wave/payload.h"
#include "topo/spec.h"

#define US 1e-6

static const struct tan_model *overlap = &tan_models[TAN_MODEL_OVERLAP];
static gsl_rng *rng;

static int setup(void **state)
{
    (void)state;
    rng = gsl_rng_alloc(gsl_rng_taus2);
    return rng == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    gsl_rng_free(rng);
    return 0;
}

/* 0 to `most`. */
static int64_t draw(int64_t most)
{
    return (int64_t)gsl_rng_uniform_int(rng, (unsigned long)most + 1);
}

static double between(double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

/* Overheads far below the latency, like it, or far above it; with and without growth and C; gaps up
 * to the overheads. */
static struct tan_params random_machine(int regime)
{
    static const double scales[] = {0.05, 1, 10};
    const double scale = scales[regime % 3];
    struct tan_params m = {.method = TAN_METHOD_OVERLAP};
    double *v = m.value;
    v[TAN_L] = between(1, 5) * US;
    v[TAN_A] = scale * between(0.2, 2.2) * US;
    v[TAN_B] = scale * between(0.2, 2.2) * US;
    v[TAN_C2] = draw(1) ? scale * between(0, 0.01) * US : 0;
    v[TAN_G] = fmin(v[TAN_A], v[TAN_B]) * between(0, 1);
    v[TAN_C0] = draw(1) ? between(0, 1) * US : 0;
    const int one_way[] = {0, 0, 0, 0, TAN_UP, TAN_DOWN};
    m.one_way = one_way[draw(5)];
    return m;
}

static void draw_limits(struct tan_problem *p)
{
    p->max_fanout = draw(2) ? 0 : 2 + draw(10);
    p->max_height = draw(2) ? 0 : 1 + draw(5);
    p->max_processes = draw(2) ? 0 : p->leaves + 1 + draw(p->leaves);
    p->max_loss = draw(3) ? 0 : 1 + draw(p->leaves);
}

/* Trees of one height and largest number of leaves at a process: the shortest wave. And of those of
 * each cost: trees of levels may have more nodes above leaves than leaves. */
enum { HEIGHTS = 12, WIDEST = 1000, COSTS = 2, DEAREST = 8 * WIDEST };
struct class
{
    double least;
    bool found;
};

struct enumeration {
    const struct tan_problem *p;
    double least, even; /* of all, and of those of levels */
    struct class class[HEIGHTS][WIDEST + 1];
    double by_cost[COSTS][DEAREST + 1];
};

static double built_wave(const struct tan_problem *p, const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const double wave = tan_wave_time(p->model, p->params, tree);
    tan_tree_destroy(tree);
    return wave;
}

static void try_spec(struct enumeration *all, const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem *p = all->p;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const int32_t height = tan_tree_height(tree);
    assert_in_range(height, 1, HEIGHTS - 1);
    if ((p->max_fanout == 0 || tan_tree_max_fanout(tree) <= p->max_fanout) &&
        (p->max_height == 0 || height <= p->max_height) &&
        (p->max_processes == 0 || tan_tree_size(tree) <= p->max_processes) &&
        (p->max_loss == 0 || height == 1 || tan_tree_max_below(tree) <= p->max_loss)) {
        const int32_t leaf = tan_tree_size(tree) - 1; /* all leaves are at one depth */
        int32_t widest = 0;
        for (int32_t i = 0; i < tan_tree_size(tree); i++) {
            const int32_t x = tan_tree_fanout(tree, i);
            const bool above_leaves =
                x > 0 && tan_tree_fanout(tree, tan_tree_children(tree, i)[0]) == 0;
            widest = above_leaves && x > widest ? x : widest;
        }
        assert_int_equal(tan_tree_fanout(tree, leaf), 0);
        const double wave = tan_wave_time(p->model, p->params, tree);
        struct class *class = &all->class[height][widest];
        class->least = class->found ? fmin(class->least, wave) : wave;
        class->found = true;
        all->least = fmin(all->least, wave);
        const int64_t cost[COSTS] = {[TAN_COST_PROCESSES] = tan_tree_size(tree),
                                     [TAN_COST_LOSS] = height == 1 ? 1 : tan_tree_max_below(tree)};
        for (int c = 0; c < COSTS; c++) {
            assert_in_range(cost[c], 1, DEAREST);
            all->by_cost[c][cost[c]] = fmin(all->by_cost[c][cost[c]], wave);
        }
    }
    tan_tree_destroy(tree);
}

/* All fanouts after these, which hold `room` nodes, that hold the leaves at the end and not
 * before. */
static void try_levels(struct enumeration *all, const char *fanouts, int64_t room)
{
    const int64_t leaves = all->p->leaves;
    const int64_t last = (leaves + room - 1) / room;
    char spec[280];
    for (int order = 0; order < 2; order++) {
        snprintf(spec, sizeof spec, "levels:%s%s%" PRId64 ":%" PRId64 "%s", fanouts,
                 room > 1 ? "x" : "", last, leaves, order > 0 ? ":last" : "");
        try_spec(all, spec);
    }
    for (int64_t x = 2; x * room < leaves; x++) {
        snprintf(spec, sizeof spec, "%s%s%" PRId64, fanouts, room > 1 ? "x" : "", x);
        try_levels(all, spec, room * x);
    }
}

static void try_everything(struct enumeration *all)
{
    *all = (struct enumeration){.p = all->p, .least = INFINITY};
    for (int c = 0; c < COSTS; c++) {
        for (int64_t i = 0; i <= DEAREST; i++) {
            all->by_cost[c][i] = INFINITY;
        }
    }
    try_levels(all, "", 1);
    all->even = all->least;
    for (int64_t k = 2; k < all->p->leaves; k++) {
        char spec[64];
        snprintf(spec, sizeof spec, "kary:%" PRId64 ":%" PRId64, k, all->p->leaves);
        try_spec(all, spec);
    }
}

static void assert_equal_wave(double found, double wanted)
{
    assert_close(found, wanted, 1e-9 * wanted);
}

/* The trees found have the waves of the built trees, and are the best of each class. */
static void check(struct enumeration *all, int k, int best[3])
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem *p = all->p;
    struct tan_plans plans;
    try_everything(all);
    if (tan_search(p, k, &plans, &e) < 0) {
        assert_error(e, TAN_INFEASIBLE, "");
        assert_true(isinf(all->least));
        return;
    }
    assert_equal_wave(plans.plan[0].wave, all->least);
    assert_in_range(plans.n, 1, k);
    for (size_t i = 0; i < plans.n; i++) {
        const struct tan_plan *plan = &plans.plan[i];
        struct class *class = &all->class[plan->height][plan->fanout[plan->height - 1]];
        assert_equal_wave(built_wave(p, tan_plan_spec(plan).text), plan->wave);
        assert_true(
            tan_limits_allow(p, plan->max_fanout, plan->height, plan->processes, plan->below[0]));
        assert_true(class->found); /* and no other tree of the list is of that class */
        assert_equal_wave(plan->wave, class->least);
        class->found = false;
        best[plan->rule] += i == 0;
    }
    for (int h = 0; h < HEIGHTS; h++) { /* what is not in the list is slower */
        for (int x = 0; x <= WIDEST && plans.n == (size_t)k; x++) {
            const struct class *class = &all->class[h][x];
            assert_true(!class->found || class->least >= plans.plan[k - 1].wave * (1 - 1e-9));
        }
    }
    tan_plans_clear(&plans);
}

/* Small trees on random machines under random limits: as if all trees were built and compared. */
TEST(all_trees)
{
    static struct enumeration all;
    static const struct {
        int64_t most;
        int rounds, thorough;
    } rows[] = {{40, 300, 8000}, {100, 30, 1000}, {200, 6, 300}, {1000, 0, 6}};
    int best[3] = {0};
    gsl_rng_set(rng, 3);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int rounds = thorough() ? rows[i].thorough : rows[i].rounds;
        for (int round = 0; round < rounds; round++) {
            const struct tan_params machine = random_machine(round);
            struct tan_problem p = {
                .leaves = 2 + draw(rows[i].most - 2), .model = overlap, .params = &machine};
            if (round % 2 > 0) {
                draw_limits(&p);
            }
            all.p = &p;
            check(&all, round % 3 == 0 ? 1 : 2 + (int)draw(6), best);
        }
    }
    for (int rule = 0; rule < 3; rule++) {
        assert_true(best[rule] > 0);
    }
}

/* From the least cost on: every tree that is faster than all that cost less, and no other. */
static void check_front(const struct enumeration *all, enum tan_front_cost cost, size_t most)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem *p = all->p;
    struct tan_plans front;
    if (tan_search_front(p, cost, most, &front, &e) < 0) {
        assert_error(e, TAN_INFEASIBLE, "");
        assert_true(isinf(all->least));
        return;
    }
    double best = INFINITY;
    size_t wanted = 0;
    for (int64_t i = 0; i <= DEAREST; i++) {
        wanted += all->by_cost[cost][i] < best * (1 - 1e-9);
        best = fmin(best, all->by_cost[cost][i]);
    }
    assert_int_equal(front.n, wanted < most ? wanted : most);
    assert_int_equal(front.cut, wanted > most);
    best = INFINITY;
    for (int64_t i = 0; i <= DEAREST; i++) {
        if (all->by_cost[cost][i] < best * (1 - 1e-9) && wanted-- <= most) {
            const struct tan_plan *plan = &front.plan[wanted];
            assert_int_equal(tan_plan_cost(plan, cost), i);
            assert_equal_wave(plan->wave, all->by_cost[cost][i]);
            assert_equal_wave(built_wave(p, tan_plan_spec(plan).text), plan->wave);
            assert_true(tan_limits_allow(p, plan->max_fanout, plan->height, plan->processes,
                                         plan->below[0]));
        }
        best = fmin(best, all->by_cost[cost][i]);
    }
    tan_plans_clear(&front);
}

TEST(fronts)
{
    static struct enumeration all;
    static const struct {
        int64_t most;
        int rounds, thorough;
    } rows[] = {{40, 200, 5000}, {150, 8, 300}, {WIDEST, 0, 4}};
    gsl_rng_set(rng, 13);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int rounds = thorough() ? rows[i].thorough : rows[i].rounds;
        for (int round = 0; round < rounds; round++) {
            const struct tan_params machine = random_machine(round);
            struct tan_problem p = {
                .leaves = 2 + draw(rows[i].most - 2), .model = overlap, .params = &machine};
            if (round % 2 > 0) {
                draw_limits(&p);
            }
            all.p = &p;
            try_everything(&all);
            for (int c = 0; c < COSTS; c++) {
                check_front(&all, (enum tan_front_cost)c, draw(1) ? 1000 : 1 + (size_t)draw(9));
            }
        }
    }
}

static struct tan_plan best_of(const struct tan_problem *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans plans;
    tan_search(p, 1, &plans, &e);
    assert_no_error(e);
    const struct tan_plan best = plans.plan[0];
    tan_plans_clear(&plans);
    return best;
}

/* No limit makes the best tree better. */
TEST(limits)
{
    struct tan_error e = TAN_ERROR_INIT;
    const int rounds = thorough() ? 10000 : 400;
    gsl_rng_set(rng, 5);
    for (int i = 0; i < rounds; i++) {
        const struct tan_params machine = random_machine(i);
        struct tan_problem p = {.leaves = 2 + draw(3000), .model = overlap, .params = &machine};
        const double free = best_of(&p).wave;
        struct tan_plans plans;
        draw_limits(&p);
        if (tan_search(&p, 1, &plans, &e) < 0) {
            assert_error(e, TAN_INFEASIBLE, "");
            e = (struct tan_error)TAN_ERROR_INIT;
            continue;
        }
        assert_true(plans.plan[0].wave >= free * (1 - 1e-9));
        tan_plans_clear(&plans);
    }
}

/* No tree that somebody may think of is faster, and none of fewer leaves is slower. */
TEST(nothing_is_faster)
{
    enum { TREES = 10 };
    const int rounds = thorough() ? 10000 : 200;
    gsl_rng_set(rng, 7);
    for (int i = 0; i < rounds; i++) {
        const struct tan_params machine = random_machine(i);
        struct tan_problem p = {.leaves = 2 + draw(4000), .model = overlap, .params = &machine};
        const double best = best_of(&p).wave;
        for (int tree = 0; tree < TREES; tree++) {
            char spec[280] = "levels:";
            int64_t room = 1;
            while (room < p.leaves) {
                const int64_t x = 2 + draw(draw(1) ? 8 : 60);
                const size_t used = strlen(spec);
                snprintf(spec + used, sizeof spec - used, "%s%" PRId64, room > 1 ? "x" : "", x);
                room *= x;
            }
            const size_t used = strlen(spec);
            snprintf(spec + used, sizeof spec - used, ":%" PRId64 "%s", p.leaves,
                     draw(1) ? ":last" : "");
            if (tree % 3 == 0) {
                snprintf(spec, sizeof spec, "kary:%" PRId64 ":%" PRId64, 2 + draw(20), p.leaves);
            }
            assert_true(built_wave(&p, spec) >= best * (1 - 1e-9));
        }
        p.leaves++;
        const struct tan_plan more = best_of(&p);
        assert_true(more.rule == TAN_RULE_KARY || more.wave >= best * (1 - 1e-9));
    }
}

/* Answers that are taken between requests: nodes are priced exactly, but the best is not certain.
 */
TEST(gaps_above_overheads)
{
    gsl_rng_set(rng, 11);
    for (int i = 0; i < 60; i++) {
        struct tan_params machine = random_machine(i);
        machine.value[TAN_G] = fmax(machine.value[TAN_A], machine.value[TAN_B]) * between(0.5, 3);
        const struct tan_problem p = {
            .leaves = 2 + draw(500), .model = overlap, .params = &machine};
        const struct tan_plan best = best_of(&p);
        assert_equal_wave(built_wave(&p, tan_plan_spec(&best).text), best.wave);
    }
}

/* Messages that share a NIC: what is found may not be the best of all, but is close, in 1000 random
 * cases within 7.4 %, on average within 0.11 %. */
TEST(shared_nic)
{
    static struct enumeration all;
    const int rounds = thorough() ? 1000 : 60;
    double worst = 0;
    double slower = 0;
    gsl_rng_set(rng, 17);
    for (int i = 0; i < rounds; i++) {
        struct tan_params machine = random_machine(i);
        machine.one_way = 0;
        machine.nic_shared = true;
        machine.value[TAN_G] = fmax(machine.value[TAN_A], machine.value[TAN_B]) * between(0.5, 3);
        const struct tan_problem p = {.leaves = 2 + draw(58), .model = overlap, .params = &machine};
        const struct tan_plan best = best_of(&p);
        assert_equal_wave(built_wave(&p, tan_plan_spec(&best).text), best.wave);
        all.p = &p;
        try_everything(&all);
        assert_true(best.wave >= all.least * (1 - 1e-9));
        worst = fmax(worst, best.wave / all.least - 1);
        slower += (best.wave / all.least - 1) / rounds;
    }
    print_message("%.2f %% slower than the best on average, at most %.2f %%\n", 100 * slower,
                  100 * worst);
    assert_true(worst < (thorough() ? 0.075 : 0.05));
    assert_true(slower < 0.0015);
}

/* Single messages whose costs rise with their length, or also fall, where a second section begins.
 */
static struct tan_p2p *random_messages(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = NULL;
    json_t *all = json_object(), *sections = json_array();
    const int64_t change = draw(1) ? 200 + draw(20000) : 0;
    json_object_set_new(all, "sections", sections);
    for (int i = 0; i < (change > 0 ? 2 : 1); i++) {
        json_t *section =
            json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "L_us", between(0, 10), "o_s_us",
                      between(0, 5), "O_s_us_per_byte", draw(1) ? between(0, 0.002) : 0.0, "o_r_us",
                      between(0, 5), "O_r_us_per_byte", draw(1) ? between(0, 0.01) : 0.0, "g_us",
                      between(0, 5), "G_us_per_byte", draw(3) ? between(0, 0.02) : 0.0);
        if (change > 0) {
            json_object_set_new(section, i == 0 ? "to_bytes" : "from_bytes",
                                json_integer(change + i));
        }
        json_array_append_new(sections, section);
    }
    p = tan_p2p_parse(all, "m.json", &e);
    assert_no_error(e);
    json_decref(all);
    return p;
}

/* Messages that grow: what is found may not be the best of all, but no even tree takes less than
 * the bound, and the trees found hardly more. */
TEST(growing)
{
    static struct enumeration all;
    struct tan_error e = TAN_ERROR_INIT;
    const int rounds = thorough() ? 5000 : 250;
    double worst = 0;
    double slower = 0;
    double gaps = 0;
    gsl_rng_set(rng, 19);
    for (int i = 0; i < rounds; i++) {
        struct tan_params machine = random_machine(i);
        struct tan_p2p *p2p = random_messages();
        struct tan_payload *payload =
            tan_payload_create(p2p, NULL, 100, 1 + draw(2000), &tan_payload_rules[1], "m.json", &e);
        assert_no_error(e);
        machine.value[TAN_G] *= draw(1) ? between(1, 3) : 1;
        machine.nic_shared = draw(9) == 0;
        machine.payload = payload;
        struct tan_problem p = {.leaves = 2 + draw(draw(9) ? 60 : 200),
                                .model = overlap,
                                .params = &machine,
                                .max_fanout = draw(3) ? 0 : 2 + draw(10)};
        struct tan_plans plans;
        assert_int_equal(tan_search(&p, i % 2 > 0 ? 1 : 5, &plans, &e), 0);
        const struct tan_plan *best = &plans.plan[0];
        assert_equal_wave(built_wave(&p, tan_plan_spec(best).text), best->wave);
        all.p = &p;
        try_everything(&all);
        assert_true(best->wave >= all.least * (1 - 1e-9));
        assert_true(plans.bound > 0 && plans.bound <= all.even * (1 + 1e-9));
        worst = fmax(worst, best->wave / all.least - 1);
        slower += (best->wave / all.least - 1) / rounds;
        gaps += (best->wave / plans.bound - 1) / rounds;
        tan_plans_clear(&plans);
        tan_payload_destroy(payload);
        tan_p2p_destroy(p2p);
    }
    print_message(
        "%.2f %% slower than the best on average, at most %.2f %%; than the bound %.2f %%\n",
        100 * slower, 100 * worst, 100 * gaps);
    assert_true(slower < 0.002 && gaps < 0.05);
}

/* Of each leaf 1 kB, 0.04 us a byte, pass the root's NIC, in half a round trip; and neither the
 * bound nor the tree leaps as leaves become more. */
TEST(growing_large)
{
    static const int64_t leaves[] = {1000, 5000, 50000, 1000000};
    struct tan_error e = TAN_ERROR_INIT;
    json_t *messages = json_loads("{\"sections\": [{\"L_us\": 3, \"o_s_us\": 40, \"o_r_us\": 20, "
                                  "\"O_r_us_per_byte\": 0.006, \"G_us_per_byte\": 0.04}]}",
                                  0, NULL);
    struct tan_p2p *p2p = tan_p2p_parse(messages, "m.json", &e);
    struct tan_payload *payload =
        tan_payload_create(p2p, NULL, 1, 1000, &tan_payload_rules[1], "m.json", &e);
    const struct tan_params machine = {
        .method = TAN_METHOD_OVERLAP,
        .value = {[TAN_L] = 3 * US, [TAN_A] = 40 * US, [TAN_B] = 20 * US},
        .payload = payload};
    assert_no_error(e);
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        struct tan_problem p = {.leaves = leaves[i], .model = overlap, .params = &machine};
        const double one = 1000 * 0.04 / 2 * US;
        struct tan_plans now, more;
        at_row("leaves[%zu]", i);
        assert_int_equal(tan_search(&p, 1, &now, &e), 0);
        p.leaves++;
        assert_int_equal(tan_search(&p, 1, &more, &e), 0);
        assert_true(now.bound > one * (double)(leaves[i] - 1));
        assert_true(now.plan[0].wave < now.bound * 1.002);
        assert_in_range(llround((more.plan[0].wave - now.plan[0].wave) / one), 0, 3);
        tan_plans_clear(&now);
        tan_plans_clear(&more);
    }
    tan_payload_destroy(payload);
    tan_p2p_destroy(p2p);
    json_decref(messages);
}

/* A machine fitted to a simulated crossbar: waves by a program of its own, written from
 * docs/models.md. */
TEST(crossbar)
{
    static const struct tan_params machine = {.method = TAN_METHOD_OVERLAP,
                                              .value = {[TAN_L] = 2.08703590096203 * US,
                                                        [TAN_A] = 1.82430974260692 * US,
                                                        [TAN_B] = 1.52431920814381 * US,
                                                        [TAN_C2] = 1.01964027548485e-09 * US,
                                                        [TAN_G] = 1.07629491744978 * US,
                                                        [TAN_C0] = 0.00492526027734324 * US}};
    static const struct {
        int64_t leaves;
        const char *spec;
        double wave;
    } rows[] = {
        {128, "levels:5x5x6:128", 27.270},           {512, "levels:5x5x5x5:512", 35.430},
        {1000, "levels:5x6x6x6:1000", 38.629},       {2000, "levels:7x7x7x6:2000", 42.427},
        {4096, "levels:5x5x5x6x6:4096", 46.651},     {6000, "levels:5x6x6x6x6:6000", 48.625},
        {8192, "levels:6x6x6x7x6:8192", 50.149},     {20000, "levels:5x5x5x5x6x6:20000", 55.735},
        {65536, "levels:6x6x6x7x7x7:65536", 61.877},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_problem p = {
            .leaves = rows[i].leaves, .model = overlap, .params = &machine};
        const struct tan_plan best = best_of(&p);
        assert_string_equal(tan_plan_spec(&best).text, rows[i].spec);
        assert_close(best.wave, rows[i].wave * US, 0.0006 * US);
    }
}

RUN_TESTS(setup, teardown)
