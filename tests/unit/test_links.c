/* test_links.c - links of known latency: how they are given, and what waves take over them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/links.h"

#include "tests/unit/check.h"

#include <unistd.h>

#include "topo/spec.h"

static const double us = 1e-6;

static void times_in_words(void **state)
{
    static const char *const good[] = {"L=100us,slot=120us", "slot=0.12ms,L=0.1ms"};
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"slot=100us", "needs L, as in L=300us"},
        {"L=100us,slot=0us", "slot must be from 1us to 1s, not 0us"},
        {"L=100us,slot=2s", "from 1us to 1s"},
        {"L=100us,slots=120us", "such as L=300us, to which slot=TIME and period=TIME may"},
        {"L=100us,slot", "such as L=300us, to which slot=TIME and period=TIME may"},
        {"L=100us,slot=120", "120"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct links links;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        at_row("good[%zu]", i);
        assert_int_equal(tan_links_read(&links, good[i], &e), 0);
        assert_no_error(e);
        assert_true(links_on(&links));
        assert_close(links.L, 100 * us, 1e-15);
        assert_close(links.slot, 120 * us, 1e-15);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(tan_links_read(&links, bad[i].text, &e), -1);
        assert_error(e, TAN_USAGE, bad[i].said);
    }
}

static void files(void **state)
{
    static const char text[] = "{\"schema\": \"tan-links/1\", \"L_us\": 100, \"slot_us\": 120}";
    char path[] = "/tmp/tan-links-XXXXXX";
    const int fd = mkstemp(path);
    struct tan_error e = TAN_ERROR_INIT;
    struct links links;

    (void)state;
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(tan_links_read(&links, path, &e), 0);
    assert_no_error(e);
    assert_close(links.L, 100 * us, 1e-15);
    assert_close(links.slot, 120 * us, 1e-15);
    assert_int_equal(pwrite(fd, "T", 1, (off_t)(strstr(text, "L_us") - text)), 1);
    assert_int_equal(tan_links_read(&links, path, &e), -1);
    assert_error(e, TAN_FAILED, "L_us");
    close(fd);
    unlink(path);
}

static const struct links slow = {.L = 300e-6, .slot = 500e-6};

/* The root has node 1, with the leaves 3 and 4, and leaf 2. */
static void latencies_by_hand(void **state)
{
    static const int32_t parents[] = {-1, 0, 0, 1, 1};
    static const double down_us[] = {0, 300, 1300, 300, 800};
    static const double up_us[] = {0, 800, 300, 800, 300};
    static const double half_us[] = {0, 550, 800, 550, 550};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(parents, 5, NULL, &e);
    int32_t leaves[5];

    (void)state;
    assert_no_error(e);
    tan_tree_leaf_counts(tree, leaves);
    double *half = tan_links_latencies(&slow, tree);
    assert_non_null(half);
    for (int32_t node = 1; node < 5; node++) {
        const struct link_latency both = tan_links_latency(&slow, tree, leaves, node);
        assert_close(both.down, down_us[node] * us, 1e-12);
        assert_close(both.up, up_us[node] * us, 1e-12);
        assert_close(half[node], half_us[node] * us, 1e-12);
    }
    free(half);
    assert_close(tan_links_known(&slow, tree), 1100 * us, 1e-12); /* the leaves 3 and 4 */
    tan_tree_destroy(tree);
}

/* The same tree, whose leaves send 0, 500 and 1300 us after the agreed instant: 3, 4 and 2. */
static void one_way_by_hand(void **state)
{
    static const int32_t parents[] = {-1, 0, 0, 1, 1};
    static const double down_us[] = {0, 300, 1300, 600, 1100};
    static const double up_us[] = {0, 800, 300, 1600, 1100};
    const struct links links = {.L = 300e-6, .slot = 500e-6, .one_way = true};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(parents, 5, NULL, &e);
    int32_t leaves[5];

    (void)state;
    assert_no_error(e);
    tan_tree_leaf_counts(tree, leaves);
    double *latency = tan_links_latencies(&links, tree);
    assert_non_null(latency);
    for (int32_t node = 0; node < 5; node++) {
        const struct link_latency way = tan_links_ways(&links, tree, leaves, node);
        assert_close(way.down, down_us[node] * us, 1e-12);
        assert_close(way.up, up_us[node] * us, 1e-12);
        assert_close(latency[node], 0, 0); /* of the recursion */
    }
    free(latency);
    assert_close(tan_links_longest(&links, tree).down, 1300 * us, 1e-12);
    assert_close(tan_links_longest(&links, tree).up, 1600 * us, 1e-12);
    assert_close(tan_links_known(&links, tree), 1450 * us, 1e-12);
    /* Down 4 and 2 are 200 us apart; up, 0, 500, 800, 1300 and 1600 us, nobody is less than 300. */
    assert_close(tan_links_apart(&links, tree), 200 * us, 1e-9);
    tan_tree_destroy(tree);
}

