/* mrnet.c - MRNet: a topology file, which can describe any tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "design/systems/export.h"
#include "topo/file.h"

static const struct tan_knob knobs[] = {
    {
        .name = "topology file",
        .help =
            "any tree: a rule \"host:index => host:index ... ;\" for each process with children",
        .directions = TAN_UP | TAN_DOWN,
    },
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"fanout", "MRNet builds the tree of its topology file and has no fanout to set"},
    {"XPLAT_USE_FQDN",
     "in the environment of the tool it makes MRNet find hosts by names with dots; they are "
     "written if it is set here, too"},
    {.start = NULL},
};

static const char by_full_names[] = "XPLAT_USE_FQDN";

/* MRNet compares the names in the file with those that hosts report for themselves. */
static int check_names(const struct tan_answer *answer, struct tan_error *e)
{
    for (int32_t i = 0; answer->host != NULL && i < tan_tree_size(answer->tree); i++) {
        const char *name = answer->host[i];
        if (name != NULL && strchr(name, '.') != NULL && getenv(by_full_names) == NULL) {
            return tan_fail_usage(e,
                                  "\"%.80s\" has a dot: MRNet finds its hosts by their short "
                                  "names, and with others its tree does not connect, unless "
                                  "%s is set both for the tool and here",
                                  name, by_full_names);
        }
    }
    return 0;
}

static bool has_full_names(const struct tan_answer *answer)
{
    bool found = false;
    for (int32_t i = 0; answer->host != NULL && i < tan_tree_size(answer->tree) && !found; i++) {
        found = answer->host[i] != NULL && strchr(answer->host[i], '.') != NULL;
    }
    return found;
}

static int write_mrnet(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    if (check_names(answer, e) < 0) {
        return -1;
    }
    fprintf(to,
            "# MRNet, %" PRId64 " back-ends and %" PRId64 " processes in all: the topology file "
            "that a tool\n"
            "# gives to Network::CreateNetworkFE. host:index is a process, the first one the "
            "front-end.\n"
            "# If back-ends are started separately and attach, it has all processes but them.\n"
            "# See the tree afterwards: NetworkTopology::print, or print_TopologyFile.\n",
            answer->members, (int64_t)tan_tree_size(answer->tree));
    if (has_full_names(answer)) {
        fprintf(to,
                "# Its hosts have names with dots: MRNet finds them from July 2022 on, where %s is "
                "set\n# for the tool (to something other than 1).\n",
                by_full_names);
    }
    struct tan_tree *tree = tan_tree_on_hosts(answer->tree, answer->host, e);
    const int result = tree == NULL ? -1 : tan_mrnet_write(tree, to, e);
    tan_tree_destroy(tree);
    return result;
}

extern const struct tan_target tan_target_mrnet;
const struct tan_target tan_target_mrnet = {
    .name = "mrnet",
    .title = "MRNet",
    .help = "a topology file: any tree",
    .counts.population = TAN_LEAVES_APART,
    .counts.member = "leaves (back-ends)",
    .knobs = knobs,
    .traps = traps,
    .write = write_mrnet,
    .fails.how = "Each child of a process that dies connects to another internal process or the "
                 "front end and passes its filters' state on. Others do not wait once a connection "
                 "breaks; how long for a host that falls silent is not known. (src/EventDetector.C "
                 "of MRNet, 2023)",
    .comment = "#",
    .read_back = "NetworkTopology::print prints the tree that was built, and print_TopologyFile "
                 "writes it as a topology file.",
};
