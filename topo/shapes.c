/* shapes.c - tree shapes: their table and construction
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/spec.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "topo/file.h"

/* Allocate an entry per node, its parent, and behind these as many for what else a shape knows of
 * its nodes; fails if `nodes` exceeds the size limit of trees. */
static int32_t *allocate_nodes(const struct tan_shape_request *request, int64_t nodes,
                               struct tan_error *e)
{
    if (nodes > TAN_TREE_MAX_NODES) {
        tan_fail_usage(e, "\"%.64s\" needs %" PRId64 " processes, and a tree has at most %" PRId32,
                       request->spec, nodes, TAN_TREE_MAX_NODES);
        return NULL;
    }
    int32_t *array = malloc(2 * (size_t)nodes * sizeof *array);
    if (array == NULL) {
        tan_fail_nomem(e);
    }
    return array;
}

/* The tree of these parents, which are freed. */
static struct tan_tree *take_parents(int32_t *parents, int64_t nodes, struct tan_error *e)
{
    struct tan_tree *tree = tan_tree_create(parents, (int32_t)nodes, NULL, e);
    free(parents);
    return tree;
}

/* A tree with all leaves at depth `height` and width[l] nodes at depth l (width[0] = 1,
 * non-decreasing). Every level is spread evenly over the one above: node j of a level has parent
 * j * above / width, rounded down. */
static struct tan_tree *spread_levels(const struct tan_shape_request *request, const int64_t *width,
                                      int height, struct tan_error *e)
{
    int64_t nodes = 0;
    for (int level = 0; level <= height; level++) {
        nodes += width[level];
    }
    int32_t *parents = allocate_nodes(request, nodes, e);
    if (parents == NULL) {
        return NULL;
    }
    parents[0] = -1;
    int64_t start = 1;
    for (int level = 1; level <= height; level++) {
        const int64_t above = width[level - 1];
        for (int64_t j = 0; j < width[level]; j++) {
            parents[start + j] = (int32_t)(start - above + j * above / width[level]);
        }
        start += width[level];
    }
    return take_parents(parents, nodes, e);
}

static struct tan_tree *build_chain(const struct tan_shape_request *request, struct tan_error *e)
{
    const int64_t nodes = request->number[0] + 1;
    int32_t *parents = allocate_nodes(request, nodes, e);
    if (parents == NULL) {
        return NULL;
    }
    for (int32_t i = 0; i < nodes; i++) {
        parents[i] = i - 1;
    }
    return take_parents(parents, nodes, e);
}

static struct tan_tree *build_nto1(const struct tan_shape_request *request, struct tan_error *e)
{
    const int64_t width[] = {1, request->number[0]};
    return spread_levels(request, width, 1, e);
}

static struct tan_tree *build_twolevel(const struct tan_shape_request *request, struct tan_error *e)
{
    const int64_t leaves = request->number[0];
    const int64_t width[] = {1, llround(sqrt((double)leaves)), leaves};
    return spread_levels(request, width, 2, e);
}

static struct tan_tree *build_kary(const struct tan_shape_request *request, struct tan_error *e)
{
    enum { MAX_LEVELS = 64 };
    const int64_t k = request->number[0];
    const int64_t leaves = request->number[1];
    int height = 1;
    for (int64_t room = k; room < leaves; room *= k) {
        height++;
    }
    int64_t width[MAX_LEVELS + 1] = {0};
    width[height] = leaves;
    for (int level = height; level > 0; level--) {
        width[level - 1] = (width[level] + k - 1) / k;
    }
    return spread_levels(request, width, height, e);
}

/* One fanout and how often it comes, "16" or "2^30". */
static int read_fanout(const struct tan_shape_request *request, const char *text, int64_t *fanout,
                       int64_t *times, struct tan_error *e)
{
    const int64_t most = TAN_TREE_MAX_NODES - 1;
    const size_t length = strcspn(text, "^");
    const struct tan_text what = tan_printed("\"%.64s\": every fanout", request->spec);
    const struct tan_text first = tan_printed("%.*s", (int)length, text);
    const char *power = text + length;
    *times = 1;
    return tan_parse_count(what.text, first.text, 1, most, fanout, e) < 0 ||
                   (*power == '^' &&
                    tan_parse_count(what.text, power + 1, 1, TAN_TREE_MAX_HEIGHT, times, e) < 0)
               ? -1
               : 0;
}

