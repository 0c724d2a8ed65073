/* checks.c - invalid combinations of options
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "base/units.h"
#include "design/systems/setting.h"

static int need_leaves(struct tan_error *e)
{
    return tan_fail_usage(e, "say --leaves N: how many leaves the tree has");
}

/* The file of a tree. */
static int check_written(struct config *c, struct tan_error *e)
{
    if (c->to.output != NULL && c->problem.leaves >= TAN_TREE_MAX_NODES) {
        return tan_fail_usage(e,
                              "a tree that is written has at most %" PRId32
                              " nodes, too few for these leaves: leave out --output",
                              TAN_TREE_MAX_NODES);
    }
    if (c->to.format != NULL && c->to.output == NULL) {
        return tan_fail_usage(e, "--format says how --output is written, which is not given");
    }
    return c->to.output != NULL && tree_output_format(c, e) == NULL ? -1 : 0;
}

static int check_ascending(const char *what, const int64_t *values, size_t n, struct tan_error *e)
{
    for (size_t i = 1; i < n; i++) {
        if (values[i] <= values[i - 1]) {
            return tan_fail_usage(
                e, "%s: %" PRId64 " follows %" PRId64 ": the ends of ranges must ascend", what,
                values[i], values[i - 1]);
        }
    }
    return 0;
}

/* The names of the targets that have a property. */
static struct tan_text list_targets(bool (*has)(const struct tan_target *target))
{
    enum { MOST = 16 };
    const char *names[MOST];
    size_t n = 0;
    for (const struct tan_target *const *t = tan_targets; *t != NULL && n < MOST; t++) {
        if (has(*t)) {
            names[n++] = (*t)->name;
        }
    }
    return tan_choice_list((struct tan_choices){names, sizeof names[0], n});
}

static bool reads_rules(const struct tan_target *target)
{
    return target->write_rules != NULL;
}

static bool counts_ranks(const struct tan_target *target)
{
    return target->counts.ranks;
}

static bool has_timeout(const struct tan_target *target)
{
    return target->fails.timeout > 0.0;
}

static int fail_several(const char *several, struct tan_error *e)
{
    return tan_fail_usage(e,
                          "%s takes several values only for rules, with --target NAME, one of %s",
                          several, list_targets(reads_rules).text);
}

/* Several members or bytes ask for rules: whether the system reads rules, and options that exclude
 * them. Also limits the members of such a system for a single setting. */
static int check_rules(const struct config *c, struct tan_error *e)
{
    const struct target_request *t = &c->target;
    const char *several = t->n_members > 1 ? "--members" : "--bytes";
    const char *wrong = t->setting != NULL                 ? "--setting"
                        : t->tree != NULL                  ? "--tree"
                        : c->files.hosts != NULL           ? "--hosts"
                        : c->files.per_host > 0            ? "--ranks-per-host"
                        : c->files.racks != NULL           ? "--racks"
                        : c->message.up > 0                ? "--up-bytes"
                        : c->message.down > 0              ? "--down-bytes"
                        : c->problem.leaves > 0            ? "--leaves"
                        : t->members > 0 && t->members < 2 ? "--members 1"
                                                           : NULL;
    const bool has_rules = t->row != NULL && reads_rules(t->row);
    const int64_t most = t->n_members > 0 ? t->range_members[t->n_members - 1] : 0;
    if (has_rules && most > TAN_TREE_MAX_NODES) {
        return tan_fail_usage(e,
                              "--members must be at most %" PRId32 " for --target %s, not %" PRId64,
                              TAN_TREE_MAX_NODES, t->row->name, most);
    }
    if (!asks_rules(c)) {
        return 0;
    }
    if (!has_rules) {
        return fail_several(several, e);
    }
    if (wrong != NULL) {
        return tan_fail_usage(e, "several values of %s ask for rules, which do not go with %s%s",
                              several, wrong,
                              c->files.per_host > 0 ? ": say one value at a time, as in --members "
                                                      "512 --bytes 4KiB"
                                                    : "");
    }
    return check_ascending("--members", t->range_members, t->n_members, e) < 0
               ? -1
               : check_ascending("--bytes", t->range_bytes, t->n_bytes, e);
}

