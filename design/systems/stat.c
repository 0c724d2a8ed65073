/* stat.c - STAT: communication processes between the front end and the daemons
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the depth, or the least depth that respects the fanout, STAT derives one width w =
 * N^(1/depth), rounded up, and layers of w, w^2 .. w^(depth - 1) processes; each layer, and finally
 * the daemons, are distributed evenly over the layer above (STAT_FrontEnd::createTopology and
 * statPack of 4.2.1). With one process per node of the application, the default of stat-cl, they
 * must not outnumber the nodes; otherwise a single layer of sqrt(N) is used. In `split` a
 * communication process with a single daemon is not counted, since its size is that of a leaf. This
 * only affects waves of two daemons in two layers: in all other trees a larger sibling decides. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "design/targets/answer_tree.h"
#include "design/targets/setting.h"
#include "design/targets/shape.h"

enum { MOST_DEPTH = 31 };

/* Layers of communication processes, each `width` times as large as the one above. */
struct layers {
    int64_t depth; /* including the daemons */
    int64_t width;
    int64_t processes; /* communication processes required */
    bool replaced;     /* fell back to one layer, for lack of nodes */
};

/* Like STAT in single precision, which yields 17 for the cube root of 4096. */
static int64_t width_of(int64_t daemons, int64_t depth)
{
    return (int64_t)ceilf(powf((float)daemons, 1.0F / (float)depth));
}

static struct layers layers_of(int64_t daemons, int64_t depth)
{
    struct layers l = {.depth = depth, .width = width_of(daemons, depth)};
    int64_t layer = 1;
    for (int64_t i = 1; i < depth && l.processes <= daemons; i++) {
        layer *= l.width;
        l.processes += layer;
    }
    if (l.processes > daemons) {
        l.replaced = true;
        l.depth = 2;
        l.width = (int64_t)sqrt((double)daemons);
    }
    return l;
}

static struct layers layers_of_fanout(int64_t daemons, int64_t fanout)
{
    int64_t depth = 1;
    while (depth < MOST_DEPTH && width_of(daemons, depth) > fanout) {
        depth++;
    }
    return layers_of(daemons, depth);
}

/* Processes below the front end get the remaining layers and their width, encoded in place of the
 * depth. */
enum { LAYERS = 32 };

static int told_as_depth(int64_t width, int64_t layers)
{
    return (int)(-1 - (width * LAYERS + layers));
}

/* Split `size` daemons into `layers` layers below a process; the first layer has `width`
 * processes. */
static int split_layers(int64_t width, int64_t layers, int64_t size, struct tan_branch *out)
{
    int64_t below = 1; /* processes in the last layer below one child */
    for (int64_t i = 1; i < layers; i++) {
        below *= width;
    }
    if (layers == 0) {
        return tan_branches_even(size, size, out);
    }
    const int64_t least = size / (below * width); /* daemons per process of the last layer */
    const int64_t more = size % (below * width);  /* so many of them have one more */
    const int64_t full = more / below;
    const int64_t part = more % below;
    const int64_t rest = width - full - (part > 0);
    const int depth = told_as_depth(width, layers - 1);
    int n = 0;
    if (full > 0) {
        out[n++] = (struct tan_branch){(least + 1) * below, full, depth};
    }
    if (part > 0) {
        out[n++] = (struct tan_branch){least * below + part, 1, depth};
    }
    if (rest > 0) {
        out[n++] = (struct tan_branch){least * below, rest, depth};
    }
    return n;
}

static int split_below(int64_t size, int depth, struct tan_branch *out)
{
    const int64_t state = -1 - (int64_t)depth;
    return split_layers(state / LAYERS, state % LAYERS, size, out);
}

static int split_by_fanout(int64_t value, int64_t size, int depth, struct tan_branch *out)
{
    if (depth < 0) {
        return split_below(size, depth, out);
    }
    const struct layers l = layers_of_fanout(size, value);
    return split_layers(l.width, l.depth - 1, size, out);
}