/* The numbers of nodes of each level, malloc'd, for fanouts "16x16x16" or "2^30" and at most
 * `leaves` leaves; more than that are refused unless `limited`. *height: the number of fanouts.
 * Changes the text. */
static int64_t *read_widths(const struct tan_shape_request *request, char *fanouts, int64_t leaves,
                            bool limited, int *height, struct tan_error *e)
{
    int64_t *width = NULL;
    size_t n = 1;
    if (TAN_ONE_MORE(width, 0) < 0) {
        tan_fail_nomem(e);
        return NULL;
    }
    width[0] = 1;
    for (const char *text; (text = strsep(&fanouts, "x")) != NULL;) {
        int64_t fanout = 0;
        int64_t times = 0;
        if (read_fanout(request, text, &fanout, &times, e) < 0) {
            goto failed;
        }
        for (; times > 0; times--) {
            /* a node has no more children than leaves below it */
            const int64_t next = width[n - 1] * fanout;
            if (next > leaves && !limited) {
                tan_fail_usage(
                    e, "\"%.64s\" needs more processes than the %" PRId32 " that a tree can have",
                    request->spec, TAN_TREE_MAX_NODES);
                goto failed;
            }
            if (TAN_ONE_MORE(width, n) < 0) {
                tan_fail_nomem(e);
                goto failed;
            }
            width[n++] = next > leaves ? leaves : next;
        }
    }
    *height = (int)n - 1;
    return width;

failed:
    free(width);
    return NULL;
}

/* Whether the fanouts are separated by x, the other separators that users write being suggestions
 * of it. */
static int check_separators(const struct tan_shape_request *request, struct tan_error *e)
{
    static const char others[] = "X*,";
    char meant[96];
    if (request->text[strcspn(request->text, others)] == '\0') {
        return 0;
    }
    snprintf(meant, sizeof meant, "%.90s", request->spec);
    for (char *c = meant + (request->text - request->spec); *c != '\0'; c++) {
        *c = strchr(others, *c) != NULL ? 'x' : *c;
    }
    return tan_fail_usage(e, "did you mean %s? \"%.64s\": an x separates fanouts", meant,
                          request->spec);
}

/* A tree with all leaves at depth `height` and width[l] nodes at depth l, as from read_widths: the
 * leaves below a node are divided evenly among its children, of which the first have one more than
 * the others, or with `last` the last. */
static struct tan_tree *divide_leaves(const struct tan_shape_request *request, const int64_t *width,
                                      int height, bool last, struct tan_error *e)
{
    int64_t nodes = 0;
    for (int level = 0; level <= height; level++) {
        nodes += width[level];
    }
    int32_t *parents = allocate_nodes(request, nodes, e);
    if (parents == NULL) {
        return NULL;
    }
    int32_t *below = parents + nodes; /* leaves below each node */
    parents[0] = -1;
    below[0] = (int32_t)width[height];
    int32_t node = 0;
    int32_t used = 1;
    for (int level = 0; level < height; level++) {
        const bool single = width[level + 1] == width[height]; /* leaves below the next nodes */
        const int32_t fanout = (int32_t)(width[level + 1] / width[level]);
        for (const int32_t end = used; node < end; node++) {
            const int32_t children = single ? below[node] : fanout;
            const int32_t more = below[node] % children;
            for (int32_t i = 0; i < children; i++) {
                const bool fuller = last ? i >= children - more : i < more;
                parents[used] = node;
                below[used++] = below[node] / children + (fuller ? 1 : 0);
            }
        }
    }
    return take_parents(parents, used, e);
}

