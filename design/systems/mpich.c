/* mpich.c - MPICH 4: trees of MPI_Ireduce and MPI_Ibcast
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trees of src/mpi/coll/algorithms/treealgo/treeutil.c of 4.0.2, with root 0. */
#include <inttypes.h>
#include <string.h>

#include "design/targets/knomial.h"
#include "design/targets/shape.h"
#include "design/targets/target.h"

/* Rank v is below (v - 1) / k: levels are filled from the left. */
static int kary_split(int64_t k, int64_t size, int depth, struct tan_branch *out)
{
    (void)depth;
    if (size - 1 <= k || k == 1) {
        return tan_branches_even(size - 1, k == 1 ? 1 : size - 1, out);
    }
    int64_t above = 1; /* ranks of a full subtree of the root, excluding its last level */
    int64_t level = k; /* ranks in that last level */
    while (1 + k * (above + level) < size) {
        above += level;
        level *= k;
    }
    const int64_t last = size - 1 - k * above;
    const int64_t full = last / level;
    const bool some = last % level > 0;
    const struct tan_branch rows[] = {
        {.size = above + level, .count = full},
        {.size = above + last % level, .count = some},
        {.size = above, .count = k - full - some},
    };
    int n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].count > 0) {
            out[n++] = rows[i];
        }
    }
    return n;
}

static void kary_parents(int64_t k, int32_t n, int32_t *parents)
{
    for (int32_t rank = 0; rank < n; rank++) {
        parents[rank] = rank == 0 ? -1 : (int32_t)((rank - 1) / k);
    }
}

enum { MOST = 1 << 20 };
#define KNOMIAL_OUTSIDE "below 2 an assertion ends the program"

static const struct tan_knob knobs[] = {
    {"ireduce=kary:", "at most so many children, levels filled in order", 1, MOST, TAN_UP, NULL,
     kary_split, kary_parents},
    {"ireduce=knomial_1:", "k-nomial, ranks in preorder", 2, MOST, TAN_UP, KNOMIAL_OUTSIDE,
     tan_preorder_knomial_split, tan_preorder_knomial_parents},
    {"ireduce=knomial_2:", "k-nomial: rank v below v without its lowest digit to this base", 2,
     MOST, TAN_UP, KNOMIAL_OUTSIDE, tan_knomial_split, tan_knomial_parents},
    {"ibcast=kary:", "as for ireduce", 1, MOST, TAN_DOWN, NULL, kary_split, kary_parents},
    {"ibcast=knomial_1:", "as for ireduce", 2, MOST, TAN_DOWN, KNOMIAL_OUTSIDE,
     tan_preorder_knomial_split, tan_preorder_knomial_parents},
    {"ibcast=knomial_2:", "as for ireduce", 2, MOST, TAN_DOWN, KNOMIAL_OUTSIDE, tan_knomial_split,
     tan_knomial_parents},
    {NULL, NULL, 0, 0, 0, NULL, NULL, NULL},
};
enum { IREDUCE_KARY, IREDUCE_KNOMIAL_2 = 2, IBCAST_KARY, IBCAST_KNOMIAL_2 = 5 };

/* By default MPICH schedules binomial trees; with only a tree type set, a k-ary one with k = 2. */
static const struct tan_default defaults[] = {
    {"ireduce, binomial of short messages", IREDUCE_KNOMIAL_2, 2, NULL, NULL, NULL},
    {"ibcast, binomial of short messages", IBCAST_KNOMIAL_2, 2, NULL, NULL, NULL},
    {"ireduce tsp_tree, without a type and k", IREDUCE_KARY, 2, NULL, NULL, NULL},
    {"ibcast tsp_tree, without a type and k", IBCAST_KARY, 2, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"reduce=", "MPI_Reduce has no tree that can be told: only MPI_Ireduce (ireduce=) and "
                "MPI_Ibcast have in 4.0"},
    {"bcast=", "MPI_Bcast has no tree that can be told in 4.0: only MPI_Ireduce and MPI_Ibcast "
               "(ibcast=) have"},
    {"ireduce=topology", "4.0 takes an unknown type as kary, without a word"},
    {"ibcast=topology", "4.0 takes an unknown type as kary, without a word"},
    {NULL, NULL},
};

static void write_tree(const struct tan_setting *setting, const char *collective, FILE *to)
{
    if (setting->knob == NULL) {
        return;
    }
    const char *type = strchr(setting->knob->name, '=') + 1;
    fprintf(to,
            "export MPIR_CVAR_%s_DEVICE_COLLECTIVE=0\n"
            "export MPIR_CVAR_%s_INTRA_ALGORITHM=tsp_tree\n"
            "export MPIR_CVAR_%s_TREE_TYPE=%.*s\n"
            "export MPIR_CVAR_%s_TREE_KVAL=%" PRId64 "\n",
            collective, collective, collective, (int)strcspn(type, ":"), type, collective,
            setting->value);
}

static int write_mpich(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "# MPICH 4, %" PRId64 " ranks: environment of all ranks, as in a job script before "
            "mpiexec,\n"
            "# or: mpiexec -genv NAME VALUE. It is for MPI_Ireduce and MPI_Ibcast, on all "
            "communicators;\n"
            "# MPI_Reduce and MPI_Bcast take no tree.\n",
            answer->members);
    write_tree(&answer->up, "IREDUCE", to);
    write_tree(&answer->down, "IBCAST", to);
    return 0;
}

extern const struct tan_target tan_target_mpich;
const struct tan_target tan_target_mpich = {
    .name = "mpich",
    .title = "MPICH 4",
    .help = "type and k of the trees of MPI_Ireduce and MPI_Ibcast",
    .population = TAN_ALL_MEMBERS,
    .member = "ranks",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_mpich,
    .comment = "#",
    .read_back = "MPICH 4.0 prints no tree; 4.1 and later with MPIR_CVAR_COLL_TREE_DUMP=1 write "
                 "colltree[RANK].json.",
};