static int split_by_depth(int64_t value, int64_t size, int depth, struct tan_branch *out)
{
    if (depth < 0) {
        return split_below(size, depth, out);
    }
    const struct layers l = layers_of(size, value);
    return split_layers(l.width, l.depth - 1, size, out);
}

enum { FANOUT, DEPTH, USER };

static const struct tan_knob knobs[] = {
    [FANOUT] =
        {
            .name = "--fanout=",
            .help = "the least depth at which layers of equal width keep to it",
            .least = 2,
            .most = INT32_MAX,
            .directions = TAN_UP | TAN_DOWN,
            .outside = "STAT tries 1023 depths and then one that it has no processes for",
            .split = split_by_fanout,
        },
    [DEPTH] =
        {
            .name = "--depth=",
            .help = "hops from the daemons to the front-end; 1: flat",
            .least = 1,
            .most = MOST_DEPTH,
            .directions = TAN_UP | TAN_DOWN,
            .outside =
                "0 is the automatic topology, which is --fanout=64, and beyond it the layers "
                "overflow",
            .split = split_by_depth,
        },
    [USER] =
        {
            .name = "--usertopology",
            .help = "communication processes of each layer, 4-16: any tree that is as wide "
                    "everywhere at a depth",
            .directions = TAN_UP | TAN_DOWN,
        },
    {.name = NULL},
};

static int64_t square_root(int64_t members)
{
    return tan_least_root(members, 2);
}

static const struct tan_default defaults[] = {
    {"default, the automatic topology", FANOUT, 64, NULL, "STAT, fanout 64", tan_baseline_capped},
    {"square root, as its manual advises", FANOUT, 0, square_root, "STAT, square root",
     tan_baseline_two},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"--fanout ", "write it with \"=\": --fanout=32"},
    {"--depth ", "write it with \"=\": --depth=2"},
    {"-f", "that is short for --fanout: say --fanout=32"},
    {"-d", "that is short for --depth: say --depth=2"},
    {"-u", "give the tree as --tree: STAT's --usertopology takes its layers"},
    {"--usertopology=", "give the tree as --tree: STAT's --usertopology takes its layers"},
    {"--autotopo", "that is --fanout=64"},
    {"-a", "that is --fanout=64"},
    {"--procs",
     "that is how many communication processes a node may have: with too few STAT builds a single "
     "layer instead of the given one, and STAT 4.2 puts one less on each node"},
    {.start = NULL},
};

static void write_heading(int64_t daemons, FILE *to)
{
    fprintf(
        to,
        "# STAT, %" PRId64 " daemons, one on each node of the application: options of stat-cl, "
        "with the\n"
        "# process number of its launcher for PID. stat-cl puts the communication processes on\n"
        "# the same nodes; --nodes gives them others.\n"
        "# See the tree afterwards: the files .top and .fulltop in stat_results.\n",
        daemons);
}

/* Since STAT 4.2 a node gets one process fewer than --procs says, so ask for one more. */
static void write_options(const char *option, int64_t daemons, int64_t processes, FILE *to)
{
    if (processes == 0) {
        fprintf(to, "stat-cl %s PID\n", option);
        return;
    }
    fprintf(to,
            "# %" PRId64 " communication processes. --procs: since 4.2 a node takes one less.\n"
            "stat-cl %s --procs %" PRId64 " PID\n",
            processes, option, 1 + (processes + daemons - 1) / daemons);
}

static void write_replaced(const char *option, const struct layers *l, FILE *to)
{
    fprintf(to,
            "# This is more communication processes than nodes: STAT builds one layer of %" PRId64
            "\n"
            "# in its place, with a warning (4.2 with --procs 2 may end instead).\n"
            "stat-cl %s PID\n",
            l->width, option);
}

/* A tree by the sizes of its layers. */
struct profile {
    int64_t *layer; /* communication processes by depth; owned, `height` + 1 entries */
    int32_t *depth; /* per process; owned */
    int32_t height;
};

