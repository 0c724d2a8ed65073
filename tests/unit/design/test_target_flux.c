/* test_target_flux.c - Flux: its topologies as subtree sizes and as parents, and its TOML
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include "design/systems/setting.h"
#include "design/systems/shape.h"

extern const struct tan_target tan_target_flux;

enum { MOST = 11000, TEXT = 1 << 17 };

/* The setting of a topology as Flux writes it. */
static struct tan_setting setting_of(const char *topology)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_setting setting = {NULL, 0};
    tan_setting_parse(&tan_target_flux, topology, &setting, &e);
    assert_no_error(e);
    return setting;
}

static void parents_of(const char *topology, int32_t n, int32_t *parents)
{
    const struct tan_setting setting = setting_of(topology);
    setting.knob->parents(setting.value, n, parents);
}

struct routers {
    int32_t n;
    const char *topology;
    int32_t last, step; /* who has children: 0, step, 2 step ... up to last; -1: nobody */
};

/* Which ranks have children: from the tests of flux-core 0.88
 * (src/modules/overlay/test/topology.c).
 */
TEST(known_routers)
{
    static const struct routers rows[] = {
        {1, "kary:2", -1, 1},    {2, "kary:2", 0, 1},       {4, "kary:2", 1, 1},
        {16, "kary:2", 7, 1},    {48, "kary:2", 23, 1},     {4, "kary:0", 0, 1},
        {48, "kary:0", 0, 1},    {48, "kary:16", 2, 1},     {4, "binomial", 2, 2},
        {8, "binomial", 6, 2},   {16, "binomial", 14, 2},   {4096, "mincrit:0", 0, 1},
        {1, "mincrit:2", -1, 1}, {2, "mincrit:2", 0, 1},    {3, "mincrit:2", 0, 1},
        {4, "mincrit:2", 1, 1},  {5, "mincrit:2", 2, 1},    {6, "mincrit:2", 2, 1},
        {7, "mincrit:2", 2, 1},  {512, "mincrit:2", 2, 1},  {512, "mincrit", 0, 1},
        {1025, "mincrit", 0, 1}, {1026, "mincrit", 2, 1},   {2051, "mincrit", 2, 1},
        {2052, "mincrit", 3, 1}, {10800, "mincrit", 11, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static int32_t parents[MOST];
        static bool has_children[MOST];
        memset(has_children, 0, sizeof has_children);
        parents_of(rows[i].topology, rows[i].n, parents);
        assert_int_equal(parents[0], -1);
        for (int32_t k = 1; k < rows[i].n; k++) {
            assert_in_range(parents[k], 0, k - 1);
            has_children[parents[k]] = true;
        }
        for (int32_t k = 0; k < rows[i].n; k++) {
            const bool expected = k <= rows[i].last && k % rows[i].step == 0;
            if (has_children[k] != expected) {
                fail_msg("%s of %d: rank %d", rows[i].topology, (int)rows[i].n, (int)k);
            }
        }
    }
}

struct known {
    const char *topology, *parents;
};

/* Worked by hand from the rules of topology.c: in a k-ary tree the ranks k p + 1 .. k p + k are
 * below p; in mincrit:k ranks 1 .. k are below 0, and the others below 1, 2, .. k, 1, 2 ...; in a
 * binomial tree a rank r that is 2^j above its parent has the children r + 1, r + 2 .. r + 2^(j-1).
 */
TEST(known_trees)
{
    static const struct known rows[] = {
        {"kary:0", "-1 0 0 0 0"},
        {"kary:1", "-1 0 1 2 3 4"},
        {"kary:2", "-1 0 0 1 1 2 2 3 3 4"},
        {"kary:3", "-1 0 0 0 1 1 1 2 2 2 3"},
        {"kary:16", "-1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1"},
        {"kary:100", "-1 0 0 0"},
        {"mincrit:1", "-1 0 1 1 1"},
        {"mincrit:2", "-1 0 0 1 2 1 2 1 2 1 2"},
        {"mincrit:3", "-1 0 0 0 1 2 3 1"},
        {"mincrit:9", "-1 0 0 0 0 0 0 0"},
        {"binomial", "-1"},
        {"binomial", "-1 0"},
        {"binomial", "-1 0 0"},
        {"binomial", "-1 0 0 2 0 4"},
        {"binomial", "-1 0 0 2 0 4 4 6"},
        {"binomial", "-1 0 0 2 0 4 4 6 0 8 8 10 8 12"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t n = 1;
        for (const char *c = rows[i].parents; *c != '\0'; c++) {
            n += *c == ' ';
        }
        int32_t parents[32];
        char text[128] = "";
        parents_of(rows[i].topology, n, parents);
        for (int32_t k = 0; k < n; k++) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%d", k > 0 ? " " : "", (int)parents[k]);
        }
        assert_string_equal(text, rows[i].parents);
    }
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The depth and the size of the subtree of each process, as one number, sorted. */
static void profile(const int32_t *parents, int32_t n, int64_t *out)
{
    static int64_t size[MOST];
    static int64_t depth[MOST];
    for (int32_t i = 0; i < n; i++) {
        size[i] = 1;
        depth[i] = i > 0 ? depth[parents[i]] + 1 : 0;
    }
    for (int32_t i = n - 1; i > 0; i--) {
        size[parents[i]] += size[i];
    }
    for (int32_t i = 0; i < n; i++) {
        out[i] = depth[i] * 1000000 + size[i];
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
}

static void compare(const struct tan_knob *knob, int64_t value, int32_t n)
{
    static int32_t parents[MOST];
    static int64_t a[MOST];
    static int64_t b[MOST];
    struct tan_knob by_split = *knob;
    by_split.parents = NULL;
    const struct tan_shape shape = {
        .knob = &by_split, .value = value, .population = TAN_ALL_MEMBERS, .size = n};
    int32_t processes;
    int32_t *split = shape_parents(&shape, &processes);
    assert_int_equal(processes, n);
    knob->parents(value, n, parents);
    profile(split, n, a);
    profile(parents, n, b);
    if (memcmp(a, b, (size_t)n * sizeof *a) != 0) {
        fail_msg("%s%d of %d", knob->name, (int)value, (int)n);
    }
    free(split);
}

TEST(sizes_are_those_of_the_parents)
{
    for (const struct tan_knob *knob = tan_target_flux.knobs; knob->name != NULL; knob++) {
        for (int32_t n = 2; n <= 300 && knob->split != NULL; n++) {
            if (knob->most == 0) {
                compare(knob, knob->least, n);
                continue;
            }
            for (int64_t value = knob->least; value <= 20; value++) {
                compare(knob, value, n);
            }
            compare(knob, 32, n);
            compare(knob, n / 2, n);
            compare(knob, n - 2, n);
            compare(knob, n - 1, n);
            compare(knob, knob->most, n);
        }
    }
    static const int32_t large[] = {1024, 1025, 1026, 1027, 2050, 2051,
                                    2052, 3075, 3076, 3077, 4100, 10800};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        compare(setting_of("mincrit").knob, 0, large[i]);
        compare(setting_of("binomial").knob, 2, large[i]);
        compare(setting_of("kary:32").knob, 32, large[i]);
    }
}

TEST(branches_have_all_but_the_process)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const int64_t size = 2 + (int64_t)(random >> 33) % 1000000000;
        const int64_t value = (int64_t)(random >> 13) % (i % 2 == 0 ? 100 : INT32_MAX);
        for (const struct tan_knob *knob = tan_target_flux.knobs; knob->split != NULL; knob++) {
            struct tan_branch branch[TAN_BRANCHES];
            const int n =
                knob->split(knob->most == 0 ? knob->least : value, size, i / 2 % 2, branch);
            assert_in_range(n, 1, TAN_BRANCHES);
            int64_t sum = 0;
            for (int b = 0; b < n; b++) {
                assert_true(branch[b].size >= 1 && branch[b].count >= 1);
                sum += branch[b].size * branch[b].count;
            }
            assert_int_equal(sum, size - 1);
        }
    }
}

