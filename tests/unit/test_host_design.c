/* test_host_design.c - trees for processes that share cores, against trees simulated one by one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/host_design.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/host/host_wave.h"
#include "tests/unit/check.h"
#include "topo/spec.h"

/* Hosts on which flat trees, flat ones of many processes, and tall ones are best. */
static const struct tan_host_params hosts[] = {
    {1, {1.5e-6, 5e-6, 3, 0.1e-6, 0.7e-6, 0.2, 9e-6, 0}, 0.07},
    {1, {0.1e-6, 0.1e-6, 1, 0, 20e-6, 1, 1e-6, 0}, 0},
    {1, {1e-6, 1e-6, 3, 0.1e-6, 5e-6, 0.5, 40e-6, 0}, 0},
};
enum { HOSTS = sizeof hosts / sizeof *hosts };

static struct tan_machine machine(const struct tan_host_params *host, int64_t cores)
{
    return (struct tan_machine){.cores_per_host = cores,
                                .host = *host,
                                .tan_known = true,
                                .tan = {.method = TAN_METHOD_JOINT,
                                        .bytes = 1024,
                                        .value = {2e-6, 3e-6, 0.4e-6, 0.05e-6, 0, 0}}};
}

static double simulated(const struct tan_machine *m, const char *spec, struct tan_tree **tree)
{
    struct tan_error e = TAN_ERROR_INIT;
    double wave = 0;
    *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    struct tan_placement *placement =
        tan_placement_spread((uint32_t)tan_tree_size(*tree), (uint32_t)m->cores_per_host, &e);
    assert_int_equal(tan_host_wave(*tree, placement, &m->host, &wave, &e), 0);
    free(placement);
    return wave;
}

struct least {
    const struct tan_machine *machine;
    const struct tan_problem *problem;
    double wave;
    int trees;
};

static bool keeps(int64_t value, int64_t limit)
{
    return limit == 0 || value <= limit;
}

/* Every product of fanouts: each from 2 to the leaves that a node still has to serve, of those that
 * leave equally many to a child only the least. */
static void try_all(struct least *least, const char *fanouts, int64_t below)
{
    const struct tan_problem *p = least->problem;
    char spec[256];
    if (below == 1) {
        struct tan_tree *tree;
        snprintf(spec, sizeof spec, "levels:%s:%" PRId64, fanouts, p->leaves);
        const double wave = simulated(least->machine, spec, &tree);
        if (keeps(tan_tree_max_fanout(tree), p->max_fanout) &&
            keeps(tan_tree_height(tree), p->max_height) &&
            keeps(tan_tree_size(tree), p->max_processes)) {
            least->wave = fmin(least->wave, wave);
            least->trees++;
        }
        tan_tree_destroy(tree);
        return;
    }
    for (int64_t x = 2, before = below; x <= below; x++) {
        const int64_t child = (below + x - 1) / x;
        if (child != before) {
            snprintf(spec, sizeof spec, "%s%s%" PRId64, fanouts, *fanouts ? "x" : "", x);
            try_all(least, spec, child);
        }
        before = child;
    }
}

static int level_uniform(const struct tan_host_design *d)
{
    int n = 0;
    for (size_t i = 0; i < d->n_choices; i++) {
        n += d->choices[i].rule == NULL;
    }
    return n;
}

