/* mpich.c - MPICH 4 and 5: trees of MPI_Ireduce, MPI_Ibcast and MPI_Bcast
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trees of src/mpi/coll/algorithms/treealgo/treeutil.c of 4.0.2, and topology_wave of 4.2.0 to
 * 5.0.1, with root 0. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "design/systems/knomial.h"
#include "design/systems/setting_answer.h"
#include "design/systems/shape.h"
#include "design/systems/target.h"

/* A process that has the message sends it on once per unit of time; `latency` + 2 units after a
 * message was sent its receiver starts to do the same. So every process gets it as early as
 * possible. Processes are numbered in the order in which they are reached, those reached at the
 * same time in the order of their parents; another order would only move leaves that are reached
 * last. `latency` is from 1 to GREEDY_LATENCY. */
enum { GREEDY_LATENCY = 256 };

/* Enough for 10^12 processes at the greatest latency. */
enum { TIMES = 4096, TURNS = 64 };

struct greedy_tree {
    int hop;                /* the time from sending a message to sending it on */
    int64_t reached[TIMES]; /* processes that an unlimited tree reaches by each time */
    int last;               /* the last time at which the tree still has all of these */
};

static int64_t reached_by(const struct greedy_tree *tree, int time)
{
    return time < 0 ? 0 : tree->reached[time];
}

static void grow_tree(struct greedy_tree *tree, int64_t latency, int64_t size)
{
    int t = 0;
    tree->hop = (int)latency + 2;
    tree->reached[0] = 1;
    while (tree->reached[t] <= size && t + 1 < TIMES) {
        t++;
        tree->reached[t] = tree->reached[t - 1] + reached_by(tree, t - tree->hop);
    }
    tree->last = t - 1;
}

/* The first `n` processes: all that are reached by time[0]; of those that are reached next the
 * children of all that are reached by time[1]; and so on, since processes of one time have the
 * order of their parents. */
struct first {
    int time[TURNS];
    int n;
};

static struct first first_processes(const struct greedy_tree *tree, int64_t n)
{
    struct first first = {.n = 0};
    int time = tree->last;
    while (n > 0) {
        while (tree->reached[time] > n) {
            time--;
        }
        n -= tree->reached[time];
        first.time[first.n++] = time;
    }
    return first;
}

/* How many of them are below the root's child of number `child`, from 0, which is reached at time
 * hop + child. */
static int64_t share_of_child(const struct greedy_tree *tree, const struct first *first, int child)
{
    int64_t share = 0;
    for (int i = 0; i < first->n; i++) {
        const bool is_child = i > 0 && first->time[i - 1] + 1 == tree->hop + child;
        share += reached_by(tree, first->time[i] - tree->hop - child) + is_child;
    }
    return share;
}

static int add_children(int64_t size, int64_t count, int n, struct tan_branch *out)
{
    if (n > 0 && out[n - 1].size == size) {
        out[n - 1].count += count;
        return n;
    }
    out[n] = (struct tan_branch){.size = size, .count = count};
    return n + 1;
}

/* `split` and `parents` of struct tan_knob, with the latency as their value. A process with more
 * kinds of children than TAN_BRANCHES, as in trees of more than 3 * 10^4 processes at the largest
 * latency, has those with the smallest subtrees evened out. */
static int split_greedy(int64_t latency, int64_t size, int depth, struct tan_branch *out)
{
    struct greedy_tree tree;
    int n = 0;
    (void)depth;
    grow_tree(&tree, latency, size);
    const int64_t later = size - tree.reached[tree.last]; /* children of the first processes */
    const struct first first = first_processes(&tree, later);
    int64_t children = tree.last - tree.hop + 1 + (later > 0);
    int64_t left = size - 1;
    for (int c = 0; c + tree.hop <= tree.last && n + 2 < TAN_BRANCHES; c++) {
        const int64_t below =
            reached_by(&tree, tree.last - tree.hop - c) + share_of_child(&tree, &first, c);
        n = add_children(below, 1, n, out);
        left -= below;
        children--;
    }
    if (children == 1) {
        return add_children(left, 1, n, out);
    }
    return children == 0 ? n : n + tan_branches_even(left, children, out + n);
}

static void greedy_parents(int64_t latency, int32_t n, int32_t *parents)
{
    struct greedy_tree tree;
    int32_t next = 1;
    grow_tree(&tree, latency, n);
    parents[0] = -1;
    for (int time = 0; next < n; time++) {
        for (int32_t parent = 0; parent < tree.reached[time] && next < n; parent++) {
            parents[next++] = parent;
        }
    }
}

