/* daos.c - DAOS: the tree of the requests that end a collective transaction (DTX)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CaRT's k-nomial tree of src/cart/crt_tree_knomial.c over the engines that take part, in the order
 * of their ranks from the leader on; replies come back the same way. Its radix is compiled in. */
#include <inttypes.h>

#include "design/targets/knomial.h"
#include "design/targets/target.h"

enum { MOST_RATIO = 64 }; /* CRT_TREE_MAX_RATIO */

static const struct tan_knob knobs[] = {
    {
        .name = "DTX_COLL_TREE_WIDTH=",
        .help = "radix of the k-nomial tree of commits, aborts and checks of collective "
                "transactions",
        .least = 2,
        .most = MOST_RATIO,
        .directions = TAN_UP | TAN_DOWN,
        .split = tan_knomial_split,
        .parents = tan_knomial_parents,
    },
    {.name = NULL},
};

/* The first is DTX_COLL_TREE_WIDTH of src/dtx/dtx_internal.h, the second a literal in the calls. */
static const struct tan_default defaults[] = {
    {"default", 0, 8, NULL, NULL, NULL},
    {"that of pools and of their variables (IV), fixed", 0, 32, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"DTX_AGG_", "that is about when transactions are forgotten, not about the tree"},
    {.start = NULL},
};

static int write_daos(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "/* DAOS, %" PRId64 " engines in a transaction: for src/dtx/dtx_internal.h. */\n"
            "/* Compiled in: the engines must be rebuilt, all of them with the same value. */\n"
            "#define DTX_COLL_TREE_WIDTH %" PRId64 "\n",
            answer->members, answer->up.value);
    return 0;
}

extern const struct tan_target tan_target_daos;
const struct tan_target tan_target_daos = {
    .name = "daos",
    .title = "DAOS (collective transactions)",
    .help = "DTX_COLL_TREE_WIDTH, compiled in: the k-nomial tree of collective transactions",
    .population = TAN_ALL_MEMBERS,
    .member = "engines of the transaction, the leader's included",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_daos,
    .failure =
        {
            .what = "The whole collective RPC fails, and its leader repeats it.",
            .source = "src/cart/crt_corpc.c and src/dtx/dtx_rpc.c of DAOS, 2026",
            .late = true,
        },
    .comment = "/*",
    .read_back = "DAOS does not print the tree.",
};
