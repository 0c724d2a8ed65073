/* test_spec.c - every shape at many sizes against its definition; invalid specs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tests/unit/scratch_file.h"
#include "topo/spec.h"

enum { MOST = 260 }; /* leaves of the sizes that are tried one by one */

/* A tree with what the checks below ask of its nodes. */
struct subject {
    struct tan_tree *tree;
    int32_t size, leaves, height;
    int32_t *below, *depth;
};

__attribute__((format(printf, 1, 2))) static struct subject build(const char *format, ...)
{
    char spec[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(spec, sizeof spec, format, arguments);
    va_end(arguments);
    struct tan_error e = TAN_ERROR_INIT;
    struct subject s = {.tree = tan_spec_build(spec, &e)};
    assert_no_error(e);
    s.size = tan_tree_size(s.tree);
    s.leaves = tan_tree_leaves(s.tree);
    s.height = tan_tree_height(s.tree);
    s.below = malloc((size_t)s.size * sizeof *s.below);
    s.depth = malloc((size_t)s.size * sizeof *s.depth);
    assert_true(s.below != NULL && s.depth != NULL);
    tan_tree_leaf_counts(s.tree, s.below);
    tan_tree_depths(s.tree, s.depth);
    assert_int_equal(s.below[0], s.leaves);
    return s;
}

static void clear(struct subject *s)
{
    tan_tree_destroy(s->tree);
    free(s->below);
    free(s->depth);
}

/* The leaves below the children of every node differ by at most one, larger shares first when
 * `sorted`. */
/* `order`: 1 if those with more leaves come first, -1 if last, 0 for any. */
static void assert_even(const struct subject *s, int order)
{
    for (int32_t i = 0; i < s->size; i++) {
        const int32_t fanout = tan_tree_fanout(s->tree, i);
        const int32_t *children = tan_tree_children(s->tree, i);
        for (int32_t c = 0; c < fanout; c++) {
            const int32_t share = s->below[i] / fanout;
            assert_in_range(s->below[children[c]], share, share + (s->below[i] % fanout > 0));
            if (c > 0) {
                assert_true(order * (s->below[children[c]] - s->below[children[c - 1]]) <= 0);
            }
        }
    }
}

static void assert_equal_depths(const struct subject *s)
{
    for (int32_t i = 0; i < s->size; i++) {
        assert_true(tan_tree_fanout(s->tree, i) > 0 || s->depth[i] == s->height);
    }
}

static int32_t rounded_root(int32_t n)
{
    int32_t r = 0;
    while ((2 * r + 1) * (2 * r + 1) <= 4 * n) { /* r + 1/2 <= sqrt n */
        r++;
    }
    return r;
}

TEST(chains_and_flat)
{
    for (int n = 1; n <= MOST; n++) {
        struct subject s = build("chain:%d", n);
        assert_int_equal(s.size, n + 1);
        assert_int_equal(s.leaves, 1);
        assert_int_equal(s.height, n);
        assert_int_equal(tan_tree_max_fanout(s.tree), 1);
        clear(&s);
        s = build(n % 2 == 0 ? "nto1:%d" : "flat:%d", n);
        assert_int_equal(s.size, n + 1);
        assert_int_equal(s.leaves, n);
        assert_int_equal(s.height, 1);
        assert_int_equal(tan_tree_max_fanout(s.tree), n);
        clear(&s);
    }
}

TEST(binary)
{
    int32_t height = 1; /* ceil(log2 n) */
    for (int n = 2; n <= MOST; n++) {
        height += n > 1 << height;
        struct subject s = build("binary:%d", n);
        assert_int_equal(s.size, 2 * n - 1);
        assert_int_equal(s.leaves, n);
        assert_int_equal(s.height, height);
        assert_even(&s, 1);
        for (int32_t i = 0; i < s.size; i++) {
            assert_true(tan_tree_fanout(s.tree, i) % 2 == 0);
        }
        clear(&s);
    }
    struct subject s = build("binary:1");
    assert_int_equal(s.size, 2);
    clear(&s);
}

TEST(binomial)
{
    for (int n = 1; n <= MOST; n++) {
        struct subject s = build("binomial:%d", n);
        assert_int_equal(s.size, 2 * n);
        assert_int_equal(s.leaves, n);
        for (int32_t i = 1; i < s.size; i++) {
            assert_int_equal(tan_tree_parent(s.tree, i), i & (i - 1));
            assert_int_equal(tan_tree_fanout(s.tree, i) == 0, i % 2);
        }
        clear(&s);
    }
    /* 2^k leaves: binomial coefficients of nodes at each depth, fanouts k + 1, ..., 0 */
    struct subject s = build("binomial:32");
    static const int32_t wanted[] = {1, 6, 15, 20, 15, 6, 1};
    int32_t found[7] = {0};
    for (int32_t i = 0; i < s.size; i++) {
        found[s.depth[i]]++;
    }
    assert_memory_equal(found, wanted, sizeof wanted);
    assert_int_equal(tan_tree_max_fanout(s.tree), 6);
    clear(&s);
}

TEST(twolevel)
{
    for (int n = 1; n <= MOST; n++) {
        struct subject s = build("twolevel:%d", n);
        const int32_t root = rounded_root(n);
        assert_int_equal(s.size, n + root + 1);
        assert_int_equal(s.leaves, n);
        assert_int_equal(s.height, 2);
        assert_int_equal(tan_tree_fanout(s.tree, 0), root);
        assert_even(&s, 0);
        assert_equal_depths(&s);
        clear(&s);
    }
    struct subject s = build("twolevel:32");
    assert_int_equal(tan_tree_fanout(s.tree, 0), 6);
    assert_int_equal(tan_tree_fanout(s.tree, 1), 6);
    assert_int_equal(tan_tree_fanout(s.tree, 6), 5);
    clear(&s);
    s = build("twolevel:128");
    assert_int_equal(tan_tree_fanout(s.tree, 0), 11);
    assert_int_equal(tan_tree_fanout(s.tree, 1), 12);
    assert_int_equal(tan_tree_fanout(s.tree, 11), 11);
    clear(&s);
}

TEST(kary)
{
    for (int k = 2; k <= 17; k++) {
        for (int n = 1; n <= MOST; n++) {
            struct subject s = build("kary:%d:%d", k, n);
            int height = 1;
            int room = k;
            for (; room < n; room *= k) {
                height++;
            }
            assert_int_equal(s.leaves, n);
            assert_int_equal(s.height, height);
            assert_equal_depths(&s);
            assert_true(tan_tree_max_fanout(s.tree) <= k);
            /* breadth first: a level's nodes stand together, ceil(n / k^(height - level)) of them
             */
            int32_t start = 0;
            for (int level = 0; level <= height; level++) {
                const int32_t width = level == 0 ? 1 : (n + room - 1) / room;
                int32_t least = INT32_MAX;
                int32_t most = 0;
                for (int32_t i = start; i < start + width; i++) {
                    const int32_t fanout = tan_tree_fanout(s.tree, i);
                    assert_int_equal(s.depth[i], level);
                    least = fanout < least ? fanout : least;
                    most = fanout > most ? fanout : most;
                }
                assert_true(most - least <= 1);
                start += width;
                room /= k;
            }
            assert_int_equal(start, s.size);
            clear(&s);
        }
    }
}

TEST(knomial)
{
    for (int k = 2; k <= 9; k++) {
        for (int n = 1; n <= MOST; n++) {
            struct subject s = build("knomial:%d:%d", k, n);
            assert_int_equal(s.leaves, n);
            assert_true(tan_tree_fanout(s.tree, s.size - 1) == 0);
            for (int32_t i = 1; i < s.size; i++) {
                int32_t power = 1; /* place of the lowest nonzero digit */
                while (i / power % k == 0) {
                    power *= k;
                }
                assert_int_equal(tan_tree_parent(s.tree, i), i - i / power % k * power);
            }
            clear(&s);
        }
    }
    struct subject s = build("knomial:3:18"); /* 27 nodes: depths as (1 + 2 x)^3 */
    static const int32_t wanted[] = {1, 6, 12, 8};
    int32_t found[4] = {0};
    for (int32_t i = 0; i < s.size; i++) {
        found[s.depth[i]]++;
    }
    assert_memory_equal(found, wanted, sizeof wanted);
    clear(&s);
}

TEST(levels)
{
    struct subject s = build("levels:3x1x4x2");
    assert_int_equal(s.size, 1 + 3 + 3 + 12 + 24);
    assert_int_equal(s.height, 4);
    static const int32_t wanted[] = {3, 1, 4, 2, 0};
    for (int32_t i = 0; i < s.size; i++) {
        assert_int_equal(tan_tree_fanout(s.tree, i), wanted[s.depth[i]]);
    }
    clear(&s);
    s = build("levels:16x16x16");
    assert_int_equal(s.leaves, 4096);
    assert_int_equal(s.size, 4096 + 256 + 16 + 1);
    clear(&s);
}

/* levels:...:N, for every N that the fanouts hold: a node with n leaves below it has min(n, x)
 * children that share them evenly. */
TEST(powers)
{
    static const char *const pairs[][2] = {{"2^3", "levels:2x2x2"},
                                           {"levels:4x2^2:13", "levels:4x2x2:13"},
                                           {"3^1", "nto1:3"},
                                           {"1^1048576", "chain:1048576"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *a = tan_spec_build(pairs[i][0], &e);
        struct tan_tree *b = tan_spec_build(pairs[i][1], &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_size(a), tan_tree_size(b));
        for (int32_t k = 0; k < tan_tree_size(a); k++) {
            assert_int_equal(tan_tree_parent(a, k), tan_tree_parent(b, k));
        }
        tan_tree_destroy(a);
        tan_tree_destroy(b);
    }
}

TEST(levels_with_fewer_leaves)
{
    static const struct {
        const char *text;
        int32_t fanout[6], height;
    } rows[] = {
        {"4x4x4", {4, 4, 4}, 3}, {"2x3x5x4", {2, 3, 5, 4}, 4},
        {"7x1x9", {7, 1, 9}, 3}, {"1x1x50", {1, 1, 50}, 3},
        {"120", {120}, 1},       {"2x2x2x2x2x3", {2, 2, 2, 2, 2, 3}, 6},
        {"6x7x4", {6, 7, 4}, 3},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int32_t room = 1;
        for (int32_t l = 0; l < rows[r].height; l++) {
            room *= rows[r].fanout[l];
        }
        for (int32_t k = 2; k < 2 * room + 2; k++) {
            const int32_t n = k / 2;
            const bool last = k % 2 > 0;
            struct subject s = build("levels:%s:%d%s", rows[r].text, (int)n, last ? ":last" : "");
            assert_int_equal(s.leaves, n);
            assert_int_equal(s.height, rows[r].height);
            assert_even(&s, last ? -1 : 1);
            assert_equal_depths(&s);
            for (int32_t i = 0; i < s.size; i++) {
                if (s.depth[i] < s.height) {
                    const int32_t x = rows[r].fanout[s.depth[i]];
                    assert_int_equal(tan_tree_fanout(s.tree, i), s.below[i] < x ? s.below[i] : x);
                }
            }
            clear(&s);
        }
    }
}

static bool same(const struct tan_tree *a, const struct tan_tree *b)
{
    bool equal = tan_tree_size(a) == tan_tree_size(b);
    for (int32_t i = 0; equal && i < tan_tree_size(a); i++) {
        equal = tan_tree_parent(a, i) == tan_tree_parent(b, i);
    }
    return equal;
}

TEST(random_trees)
{
    for (int n = 1; n <= MOST; n++) {
        struct subject s = build("random:%d:%d", n, n * 7919);
        struct subject again = build("random:%d:%d", n, n * 7919);
        assert_int_equal(s.leaves, n);
        assert_true(same(s.tree, again.tree));
        clear(&s);
        clear(&again);
    }
    enum { SEEDS = 400, LEAVES = 64 };
    int flat = 0; /* height <= 3 */
    int high = 0; /* height >= LEAVES / 2 */
    int wide = 0; /* fanout >= LEAVES / 2 */
    int thin = 0; /* fanout <= 3 */
    int repeated = 0;
    int64_t nodes = 0;
    int64_t single = 0;
    struct subject before = build("random:%d:0", LEAVES);
    for (int seed = 1; seed <= SEEDS; seed++) {
        struct subject s = build("random:%d:%d", LEAVES, seed);
        flat += s.height <= 3;
        high += s.height >= LEAVES / 2;
        wide += tan_tree_max_fanout(s.tree) >= LEAVES / 2;
        thin += tan_tree_max_fanout(s.tree) <= 3;
        repeated += same(s.tree, before.tree);
        nodes += s.size;
        for (int32_t i = 0; i < s.size; i++) {
            single += tan_tree_fanout(s.tree, i) == 1;
        }
        clear(&before);
        before = s;
    }
    clear(&before);
    print_message("%d random trees: %d flat, %d high, %d wide, %d thin, %.3f single children\n",
                  SEEDS, flat, high, wide, thin, (double)single / (double)nodes);
    assert_true(flat >= SEEDS / 50);
    assert_true(high >= SEEDS / 50);
    assert_true(wide >= SEEDS / 50);
    assert_true(thin >= SEEDS / 50);
    assert_true(repeated <= SEEDS / 50); /* small trees may be alike by chance */
    assert_in_range(single, nodes / 50, nodes / 10);
}

TEST(large)
{
    static const struct {
        const char *spec;
        int32_t size, height, fanout;
    } rows[] = {
        {"chain:1M", 1000001, 1000000, 1},
        {"nto1:1Mi", 1048577, 1, 1048576},
        {"binary:1Mi", 2097151, 20, 2},
        {"binomial:1Mi", 2097152, 21, 21},
        {"twolevel:1M", 1001001, 2, 1000},
        {"kary:32:1Mi", 1048576 + 32768 + 1024 + 32 + 1, 4, 32},
        {"knomial:4:786432", 1048576, 10, 30},
        {"levels:100x100x100", 1010101, 3, 100},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct subject s = build("%s", rows[i].spec);
        assert_int_equal(s.size, rows[i].size);
        assert_int_equal(s.height, rows[i].height);
        assert_int_equal(tan_tree_max_fanout(s.tree), rows[i].fanout);
        clear(&s);
    }
    struct subject s = build("random:300k:1");
    assert_int_equal(s.leaves, 300000);
    clear(&s);
}

/* Trees have up to 16 Mi nodes, and no more. */
TEST(largest)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("binomial:8388608", &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_size(tree), 16777216);
    tan_tree_destroy(tree);
    assert_null(tan_spec_build("binomial:8388609", &e));
    assert_error(e, TAN_USAGE, "needs 16777218 processes, and a tree has at most 16777216");
}

TEST(files)
{
    struct subject s = build("file:tests/data/mrnet/bino32.top");
    assert_int_equal(s.size, 64);
    assert_int_equal(s.leaves, 32);
    assert_string_equal(tan_tree_name(s.tree, 0), "localhost:0");
    clear(&s);
}

TEST(refused)
{
    char missing[PATH_MAX + 8];
    snprintf(missing, sizeof missing, "file:%s", absent);
    const struct {
        const char *spec;
        enum tan_status status;
        const char *error;
    } rows[] = {
        {"", TAN_USAGE, "\"\" names no tree: the shapes are chain:H, nto1:N, "},
        {"foo:3", TAN_USAGE, "\"foo:3\" names no tree"},
        {"chains:3", TAN_USAGE, "random:N:SEED or file:PATH"},
        {"Chain:3", TAN_USAGE, "names no tree"},
        {":3", TAN_USAGE, "names no tree"},
        {"chain", TAN_USAGE, "\"chain\" lacks its arguments: the form is chain:H"},
        {"chain:", TAN_USAGE, "\"chain:\": H must be a whole number from 1 to 1048576, not \"\""},
        {"chain:0", TAN_USAGE, "H must be a whole number from 1 to 1048576, not \"0\""},
        {"chain:1048577", TAN_USAGE, "not \"1048577\""},
        {"chain:-1", TAN_USAGE, "not \"-1\""},
        {"chain:3:4", TAN_USAGE, "\"chain:3:4\" has too many parts: the form is chain:H"},
        {"chain:3:", TAN_USAGE, "has too many parts"},
        {"chain: 3", TAN_USAGE, "not \" 3\""},
        {"binary:", TAN_USAGE, "\"binary:\": N must be a whole number from 1 to 16777215"},
        {"binomial:12x", TAN_USAGE, "not \"12x\""},
        {"binomial:10M", TAN_USAGE, "needs 20000000 processes, and a tree has at most 16777216"},
        {"binary:16777215", TAN_USAGE, "needs 33554429 processes"},
        {"twolevel:16777215", TAN_USAGE, "needs 16781312 processes"},
        {"nto1:99999999999", TAN_USAGE, "not \"99999999999\""},
        {"nto1:99999999999999999999999999", TAN_USAGE, "N must be a whole number"},
        {"kary:1:5", TAN_USAGE, "\"kary:1:5\": K must be a whole number from 2"},
        {"kary:4", TAN_USAGE, "\"kary:4\" lacks N: the form is kary:K:N"},
        {"kary::5", TAN_USAGE, "K must be a whole number from 2 to 16777215, not \"\""},
        {"kary:2:10M", TAN_USAGE, "processes, and a tree has at most"},
        {"knomial:1:5", TAN_USAGE, "K must be"},
        {"levels:", TAN_USAGE, "every fanout must be a whole number from 1"},
        {"levels:16x0", TAN_USAGE,
         "every fanout must be a whole number from 1 to 16777215, not \"0\""},
        {"levels:16x", TAN_USAGE, "not \"\""},
        {"levels:4,4", TAN_USAGE, "did you mean levels:4x4? \"levels:4,4\": an x separates"},
        {"4*4:13", TAN_USAGE, "did you mean 4x4:13?"},
        {"levels:4^0", TAN_USAGE, "not \"0\""},
        {"levels:4^", TAN_USAGE, "not \"\""},
        {"2^1048577", TAN_USAGE, "not \"1048577\""},
        {"levels:4x4:17", TAN_USAGE, "these fanouts hold at most 16 leaves, not 17"},
        {"levels:4x4:", TAN_USAGE, "\"levels:4x4:\": N must be"},
        {"levels:4x4:3:2", TAN_USAGE, "not \"3:2\""},
        {"levels:4x4:last", TAN_USAGE, "N must be a whole number"},
        {"levels:4x4:3:last:2", TAN_USAGE, "not \"3:last:2\""},
        {"levels:1000x1000x1000", TAN_USAGE, "more processes than the 16777216"},
        {"levels:16777215x16777215x16777215", TAN_USAGE, "more processes than"},
        {"random:5", TAN_USAGE, "\"random:5\" lacks SEED"},
        {"random:5:x", TAN_USAGE, "SEED must be a whole number from 0 to 4294967295"},
        {"random:0:1", TAN_USAGE, "N must be"},
        {"file:", TAN_USAGE, "needs the name of a file"},
        {missing, TAN_FAILED, "/absent: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(tan_spec_build(rows[i].spec, &e));
        assert_error(e, rows[i].status, rows[i].error);
    }
}

TEST(help_lists_every_shape)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_spec_help(to);
    fclose(to);
    for (const struct tan_spec_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        char start[64];
        snprintf(start, sizeof start, "  %s:%s  ", shape->name, shape->arguments);
        assert_non_null(strstr(text, start));
    }
    free(text);
}

RUN_TESTS(make_scratch, remove_scratch)