/* Destroys the answer's tree. */
static char *written(const struct tan_answer *answer, struct tan_error *e, char *text)
{
    FILE *to = tmpfile();
    assert_non_null(to);
    const int result = tan_target_flux.write(answer, to, e);
    assert_int_equal(result, e->status == TAN_DONE ? 0 : -1);
    rewind(to);
    text[0] = '\0';
    size_t used = 0;
    while (fgets(text + used, (int)(TEXT - used), to) != NULL) {
        used += text[used] == '#' ? 0 : strlen(text + used);
    }
    text[used] = '\0'; /* a comment at the end */
    fclose(to);
    tan_tree_destroy((struct tan_tree *)answer->tree);
    return text;
}

TEST(topologies)
{
    static char text[TEXT];
    static const char *const rows[][2] = {
        {"kary:16", "[tbon]\ntopo = \"kary:16\"\n"},
        {"mincrit:11", "[tbon]\ntopo = \"mincrit:11\"\n"},
        {"mincrit", "[tbon]\ntopo = \"mincrit\"\n"},
        {"binomial", "[tbon]\ntopo = \"binomial\"\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_setting setting = setting_of(rows[i][0]);
        const struct tan_answer answer = {
            .target = &tan_target_flux, .up = setting, .down = setting, .members = 1000};
        assert_string_equal(written(&answer, &e, text), rows[i][1]);
        assert_no_error(e);
    }
}

/* With a tree of its own. */
static struct tan_answer custom(const int32_t *parents, int32_t n, const char *const *host)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_setting setting = setting_of("custom");
    return (struct tan_answer){.target = &tan_target_flux,
                               .up = setting,
                               .down = setting,
                               .members = n,
                               .tree = tan_tree_create(parents, n, NULL, &e),
                               .host = host};
}

