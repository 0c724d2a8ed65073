/* test_target_stat.c - trees over separate leaves: STAT
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "design/targets/setting.h"
#include "design/targets/shape.h"

extern const struct tan_target tan_target_stat;

enum { MOST = 1 << 14, TEXT = 4096 };

static struct tan_setting setting_of(const struct tan_target *target, const char *name,
                                     int64_t value)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_setting setting = {NULL, 0};
    char text[64];
    snprintf(text, sizeof text, "%s%d", name, (int)value);
    tan_setting_parse(target, text, &setting, &e);
    assert_no_error(e);
    return setting;
}

/* A tree that is built from its leaves up: parents have larger numbers than their children, and the
 * root the largest. */
struct tree {
    int32_t n;
    int32_t parent[MOST];
};

static void begin(struct tree *t, int32_t leaves)
{
    t->n = leaves;
    for (int32_t i = 0; i < leaves; i++) {
        t->parent[i] = -1;
    }
}

static int32_t add(struct tree *t)
{
    assert_true(t->n < MOST);
    t->parent[t->n] = -1;
    return t->n++;
}

/* The first `level` of them are the results of the level before, `first` the number of the first.
 */
struct level {
    int32_t first, n;
};

static void deal(struct tree *t, struct level below, struct level above)
{
    int32_t child = below.first;
    for (int32_t i = 0; i < above.n; i++) {
        for (int32_t k = 0; k < below.n / above.n + (i < below.n % above.n); k++) {
            t->parent[child++] = above.first + i;
        }
    }
}

static void build_layers(const int32_t *layer, int n, int32_t leaves, struct tree *t)
{
    struct level at = {0, leaves};
    begin(t, leaves);
    for (int i = n - 1; i >= -1; i--) {
        const struct level next = {t->n, i < 0 ? 1 : layer[i]};
        for (int32_t k = 0; k < next.n; k++) {
            add(t);
        }
        deal(t, at, next);
        at = next;
    }
}

static int32_t width_of(int32_t leaves, int64_t depth)
{
    return (int32_t)ceilf(powf((float)leaves, (float)1.0 / (float)depth));
}

static void build_stat(const struct tan_setting *setting, int32_t leaves, struct tree *t)
{
    int64_t depth = setting->value;
    int32_t layer[64];
    int n = 0;
    int64_t processes = 0;
    if (setting->knob->name[2] == 'f') { /* --fanout */
        for (depth = 1; width_of(leaves, depth) > setting->value;) {
            depth++;
        }
    }
    int64_t size = 1;
    for (int64_t i = 1; i < depth && processes <= leaves; i++) {
        size *= width_of(leaves, depth);
        processes += size;
        layer[n++] = (int32_t)size;
    }
    if (processes > leaves) {
        layer[0] = (int32_t)sqrt(leaves);
        n = 1;
    }
    build_layers(layer, n, leaves, t);
}

struct node {
    int32_t depth, leaves;
};

static int by_depth_and_size(const void *a, const void *b)
{
    const struct node *x = a;
    const struct node *y = b;
    return x->depth != y->depth ? x->depth - y->depth : y->leaves - x->leaves;
}

/* The leaves, and the nodes with two or more, by depth and then the larger ones first. */
static int32_t profile(const struct tree *t, struct node *out)
{
    static int32_t leaves[MOST];
    static int32_t children[MOST];
    static int32_t depth[MOST]; /* of the nearest one that counts, from the node on */
    int32_t n = 0;
    memset(leaves, 0, (size_t)t->n * sizeof *leaves);
    memset(children, 0, (size_t)t->n * sizeof *children);
    for (int32_t i = 0; i < t->n; i++) {
        leaves[i] += children[i] == 0;
        if (t->parent[i] >= 0) {
            assert_true(t->parent[i] > i);
            leaves[t->parent[i]] += leaves[i];
            children[t->parent[i]]++;
        }
    }
    for (int32_t i = t->n - 1; i >= 0; i--) {
        const bool counts = children[i] == 0 || leaves[i] > 1;
        depth[i] = (t->parent[i] < 0 ? -1 : depth[t->parent[i]]) + counts;
        if (counts) {
            out[n++] = (struct node){depth[i], leaves[i]};
        }
    }
    qsort(out, (size_t)n, sizeof *out, by_depth_and_size);
    return n;
}

/* The tree of a setting by the sizes of its subtrees. */
static void build_by_split(const struct tan_target *target, const struct tan_setting *setting,
                           int32_t leaves, struct tree *t)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_shape shape = tan_shape_of(target, setting, leaves, NULL);
    int32_t n;
    int32_t *parents = tan_shape_parents(&shape, &n, &e);
    assert_no_error(e);
    assert_true(n <= MOST);
    t->n = n;
    for (int32_t i = 0; i < n; i++) {
        t->parent[n - 1 - i] = parents[i] < 0 ? -1 : n - 1 - parents[i];
    }
    free(parents);
}

