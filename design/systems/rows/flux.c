/* flux.c - Flux: the tree-based overlay network (TBON) of its brokers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "design/systems/knomial.h"
#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "topo/names.h"

/* Three levels: the leader, k routers, and the rest dealt round-robin to them. */
static int mincrit_split(int64_t k, int64_t size, int depth, struct tan_branch *out)
{
    return depth == 0 && k > 0 ? tan_branches_even(size - 1, k, out)
                               : tan_kary_split(0, size, depth, out);
}

static void mincrit_parents(int64_t k, int32_t n, int32_t *parents)
{
    parents[0] = -1;
    for (int32_t i = 1; i < n; i++) {
        parents[i] = k == 0 || i <= k ? 0 : (int32_t)((i - k - 1) % k + 1);
    }
}

enum { MINCRIT_FANOUT = 1024 };

/* The fewest routers with at most 1024 children each, but not a single one; none at all if the
 * leader can have all children itself. With size - 1 - k leaves that is size - 1 <= (1024 + 1)
 * k. */
static int64_t mincrit_routers(int64_t size)
{
    const int64_t k = tan_ceil_div(size - 1, MINCRIT_FANOUT + 1);
    return size - 1 <= MINCRIT_FANOUT ? 0 : k < 2 ? 2 : k;
}

static int mincrit_auto_split(int64_t value, int64_t size, int depth, struct tan_branch *out)
{
    (void)value;
    return mincrit_split(mincrit_routers(size), size, depth, out);
}

static void mincrit_auto_parents(int64_t value, int32_t n, int32_t *parents)
{
    (void)value;
    mincrit_parents(mincrit_routers(n), n, parents);
}

enum { KARY, MINCRIT, MINCRIT_AUTO, BINOMIAL, CUSTOM };

static const struct tan_knob knobs[] = {
    [KARY] =
        {"kary:", "a complete k-ary tree; 0: flat", 0, INT32_MAX, TAN_DOWN,
         "a negative k builds a flat tree, and one beyond 2147483647 loses its upper bits, both "
         "silently",
         tan_kary_split, tan_kary_parents},
    [MINCRIT] =
        {"mincrit:", "three levels: the leader, k routers, the others; 0: flat", 0, INT32_MAX - 1,
         TAN_DOWN,
         "a negative k builds a flat tree, and one beyond 2147483646 overflows, both silently",
         mincrit_split, mincrit_parents},
    [MINCRIT_AUTO] = {"mincrit", "with as few routers as leave each of them at most 1024 children",
                      0, 0, TAN_DOWN, NULL, mincrit_auto_split, mincrit_auto_parents},
    [BINOMIAL] = {"binomial", "a binomial tree", 2, 0, TAN_DOWN, NULL, tan_knomial_split,
                  tan_knomial_parents},
    [CUSTOM] = {.name = "custom",
                .help = "any tree, by a parent for each of the hosts in [bootstrap]",
                .directions = TAN_DOWN},
    {.name = NULL},
};

static const struct tan_default defaults[] = {
    {"default under PMI", KARY, 32, NULL, "Flux, kary:32", tan_baseline_kary},
    {"default with [bootstrap]", KARY, 0, NULL, NULL, NULL},
    {"mincrit, at most 1024 children", MINCRIT_AUTO, 0, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"custom:", "custom takes no file: its tree is that of the hosts in [bootstrap]"},
    {"binomial:", "binomial takes no value: Flux does not start with one"},
    {"kary:-", "a negative k builds a flat tree, silently: say kary:0"},
    {"mincrit:-", "a negative k builds a flat tree, silently: say mincrit:0"},
    {"tbon.fanout", "that is an old name of kary:, which overrides the topo of the configuration"},
    {"flat", "Flux has no such scheme: its flat tree is kary:0"},
    {.start = NULL},
};

/* Limits of Flux's libhostlist within a pair of brackets. */
enum { RANGES = 10240, RANGE = 1 << 20, DIGITS = 9 };

/* A host name, ending in a number if `digits` > 0. */
struct name {
    const char *text;
    int prefix, digits;
    int64_t number;
};

static struct name name_of(const char *text)
{
    struct name name = {.text = text, .prefix = (int)strlen(text)};
    while (name.prefix > 0 && isdigit((unsigned char)text[name.prefix - 1])) {
        name.prefix--;
        name.digits++;
    }
    if (name.prefix == 0 || name.digits > DIGITS) { /* kept literally */
        name.prefix += name.digits;
        name.digits = 0;
    }
    name.number = name.digits > 0 ? strtoll(text + name.prefix, NULL, 10) : 0;
    return name;
}

