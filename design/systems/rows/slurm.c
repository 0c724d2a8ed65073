/* slurm.c - Slurm: the tree through which the controller reaches the nodes (TreeWidth)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A host list longer than TreeWidth is split into ranges; the first host of each range gets the
 * message together with the rest of the range, and splits it by the same rule. The lengths of the
 * ranges changed in 24.11 (src/common/slurm_protocol_api.c of 22.05, common_topo.c and hostlist.c
 * later). */
#include <inttypes.h>

#include "design/systems/knomial.h"
#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "design/systems/target.h"

/* Up to 24.05: every range starts with one host, and ranges get `width` more in turn, until at most
 * `width` hosts are left, which all go to one range or start one range each. */
static int split_in_turn(int64_t width, int64_t size, int depth, struct tan_branch *out)
{
    const int64_t hosts = size - 1;
    (void)depth;
    if (hosts <= width) {
        return tan_branches_add(out, 0, 1, hosts);
    }
    const int64_t turns = tan_ceil_div(hosts - width, width + 1); /* ranges with width + 1 */
    if (turns < width) {
        const int64_t rest = hosts - turns * (width + 1);
        const int n = tan_branches_add(out, 0, width + 1, turns);
        return rest <= width - turns ? tan_branches_add(out, n, 1, rest)
                                     : tan_branches_add(out, n, rest, 1);
    }
    int64_t left = hosts - width * (width + 1);
    if (left == 0) {
        return tan_branches_add(out, 0, width + 1, width);
    }
    const int64_t rounds = tan_ceil_div(left, width * width) - 1;
    const int64_t base = width + 1 + rounds * width;
    left -= rounds * width * width;
    const int64_t more = tan_ceil_div(left, width) - 1;
    int n = tan_branches_add(out, 0, base + width, more);
    n = tan_branches_add(out, n, base + left - more * width, 1);
    return tan_branches_add(out, n, base, width - more - 1);
}

/* From 24.11 on: full levels, with the remainder distributed evenly over the last one. */
static int split_by_levels(int64_t width, int64_t size, int depth, struct tan_branch *out)
{
    const int64_t hosts = size - 1;
    (void)depth;
    if (hosts <= width) {
        return tan_branches_add(out, 0, 1, hosts);
    }
    if (width == 1) {
        return tan_branches_add(out, 0, hosts, 1);
    }
    int64_t left = hosts;
    int64_t base = 0;
    int64_t each = 1; /* hosts per level in every range */
    for (; each <= left / width; each *= width) {
        base += each;
        left -= each * width;
    }
    base += left / width;
    const int n = tan_branches_add(out, 0, base + 1, left % width);
    return tan_branches_add(out, n, base, width - left % width);
}

/* Process 0 is the controller; the hosts follow in order. */
static void parents_in_turn(int64_t width, int32_t n, int32_t *parents)
{
    tan_preorder_parents(split_in_turn, width, n, parents);
}

static void parents_by_levels(int64_t width, int32_t n, int32_t *parents)
{
    tan_preorder_parents(split_by_levels, width, n, parents);
}

static int64_t cube_root(int64_t nodes)
{
    return tan_least_root(nodes, 3);
}

static int64_t square_root(int64_t nodes)
{
    return tan_least_root(nodes, 2);
}

enum { MOST_WIDTH = 65533 };
#define WIDTH_OUTSIDE                                                                              \
    "0 is logged as an error and replaced by the default, 65534 and 65535 are accepted, and with " \
    "all others neither daemons nor commands start"
#define TREE_WIDTH(split, parents)                                                                 \
    TAN_TABLE_ROW(                                                                                 \
        "TreeWidth=",                                                                              \
        "at most this many nodes are contacted directly; others are reached through them", 1,      \
        MOST_WIDTH, TAN_UP | TAN_DOWN, WIDTH_OUTSIDE, split, parents)

static const struct tan_knob knobs[] = {TREE_WIDTH(split_in_turn, parents_in_turn), TAN_NO_KNOB};

static const struct tan_knob knobs_by_levels[] = {TREE_WIDTH(split_by_levels, parents_by_levels),
                                                  TAN_NO_KNOB};

/* The cube root is advised in big_sys.html. */
static const struct tan_default defaults[] = {
    {"default since 23.11", 0, 16, NULL, "Slurm, TreeWidth 16", tan_baseline_kary},
    {"cube root: Slurm's docs", 0, 0, cube_root, "Slurm, cube root", tan_baseline_kary},
    {.name = NULL},
};

/* The same for 23.11 and 24.05: the square root was last advised in 23.02. */
static const struct tan_default defaults_24_05[] = {
    {"default since 23.11", 0, 16, NULL, NULL, NULL},
    {"cube root: Slurm's docs", 0, 0, cube_root, NULL, NULL},
    {.name = NULL},
};