enum { MOST = 1 << 20 };
#define KNOMIAL_OUTSIDE "below 2 an assertion ends the program"

#define TREES(COLLECTIVE, DIRECTION)                                                               \
    TAN_TABLE_ROW(COLLECTIVE "=kary:", "at most this many children, levels filled in order", 1,    \
                  MOST, DIRECTION, NULL, tan_kary_split, tan_kary_parents),                        \
        TAN_TABLE_ROW(COLLECTIVE "=knomial_1:", "k-nomial, ranks in preorder", 2, MOST, DIRECTION, \
                      KNOMIAL_OUTSIDE, tan_preorder_knomial_split, tan_preorder_knomial_parents),  \
        TAN_TABLE_ROW(COLLECTIVE "=knomial_2:",                                                    \
                      "k-nomial: rank v below v without its lowest digit to this base", 2, MOST,   \
                      DIRECTION, KNOMIAL_OUTSIDE, tan_knomial_split_falling, tan_knomial_parents)

/* The next link is the one that ends first, of all from a reached rank to one that is not: a link
 * takes latency + 2 overhead, and the sender's next one begins an overhead later. If all latencies
 * are equal, the places of ranks only decide between equal links. */
#define TOPOLOGY_WAVE(COLLECTIVE, DIRECTION)                                                       \
    TAN_TABLE_ROW(                                                                                 \
        COLLECTIVE "=topology_wave:",                                                              \
        "since 4.2: whoever has the message sends it on; a latency of so many overheads", 1,       \
        GREEDY_LATENCY, DIRECTION, "nothing is predicted", split_greedy, greedy_parents)

static const struct tan_knob knobs[] = {
    TREES("ireduce", TAN_UP),         TREES("bcast", TAN_DOWN),         TREES("ibcast", TAN_DOWN),
    TOPOLOGY_WAVE("ireduce", TAN_UP), TOPOLOGY_WAVE("bcast", TAN_DOWN), TAN_NO_KNOB};
static const struct tan_knob knobs_4_1[] = {TREES("ireduce", TAN_UP), TREES("bcast", TAN_DOWN),
                                            TREES("ibcast", TAN_DOWN), TAN_NO_KNOB};
enum {
    IREDUCE_KARY,
    IREDUCE_KNOMIAL_2 = 2,
    BCAST_KARY,
    BCAST_KNOMIAL_2 = 5,
    IREDUCE_WAVE = 9,
    BCAST_WAVE
};

/* Defaults for predefined operations on doubles: ireduce_intra_sched_auto and
 * maint/tuning/coll/mpir/generic.json of 5.0.1. With several ranks per host they are "smp" instead,
 * MPI_Bcast by the compositions of maint/tuning/coll/ch4/generic.json, unless 8 ranks or more
 * exchange a long message. A reduction is no tree if it has more than 2 KiB and at least as many
 * elements as the largest power of two that does not exceed the number of ranks. */
#define BINOMIAL      &knobs[IREDUCE_KNOMIAL_2], 2, NULL
#define EXCHANGE      NULL, 0, "ireduce=reduce-scatter-gather"
#define FROM_RANKS(N) TAN_TABLE_ROW(2 * (N), 8 * (N), BINOMIAL), TAN_TABLE_ROW(2 * (N), 0, EXCHANGE)
static const struct tan_decision ireduce_decisions[] = {
    {512, 2049, BINOMIAL}, {512, 0, EXCHANGE},     FROM_RANKS(1 << 9),  FROM_RANKS(1 << 10),
    FROM_RANKS(1 << 11),   FROM_RANKS(1 << 12),    FROM_RANKS(1 << 13), FROM_RANKS(1 << 14),
    FROM_RANKS(1 << 15),   FROM_RANKS(1 << 16),    FROM_RANKS(1 << 17), FROM_RANKS(1 << 18),
    FROM_RANKS(1 << 19),   {0, 8 << 20, BINOMIAL}, {0, 0, EXCHANGE},
};
static const struct tan_decision bcast_decisions[] = {
    {8, 0, &knobs[BCAST_KNOMIAL_2], 2, NULL},
    {0, 12289, &knobs[BCAST_KNOMIAL_2], 2, NULL},
    {0, 0, NULL, 0, "bcast=scatter-allgather"},
};
/* If only the algorithm is set, the tree is k-ary with k = 2. If only topology_wave is, it is that
 * of a latency of 1600 and an overhead of 200 on a single switch. */