/* Options of a target that exclude each other. */
static int check_target(struct config *c, struct tan_error *e)
{
    struct tan_setting setting;
    if (c->target.target == NULL) {
        return tan_fail_usage(e, "target needs the name of a system, such as slurm; targets lists "
                                 "all");
    }
    if (c->target.targets) {
        return tan_fail_usage(e, "--targets lists all, --target answers for one: choose one");
    }
    if (c->p_down > 0.0 && !has_timeout(c->target.row)) {
        return tan_fail_usage(e,
                              "--failures: how long others wait for a process of %s that is down "
                              "is not known, as it is for %s",
                              c->target.row->title, list_targets(has_timeout).text);
    }
    if (c->files.per_host > 0 && !counts_ranks(c->target.row)) {
        return tan_fail_usage(e,
                              "--ranks-per-host: members of %s are not MPI ranks, as they are of "
                              "%s: leave it out",
                              c->target.row->title, list_targets(counts_ranks).text);
    }
    if (c->target.setting != NULL && c->target.tree != NULL) {
        return tan_fail_usage(e, "--setting and --tree exclude each other: a setting is a tree");
    }
    if (c->target.setting != NULL &&
        tan_setting_parse(c->target.row, c->target.setting, &setting, e) < 0) {
        return -1;
    }
    if (c->target.tree != NULL && (c->problem.leaves > 0 || c->target.members > 0)) {
        return tan_fail_usage(e, "--tree says how many processes there are: leave out --leaves and "
                                 "--members");
    }
    if (check_rules(c, e) < 0) {
        return -1;
    }
    if (c->target.tree == NULL && (c->problem.leaves == 0) == (c->target.members == 0)) {
        return tan_fail_usage(e, "say either --leaves N, for a system with additional internal "
                                 "processes, or --members N, where all are members of the tree");
    }
    return 0;
}

/* A table of all, or their names. */
static int check_targets(struct config *c, struct tan_error *e)
{
    const struct target_request *t = &c->target;
    const char *wrong = t->target != NULL                         ? "--target"
                        : t->setting != NULL                      ? "--setting"
                        : t->tree != NULL                         ? "--tree"
                        : c->p_down > 0.0                         ? "--failures"
                        : c->files.hosts != NULL                  ? "--hosts"
                        : c->files.per_host > 0                   ? "--ranks-per-host"
                        : c->files.racks != NULL                  ? "--racks"
                        : c->to.output != NULL                    ? "--output"
                        : t->n_members > 1 || t->n_bytes > 1      ? "several values"
                        : t->members > 0 && c->problem.leaves > 0 ? "--leaves beside --members"
                                                                  : NULL;
    c->target.targets = true;
    return wrong == NULL ? 0
                         : tan_fail_usage(e,
                                          "targets lists all systems: leave out %s, or name one: "
                                          "target NAME",
                                          wrong);
}

static int check_hosts(struct config *c, struct tan_error *e)
{
    if (c->files.hosts == NULL) {
        return tan_fail_usage(e, "hosts needs --hosts FILE, which names the hosts");
    }
    if (c->problem.max_loss > 0) {
        return tan_fail_usage(e, "--max-loss does not go with --hosts, where processes that share "
                                 "a host fail together: leave out --hosts for a tree with a host "
                                 "for each");
    }
    return c->problem.leaves > 0 || c->n_specs > 0 ? check_written(c, e) : need_leaves(e);
}

static int check_design(struct config *c, struct tan_error *e)
{
    if (c->problem.leaves == 0) {
        return tan_fail_usage(
            e, "say --leaves N to design a tree, or name a command: target NAME, hosts, pareto, "
               "fanouts, compare SPEC, predict SPEC, messages SIZES, convert SPEC");
    }
    return check_written(c, e);
}

static int check_pareto(struct config *c, struct tan_error *e)
{
    return c->aim.front == NULL ? tan_fail_usage(e, "pareto needs its keys: latency,processes or "
                                                    "latency,loss")
           : c->problem.leaves == 0 ? need_leaves(e)
                                    : 0;
}

static int check_convert(struct config *c, struct tan_error *e)
{
    if (c->target.tree == NULL || c->to.output == NULL) {
        return tan_fail_usage(e, "convert needs a tree and --output FILE, a file to write it to; "
                                 "--target NAME finds the setting that builds it");
    }
    return check_written(c, e);
}

