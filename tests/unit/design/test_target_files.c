/* test_target_files.c - trees as files of MRNet and ClusterShell
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "design/systems/target.h"
#include "topo/file.h"
#include "topo/hostlist.h"
#include "topo/tree.h"

extern const struct tan_target tan_target_clustershell, tan_target_mrnet;

/* With a tree of its own. */
static struct tan_answer answer_of(const struct tan_target *target, const int32_t *parents,
                                   int32_t n, const char *const *host)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_setting setting = {target->knobs, 0};
    return (struct tan_answer){.target = target,
                               .up = setting,
                               .down = setting,
                               .members = n,
                               .tree = tan_tree_create(parents, n, NULL, &e),
                               .host = host};
}

/* What the target writes, malloc'd; without the lines that begin with its comment. Destroys the
 * answer's tree. */
static char *written(const struct tan_answer *answer, struct tan_error *e)
{
    const char *comment = answer->target->comment;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    const int result = answer->target->write(answer, to, e);
    assert_int_equal(result, e->status == TAN_DONE ? 0 : -1);
    fclose(to);
    char *kept = text;
    for (char *line = text; *line != '\0';) {
        const size_t size = strcspn(line, "\n") + 1;
        if (comment == NULL || strncmp(line, comment, strlen(comment)) != 0) {
            memmove(kept, line, size);
            kept += size;
        }
        line += size;
    }
    *kept = '\0';
    tan_tree_destroy((struct tan_tree *)answer->tree);
    return text;
}

static void expect_text(const struct tan_target *target, const int32_t *parents, int32_t n,
                        const char *const *host, const char *expected)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_answer answer = answer_of(target, parents, n, host);
    char *text = written(&answer, &e);
    assert_no_error(e);
    assert_string_equal(text, expected);
    free(text);
}

static void expect_refusal(const struct tan_target *target, const char *name, const char *part)
{
    struct tan_error e = TAN_ERROR_INIT;
    const char *host[] = {"ctl", "n1", name};
    const struct tan_answer answer = answer_of(target, (const int32_t[]){-1, 0, 0}, 3, host);
    char *text = written(&answer, &e);
    assert_error(e, TAN_USAGE, part);
    free(text);
}

static const int32_t two_below_two[] = {-1, 0, 0, 1, 1, 2};
/* the same, numbered depth first */
static const int32_t by_depth[] = {-1, 0, 1, 1, 0, 4};

TEST(rows_are_complete)
{
    static const struct tan_target *const rows[] = {
        &tan_target_clustershell,
        &tan_target_mrnet,
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_target *t = rows[i];
        assert_non_null(t->title);
        assert_non_null(t->help);
        assert_non_null(t->counts.member);
        assert_non_null(t->read_back);
        assert_null(t->knobs[0].split); /* takes every tree */
        assert_int_equal(t->knobs[0].most, 0);
        assert_int_equal(t->knobs[0].directions, TAN_UP | TAN_DOWN);
        assert_null(t->knobs[1].name);
    }
}

TEST(mrnet_files)
{
    static const char *const host[] = {"login", "c1", "c2", "n-1", "n-1", "c1"};
    expect_text(&tan_target_mrnet, two_below_two, 6, NULL,
                "localhost:0 =>\n\tlocalhost:1\n\tlocalhost:2 ;\n\n"
                "localhost:1 =>\n\tlocalhost:3\n\tlocalhost:4 ;\n\n"
                "localhost:2 =>\n\tlocalhost:5 ;\n\n");
    expect_text(&tan_target_mrnet, two_below_two, 6, host,
                "login:0 =>\n\tc1:0\n\tc2:0 ;\n\n"
                "c1:0 =>\n\tn-1:0\n\tn-1:1 ;\n\n"
                "c2:0 =>\n\tc1:1 ;\n\n");
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};
    expect_text(&tan_target_mrnet, by_depth, 6, letters,
                "a:0 =>\n\tb:0\n\te:0 ;\n\n"
                "b:0 =>\n\tc:0\n\td:0 ;\n\n"
                "e:0 =>\n\tf:0 ;\n\n");
    expect_refusal(&tan_target_mrnet, "ac3-2041.bullx", "\"ac3-2041.bullx\" has a dot");
}

TEST(mrnet_refuses_names)
{
    static const char *const rows[] = {"a b", "123", "-a", "a,b", ""};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        const char *host[] = {"ctl", "n1", rows[i]};
        const struct tan_answer answer =
            answer_of(&tan_target_mrnet, (const int32_t[]){-1, 0, 0}, 3, host);
        char *text = written(&answer, &e);
        assert_error(e, TAN_FAILED, "is not host:index");
        free(text);
    }
}

