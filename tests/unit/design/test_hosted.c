/* test_hosted.c - trees on hosts shared by processes, against every possible placement
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "design/choice/hosted.h"
#include "design/search/any_shape.h"
#include "topo/spec.h"

static const struct tan_place *place(const char *name)
{
    const struct tan_place *p = tan_places;
    while (strcmp(p->name, name) != 0) {
        p++;
    }
    return p;
}

TEST(places_by_hand)
{
    static const struct {
        const char *spec, *place;
        int32_t hosts, per_host;
        const char *map; /* "": does not fit */
    } rows[] = {
        /* levels:2x2: root 0, its children 1 and 2, their leaves 3 4 and 5 6 */
        {"levels:2x2", "block", 4, 3, "0001112"},
        {"levels:2x2", "cyclic", 4, 3, "0123012"},
        {"levels:2x2", "block", 2, 3, ""},
        /* two hosts for leaves, and on the others 0 1 and 2; 0, 1 and 2; 0 1 and 2 */
        {"levels:2x2", "own", 4, 2, "0012233"},
        {"levels:2x2", "own", 5, 2, "0123344"},
        {"levels:2x2", "own", 4, 3, "0012223"},
        {"levels:2x2", "own", 2, 3, ""},
        {"levels:2x2", "own", 2, INT32_MAX, "0001111"},
        /* the root leaves room for two; subtrees of three go to a host each */
        {"levels:2x2", "leaves", 3, 3, "0121122"},
        {"levels:2x2", "top", 3, 3, "0121122"},
        /* on two hosts of four: the first subtree beside the root */
        {"levels:2x2", "leaves", 2, 4, "0010011"},
        /* all of it on one */
        {"levels:2x2", "leaves", 2, 7, "0000000"},
        /* subtrees of four do not fit: their roots are with the root; or on a host each, with what
           of their leaves fits, the others on the root's */
        {"levels:2x3", "top", 3, 3, "000111222"},
        {"levels:2x3", "leaves", 3, 3, "012110220"},
        {"levels:2x2", "leaves", 3, 2, ""},
        {"levels:2x2", "leaves", 7, 1, "0142356"},
        /* depth first: 0 1 4 5 2 | 6 7 3 8 9, cut where a host is full */
        {"levels:3x2", "depth", 2, 5, "0001001111"},
        {"levels:3x2", "depth", 10, 1, "0147235689"},
        {"levels:3x2", "depth", 9, 1, ""},
        {"levels:3x2", "leaves", 2, 5, ""},
        {"levels:3x2", "top", 2, 5, ""},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        const struct tan_room room = {.hosts = rows[i].hosts, .per_host = rows[i].per_host};
        int32_t host[16];
        char map[17] = "";
        assert_no_error(e);
        const int fits = place(rows[i].place)->place(tree, &room, host);
        for (int32_t n = 0; n < tan_tree_size(tree) && fits; n++) {
            map[n] = (char)('0' + host[n]);
        }
        print_message("%s %s %d x %d: %s\n", rows[i].spec, rows[i].place, rows[i].hosts,
                      rows[i].per_host, map);
        assert_string_equal(map, rows[i].map);
        tan_tree_destroy(tree);
    }
}

static struct tan_params tier(double L, double a, double b)
{
    return (struct tan_params){.method = TAN_METHOD_JOINT,
                               .value = {L * 1e-6, a * 1e-6, b * 1e-6, 0.2e-6, 0, 3e-6}};
}

/* Hosts are alike where racks do not tell them apart: each is used before the next one is. */
static bool next_placement(const struct tan_hosted_problem *p, int32_t *host, int32_t n)
{
    for (int32_t i = n - 1; i >= (p->room.racks.n == 0); i--) {
        int32_t used = 0;
        for (int32_t k = 0; k < i; k++) {
            used = host[k] >= used ? host[k] + 1 : used;
        }
        const int32_t most =
            p->room.racks.n == 0 && used < p->room.hosts ? used : p->room.hosts - 1;
        if (host[i] < most) {
            host[i]++;
            return true;
        }
        host[i] = 0;
    }
    return false;
}