/* Whether both can share brackets. */
static bool are_alike(const struct name *a, const struct name *b)
{
    return a->digits > 0 && b->digits > 0 && a->prefix == b->prefix &&
           strncmp(a->text, b->text, (size_t)a->prefix) == 0;
}

/* Whether `name` is `first` plus `further`, with the same width of digits. */
static bool is_further(const struct name *first, const struct name *name, int64_t further)
{
    char digits[32];
    const int width = first->digits < DIGITS ? first->digits : DIGITS;
    snprintf(digits, sizeof digits, "%0*" PRId64, width, first->number + further);
    return further < RANGE && strcmp(name->text + name->prefix, digits) == 0;
}

/* Write the longest prefix of these names that can share brackets; returns its length. */
static int32_t write_brackets(const struct name *name, int32_t n, FILE *to)
{
    int32_t i = 0;
    fprintf(to, "%.*s[", name[0].prefix, name[0].text);
    for (int ranges = 0; i < n && ranges < RANGES && are_alike(&name[0], &name[i]); ranges++) {
        const struct name *first = &name[i++];
        fprintf(to, "%s%s", ranges > 0 ? "," : "", first->text + first->prefix);
        const struct name *last = first;
        while (i < n && are_alike(first, &name[i]) &&
               is_further(first, &name[i], &name[i] - first)) {
            last = &name[i++];
        }
        if (last > first) {
            fprintf(to, "-%s", last->text + last->prefix);
        }
    }
    fputc(']', to);
    return i;
}

/* A hostlist as defined by Flux's RFC 29, preserving the order of names. */
static void write_hostlist(const struct name *name, int32_t n, FILE *to)
{
    for (int32_t i = 0; i < n;) {
        fputs(i > 0 ? "," : "", to);
        if (i + 1 < n && are_alike(&name[i], &name[i + 1])) {
            i += write_brackets(&name[i], n - i, to);
        } else {
            fputs(name[i++].text, to);
        }
    }
}

static void write_hosts(const struct name *name, int32_t n, const char *parent, FILE *to)
{
    fputs("\n[[bootstrap.hosts]]\nhost = \"", to);
    write_hostlist(name, n, to);
    fputs("\"\n", to);
    if (parent != NULL) {
        fprintf(to, "parent = \"%s\"\n", parent);
    }
}

/* Flux accepts host names made of labels of at most 63 letters, digits and inner hyphens, separated
 * by dots. */
static bool is_domain_name(const char *text)
{
    enum { LABEL = 63, NAME = 253 };
    for (const char *label = text;; label++) {
        size_t length = 0;
        while (isalnum((unsigned char)label[length]) || label[length] == '-') {
            length++;
        }
        if (length == 0 || length > LABEL || label[0] == '-' || label[length - 1] == '-') {
            return false;
        }
        label += length;
        if (*label != '.') {
            return *label == '\0' && label - text <= NAME;
        }
    }
}

/* Flux must accept the names, and they must be distinct. */
static int check_names(const struct name *name, int32_t n, struct tan_error *e)
{
    struct tan_names *seen = tan_names_create(e);
    int result = seen == NULL ? -1 : 0;
    for (int32_t i = 0; i < n && result == 0; i++) {
        if (!is_domain_name(name[i].text)) {
            result = tan_fail_usage(e,
                                    "Flux does not accept \"%s\" as the name of a host: only "
                                    "letters, digits, dots and inner hyphens",
                                    name[i].text);
        } else if (tan_names_add(seen, name[i].text, e) != i) {
            result = tan_fail_usage(e,
                                    "the tree has two processes on %s, but Flux accepts only one "
                                    "broker per host",
                                    name[i].text);
        }
    }
    tan_names_destroy(seen);
    return result;
}

enum { TEST_NAME = sizeof "test2147483647" };

/* The tree of an answer, with the names of its hosts. */
struct custom {
    const struct tan_tree *tree;
    char (*test)[TEST_NAME]; /* placeholder names, if there are no hosts */
    struct name *name;       /* per process */
    struct name *order;      /* scratch space for a list of names */
};