/* In every tree the tallest path has L for each level and half a slot for each other leaf. */
static void constants_of_trees(void **state)
{
    static const char *const specs[] = {"chain:7", "nto1:9", "levels:3x4x5", "binomial:33",
                                        "random:60:3"};
    const struct links none = {.L = 0};
    struct tan_error e = TAN_ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        at_row("specs[%zu]", i);
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        assert_close(tan_links_known(&slow, tree),
                     tan_tree_height(tree) * 300 * us + (tan_tree_leaves(tree) - 1) * 250 * us,
                     1e-9);
        assert_close(tan_links_known(&none, tree), 0, 0);
        tan_tree_destroy(tree);
    }
}

/* Instants at which somebody acts, in order; by the formulas in links.h. */
static void instants_by_hand(void **state)
{
    static const struct {
        const char *spec;
        double apart_us;
    } rows[] = {
        {"chain:2", 300}, /* 0, 300, 600, 900, 1200 */
        {"nto1:3", 300},  /* 0, 300, 800, 1300, 1600 */
        /* down: 0, 300, 1300, leaves 600, 1100, 1600, 2100; up: 1400, 2400, 2700 */
        {"levels:2x2", 100},
    };
    const struct links none = {.L = 0};
    struct tan_error e = TAN_ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        assert_no_error(e);
        assert_close(tan_links_apart(&slow, tree), rows[i].apart_us * us, 1e-9);
        assert_true(isinf(tan_links_apart(&none, tree)));
        tan_tree_destroy(tree);
    }
}

/* The slot of 0.1 ms less is too short for one of them. */
static void slots_for_trees(void **state)
{
    static const char *const specs[] = {"chain:9", "nto1:9", "levels:2x2x2", "random:12:1"};
    struct links links = {.L = 300 * us};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *trees[5] = {NULL};
    bool apart = true;

    (void)state;
    for (int i = 0; i < 4; i++) {
        trees[i] = tan_spec_build(specs[i], &e);
        assert_no_error(e);
    }
    assert_int_equal(tan_links_choose(&links, trees, 5, &e), 0);
    print_message("slots of %g us\n", links.slot * 1e6);
    assert_true(links.slot > 100 * us && links.slot < 5000 * us);
    /* random:12:1 has 12 leaves. */
    const double longest = 2 * tan_links_known(&links, trees[3]);
    assert_true(0.9 * links.period >= longest && 0.9 * (links.period - 10e-3) < longest);
    for (int i = 0; i < 4; i++) {
        assert_true(tan_links_apart(&links, trees[i]) > 0.999 * LINKS_APART);
    }
    links.slot -= 100 * us;
    for (int i = 0; i < 4; i++) {
        apart = apart && tan_links_apart(&links, trees[i]) > 0.999 * LINKS_APART;
        tan_tree_destroy(trees[i]);
    }
    assert_false(apart);
    /* Of one leaf, which waits for nobody, the shortest slot will do. */
    trees[0] = tan_spec_build("chain:2", &e);
    links = (struct links){.L = 300 * us};
    assert_int_equal(tan_links_choose(&links, trees, 1, &e), 0);
    assert_close(links.slot, 100 * us, 1e-12);
    assert_close(links.period, 10e-3, 1e-12);
    /* What takes less than L to come cannot be helped by any slot. */
    links = (struct links){.L = 100 * us};
    assert_int_equal(tan_links_choose(&links, trees, 1, &e), -1);
    assert_error(e, TAN_USAGE, "L must be 200us at least");
    e = (struct tan_error)TAN_ERROR_INIT;
    /* There and back take 2 x 2 x 300 us; one way, the margin before the instant as much again. */
    links = (struct links){.L = 300 * us, .slot = 500 * us, .period = 1100 * us};
    assert_int_equal(tan_links_choose(&links, trees, 1, &e), -1);
    assert_error(e, TAN_USAGE, "take 1.2 ms and more: period=1.1ms is too short");
    e = (struct tan_error)TAN_ERROR_INIT;
    links.period = 1300 * us;
    assert_int_equal(tan_links_choose(&links, trees, 1, &e), 0);
    assert_close(links.period, 1300 * us, 1e-12);
    links.one_way = true;
    assert_int_equal(tan_links_choose(&links, trees, 1, &e), -1);
    assert_error(e, TAN_USAGE, "take 2.4 ms and more");
    tan_tree_destroy(trees[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_in_words),     cmocka_unit_test(files),
        cmocka_unit_test(latencies_by_hand),  cmocka_unit_test(one_way_by_hand),
        cmocka_unit_test(constants_of_trees), cmocka_unit_test(instants_by_hand),
        cmocka_unit_test(slots_for_trees),
    };

    return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
