/* clustershell.c - ClusterShell: gateways through which clush reaches hosts (topology.conf)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "design/systems/target.h"
#include "topo/hostlist.h"
#include "topo/names.h"

static const struct tan_knob knobs[] = {
    {
        .name = "topology.conf",
        .help = "any tree, by a route from each gateway to the hosts that it reaches",
        .directions = TAN_UP | TAN_DOWN,
    },
    {.name = NULL},
};

#define FANOUT                                                                                     \
    "the fanout of clush builds no tree: it is how many connections are open at a time, on the "   \
    "admin host and on every gateway"
static const struct tan_trap traps[] = {
    {"-f", FANOUT},
    {"--fanout", FANOUT},
    {"fanout", FANOUT},
    {"pool",
     "a route from several gateways makes a pool of them, and clush takes the one with the fewest "
     "hosts so far: only a route for each gateway is a tree"},
    {"[routes]", "that is a section of topology.conf, which is written as a whole"},
    {"weight", "since July 2026 topology.yaml has it, which shares hosts among the gateways of a "
               "pool: only a route for each gateway is a tree"},
    {"[weights]", "topology.conf has no such section: since July 2026 topology.yaml has weights, "
                  "which share hosts among the gateways of a pool"},
    {.start = NULL},
};

static const char admin[] = "admin";

/* Placeholder name for processes without one. */
enum { NAME = sizeof "node2147483647" };

struct routes {
    const struct tan_answer *answer;
    int32_t n;
    char (*test)[NAME];
    const char **name; /* per process */
    const char **list; /* scratch space for one process's children */
};

static int name_hosts(const struct tan_answer *answer, struct routes *r, struct tan_error *e)
{
    *r = (struct routes){.answer = answer, .n = tan_tree_size(answer->tree)};
    r->test = calloc((size_t)r->n, sizeof *r->test);
    r->name = calloc((size_t)r->n, sizeof *r->name);
    r->list = calloc((size_t)r->n, sizeof *r->list);
    if (r->test == NULL || r->name == NULL || r->list == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < r->n; i++) {
        snprintf(r->test[i], sizeof r->test[i], "node%" PRId32, i);
        r->name[i] = answer->host != NULL && answer->host[i] != NULL ? answer->host[i]
                     : i == 0                                        ? admin
                                                                     : r->test[i];
    }
    return 0;
}

/* The name must have no special meaning, in a node set or in the file. */
static int check_name(const char *name, struct tan_error *e)
{
    const size_t digits = strspn(name, "0123456789");
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '.') {
            return tan_fail_usage(e,
                                  "\"%.80s\" has a dot: clush looks up its own host by its "
                                  "short name, so give the short names of all hosts",
                                  name);
        }
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_') {
            return tan_fail_usage(e,
                                  "ClusterShell does not accept \"%.80s\" as the name of a host: "
                                  "only letters, digits, - and _",
                                  name);
        }
    }
    if (name[digits] == '\0' || name[0] == '-') {
        return tan_fail_usage(e,
                              "ClusterShell does not accept \"%.80s\" as the name of a host: it "
                              "must contain a letter, and not begin with -",
                              name);
    }
    return 0;
}

/* ClusterShell must accept the names, and they must be distinct. */
static int check_names(const struct routes *r, struct tan_error *e)
{
    struct tan_names *seen = tan_names_create(e);
    int result = seen == NULL ? -1 : 0;
    for (int32_t i = 0; i < r->n && result == 0; i++) {
        result = check_name(r->name[i], e);
        if (result == 0 && tan_names_add(seen, r->name[i], e) != i) {
            result = tan_fail_usage(
                e, "the tree has %s twice, but ClusterShell's routes lead to each host only once",
                r->name[i]);
        }
    }
    tan_names_destroy(seen);
    return result;
}

static int write_route(const struct routes *r, int32_t parent, FILE *to, struct tan_error *e)
{
    const int32_t n = tan_tree_fanout(r->answer->tree, parent);
    const int32_t *child = tan_tree_children(r->answer->tree, parent);
    if (n == 0) {
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        r->list[i] = r->name[child[i]];
    }
    char *hosts = tan_hostlist_fold(r->list, (size_t)n, e);
    if (hosts == NULL) {
        return -1;
    }
    fprintf(to, "%s: %s\n", r->name[parent], hosts);
    free(hosts);
    return 0;
}

static void write_heading(const struct routes *r, FILE *to)
{
    const struct tan_answer *answer = r->answer;
    fprintf(to,
            "# ClusterShell, %" PRId64 " hosts below the one where clush runs: "
            "/etc/clustershell/topology.conf\n"
            "# there. clush takes it when it starts; gateways need ClusterShell, but no file.\n"
            "# Since July 2026 a topology.yaml in the same place is read instead of it.\n",
            answer->members);
    if (answer->host == NULL || answer->host[0] == NULL) {
        fprintf(to, "# Put in place of %s what hostname -s prints where clush runs.\n", r->name[0]);
    }
    fputs("# A gateway may be a target, too; then it is reached like the hosts beside it. There is "
          "one\n"
          "# route for each, since a route from several makes a pool of them. The fanout of clush\n"
          "# must not be less than the children of any: it is how many are reached at a time.\n"
          "# See the tree afterwards: clush -d --topology=FILE -w HOSTS true\n"
          "[routes]\n",
          to);
}

static int write_clustershell(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct routes r;
    int result = name_hosts(answer, &r, e) < 0 ? -1 : check_names(&r, e);
    if (result == 0) {
        write_heading(&r, to);
    }
    for (int32_t i = 0; i < r.n && result == 0; i++) {
        result = write_route(&r, i, to, e);
    }
    free(r.test);
    free(r.name);
    free(r.list);
    return result;
}

extern const struct tan_target tan_target_clustershell;
const struct tan_target tan_target_clustershell = {
    .name = "clustershell",
    .title = "ClusterShell (clush)",
    .versions.newest = "1.9",
    .help = "topology.conf: any tree of gateways",
    .counts.population = TAN_ALL_MEMBERS,
    .counts.member = "hosts below the one where clush runs, gateways included",
    .counts.root_apart = true,
    .knobs = knobs,
    .traps = traps,
    .write = write_clustershell,
    .fails.how = "All targets behind a gateway that fails are reported as failed. Others wait "
                 "connect_timeout, 15 s in clush.conf, for a gateway that cannot be reached. "
                 "(Tree.py, Task.py and clush.conf(5) of ClusterShell, 2026)",
    .fails.timeout = 15.0,
    .comment = "#",
    .read_back = "clush -d prints the tree that it has read before it runs the command.",
};