static bool is_allowed(const int32_t *host, int32_t n, const struct tan_room *room)
{
    int32_t used[16] = {0};
    for (int32_t i = 0; i < n; i++) {
        if (++used[host[i]] > room->per_host) {
            return false;
        }
    }
    return true;
}

static double price(const struct tan_hosted_problem *p, const struct tan_tree *tree,
                    const int32_t *host)
{
    int32_t rack[16] = {0};
    for (int32_t i = 0; i < tan_tree_size(tree) && p->room.racks.n > 0; i++) {
        rack[i] = p->room.racks.rack[0][host[i]];
    }
    const struct tan_sites sites = {.at = {host, p->room.racks.n == 0 ? NULL : rack}};
    return tan_wave_time_at(p->tree.model, &p->tiers, &sites, tree);
}

static double best_placement(const struct tan_hosted_problem *p, const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    int32_t host[16] = {0};
    double best = INFINITY;
    do {
        if (is_allowed(host, tan_tree_size(tree), &p->room)) {
            best = fmin(best, price(p, tree, host));
        }
    } while (next_placement(p, host, tan_tree_size(tree)));
    tan_tree_destroy(tree);
    return best;
}

/* The recommendation against every placement of every level-uniform tree. Where messages occupy
 * their parent for half as long as they are under way, an uneven placement may gain a little. */
TEST(nothing_is_faster)
{
    static const struct {
        int64_t leaves;
        int32_t hosts, per_host;
        const char *const specs[8];
    } rows[] = {
        {4, 3, 3, {"levels:4", "levels:2x2", "levels:3x2:4"}},
        {5, 4, 3, {"levels:5", "levels:2x3:5", "levels:3x2:5", "levels:4x2:5"}},
        {6, 3, 4, {"levels:6", "levels:2x3", "levels:3x2", "levels:4x2:6", "levels:5x2:6"}},
        {6, 5, 2, {"levels:6", "levels:2x3", "levels:3x2", "levels:4x2:6"}},
        {4, 2, 7, {"levels:4", "levels:2x2", "levels:3x2:4"}},
    };
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params near = tier(10, 5, 2);
    const struct tan_params fars[] = {tier(200, 20, 6), tier(200, 20, 90), tier(12, 5, 2)};
    for (size_t f = 0; f < sizeof fars / sizeof fars[0]; f++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct tan_hosted_problem p = {
                .tree = {.leaves = rows[i].leaves,
                         .model = &tan_models[TAN_MODEL_TAN],
                         .params = &fars[f]},
                .tiers = {.n = 2, .params = {&near, &fars[f]}},
                .room = {.hosts = rows[i].hosts, .per_host = rows[i].per_host}};
            p.tree.max_processes = (int64_t)rows[i].hosts * rows[i].per_host;
            struct tan_hosted_design d;
            double best = INFINITY;
            assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
            for (int s = 0; rows[i].specs[s] != NULL; s++) {
                best = fmin(best, best_placement(&p, rows[i].specs[s]));
            }
            print_message("%ld leaves, %d x %d: %s %s %.1f us, best %.1f us\n",
                          (long)rows[i].leaves, rows[i].hosts, rows[i].per_host, d.choices[0].spec,
                          d.choices[0].place->name, d.choices[0].wave * 1e6, best * 1e6);
            assert_true(d.choices[0].wave <= (f == 1 ? 1.06 : 1.01) * best);
            tan_hosted_clear(&d);
        }
    }
}

/* The price, interval and number of racks of a choice, from its map. The draws are all alike. */
static void assert_rack_choice(const struct tan_hosted_problem *p, const struct tan_hosted *choice,
                               bool weighed)
{
    struct tan_error e = TAN_ERROR_INIT;
    int32_t *map;
    struct tan_tree *tree = tan_hosted_tree(p, choice, &map, &e);
    unsigned used = 0;
    assert_no_error(e);
    for (int32_t i = 0; i < tan_tree_size(tree); i++) {
        used |= 1u << p->room.racks.rack[0][map[i]];
    }
    assert_int_equal(choice->racks, __builtin_popcount(used));
    assert_close(price(p, tree, map), choice->wave, 0);
    if (weighed) {
        assert_close(choice->ci95.low, choice->wave, 1e-15);
        assert_close(choice->ci95.high, choice->wave, 1e-15);
    }
    free(map);
    tan_tree_destroy(tree);
}