static const char *text_of(const struct node *node, int32_t n, char *text)
{
    size_t used = 0;
    int32_t depth = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < n; i++) {
        if (node[i].leaves == 1) {
            continue;
        }
        used += (size_t)snprintf(text + used, TEXT - used, "%s%d",
                                 used == 0                ? ""
                                 : node[i].depth == depth ? " "
                                                          : " | ",
                                 (int)node[i].leaves);
        depth = node[i].depth;
    }
    return text;
}

static void expect_tree(const struct tan_target *target, const char *name, int64_t value,
                        int32_t leaves, const char *expected)
{
    static struct tree tree;
    static struct node nodes[MOST];
    char text[TEXT];
    const struct tan_setting setting = setting_of(target, name, value);
    build_by_split(target, &setting, leaves, &tree);
    assert_string_equal(text_of(nodes, profile(&tree, nodes), text), expected);
}

/* Leaves below each process that has two or more, from the root down, worked from STAT_FrontEnd.C
 * of STAT 4.2.1 with the C++ library's power of floats: nine processes for 9 daemons at depth 3
 * would take 12, so there are three in one layer. */
static void trees_of_stat(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t value, daemons;
        const char *tree;
    } rows[] = {
        {"--depth=", 1, 5, "5"},
        {"--depth=", 2, 5, "5 | 2 2"},
        {"--depth=", 2, 9, "9 | 3 3 3"},
        {"--depth=", 2, 10, "10 | 3 3 2 2"},
        {"--depth=", 2, 17, "17 | 4 4 3 3 3"},
        {"--depth=", 3, 8, "8 | 4 4 | 2 2 2 2"},
        {"--depth=", 3, 9, "9 | 3 3 3"},
        {"--depth=", 3, 12, "12 | 6 3 3 | 2 2 2"},
        {"--depth=", 3, 27, "27 | 9 9 9 | 3 3 3 3 3 3 3 3 3"},
        {"--depth=", 3, 30, "30 | 8 8 8 6 | 2 2 2 2 2 2 2 2 2 2 2 2 2 2"},
        {"--depth=", 7, 3, "3 | 3"},
        {"--depth=", 3, 2, "2 | 2"},
        {"--fanout=", 64, 64, "64"},
        {"--fanout=", 64, 65, "65 | 8 8 7 7 7 7 7 7 7"},
        {"--fanout=", 4, 20, "20 | 8 6 6 | 3 3 2 2 2 2 2 2 2"},
        {"--fanout=", 5, 20, "20 | 4 4 4 4 4"},
        {"--fanout=", 3, 30, "30 | 6 6 6 6 6"},
        {"--fanout=", 2, 16, "16 | 8 8 | 4 4 4 4 | 2 2 2 2 2 2 2 2"},
        {"--fanout=", 4, 31, "31 | 8 8 8 7 | 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_tree(&tan_target_stat, rows[i].name, rows[i].value, rows[i].daemons, rows[i].tree);
    }
}