#define NO_TYPE                                                                                    \
    TAN_TABLE_ROW("ireduce tsp_tree, without a type and k", IREDUCE_KARY, 2, NULL, NULL, NULL),    \
        TAN_TABLE_ROW("bcast tree, without a type and k", BCAST_KARY, 2, NULL, NULL, NULL)
static const struct tan_default defaults[] = {
    NO_TYPE,
    {"ireduce topology_wave, on one switch", IREDUCE_WAVE, 8, NULL, NULL, NULL},
    {"bcast topology_wave, on one switch", BCAST_WAVE, 8, NULL, NULL, NULL},
    {.name = NULL},
};
static const struct tan_default defaults_4_1[] = {NO_TYPE, {.name = NULL}};
#define TOPOLOGY                                                                                   \
    "it builds its tree from the ranks' places in the network, which PMIx or "                     \
    "MPIR_CVAR_COORDINATES_FILE give and are not known here; without them it builds a chain"
#define REDUCE                                                                                     \
    TAN_TABLE_ROW("reduce=", "MPI_Reduce takes the tree of MPI_Ireduce, which the configuration "  \
                             "makes it run: ireduce=")
#define CHUNKS                                                                                     \
    TAN_TABLE_ROW("bcast=pipelined_tree",                                                          \
                  "it divides messages into chunks, which are not predicted")
static const struct tan_trap traps[] = {
    REDUCE,
    {"ireduce=topology_aware", TOPOLOGY},
    {"bcast=topology_aware", TOPOLOGY},
    {"ibcast=topology", "MPI_Ibcast silently takes an unknown type as kary"},
    CHUNKS,
    {NULL, NULL},
};
static const struct tan_trap traps_4_1[] = {
    REDUCE,
    {"ireduce=topology", "4.1 silently takes an unknown type as kary"},
    {"bcast=topology", "4.1 silently takes an unknown type as kary"},
    {"ibcast=topology", "4.1 silently takes an unknown type as kary"},
    CHUNKS,
    {NULL, NULL},
};
/* TREE_TYPE=topology_wave: a level of the model with x children costs its first one and x - 1 times
 * a further one. Integers above 0 in any common unit, or the tree is k-ary. */
static double overhead_ns(const struct tan_model *model, const struct tan_params *params,
                          int64_t setting)
{
    const double ns = 1e9 * tan_term_child(model, params, setting);
    return ns >= 1.0 ? ns : NAN;
}

static double latency_ns(const struct tan_model *model, const struct tan_params *params,
                         int64_t setting)
{
    const double ns =
        1e9 * tan_flat_level(model, params, 1) - 2.0 * overhead_ns(model, params, setting);
    return ns >= 1.0 ? ns : NAN;
}

static const struct tan_term terms[] = {
    {"overhead", "ns", "TOPO_OVERHEAD: another child, averaged over k", overhead_ns},
    {"latency", "ns", "the other TOPO_*: the first child, without 2 overheads", latency_ns},
    {.name = NULL},
};

/* The collective of a setting, as variables spell it, its algorithm that takes a tree, and lines
 * that make its blocking counterpart run it, or children's messages be taken as they come. */
static const struct collective {
    const char *start, *variable, *algorithm, *more;
} collectives[] = {
    {"ireduce=", "IREDUCE", "tsp_tree",
     "# Messages are taken as they come, not one by one in the order of the children.\n"
     "export MPIR_CVAR_IREDUCE_TREE_BUFFER_PER_CHILD=1\n"
     "# MPI_Reduce runs MPI_Ireduce.\n"
     "export MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE=0\n"
     "export MPIR_CVAR_REDUCE_INTRA_ALGORITHM=nb\n"},
    {"ibcast=", "IBCAST", "tsp_tree",
     "# MPI_Bcast runs MPI_Ibcast.\n"
     "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"
     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n"},
    {"bcast=", "BCAST", "tree", ""},
};

/* MPICH's default overhead, and a latency in units of it, for all kinds of links. */
static void write_constants(const char *variable, int64_t latency, FILE *to)
{
    static const char *const links[] = {"SAME_SWITCHES", "DIFF_SWITCHES", "DIFF_GROUPS"};
    enum { OVERHEAD = 200 };
    fprintf(to, "export MPIR_CVAR_%s_TOPO_OVERHEAD=%d\n", variable, OVERHEAD);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        fprintf(to, "export MPIR_CVAR_%s_TOPO_%s=%" PRId64 "\n", variable, links[i],
                OVERHEAD * latency);
    }
}