/* The same where hosts are in racks: up to nine processes, on any hosts. */
TEST(nothing_is_faster_in_racks)
{
    static struct {
        int64_t leaves;
        int32_t hosts, per_host, racks;
        int32_t rack[6];
        const char *const specs[8];
    } rows[] = {
        {4, 4, 2, 2, {0, 0, 1, 1}, {"levels:4", "levels:2x2", "levels:3x2:4"}},
        {5, 4, 2, 2, {0, 0, 1, 1}, {"levels:5", "levels:2x3:5", "levels:4x2:5"}},
        {6, 3, 3, 2, {0, 0, 1}, {"levels:6", "levels:2x3", "levels:3x2", "levels:4x2:6"}},
        {4, 6, 1, 2, {0, 0, 0, 1, 1, 1}, {"levels:4"}},
        {4, 5, 2, 3, {0, 0, 1, 1, 2}, {"levels:4", "levels:2x2", "levels:3x2:4"}},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params near = tier(10, 5, 2);
    double draws[2 * TAN_PARAMS];
    memcpy(draws, near.value, sizeof near.value);
    memcpy(draws + TAN_PARAMS, near.value, sizeof near.value);
    near.draws = draws;
    near.n_draws = 2;
    const struct tan_params middles[] = {tier(60, 8, 3), tier(20, 5, 2), tier(60, 8, 20)};
    const struct tan_params fars[] = {tier(200, 20, 6), tier(200, 20, 6), tier(200, 20, 90)};
    for (size_t f = 0; f < sizeof fars / sizeof fars[0]; f++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct tan_hosted_problem p = {
                .tree = {.leaves = rows[i].leaves,
                         .model = &tan_models[TAN_MODEL_TAN],
                         .params = &fars[f]},
                .tiers = {.n = 3, .level = {0, 1}, .params = {&near, &middles[f], &fars[f]}},
                .room = {.hosts = rows[i].hosts,
                         .per_host = rows[i].per_host,
                         .racks = {.rack = {rows[i].rack}, .n = rows[i].racks}}};
            p.tree.max_processes = (int64_t)rows[i].hosts * rows[i].per_host;
            struct tan_hosted_design d;
            double best = INFINITY;
            assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
            for (int s = 0; rows[i].specs[s] != NULL; s++) {
                best = fmin(best, best_placement(&p, rows[i].specs[s]));
            }
            print_message("%ld leaves, %d x %d in %d racks: %s %s %.1f us, best %.1f us\n",
                          (long)rows[i].leaves, rows[i].hosts, rows[i].per_host, rows[i].racks,
                          d.choices[0].spec, d.choices[0].place->name, d.choices[0].wave * 1e6,
                          best * 1e6);
            assert_true(d.choices[0].wave <= (f == 2 ? 1.11 : 1.0 + 1e-12) * best);
            for (size_t c = 0; c < d.n_choices; c++) {
                assert_rack_choice(&p, &d.choices[c], d.choices[c].weighed);
            }
            tan_hosted_clear(&d);
        }
    }
}

/* A choice has the price of its map, intervals come from all tiers, and what does not fit is said.
 */