/* Parse fanouts, followed by ":N" if there are fewer leaves than they hold, and ":last". */
static struct tan_tree *build_levels(const struct tan_shape_request *request, struct tan_error *e)
{
    static const char order[] = ":last";
    const int64_t most = TAN_TREE_MAX_NODES - 1;
    struct tan_tree *tree = NULL;
    int64_t *width = NULL;
    int64_t leaves = most;
    int height = 0;
    if (check_separators(request, e) < 0) {
        return NULL;
    }
    char *copy = strdup(request->text);
    if (copy == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    char *rest = copy;
    char *fanouts = strsep(&rest, ":");
    const bool limited = rest != NULL;
    bool last = false;
    if (limited) {
        char *end = rest + strcspn(rest, ":");
        last = strcmp(end, order) == 0;
        *(last ? end : rest + strlen(rest)) = '\0';
        if (tan_parse_count(tan_printed("\"%.64s\": N", request->spec).text, rest, 1, most, &leaves,
                            e) < 0) {
            goto done;
        }
    }
    width = read_widths(request, fanouts, leaves, limited, &height, e);
    if (width == NULL) {
        goto done;
    }
    if (limited && width[height] < leaves) {
        tan_fail_usage(e, "\"%.64s\": these fanouts hold at most %" PRId64 " leaves, not %" PRId64,
                       request->spec, width[height], leaves);
        goto done;
    }
    tree = divide_leaves(request, width, height, last, e);

done:
    free(width);
    free(copy);
    return tree;
}

static struct tan_tree *build_binary(const struct tan_shape_request *request, struct tan_error *e)
{
    const int64_t leaves = request->number[0];
    if (leaves == 1) { /* a root is never a leaf */
        return build_nto1(request, e);
    }
    const int64_t nodes = 2 * leaves - 1;
    int32_t *parents = allocate_nodes(request, nodes, e);
    if (parents == NULL) {
        return NULL;
    }
    int32_t *below = parents + nodes; /* leaves below each node */
    parents[0] = -1;
    below[0] = (int32_t)leaves;
    int32_t used = 1;
    for (int32_t i = 0; i < nodes; i++) {
        if (below[i] > 1) {
            parents[used] = i;
            below[used++] = below[i] - below[i] / 2;
            parents[used] = i;
            below[used++] = below[i] / 2;
        }
    }
    return take_parents(parents, used, e);
}

/* The parent of node i is i with its lowest nonzero base-k digit cleared. Nodes are leaves unless
 * they end in the digit 0, so counting stops at the N-th leaf. */
static struct tan_tree *lowest_digit(const struct tan_shape_request *request, int64_t k,
                                     int64_t leaves, struct tan_error *e)
{
    const int64_t nodes = leaves + (leaves - 1) / (k - 1) + 1;
    int32_t *parents = allocate_nodes(request, nodes, e);
    if (parents == NULL) {
        return NULL;
    }
    const int32_t base = (int32_t)k;
    parents[0] = -1;
    for (int32_t i = 1; i < nodes; i++) {
        const int32_t last = i % base;
        parents[i] = last != 0 ? i - last : base * parents[i / base];
    }
    return take_parents(parents, nodes, e);
}

static struct tan_tree *build_binomial(const struct tan_shape_request *request, struct tan_error *e)
{
    return lowest_digit(request, 2, request->number[0], e);
}

static struct tan_tree *build_knomial(const struct tan_shape_request *request, struct tan_error *e)
{
    return lowest_digit(request, request->number[0], request->number[1], e);
}

/* A random tree under construction, breadth first. */
struct growth {
    const struct tan_shape_request *request;
    int32_t *parents;
    int32_t *below; /* leaves below each node */
    int64_t used;
};

static int add_node(struct growth *g, int32_t parent, int32_t below, struct tan_error *e)
{
    if (g->used >= TAN_TREE_MAX_NODES) {
        return tan_fail_usage(
            e, "\"%.64s\" needs more processes than the %" PRId32 " that a tree can have",
            g->request->spec, TAN_TREE_MAX_NODES);
    }
    if (TAN_ONE_MORE(g->parents, g->used) < 0 || TAN_ONE_MORE(g->below, g->used) < 0) {
        return tan_fail_nomem(e);
    }
    g->parents[g->used] = parent;
    g->below[g->used++] = below;
    return 0;
}

/* Between low and high: log-uniform for power 1, skewed to high for less, to low for more. */
static int32_t draw_between(gsl_rng *rng, int32_t low, int32_t high, double power)
{
    const double ratio = ((double)high + 1.0) / low;
    const double value = low * pow(ratio, pow(gsl_rng_uniform(rng), power));
    return value < high ? (int32_t)value : high;
}

/* Top down: a node with n leaves draws its fanout, then how its leaves are divided among its
 * children. Three parameters drawn per tree make different seeds look different: the largest
 * fanout, whether fanouts tend to that or to 2, and the share of lopsided nodes, all of whose
 * children but one are leaves (many of them make a tall tree). Other nodes divide their leaves at
 * random. One node in 16 has a single child. */
static struct tan_tree *random_tree(const struct tan_shape_request *request, struct tan_error *e)
{
    const double single = 1.0 / 16.0;
    const int32_t leaves = (int32_t)request->number[0];
    struct growth g = {.request = request, .used = 0};
    struct tan_tree *tree = NULL;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    if (rng == NULL || add_node(&g, -1, leaves, e) < 0) {
        tan_fail_nomem(e);
        goto done;
    }
    gsl_rng_set(rng, (unsigned long)request->number[1]);
    const int32_t widest = draw_between(rng, 2, leaves > 2 ? leaves : 2, 1.0);
    const double power = 2.0 * gsl_rng_uniform(rng);
    const double lopsided = gsl_rng_uniform(rng);

