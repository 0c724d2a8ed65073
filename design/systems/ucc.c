/* ucc.c - UCC: k-nomial trees of reductions and broadcasts (TL/UCP)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "design/targets/knomial.h"
#include "design/targets/target.h"

enum { MOST = 1 << 16 };

static const struct tan_knob knobs[] = {
    {"REDUCE_KN_RADIX=", "radix of the k-nomial tree of reductions", 2, MOST, TAN_UP, NULL,
     tan_knomial_split, tan_knomial_parents},
    {"BCAST_KN_RADIX=", "radix of the k-nomial tree of broadcasts", 2, MOST, TAN_DOWN, NULL,
     tan_knomial_split, tan_knomial_parents},
    {NULL, NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const struct tan_default defaults[] = {
    {"default", 0, 4, NULL, NULL, NULL},
    {"default", 1, 4, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"ALLREDUCE_KN_RADIX", "a k-nomial allreduce is an exchange, no tree"},
    {"BARRIER_KN_RADIX", "a k-nomial barrier is an exchange, no tree"},
    {"KN_RADIX", "it sets the radix of every collective: name one, REDUCE_KN_RADIX=K or "
                 "BCAST_KN_RADIX=K"},
    {NULL, NULL},
};

static int write_ucc(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "# UCC, %" PRId64 " ranks: for ucc.conf (share/ucc.conf of the installation, or\n"
            "# UCC_CONFIG_FILE), or exported into the environment of all ranks.\n",
            answer->members);
    if (answer->up.knob != NULL) {
        fprintf(to, "UCC_TL_UCP_REDUCE_KN_RADIX=%" PRId64 "\n", answer->up.value);
    }
    if (answer->down.knob != NULL) {
        fprintf(to, "UCC_TL_UCP_BCAST_KN_RADIX=%" PRId64 "\n", answer->down.value);
    }
    return 0;
}

extern const struct tan_target tan_target_ucc;
const struct tan_target tan_target_ucc = {
    .name = "ucc",
    .title = "UCC (TL/UCP)",
    .help = "radix of the k-nomial trees of reduce and bcast",
    .population = TAN_ALL_MEMBERS,
    .member = "ranks of a team",
    .ranks = true,
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_ucc,
    .comment = "#",
    .read_back = "UCC_COLL_TRACE=info names the algorithm of every collective, not its tree; "
                 "UCC_TL_UCP_LOG_LEVEL=info the radix.",
};