/* (int)ceil(pow((float)N, (float)1.0 / (float)depth)) as g++ 12 compiles it. */
static void widths_in_single_precision(void **state)
{
    (void)state;
    static const struct {
        int64_t daemons;
        int32_t depth, width;
    } rows[] = {
        {27, 3, 3},    {64, 3, 4},    {125, 3, 6},      {1000, 3, 11},     {1024, 2, 32},
        {4095, 3, 16}, {4096, 3, 17}, {262144, 3, 65},  {1000000, 3, 101}, {1000000, 2, 1000},
        {4096, 4, 8},  {15625, 6, 6}, {1048576, 5, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_setting setting = setting_of(&tan_target_stat, "--depth=", rows[i].depth);
        const struct tan_shape shape =
            tan_shape_of(&tan_target_stat, &setting, rows[i].daemons, NULL);
        struct tan_shape_walk walk = tan_shape_walk(&shape);
        assert_int_equal(tan_shape_descend(&walk), rows[i].width);
    }
}

static void compare(const struct tan_target *target, const struct tan_setting *setting,
                    int32_t leaves)
{
    static struct tree a;
    static struct tree b;
    static struct node x[MOST];
    static struct node y[MOST];
    build_stat(setting, leaves, &a);
    build_by_split(target, setting, leaves, &b);
    const int32_t n = profile(&a, x);
    if (profile(&b, y) != n || memcmp(x, y, (size_t)n * sizeof *x) != 0) {
        fail_msg("%s%d of %d", setting->knob->name, (int)setting->value, (int)leaves);
    }
    assert_int_equal(b.n, n); /* it has no process that does not count */
}

static void sizes_are_those_of_the_trees(void **state)
{
    (void)state;
    static const struct tan_target *const targets[] = {&tan_target_stat};
    for (size_t t = 0; t < 1; t++) {
        for (const struct tan_knob *knob = targets[t]->knobs; knob->name != NULL; knob++) {
            for (int32_t n = 2; n <= 300 && knob->split != NULL; n++) {
                const int64_t most = knob->most < 40 ? knob->most : 40;
                for (int64_t value = knob->least; value <= most; value++) {
                    compare(targets[t], &(struct tan_setting){knob, value}, n);
                }
                for (int64_t value = n - 1; value <= n && knob->most > n; value++) {
                    compare(targets[t], &(struct tan_setting){knob, value + (value < 2)}, n);
                }
                compare(targets[t], &(struct tan_setting){knob, knob->most}, n);
            }
            for (int32_t n = 301; n < 4200 && knob->split != NULL; n += 37 + n / 5) {
                for (int64_t value = knob->least; value <= 12; value++) {
                    compare(targets[t], &(struct tan_setting){knob, value}, n);
                }
            }
        }
    }
}

/* Down one way through a tree of any size: every process has as many leaves as those below it. */
static void branches_have_all_leaves(void **state)
{
    (void)state;
    static const struct tan_target *const targets[] = {&tan_target_stat};
    uint64_t random = 1;
    for (int i = 0; i < 30000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const struct tan_target *target = targets[0];
        const struct tan_knob *knob = &target->knobs[target == &tan_target_stat && i % 2 == 0];
        const int64_t whole = 2 + (int64_t)(random >> 33) % (i % 7 == 0 ? 1000000000 : 100000);
        const int64_t value = knob->least + (int64_t)(random >> 13) % 30;
        int64_t size = whole;
        int depth = 0;
        for (int hops = 0; size > 1; hops++) {
            struct tan_branch branch[TAN_BRANCHES];
            const int n = knob->split(value, size, depth, branch);
            assert_in_range(n, 1, TAN_BRANCHES);
            int64_t sum = 0;
            for (int b = 0; b < n; b++) {
                assert_true(branch[b].size >= 1 && branch[b].count >= 1);
                sum += branch[b].size * branch[b].count;
            }
            assert_int_equal(sum, size);
            assert_true(hops < 40);
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            const struct tan_branch *way = &branch[(random >> 33) % (uint64_t)n];
            depth = way->depth != 0 ? way->depth : depth + 1;
            size = way->size;
        }
    }
}

static struct tan_answer answer_of(const struct tan_target *target, const char *name, int64_t value,
                                   int64_t members)
{
    const struct tan_setting setting = setting_of(target, name, value);
    return (struct tan_answer){
        .target = target, .up = setting, .down = setting, .members = members};
}

/* The lines that are no comments. */
static void expect_lines(const struct tan_answer *answer, const char *expected)
{
    struct tan_error e = TAN_ERROR_INIT;
    static char text[TEXT];
    FILE *to = tmpfile();
    assert_non_null(to);
    assert_int_equal(answer->target->write(answer, to, &e), 0);
    assert_no_error(e);
    rewind(to);
    size_t used = 0;
    while (fgets(text + used, (int)(TEXT - used), to) != NULL) {
        used += text[used] == '#' ? 0 : strlen(text + used);
    }
    text[used] = '\0';
    fclose(to);
    assert_string_equal(text, expected);
}

static void lines_to_write(void **state)
{
    (void)state;
    const struct tan_answer fanout = answer_of(&tan_target_stat, "--fanout=", 32, 1024);
    const struct tan_answer depth = answer_of(&tan_target_stat, "--depth=", 3, 1024);
    const struct tan_answer flat = answer_of(&tan_target_stat, "--depth=", 1, 1024);
    const struct tan_answer replaced = answer_of(&tan_target_stat, "--fanout=", 3, 30);
    expect_lines(&fanout, "stat-cl --fanout 32 --procs 2 PID\n");
    expect_lines(&depth, "stat-cl --depth 3 --procs 2 PID\n");
    expect_lines(&flat, "stat-cl --depth 1 PID\n");
    expect_lines(&replaced, "stat-cl --fanout 3 PID\n");
}

/* The tree that STAT builds from layers, as parents with the root first. */
static int32_t tree_of_layers(const int32_t *layer, int n, int32_t leaves, int32_t *parents)
{
    static struct tree tree;
    build_layers(layer, n, leaves, &tree);
    for (int32_t i = 0; i < tree.n; i++) {
        const int32_t parent = tree.parent[tree.n - 1 - i];
        parents[i] = parent < 0 ? -1 : tree.n - 1 - parent;
    }
    return tree.n;
}

static struct tan_answer given(const int32_t *parents, int32_t n, int64_t leaves)
{
    const struct tan_setting setting = {&tan_target_stat.knobs[2], 0};
    return (struct tan_answer){.target = &tan_target_stat,
                               .up = setting,
                               .down = setting,
                               .members = leaves,
                               .parents = parents,
                               .processes = n};
}

static void layers_of_given_trees(void **state)
{
    (void)state;
    static const struct {
        int32_t layer[3];
        int n;
        int32_t leaves;
        const char *line;
    } rows[] = {
        {{4, 16, 0}, 2, 64, "stat-cl --usertopology 4-16 --procs 2 PID\n"},
        {{5, 20, 75}, 3, 900, "stat-cl --usertopology 5-20-75 --procs 2 PID\n"},
        {{3, 8, 0}, 2, 33, "stat-cl --usertopology 3-8 --procs 2 PID\n"},
        {{7, 0, 0}, 1, 22, "stat-cl --usertopology 7 --procs 2 PID\n"},
        {{2, 4, 8}, 3, 10, "stat-cl --usertopology 2-4-8 --procs 3 PID\n"},
        {{0, 0, 0}, 0, 9, "stat-cl --depth 1 PID\n"},
    };
    static int32_t parents[MOST];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int32_t n = tree_of_layers(rows[i].layer, rows[i].n, rows[i].leaves, parents);
        const struct tan_answer answer = given(parents, n, rows[i].leaves);
        expect_lines(&answer, rows[i].line);
    }
    /* a daemon beside communication processes gets one of its own */
    const struct tan_answer beside = given((const int32_t[]){-1, 0, 0, 0, 1, 1, 2, 2}, 8, 5);
    expect_lines(&beside, "stat-cl --usertopology 3 --procs 2 PID\n");
}