static int check_specs(struct config *c, struct tan_error *e)
{
    return c->n_specs > 0 ? 0
                          : tan_fail_usage(e, "%s needs a tree, such as binomial:32",
                                           design_cli.commands[c->command].name);
}

static int check_sizes(struct config *c, struct tan_error *e)
{
    return c->sizes.n > 0 ? 0 : tan_fail_usage(e, "messages needs a size, such as 64KiB");
}

/* Whether rate and bytes are what the model needs; --target takes the two directions apart. */
static bool network_has(const struct config *c)
{
    const struct tan_network *network = &c->given.network;
    return c->model == NULL || c->model->level == tan_models[TAN_MODEL_TAN].level ||
           (c->model->node != NULL &&
            (is_for_target(c) ? tan_network_one_way(network) : tan_network_overlaps(network)));
}

/* Options that exclude transfers over a network. */
static int check_transfer(const struct config *c, struct tan_error *e)
{
    const bool ways = c->message.up > 0 || c->message.down > 0;
    const bool rule = c->message.growth != &tan_payload_rules[0];
    const char *wrong = c->machine != NULL ? "--machine" : rule ? "--growth" : NULL;
    if (c->given.network.rate == 0.0) {
        return ways && !is_for_target(c)
                   ? tan_fail_usage(e,
                                    "--up-bytes and --down-bytes need --bandwidth RATE, how fast "
                                    "they are, or --target NAME, whose ways are apart")
                   : 0;
    }
    if (wrong != NULL) {
        return tan_fail_usage(e,
                              "--bandwidth does not go with %s: rate and bytes alone say what "
                              "transfers cost, the same on all links",
                              wrong);
    }
    if (!network_has(c)) {
        return tan_fail_usage(e, "--bandwidth goes with --model tan, or tan-overlap if messages %s",
                              is_for_target(c)
                                  ? "go one way only"
                                  : "go one way only or have the same bytes both ways");
    }
    if (!ways && c->message.bytes == 0) {
        return tan_fail_usage(e, "--bandwidth needs the length of messages: --bytes SIZE, the same "
                                 "both ways, or --up-bytes SIZE, --down-bytes SIZE or both");
    }
    return 0;
}

/* --rtt as --latency: there and back, each way with the overheads of a sender and a receiver. */
static int take_round_trip(struct config *c, struct tan_error *e)
{
    const double overhead = c->given.value[TAN_A];
    const double latency = c->round_trip / 2 - 2 * overhead;
    if (isnan(c->round_trip)) {
        return 0;
    }
    if (!isnan(c->given.value[TAN_L])) {
        return tan_fail_usage(e, "--rtt takes the place of --latency: choose one");
    }
    if (isnan(overhead)) {
        return tan_fail_usage(e, "--rtt needs --overhead TIME: half a program's round trip is the "
                                 "latency and the overheads of sender and receiver, some 0.3 to 1 "
                                 "us each over RDMA and 2 to 5 us over TCP: try both ends; half of "
                                 "ping's round trip is --latency itself");
    }
    if (latency < 0.0) {
        return tan_fail_usage(e,
                              "--rtt must be at least %s, four times --overhead, which the "
                              "sender and the receiver of both messages take; half of ping's "
                              "round trip is --latency itself",
                              tan_exact_text(4.0 * overhead).text);
    }
    c->given.value[TAN_L] = latency;
    return 0;
}

int config_check(struct config *c, struct tan_error *e)
{
    static int (*const checks[])(struct config * c, struct tan_error * e) = {
        [COMMAND_DESIGN] = check_design,   [COMMAND_TARGET] = check_target,
        [COMMAND_TARGETS] = check_targets, [COMMAND_HOSTS] = check_hosts,
        [COMMAND_PARETO] = check_pareto,   [COMMAND_FANOUTS] = NULL,
        [COMMAND_COMPARE] = check_specs,   [COMMAND_CONVERT] = check_convert,
        [COMMAND_PREDICT] = check_specs,   [COMMAND_MESSAGES] = check_sizes,
    };
    int (*const check)(struct config * c, struct tan_error * e) = checks[c->command];
    if (take_round_trip(c, e) < 0 || (check != NULL && check(c, e) < 0)) {
        return -1;
    }
    return c->command != COMMAND_TARGET && asks_rules(c)
               ? fail_several(c->target.n_members > 1 ? "--members" : "--bytes", e)
               : check_transfer(c, e);
}