#define HEAD "[tbon]\ntopo = \"custom\"\n\n[bootstrap]\n\n[[bootstrap.hosts]]\n"

/* The 256 hosts of flux-config-bootstrap(5), as it writes them. */
TEST(the_tree_of_the_manual)
{
    static char text[TEXT];
    int32_t parents[256];
    for (int32_t i = 0; i < 256; i++) {
        parents[i] = i == 0 ? -1 : i == 1 || i == 128 ? 0 : i < 128 ? 1 : 128;
    }
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_answer answer = custom(parents, 256, NULL);
    assert_string_equal(written(&answer, &e, text),
                        HEAD "host = \"test[0-255]\"\n"
                             "\n[[bootstrap.hosts]]\nhost = \"test[1,128]\"\nparent = \"test0\"\n"
                             "\n[[bootstrap.hosts]]\nhost = \"test[2-127]\"\nparent = \"test1\"\n"
                             "\n[[bootstrap.hosts]]\nhost = \"test[129-255]\"\n"
                             "parent = \"test128\"\n");
    assert_no_error(e);
}

/* Padded numbers, the step from 9 to 10, names without numbers, other orders. */
TEST(names_of_hosts)
{
    static char text[TEXT];
    static const struct {
        int32_t n;
        const char *host[8], *list;
    } rows[] = {
        {4, {"n08", "n09", "n10", "n11"}, "n[08-11]"},
        {4, {"n8", "n9", "n10", "n011"}, "n[8-10,011]"},
        {4, {"n1", "n01", "n2", "n02"}, "n[1,01,2,02]"},
        {4, {"n4", "n3", "n2", "n1"}, "n[4,3,2,1]"},
        {4, {"n2", "n0", "n1", "n3"}, "n[2,0-1,3]"},
        {4, {"a1", "b1", "b2", "c"}, "a1,b[1-2],c"},
        {4, {"ctl-1", "n1.x", "n2.x", "login"}, "ctl-1,n1.x,n2.x,login"},
        {3, {"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
        {3, {"7", "8", "9"}, "7,8,9"},
        {3, {"n0000000001", "n0000000002", "n999999999"}, "n0000000001,n0000000002,n999999999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const int32_t parents[] = {-1, 0, 0, 0};
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_answer answer = custom(parents, rows[i].n, rows[i].host);
        char expected[256];
        snprintf(expected, sizeof expected, "%shost = \"%s\"\n", HEAD, rows[i].list);
        written(&answer, &e, text);
        assert_no_error(e);
        text[strlen(expected)] = '\0';
        assert_string_equal(text, expected);
    }
}

/* Flux reads at most 10240 ranges in a pair of brackets: the 10241st name stands for itself. */
TEST(brackets_are_closed_in_time)
{
    enum { RANGES = 10240 };
    static char text[TEXT];
    static char name[RANGES + 1][8];
    static const char *host[RANGES + 1];
    static int32_t parents[RANGES + 1];
    for (int32_t i = 0; i <= RANGES; i++) {
        snprintf(name[i], sizeof name[i], "n%d", 2 * (int)i);
        host[i] = name[i];
        parents[i] = i == 0 ? -1 : 0;
    }
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_answer answer = custom(parents, RANGES + 1, host);
    assert_non_null(strstr(written(&answer, &e, text), ",20476,20478],n20480\"\n"));
    assert_no_error(e);
}

TEST(names_that_flux_refuses)
{
    static char text[TEXT];
    static const struct {
        const char *name, *part;
    } rows[] = {
        {"a_b", "\"a_b\""},       {"-a", "\"-a\""},
        {"a-", "\"a-\""},         {"a..b", "\"a..b\""},
        {"a,b", "\"a,b\""},       {"", "\"\""},
        {"n[1-2]", "\"n[1-2]\""}, {"n1", "two processes on n1"},
        {"a.", "\"a.\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        const char *host[] = {"n1", "n2", rows[i].name};
        const struct tan_answer answer = custom((const int32_t[]){-1, 0, 0}, 3, host);
        written(&answer, &e, text);
        assert_error(e, TAN_USAGE, rows[i].part);
        assert_string_equal(text, "");
    }
}

/* What Flux reads from such a file: hosts in the order in which they are first named, and the
 * parent of each. */
struct hosts {
    int32_t n;
    char name[2048][16], parent[2048][16];
};

static void take_host(struct hosts *hosts, const char *name, const char *parent)
{
    int32_t i = 0;
    while (i < hosts->n && strcmp(hosts->name[i], name) != 0) {
        i++;
    }
    assert_true(i < 2048);
    hosts->n += i == hosts->n;
    snprintf(hosts->name[i], sizeof hosts->name[i], "%s", name);
    if (parent[0] != '\0') {
        snprintf(hosts->parent[i], sizeof hosts->parent[i], "%s", parent);
    }
}

static void take_hostlist(struct hosts *hosts, char *list, const char *parent)
{
    char name[32];
    while (*list != '\0') {
        const size_t prefix = strcspn(list, "[,");
        if (list[prefix] != '[') {
            snprintf(name, sizeof name, "%.*s", (int)prefix, list);
            take_host(hosts, name, parent);
            list += prefix + (list[prefix] == ',');
            continue;
        }
        char *digits = list + prefix;
        while (*digits != ']') {
            digits++;
            char *end;
            const long first = strtol(digits, &end, 10);
            const int width = (int)(end - digits);
            const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
            for (long number = first; number <= last; number++) {
                snprintf(name, sizeof name, "%.*s%0*ld", (int)prefix, list, width, number);
                take_host(hosts, name, parent);
            }
            digits = end;
            assert_true(*digits == ',' || *digits == ']');
        }
        list = digits + 1 + (digits[1] == ',');
    }
}

static void take_file(struct hosts *hosts, char *text)
{
    static const char table[] = "[[bootstrap.hosts]]\n";
    *hosts = (struct hosts){0};
    for (char *at = strstr(text, table); at != NULL; at = strstr(at, table)) {
        static char list[TEXT];
        char parent[32] = "";
        at += sizeof table - 1;
        assert_int_equal(sscanf(at, "host = \"%65535[^\"]\"\nparent = \"%31[^\"]\"", list, parent),
                         at[strcspn(at, "\n") + 1] == 'p' ? 2 : 1);
        take_hostlist(hosts, list, parent);
    }
}

/* Random trees on hosts with random names, read again. */
TEST(any_tree_comes_back)
{
    static char text[TEXT];
    static char name[2000][16];
    static const char *host[2000];
    static int32_t parents[2000];
    static struct hosts hosts;
    uint64_t random = 7;
    for (int32_t n = 2; n <= 2000; n += 1 + n / 2) {
        for (int32_t i = 0; i < n; i++) { /* node i hangs below one before it */
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            parents[i] = i == 0 ? -1 : (int32_t)((random >> 33) % (uint64_t)i);
            snprintf(name[i], sizeof name[i], i % 37 < 20 ? "n%d" : "m%04d",
                     (int)(i ^ (i / 2 % 5 == 0)));
            host[i] = name[i];
        }
        struct tan_error e = TAN_ERROR_INIT;
        const struct tan_answer answer = custom(parents, n, host);
        take_file(&hosts, written(&answer, &e, text));
        assert_no_error(e);
        assert_int_equal(hosts.n, n);
        assert_string_equal(hosts.name[0], host[0]);
        for (int32_t rank = 0; rank < n; rank++) {
            int32_t i = 0;
            while (strcmp(host[i], hosts.name[rank]) != 0) {
                i++;
            }
            assert_string_equal(hosts.parent[rank], rank == 0 ? "" : host[parents[i]]);
        }
    }
}

RUN_TESTS(NULL, NULL)