TEST(choices_are_their_maps)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params near = tier(10, 5, 2);
    struct tan_params far = tier(200, 20, 6);
    double draws[3 * TAN_PARAMS];
    for (int i = 0; i < 3 * TAN_PARAMS; i++) {
        draws[i] = near.value[i % TAN_PARAMS] * (i / TAN_PARAMS == 2 ? 1.5 : 1);
    }
    near.draws = draws;
    near.n_draws = 3;
    struct tan_hosted_problem p = {.tree = {.leaves = 21,
                                            .model = &tan_models[TAN_MODEL_TAN],
                                            .params = &far,
                                            .max_processes = 32},
                                   .tiers = {.n = 2, .params = {&near, &far}},
                                   .room = {.hosts = 8, .per_host = 4}};
    struct tan_hosted_design d;
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
    for (size_t i = 0; i < d.n_choices; i++) {
        int32_t *map;
        struct tan_tree *tree = tan_hosted_tree(&p, &d.choices[i], &map, &e);
        const struct tan_sites sites = {.at = {map}};
        assert_no_error(e);
        assert_int_equal(tan_tree_leaves(tree), 21);
        assert_true(is_allowed(map, tan_tree_size(tree), &p.room));
        assert_close(tan_wave_time_at(&tan_models[TAN_MODEL_TAN], &p.tiers, &sites, tree),
                     d.choices[i].wave, 0);
        assert_true(d.choices[i].slower >= 0);
        free(map);
        tan_tree_destroy(tree);
    }
    assert_true(d.choices[0].slower <= 0.01 && d.choices[0].tied);
    assert_true(d.choices[0].ci95.low <= d.choices[0].wave);
    assert_true(d.choices[0].ci95.high > 1.01 * d.choices[0].wave);
    tan_hosted_clear(&d);

    p.tree.leaves = 32;
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), -1);
    assert_error(e, TAN_INFEASIBLE, "32 leaves and a root do not fit on 8 hosts with 4 processes");
    const char *specs[] = {"nto1:40"};
    p.specs = specs;
    p.n_specs = 1;
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), -1);
    assert_error(e, TAN_INFEASIBLE, "no such tree fits on 8 hosts");
}

/* Of any shape: where all hosts are alike the best of all trees; where racks are farther away
 * faster than even levels, and as long as its map says. */
TEST(trees_of_any_shape)
{
    enum { HOSTS = 160, IN_RACK = 20, LEAVES = 100 };
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params near = {.method = TAN_METHOD_OVERLAP, .value = {3e-6, 2e-6, 1.5e-6}};
    const struct tan_params far = {.method = TAN_METHOD_OVERLAP, .value = {4e-6, 2e-6, 1.5e-6}};
    int32_t rack[HOSTS];
    int32_t racks[HOSTS];
    for (int32_t h = 0; h < HOSTS; h++) {
        rack[h] = h / IN_RACK;
    }
    struct tan_hosted_problem p = {
        .tree = {.leaves = LEAVES,
                 .model = &tan_models[TAN_MODEL_OVERLAP],
                 .params = &far,
                 .max_processes = HOSTS},
        .tiers = {.n = 2, .level = {1}, .params = {&near, &far}},
        .room = {.hosts = HOSTS, .per_host = 1, .racks = {.rack = {rack}, .n = HOSTS / IN_RACK}}};
    struct tan_hosted_design d;
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
    double even = INFINITY;
    for (size_t i = 0; i < d.n_choices; i++) {
        int32_t *map;
        struct tan_tree *tree = tan_hosted_tree(&p, &d.choices[i], &map, &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_leaves(tree), LEAVES);
        for (int32_t n = 0; n < tan_tree_size(tree); n++) {
            racks[n] = rack[map[n]];
        }
        const struct tan_sites sites = {.at = {racks}};
        assert_close(tan_wave_time_at(p.tree.model, &p.tiers, &sites, tree), d.choices[i].wave, 0);
        even = d.choices[i].parents == NULL ? fmin(even, d.choices[i].wave) : even;
        free(map);
        tan_tree_destroy(tree);
    }
    print_message("%.2f us, even %.2f us\n", d.choices[0].wave * 1e6, even * 1e6);
    assert_non_null(d.choices[0].parents);
    assert_true(d.choices[0].wave < 0.98 * even);
    tan_hosted_clear(&d);

    struct tan_any_shape any;
    p.room.racks = (struct tan_racks){.n = 0};
    p.tiers = (struct tan_tiers){.n = 1, .params = {&far}};
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
    assert_int_equal(tan_any_shape(&p.tree, false, even, &any, &e), 0);
    assert_close(d.choices[0].wave, any.wave, 0);
    tan_tree_destroy(any.tree);
    tan_hosted_clear(&d);

    p.tree.model = &tan_models[TAN_MODEL_TAN]; /* under which no shape is better */
    assert_int_equal(tan_hosted_design(&p, 5, &d, &e), 0);
    for (size_t i = 0; i < d.n_choices; i++) {
        assert_null(d.choices[i].parents);
    }
    tan_hosted_clear(&d);
}

RUN_TESTS(NULL, NULL)