    for (int32_t i = 0; i < g.used; i++) {
        const int32_t n = g.below[i];
        int32_t fanout = 1;
        if (gsl_rng_uniform(rng) >= single) {
            const int32_t most = n < widest ? n : widest;
            fanout = n > 1 ? draw_between(rng, 2, most, power) : i == 0;
        }
        /* One leaf per child; the remaining ones are divided at fanout - 1 points. The maximum of k
         * uniform variates is distributed as the k-th root of one, which yields the points in
         * sorted order, from the last down. */
        int32_t spare = n - fanout;
        const bool one_takes_all = gsl_rng_uniform(rng) < lopsided;
        double cut = (double)spare + 1.0;
        for (int32_t k = fanout - 1; k >= 0; k--) {
            int32_t left = 0;
            if (k > 0 && !one_takes_all) {
                cut *= pow(gsl_rng_uniform_pos(rng), 1.0 / k);
                left = cut < spare ? (int32_t)cut : spare;
            }
            if (add_node(&g, i, 1 + spare - left, e) < 0) {
                goto done;
            }
            spare = left;
        }
    }
    tree = tan_tree_create(g.parents, (int32_t)g.used, NULL, e);

done:
    gsl_rng_free(rng);
    free(g.parents);
    free(g.below);
    return tree;
}

static struct tan_tree *from_file(const struct tan_shape_request *request, struct tan_error *e)
{
    if (request->text[0] == '\0') {
        tan_fail_usage(e, "\"%.64s\" needs the name of a file: file:PATH", request->spec);
        return NULL;
    }
    return tan_file_read(request->text, e);
}

const struct tan_spec_shape tan_shapes[] = {
    {"chain", "H", "a line of H hops: the root, H - 1 internal nodes, one leaf", build_chain},
    {"nto1", "N", "a root with N leaves as its children", build_nto1},
    {"flat", "N", "another name of nto1:N", build_nto1},
    {"binary", "N", "every node splits its leaves in two halves", build_binary},
    {"binomial", "N", "over 2N nodes: node i's parent is i with its lowest set bit cleared",
     build_binomial},
    {"twolevel", "N", "a root with round(sqrt N) children that share the N leaves evenly",
     build_twolevel},
    {"kary", "K:N", "at most K children per node, all leaves at equal depth, spread evenly",
     build_kary},
    {"knomial", "K:N", "as binomial, with digits to base K", build_knomial},
    {"levels", "16x16x16[:N]",
     "explicit fanouts, root first; with N, that many leaves: every node divides those below it "
     "evenly, its first children having one more than the others (with :N:last, its last)",
     build_levels},
    {"random", "N:SEED", "a random tree with N leaves, the same for the same seed", random_tree},
    {"file", "PATH",
     "an MRNet topology file, parents in JSON or CSV (lines \"process,parent\", \"0,-1\", "
     "\"1,0\"), or "
     "the trees of ClusterShell (- is standard input)",
     from_file},
    {NULL, NULL, NULL, NULL},
};

const struct tan_spec_shape *tan_shape_find(const char *name, size_t length)
{
    for (const struct tan_spec_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        if (strlen(shape->name) == length && memcmp(shape->name, name, length) == 0) {
            return shape;
        }
    }
    return NULL;
}