static int name_hosts(const struct tan_answer *answer, struct custom *c, struct tan_error *e)
{
    const int32_t n = tan_tree_size(answer->tree);
    *c = (struct custom){.tree = answer->tree};
    c->test = calloc((size_t)n, sizeof *c->test);
    c->name = calloc((size_t)n, sizeof *c->name);
    c->order = calloc((size_t)n, sizeof *c->order);
    if (c->test == NULL || c->name == NULL || c->order == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < n; i++) {
        snprintf(c->test[i], sizeof c->test[i], "test%" PRId32, i);
        c->name[i] = name_of(answer->host != NULL ? answer->host[i] : c->test[i]);
    }
    return answer->host != NULL ? check_names(c->name, n, e) : 0;
}

/* Flux numbers ranks by first occurrence of their hosts, and rank 0 is the root. */
static void write_tree(const struct custom *c, FILE *to)
{
    write_hosts(c->name, tan_tree_size(c->tree), NULL, to);
    for (int32_t i = 0; i < tan_tree_size(c->tree); i++) {
        const int32_t count = tan_tree_fanout(c->tree, i);
        const int32_t *child = tan_tree_children(c->tree, i);
        for (int32_t k = 0; k < count; k++) {
            c->order[k] = c->name[child[k]];
        }
        if (count > 0) {
            write_hosts(c->order, count, c->name[i].text, to);
        }
    }
}

static void write_place(int64_t members, FILE *to)
{
    fprintf(to,
            "# Flux, %" PRId64 " brokers: a file *.toml of /etc/flux/system/conf.d on every host.\n"
            "# flux config reload does not apply it: restart all of the system instance.\n",
            members);
}

static int write_custom(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct custom custom;
    const int result = name_hosts(answer, &custom, e);
    if (result == 0) {
        write_place(answer->members, to);
        fputs("# Brokers get their ranks in the order in which hosts are named here first.\n"
              "# See the tree afterwards: flux overlay status\n"
              "[tbon]\n"
              "topo = \"custom\"\n"
              "\n"
              "[bootstrap]\n"
              "# curve_cert, default_port, default_bind and default_connect stay as they are on "
              "your system;\n"
              "# these are all of its hosts.\n",
              to);
        write_tree(&custom, to);
    }
    free(custom.test);
    free(custom.name);
    free(custom.order);
    return result;
}

static void write_topology(const char *topology, int64_t members, FILE *to)
{
    enum { ON_ONE_HOST = 256 }; /* maximum number of brokers on one host */
    write_place(members, to);
    fprintf(to,
            "# For one instance: flux start -o,-Stbon.topo=%s, or\n"
            "# flux alloc --broker-opts=-Stbon.topo=%s, which come before this file.\n"
            "# See the tree before, on one host%s:\n"
            "#   flux start -o,-Stbon.topo=%s --test-size=%" PRId64 " flux overlay status\n"
            "# and afterwards: flux overlay status\n"
            "[tbon]\n"
            "topo = \"%s\"\n",
            topology, topology, members > ON_ONE_HOST ? " and with fewer brokers" : "", topology,
            members > ON_ONE_HOST ? ON_ONE_HOST : members, topology);
}

static int write_flux(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const struct tan_setting *setting = answer->up.knob != NULL ? &answer->up : &answer->down;
    if (setting->knob == &knobs[CUSTOM]) {
        return write_custom(answer, to, e);
    }
    write_topology(tan_setting_text(setting).text, answer->members, to);
    return 0;
}

extern const struct tan_target tan_target_flux;
const struct tan_target tan_target_flux = {
    .name = "flux",
    .title = "Flux",
    .versions.newest = "0.88",
    .help = "tbon.topo: kary:K, mincrit:K, mincrit, binomial, or any tree",
    .counts.population = TAN_ALL_MEMBERS,
    .counts.member = "brokers, the leader included",
    .operation = {NULL, "events"},
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_flux,
    .fails.how =
        "The subtree below a broker that dies is lost: its brokers shut down, and join again once "
        "the parent is back; restarting them is left to systemd. Others wait "
        "tbon.tcp_user_timeout (20 s) for a host that falls silent; brokers below a silent parent "
        "leave after heartbeat.timeout (5 min). (guide/broker, flux-config-tbon(5) and "
        "flux-config-heartbeat(5) of Flux 0.88)",
    .fails.timeout = 20.0,
    .comment = "#",
    .read_back = "flux overlay status prints the tree, flux overlay parentof RANK the parent of a "
                 "broker, and flux getattr tbon.topo the topology in use.",
};