static bool is_wave(const struct tan_setting *setting)
{
    return setting->knob == &knobs[IREDUCE_WAVE] || setting->knob == &knobs[BCAST_WAVE];
}

static void write_tree(const struct tan_setting *setting, FILE *to)
{
    for (size_t i = 0; setting->knob != NULL && i < sizeof collectives / sizeof collectives[0];
         i++) {
        const struct collective *c = &collectives[i];
        const char *type = setting->knob->name + strlen(c->start);
        if (strncmp(setting->knob->name, c->start, strlen(c->start)) != 0) {
            continue;
        }
        fprintf(to,
                "export MPIR_CVAR_%s_DEVICE_COLLECTIVE=0\n"
                "export MPIR_CVAR_%s_INTRA_ALGORITHM=%s\n"
                "export MPIR_CVAR_%s_TREE_TYPE=%.*s\n",
                c->variable, c->variable, c->algorithm, c->variable, (int)strcspn(type, ":"), type);
        if (is_wave(setting)) {
            write_constants(c->variable, setting->value, to);
        } else {
            fprintf(to, "export MPIR_CVAR_%s_TREE_KVAL=%" PRId64 "\n", c->variable, setting->value);
        }
        fputs(c->more, to);
    }
}

/* Without places topology_wave builds a k-ary tree, and so it does if the root's switch has no
 * other rank. */
static void write_places(int64_t ranks, FILE *to)
{
    fprintf(
        to,
        "# topology_wave needs the places of all ranks of MPI_COMM_WORLD: with fewer lines "
        "MPI_Init\n"
        "# fails, without a file the tree is k-ary. This one, which all hosts have to see, puts "
        "the\n"
        "# ranks on one switch, as predicted. Among ranks that could send at the same time "
        "MPICH may\n"
        "# choose another than predicted, and its waves may then take longer.\n"
        "(echo rank: group switch port; seq -f '%%.0f: 0 0 -1' 0 %" PRId64 ") "
        ">coordinates.txt\n"
        "export MPIR_CVAR_COORDINATES_FILE=$PWD/coordinates.txt\n",
        ranks - 1);
}

static int write_mpich(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "# %s, %" PRId64 " ranks: environment of all ranks, as in a job script before "
            "mpiexec,\n"
            "# or: mpiexec -genv NAME VALUE. It holds on all communicators.\n",
            answer->target->title, answer->members);
    write_tree(&answer->up, to);
    write_tree(&answer->down, to);
    if (is_wave(&answer->up) || is_wave(&answer->down)) {
        write_places(answer->members, to);
    }
    return 0;
}

#define SINCE_4_1                                                                                  \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "ranks", .counts.ranks = true,          \
    .operation = {"MPI_Ireduce and MPI_Reduce", "MPI_Bcast and MPI_Ibcast"},                       \
    .shared.by = {"ireduce=smp", "bcast=smp"}, .decisions = {ireduce_decisions, bcast_decisions},  \
    .write = write_mpich, .comment = "#", .fails.how = TAN_MPI_JOB_ENDS,                           \
    .read_back = "MPIR_CVAR_COLL_TREE_DUMP=1 makes rank R write colltree[R].json."

extern const struct tan_target tan_target_mpich;
const struct tan_target tan_target_mpich = {
    .name = "mpich",
    .title = "MPICH since 4.2",
    .versions.newest = "5.0",
    .help = "type and k of the trees of MPI_Ireduce, MPI_Bcast and MPI_Ibcast, and topology_wave",
    .own.formula = "latency + 2 overhead to a child, an overhead from child to child "
                   "(MPIR_CVAR_*_TREE_TYPE=topology_wave)",
    .own.terms = terms,
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    SINCE_4_1,
};

extern const struct tan_target tan_target_mpich_4_1;
const struct tan_target tan_target_mpich_4_1 = {
    .name = "mpich@4.1",
    .title = "MPICH 4.1",
    .versions.oldest = "4.1",
    .help = "the same without topology_wave",
    .knobs = knobs_4_1,
    .defaults = defaults_4_1,
    .traps = traps_4_1,
    SINCE_4_1,
};