static const struct tan_default defaults_23_02[] = {
    {"default", 0, 50, NULL, "Slurm, TreeWidth 50", tan_baseline_kary},
    {"square root, up to 2500 nodes: slurm.conf(5)", 0, 0, square_root, NULL, NULL},
    {"cube root, beyond 2500 nodes: slurm.conf(5)", 0, 0, cube_root, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"RoutePlugin=", "that names the plugin that decides by TreeWidth or by the topology, and does "
                     "not set the tree's width"},
    {"TopologyParam=",
     "with RouteTree, messages follow the switches of the topology, and TreeWidth "
     "counts only below one leaf switch; with RoutePart, the controller splits "
     "by partitions first"},
    {"SLURM_TREE_WIDTH", "since 23.11 this variable of the environment overrides slurm.conf in "
                         "every daemon and command that has it: say TreeWidth=N, and unset it"},
    {"--treewidth", "since 23.11 srun and sbcast have it for one command: say TreeWidth=N, which "
                    "builds the same tree as srun's, or --target slurm-sbcast"},
    {"--fanout", "that is sbcast's own: say TreeWidth=N, or --target slurm-sbcast"},
    {"fanout=", "that is sbcast's own: --target slurm-sbcast"},
    {NULL, NULL},
};

static int write_slurm_23_02(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "# Slurm, %" PRId64 " nodes: for slurm.conf, the same on all hosts. Then: scontrol "
            "reconfigure\n"
            "# The tree is in the logs with DebugFlags=Route, SlurmctldDebug=debug and "
            "SlurmdDebug=debug:\n"
            "# \"ROUTE: ... sublist\" has the ranges, whose first hosts forward to the others.\n"
            "TreeWidth=%" PRId64 "\n",
            answer->members, answer->up.value);
    return 0;
}

static int write_slurm_24_05(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    write_slurm_23_02(answer, to, e);
    fprintf(to,
            "# For a single launch: srun --treewidth=%" PRId64 ". SLURM_TREE_WIDTH in the "
            "environment of a daemon or\n"
            "# command comes before this file. sbcast has a width of its own: --target "
            "slurm-sbcast.\n",
            answer->up.value);
    return 0;
}

static int write_slurm(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    enum { SQUARE_OVERFLOWS = 46341 }; /* in the 32 bits of _set_span */
    write_slurm_24_05(answer, to, e);
    if (answer->up.value >= SQUARE_OVERFLOWS && answer->members > answer->up.value) {
        fputs("# Not with Slurm 24.11, 25.05 before 25.05.6 and 25.11.0: a product overflows, and "
              "slurmctld\n"
              "# writes beyond its memory.\n",
              to);
    }
    return 0;
}

static const char read_back[] =
    "With DebugFlags=Route and the debug level in slurm.conf, slurmctld, slurmd and srun -vv log "
    "\"ROUTE: ... sublist\" with every range; the first host of each splits the rest in its "
    "own log.";

/* Since 24.11 start_msg_tree waits 2 MessageTimeout for each level; before, _forward_thread adds up
 * by the number of nodes behind. The timeouts are those for a node that connects. */
static int64_t timeouts_by_levels(int32_t height, int32_t nodes, int32_t fanout)
{
    (void)nodes;
    (void)fanout;
    return 2 * ((int64_t)height + 1);
}

static int64_t timeouts_by_nodes(int32_t height, int32_t nodes, int32_t fanout)
{
    return height > 0 ? 1 + 2 * (nodes / fanout) : 1;
}

#define FAILURE(HOW_LONG)                                                                          \
    "A node that cannot be connected is reported as failed, and its parent sends to the nodes of " \
    "its range directly, all at once, after TCPTimeout (2 s). If it connects but does not answer " \
    "in time, the next node of the range takes its place, and others wait " HOW_LONG ". Nodes "    \
    "behind it are late, not lost. (src/common/forward.c and slurm.conf(5) of Slurm 22.05 to "     \
    "26.11)"
#define FAILS                                                                                      \
    .fails.timeout = 10.0, .fails.timeouts = timeouts_by_levels,                                   \
    .fails.how = FAILURE("twice MessageTimeout (10 s) for each level from the parent down")
#define FAILS_24_05                                                                                \
    .fails.timeout = 10.0, .fails.timeouts = timeouts_by_nodes,                                    \
    .fails.how = FAILURE("MessageTimeout (10 s) times 1 + 2 n / TreeWidth, n / TreeWidth rounded " \
                         "down, where the range of a node that forwards has n nodes")

#define SLURM_ROW                                                                                  \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "nodes below the controller",           \
    .counts.root_apart = true, .traps = traps, .comment = "#",                                     \
    .note =                                                                                        \
        "where slurm.conf has TopologyParam=RouteTree or RoutePart, messages follow switches or "  \
        "partitions instead; PMIx and PMI2 build other trees of TreeWidth; only tan-fit of "       \
        "launches tells how much of a node's service is one child after the other",                \
    .read_back = read_back