static void every_tree(void **state)
{
    static const struct tan_problem problems[] = {
        {.leaves = 2},
        {.leaves = 7},
        {.leaves = 16},
        {.leaves = 23},
        {.leaves = 32},
        {.leaves = 32, .max_fanout = 5},
        {.leaves = 32, .max_height = 2},
        {.leaves = 32, .max_fanout = 8, .max_processes = 40},
    };
    static const int64_t cores[] = {1, 2, 16, 200};
    bool tall = false;
    bool flat = false;
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        at_row("problems[%zu]", i);
        for (int k = 0; k < HOSTS * 4; k++) {
            const struct tan_machine m = machine(&hosts[k % HOSTS], cores[k / HOSTS]);
            struct tan_problem p = problems[i];
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_host_design d;
            struct least least = {&m, &p, INFINITY, 0};
            p.model = &tan_models[0];
            p.params = &m.tan;
            try_all(&least, "", p.leaves);
            assert_int_equal(tan_host_design(&p, &m, &d, &e), 0);
            assert_int_equal(d.height, 0);
            assert_close(d.tie, k % HOSTS == 0 ? 0.14 : 0.05, 1e-12);
            assert_int_equal(level_uniform(&d), least.trees);
            double rules = INFINITY; /* those within the limits may be faster still */
            for (size_t r = 0; r < d.n_rules; r++) {
                struct tan_tree *tree;
                const struct tan_host_tree *t = &d.rules[r];
                assert_close(t->wave, simulated(&m, t->spec, &tree), 1e-12);
                assert_int_equal(t->plan.processes, tan_tree_size(tree));
                tan_tree_destroy(tree);
                rules = t->within_limits ? fmin(rules, t->wave) : rules;
            }
            const struct tan_host_tree *best = &d.choices[0];
            const double fastest = fmin(least.wave, rules);
            assert_close(d.choices[d.fastest].wave, fastest, 1e-12);
            assert_true(best->wave <= fastest * (1 + d.tie));
            for (size_t c = 1; c < d.n_choices; c++) {
                const struct tan_host_tree *other = &d.choices[c];
                assert_int_equal(other->tied, other->wave / fastest - 1 <= d.tie);
                assert_true(!other->tied || other->plan.processes >= best->plan.processes);
                assert_true(other->within_limits && other->wave >= fastest);
            }
            flat = flat || best->plan.height == 1;
            tall = tall || best->plan.height > 1;
            tan_host_design_clear(&d);
        }
    }
    assert_true(flat && tall);
}

/* Too many trees to try: those with few levels, and the best ones of TAN. */
static void many_leaves(void **state)
{
    struct tan_machine m = machine(&hosts[1], 16);
    m.tan.value[TAN_L] = m.tan.value[TAN_A] = 0; /* tall trees are best, by TAN */
    const struct tan_problem p = {
        .leaves = TAN_HOST_LEAVES, .model = &tan_models[0], .params = &m.tan};
    struct tan_problem more = p;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_host_design d;
    int taller = 0;
    (void)state;
    assert_int_equal(tan_host_design(&p, &m, &d, &e), 0);
    assert_true(d.height >= 2);
    for (size_t i = 0; i < d.n_choices; i++) {
        taller += d.choices[i].plan.height > d.height && d.choices[i].rule == NULL;
    }
    assert_true(taller > 0);
    tan_host_design_clear(&d);
    more.leaves++;
    assert_int_equal(tan_host_design(&more, &m, &d, &e), -1);
    assert_error(e, TAN_USAGE, "--leaves must be at most 400, not 401");
}

static void what_it_needs(void **state)
{
    struct tan_machine m = machine(&hosts[0], 2);
    struct tan_error e = TAN_ERROR_INIT;
    (void)state;
    assert_int_equal(tan_host_check(&m, "m.json", 0, false, &e), 0);
    assert_int_equal(tan_host_check(&m, "m.json", 1024, false, &e), 0);
    assert_int_equal(tan_host_check(&m, "m.json", 1025, false, &e), -1);
    assert_error(e, TAN_USAGE, "as measured, 1024 bytes");
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_int_equal(tan_host_check(&m, "m.json", 0, true, &e), -1);
    assert_error(e, TAN_USAGE, "--growth");
    e = (struct tan_error)TAN_ERROR_INIT;
    m.cores_per_host = 0;
    assert_int_equal(tan_host_check(&m, "m.json", 0, false, &e), -1);
    assert_error(e, TAN_FAILED, "m.json: --model tan-host needs cores_per_host");
    e = (struct tan_error)TAN_ERROR_INIT;
    m.host.n = 0;
    assert_int_equal(tan_host_check(&m, "m.json", 0, false, &e), -1);
    assert_error(e, TAN_FAILED, "tanbench calibrate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree),
        cmocka_unit_test(many_leaves),
        cmocka_unit_test(what_it_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