static int find_depths(const struct tan_tree *tree, struct profile *p, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    p->height = tan_tree_height(tree);
    p->layer = calloc((size_t)p->height + 1, sizeof *p->layer);
    p->depth = calloc((size_t)n, sizeof *p->depth);
    if (p->layer == NULL || p->depth == NULL) {
        return tan_fail_nomem(e);
    }
    tan_tree_depths(tree, p->depth);
    for (int32_t i = 0; i < n; i++) {
        if (tan_tree_fanout(tree, i) > 0) {
            p->layer[p->depth[i]]++;
            continue;
        }
        /* a daemon higher up gets a process of its own in each layer below */
        for (int32_t d = p->depth[i]; d < p->height; d++) {
            p->layer[d]++;
        }
    }
    p->layer[p->height] = tan_tree_leaves(tree);
    return 0;
}

/* Whether the next layer is as wide as STAT would make it. */
static bool is_even(const struct profile *p, int32_t depth, int64_t fanout)
{
    const int64_t least = p->layer[depth + 1] / p->layer[depth];
    return fanout == least || (fanout == least + 1 && p->layer[depth + 1] % p->layer[depth] > 0);
}

static int check_layers(const struct tan_tree *tree, const struct profile *p, struct tan_error *e)
{
    for (int32_t i = 0; i < tan_tree_size(tree); i++) {
        const int64_t fanout = tan_tree_fanout(tree, i);
        const int32_t last = fanout > 0 ? p->depth[i] : p->height - 1;
        for (int32_t d = p->depth[i]; d <= last; d++) {
            if (!is_even(p, d, fanout > 0 ? fanout : 1)) {
                return tan_fail_infeasible(
                    e,
                    "STAT takes the size of each layer and distributes it evenly over the one "
                    "above, but this tree has a process with %" PRId64 " of the %" PRId64
                    " children of a layer of %" PRId64,
                    fanout > 0 ? fanout : 1, p->layer[d + 1], p->layer[d]);
            }
        }
    }
    return 0;
}

static int write_layers(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct profile p = {NULL, NULL, 0};
    char *option = NULL;
    size_t length;
    struct tan_tree *tree = tan_answer_tree(answer, e);
    FILE *text = open_memstream(&option, &length);
    int result = tree == NULL ? -1 : text == NULL ? tan_fail_nomem(e) : find_depths(tree, &p, e);
    if (result == 0) {
        result = check_layers(tree, &p, e);
    }
    if (text != NULL && result == 0) {
        int64_t processes = 0;
        fputs(p.height > 1 ? "--usertopology " : "--depth 1", text);
        for (int32_t d = 1; d < p.height; d++) {
            fprintf(text, "%s%" PRId64, d > 1 ? "-" : "", p.layer[d]);
            processes += p.layer[d];
        }
        fflush(text);
        write_heading(answer->members, to);
        write_options(option, answer->members, processes, to);
    }
    if (text != NULL) {
        fclose(text);
    }
    free(option);
    free(p.layer);
    free(p.depth);
    tan_tree_destroy(tree);
    return result;
}

static int write_stat(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const struct tan_setting *setting = answer->up.knob != NULL ? &answer->up : &answer->down;
    char option[64];
    if (setting->knob == &knobs[USER]) {
        return write_layers(answer, to, e);
    }
    const bool by_depth = setting->knob == &knobs[DEPTH];
    const struct layers l = by_depth ? layers_of(answer->members, setting->value)
                                     : layers_of_fanout(answer->members, setting->value);
    snprintf(option, sizeof option, "%s %" PRId64, by_depth ? "--depth" : "--fanout",
             setting->value);
    write_heading(answer->members, to);
    if (l.replaced) {
        write_replaced(option, &l, to);
    } else {
        write_options(option, answer->members, l.processes, to);
    }
    return 0;
}

extern const struct tan_target tan_target_stat;
const struct tan_target tan_target_stat = {
    .name = "stat",
    .title = "STAT",
    .help = "--fanout, --depth or --usertopology of stat-cl",
    .population = TAN_LEAVES_APART,
    .member = "daemons, one on each node of the application",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_stat,
    .comment = "#",
    .read_back = "STAT writes the tree of its communication processes as an MRNet topology file "
                 "stat_results/RUN/RUN.top, and that with the daemons as RUN.fulltop.",
};
