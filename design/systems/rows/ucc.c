/* ucc.c - UCC: k-nomial trees of reductions, broadcasts, fanins and fanouts (TL/UCP)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From src/components/tl/ucp of 1.9.0-rc1 and the main branch of August 2026: fanin runs the code
 * of reduce_knomial.c, fanout that of bcast_knomial.c. */
#include <inttypes.h>

#include "design/systems/knomial.h"
#include "design/systems/setting.h"

enum { MOST = UINT16_MAX }; /* radices have 16 bits */

#define KNOMIAL(NAME, HELP, DIRECTION)                                                             \
    TAN_TABLE_ROW(NAME "_KN_RADIX=", HELP, 2, MOST, DIRECTION, NULL, tan_knomial_split_falling,    \
                  tan_knomial_parents)

static const struct tan_knob knobs[] = {
    KNOMIAL("REDUCE", "radix of the k-nomial tree of reductions", TAN_UP),
    KNOMIAL("FANIN", "radix of the k-nomial tree of fanins, which have no data", TAN_UP),
    KNOMIAL("BCAST", "radix of the k-nomial tree of broadcasts", TAN_DOWN),
    KNOMIAL("FANOUT", "radix of the k-nomial tree of fanouts, which have no data", TAN_DOWN),
    TAN_NO_KNOB};
enum { REDUCE, FANIN, BCAST, FANOUT };

/* The algorithms that reduce.h and bcast.h select by size; a range contains its end
 * (ucc_coll_score_map.c). */
enum { TREE_BYTES = 32 << 10 };
static const struct tan_decision reduce_decisions[] = {
    {0, TREE_BYTES + 1, &knobs[REDUCE], 4, NULL},
    {0, 0, NULL, 0, "reduce=srg"},
};
static const struct tan_decision reduce_decisions_1_3[] = {
    {0, 0, &knobs[REDUCE], 4, NULL},
};
static const struct tan_decision bcast_decisions[] = {
    {3, 0, &knobs[BCAST], 4, NULL},
    {0, TREE_BYTES + 1, &knobs[BCAST], 4, NULL},
    {0, 0, NULL, 0, "bcast=sag_knomial"},
};

static const struct tan_trap traps[] = {
    {"ALLREDUCE_KN_RADIX", "a k-nomial allreduce is an exchange, no tree"},
    {"ALLGATHER_KN_RADIX",
     "a k-nomial allgather is an exchange, no tree; so is one of mixed radices, such as 8x6"},
    {"BARRIER_KN_RADIX", "a k-nomial barrier is an exchange, no tree"},
    {"GATHER_KN_RADIX", "a gather has the tree of REDUCE_KN_RADIX, and its messages grow on their "
                        "way up: ask for that with --growth concat"},
    {"SCATTER_KN_RADIX", "TL/UCP has no scatter by itself, only as a part of exchanges, which have "
                         "radices of their own"},
    {"KN_RADIX", "it sets the radices of barrier, bcast, reduce, reduce_scatter, scatter and "
                 "gather together: name one, REDUCE_KN_RADIX=K or BCAST_KN_RADIX=K"},
    {NULL, NULL},
};

static void write_radix(const struct tan_setting *setting, FILE *to)
{
    if (setting->knob != NULL) {
        fprintf(to, "UCC_TL_UCP_%s\n", tan_setting_text(setting).text);
    }
}

static int write_ucc(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const bool reduce = answer->up.knob == &knobs[REDUCE];
    const bool bcast = answer->down.knob == &knobs[BCAST];
    (void)e;
    fprintf(to,
            "# UCC, %" PRId64 " ranks: for ucc.conf (share/ucc.conf of the installation, or\n"
            "# UCC_CONFIG_FILE), or exported into the environment of all ranks.\n",
            answer->members);
    write_radix(&answer->up, to);
    write_radix(&answer->down, to);
    if (reduce || bcast) {
        fprintf(
            to,
            "# Messages of more than 32 KiB would go another way: this keeps the tree for all.\n"
            "UCC_TL_UCP_TUNE=%s%s%s\n",
            reduce ? "reduce:0-inf:@knomial" : "", reduce && bcast ? "#" : "",
            bcast ? "bcast:0-inf:@knomial" : "");
    }
    return 0;
}

#define UCC_ROW                                                                                    \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "ranks of a team",                      \
    .counts.ranks = true, .operation = {"reductions and fanins", "broadcasts and fanouts"},        \
    .knobs = knobs, .traps = traps, .write = write_ucc, .comment = "#",                            \
    .read_back = "UCC_COLL_TRACE=info names the algorithm of every collective, not its tree; "     \
                 "UCC_TL_UCP_LOG_LEVEL=info the radix."

extern const struct tan_target tan_target_ucc;
const struct tan_target tan_target_ucc = {
    .name = "ucc",
    .title = "UCC since 1.4 (TL/UCP)",
    .versions.newest = "1.9",
    .help = "radix of the k-nomial trees of reduce, bcast, fanin and fanout",
    .decisions = {reduce_decisions, bcast_decisions},
    UCC_ROW,
};

extern const struct tan_target tan_target_ucc_1_3;
const struct tan_target tan_target_ucc_1_3 = {
    .name = "ucc@1.3",
    .title = "UCC 1.2 and 1.3 (TL/UCP)",
    .help = "the same, whose reductions are trees whatever their size",
    .decisions = {reduce_decisions_1_3, bcast_decisions},
    UCC_ROW,
};
