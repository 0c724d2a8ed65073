/* orte.c - ORTE: the daemons of Open MPI up to version 4
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "design/systems/knomial.h"

static const struct tan_knob knobs[] = {
    {"routed_radix=", "children of a daemon", 1, TAN_RADIX_MOST, TAN_UP | TAN_DOWN,
     "0 lets the daemons hang, less builds a binomial tree, and more ends in a segmentation fault",
     tan_radix_tree_split, tan_radix_tree_parents},
    {.name = NULL},
};

static const struct tan_default defaults[] = {{"default", 0, 64, NULL, NULL, NULL}, {.name = NULL}};

static const struct tan_trap traps[] = {
    {"rml_base_radix", "that is a setting of PRRTE (Open MPI 5): Open MPI 4 ignores it silently"},
    {"routed_radix_max_connections", "Open MPI 4 ignores it silently"},
    {"routed=", "it names another component, which builds another tree and has no radix"},
    {.start = NULL},
};

static int write_orte(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const struct tan_setting *setting = answer->up.knob != NULL ? &answer->up : &answer->down;
    const int64_t radix = setting->value;
    if (tan_radix_tree_check(knobs[0].name, radix, answer->members, e) < 0) {
        return -1;
    }
    fprintf(to,
            "# Open MPI 4 and before: etc/openmpi-mca-params.conf of its installation on every\n"
            "# host, or ~/.openmpi/mca-params.conf where all hosts share it. Where only some have\n"
            "# it, mpirun hangs. The next mpirun takes it.\n"
            "# For one run: mpirun --mca routed_radix %" PRId64 " ...\n"
            "# Daemons: %" PRId64 ", one for each host and mpirun, unless it runs on one of them.\n"
            "# See the tree: mpirun --mca routed_base_verbose 1 --leave-session-attached ...\n"
            "routed_radix = %" PRId64 "\n",
            radix, answer->members, radix);
    return 0;
}

extern const struct tan_target tan_target_orte;
const struct tan_target tan_target_orte = {
    .name = "orte",
    .title = "ORTE (Open MPI 4)",
    .versions.newest = "4.1",
    .help = "routed_radix: the daemons' radix tree, for launching and for their own collectives",
    .counts.population = TAN_ALL_MEMBERS,
    .counts.member = "daemons, the launcher's included",
    .operation = {"a fence's way up", "a fence's release"},
    .also_down = "a launch message",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_orte,
    .fails.how = "The job ends, unless recovery is enabled. Others do not wait for a process that "
                 "dies; for a host that falls silent TCP keepalive, 300 s and 9 probes 20 s apart. "
                 "(errmgr_default_hnp.c and oob_tcp_component.c of Open MPI 4.1)",
    .comment = "#",
    .read_back = "mpirun --mca routed_base_verbose 1 --leave-session-attached prints \"parent P "
                 "num_children C\" for each daemon [[J,0],I]. Daemon 0, mpirun itself, prints a "
                 "second list, that of the binomial component, which is not used: its own has "
                 "\"parent -1\".",
};