/* The profile of a tree: of each process the depth and how many children it has, by host. */
TEST(mrnet_files_come_back)
{
    static int32_t parents[500];
    static char name[500][16];
    static const char *host[500];
    uint64_t random = 5;
    for (int32_t n = 2; n <= 500; n += 1 + n / 3) {
        for (int32_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            parents[i] = i == 0 ? -1 : (int32_t)((random >> 33) % (uint64_t)i);
            snprintf(name[i], sizeof name[i], "h%d", (int)i);
            host[i] = name[i];
        }
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_answer answer = answer_of(&tan_target_mrnet, parents, n, host);
        char *text = written(&answer, &e);
        assert_no_error(e);
        struct tan_tree *tree = tan_mrnet_parse(text, "file", &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_size(tree), n);
        for (int32_t node = 0; node < n; node++) {
            const int32_t parent = tan_tree_parent(tree, node);
            const long process = strtol(tan_tree_name(tree, node) + 1, NULL, 10);
            assert_int_equal(parent < 0 ? -1 : strtol(tan_tree_name(tree, parent) + 1, NULL, 10),
                             parents[process]);
        }
        tan_tree_destroy(tree);
        free(text);
    }
}

TEST(topology_conf)
{
    /* the tree of conf/topology.conf.example, with a gateway in place of each of its pools */
    static int32_t parents[1 + 2 + 141 + 141];
    static char name[285][8];
    static const char *host[285];
    for (int i = 0; i < 285; i++) {
        parents[i] = i == 0 ? -1 : i < 3 ? 0 : i < 3 + 141 ? 1 : 2;
        snprintf(name[i], sizeof name[i], "rio%d",
                 i == 0        ? 0
                 : i < 3       ? 8 + 2 * i
                 : i < 3 + 141 ? 100 + i - 3
                               : 300 + i - 144);
        host[i] = name[i];
    }
    expect_text(&tan_target_clustershell, parents, 285, host,
                "[routes]\nrio0: rio[10,12]\nrio10: rio[100-240]\nrio12: rio[300-440]\n");
    static const char *const below[] = {NULL, "n08", "n09", "n10-ib0", "n11-ib0", "x"};
    expect_text(&tan_target_clustershell, two_below_two, 6, below,
                "[routes]\nadmin: n[08-09]\nn08: n[10-11]-ib0\nn09: x\n");
    expect_text(&tan_target_clustershell, two_below_two, 6, NULL,
                "[routes]\nadmin: node[1-2]\nnode1: node[3-4]\nnode2: node5\n");
    expect_text(&tan_target_clustershell, by_depth, 6, NULL,
                "[routes]\nadmin: node[1,4]\nnode1: node[2-3]\nnode4: node5\n");
}

TEST(names_that_clustershell_does_not_take)
{
    static const char *const rows[][2] = {
        {"n2.example.org", "has a dot"},
        {"17", "must contain a letter"},
        {"n,2", "\"n,2\""},
        {"@n", "\"@n\""},
        {"n[1-2]", "\"n[1-2]\""},
        {"n 2", "\"n 2\""},
        {"n%2", "\"n%2\""},
        {"-n", "must contain a letter"},
        {"", "must contain a letter"},
        {"n1", "has n1 twice"},
        {"ctl", "has ctl twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_refusal(&tan_target_clustershell, rows[i][0], rows[i][1]);
    }
}

/* The edges of random trees, read again from the routes. */
TEST(routes_come_back)
{
    static int32_t parents[300];
    uint64_t random = 3;
    for (int32_t n = 2; n <= 300; n += 1 + n / 2) {
        for (int32_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            parents[i] = i == 0 ? -1 : (int32_t)((random >> 33) % (uint64_t)i);
        }
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_answer answer = answer_of(&tan_target_clustershell, parents, n, NULL);
        char *text = written(&answer, &e);
        assert_no_error(e);
        char *rest = text;
        int32_t edges = 0;
        assert_string_equal(strsep(&rest, "\n"), "[routes]");
        for (char *line; (line = strsep(&rest, "\n")) != NULL && line[0] != '\0';) {
            struct tan_hostlist children;
            const char *parent = strsep(&line, ":");
            const int32_t gateway =
                strcmp(parent, "admin") == 0 ? 0 : (int32_t)strtol(parent + 4, NULL, 10);
            assert_int_equal(tan_hostlist_expand(line, &children, &e), 0);
            for (size_t i = 0; i < children.n; i++) {
                assert_int_equal(parents[strtol(children.names[i] + 4, NULL, 10)], gateway);
                edges++;
            }
            tan_hostlist_clear(&children);
        }
        assert_int_equal(edges, n - 1);
        free(text);
    }
}

RUN_TESTS(NULL, NULL)