extern const struct tan_target tan_target_slurm;
const struct tan_target tan_target_slurm = {
    .name = "slurm",
    .title = "Slurm since 24.11",
    .versions.newest = "26.11",
    .help = "TreeWidth in slurm.conf",
    .knobs = knobs_by_levels,
    .defaults = defaults,
    .write = write_slurm,
    FAILS,
    SLURM_ROW,
};

extern const struct tan_target tan_target_slurm_24_05;
const struct tan_target tan_target_slurm_24_05 = {
    .name = "slurm@24.05",
    .title = "Slurm 23.11 to 24.05",
    .help = "the same, with ranges of uneven length",
    .knobs = knobs,
    .defaults = defaults_24_05,
    .write = write_slurm_24_05,
    FAILS_24_05,
    SLURM_ROW,
};

extern const struct tan_target tan_target_slurm_23_02;
const struct tan_target tan_target_slurm_23_02 = {
    .name = "slurm@23.02",
    .title = "Slurm up to 23.02",
    .help = "the same, with a default of 50",
    .knobs = knobs,
    .defaults = defaults_23_02,
    .write = write_slurm_23_02,
    FAILS_24_05,
    SLURM_ROW,
};

/* sbcast: since 23.11 all hops split by its own width, which file_bcast.c limits. */

enum { MOST_SBCAST_WIDTH = 64 };

#define SBCAST_WIDTH(split, parents)                                                               \
    TAN_TABLE_ROW("treewidth=", "sbcast and the nodes below it send to at most this many", 1,      \
                  MOST_SBCAST_WIDTH, TAN_DOWN, "0 is 8 and more than 64 are 64, silently", split,  \
                  parents)
#define SBCAST_OFF                                                                                 \
    TAN_TABLE_ROW("treewidth=off", "sbcast sends to all nodes directly", 0, 0, TAN_DOWN, NULL,     \
                  tan_kary_split, NULL)
static const struct tan_knob knobs_sbcast[] = {SBCAST_WIDTH(split_by_levels, parents_by_levels),
                                               SBCAST_OFF, TAN_NO_KNOB};
static const struct tan_knob knobs_sbcast_24_05[] = {SBCAST_WIDTH(split_in_turn, parents_in_turn),
                                                     SBCAST_OFF, TAN_NO_KNOB};

static const struct tan_default defaults_sbcast[] = {{"default", 0, 8, NULL, NULL, NULL},
                                                     {.name = NULL}};

static const struct tan_trap traps_sbcast[] = {
    {"TreeWidth=", "since 23.11 sbcast does not use it: say treewidth=N, or --target slurm"},
    {"--treewidth", "say treewidth=N"},
    {"--fanout", "since 23.11 its name is --treewidth: say treewidth=N"},
    {"fanout=", "since 23.11 one width is used on all hops: say treewidth=N"},
    {NULL, NULL},
};

static int write_sbcast(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to, "# Slurm, sbcast to %" PRId64 " nodes", answer->members);
    if (answer->down.knob->most > 0) {
        fprintf(to, "; SBCAST_FANOUT=%" PRId64 " in the environment does the same",
                answer->down.value);
    }
    fprintf(to, ".\nsbcast --%s SOURCE DEST\n", tan_setting_text(&answer->down).text);
    return 0;
}

#define SBCAST_ROW                                                                                 \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "nodes below the command",              \
    .counts.root_apart = true, .comment = "#",                                                     \
    .note = "a file goes in blocks (--size, by default 8 MiB), the next once all nodes have "      \
            "answered, so its time is that of a block, --down-bytes 8MiB, and of the answers, "    \
            "times their number",                                                                  \
    .read_back = "With DebugFlags=Route and SlurmdDebug=debug in slurm.conf, sbcast -vv and the "  \
                 "slurmd of every node log \"ROUTE: ... sublist\" with the ranges that they cut."

extern const struct tan_target tan_target_slurm_sbcast;
const struct tan_target tan_target_slurm_sbcast = {
    .name = "slurm-sbcast",
    .title = "Slurm's sbcast since 24.11",
    .versions.newest = "26.11",
    .help = "--treewidth of sbcast",
    .knobs = knobs_sbcast,
    .defaults = defaults_sbcast,
    .traps = traps_sbcast,
    .write = write_sbcast,
    FAILS,
    SBCAST_ROW,
};

extern const struct tan_target tan_target_slurm_sbcast_24_05;
const struct tan_target tan_target_slurm_sbcast_24_05 = {
    .name = "slurm-sbcast@24.05",
    .title = "Slurm's sbcast 23.11 to 24.05",
    .versions.oldest = "23.11",
    .help = "the same, with ranges of uneven length",
    .knobs = knobs_sbcast_24_05,
    .defaults = defaults_sbcast,
    .traps = traps_sbcast,
    .write = write_sbcast,
    FAILS_24_05,
    SBCAST_ROW,
};