static void trees_that_are_not_even(void **state)
{
    (void)state;
    static const struct {
        int32_t n, leaves, parents[12];
        const char *shares;
    } rows[] = {
        /* 3 daemons and 1 */
        {7, 4, {-1, 0, 0, 1, 1, 1, 2}, "a process with 3 of the 4 children of a layer of 2"},
        /* 3, 2 and 1, the last without a process */
        {9, 5, {-1, 0, 0, 0, 1, 1, 1, 2, 2}, "a process with 3 of the 6 children of a layer of 3"},
        /* three processes below one, none below the other */
        {10,
         6,
         {-1, 0, 0, 1, 1, 1, 3, 4, 5, 2},
         "a process with 3 of the 4 children of a layer of 2"},
        /* a daemon, which gets a process, and three */
        {6, 4, {-1, 0, 0, 2, 2, 2}, "a process with 1 of the 4 children of a layer of 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_answer answer = given(rows[i].parents, rows[i].n, rows[i].leaves);
        FILE *to = tmpfile();
        assert_non_null(to);
        assert_int_equal(tan_target_stat.write(&answer, to, &e), -1);
        assert_non_null(strstr(e.text, rows[i].shares));
        assert_error(e, TAN_INFEASIBLE, "distributes it evenly");
        assert_int_equal(ftell(to), 0);
        fclose(to);
    }
}

static void defaults(void **state)
{
    (void)state;
    static const struct {
        const struct tan_target *target;
        int row;
        int64_t members, value;
    } rows[] = {
        {&tan_target_stat, 0, 5000, 64},      {&tan_target_stat, 1, 1024, 32},
        {&tan_target_stat, 1, 1025, 33},      {&tan_target_stat, 1, 2, 2},
        {&tan_target_stat, 1, 1000000, 1000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_setting setting = tan_setting_default(
            rows[i].target, &rows[i].target->defaults[rows[i].row], rows[i].members);
        assert_int_equal(setting.value, rows[i].value);
    }
}

static void settings_that_do_something_else(void **state)
{
    (void)state;
    static const struct {
        const struct tan_target *target;
        const char *text, *part;
    } rows[] = {
        {&tan_target_stat, "--depth=0", "automatic topology"},
        {&tan_target_stat, "--fanout=1", "1023 depths"},
        {&tan_target_stat, "-f 32", "--fanout=32"},
        {&tan_target_stat, "--usertopology=4-16", "--tree"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_setting setting;
        assert_int_equal(tan_setting_parse(rows[i].target, rows[i].text, &setting, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_stat),
        cmocka_unit_test(widths_in_single_precision),
        cmocka_unit_test(sizes_are_those_of_the_trees),
        cmocka_unit_test(branches_have_all_leaves),
        cmocka_unit_test(lines_to_write),
        cmocka_unit_test(layers_of_given_trees),
        cmocka_unit_test(trees_that_are_not_even),
        cmocka_unit_test(defaults),
        cmocka_unit_test(settings_that_do_something_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
