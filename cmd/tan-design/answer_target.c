/* answer_target.c - settings of target systems
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "design/systems/setting.h"
#include "model/wave/wave_doubts.h"
#include "topo/spec.h"

/* Costs of waves. */
struct target_params {
    const struct tan_params *up, *down; /* per direction, with its payload; may be equal */
    /* for systems with one setting for both directions, of which the mean counts */
    const struct tan_params *round_up, *round_down;
    int ways; /* as in struct tan_target_problem */
};

static int write_configuration(const struct config *c, const struct tan_target_answer *a,
                               const json_t *document, struct tan_error *e)
{
    if (c->to.output == NULL) {
        return 0;
    }
    struct tan_output *output = begin_output(c, document, a->problem.target->comment, e);
    if (output == NULL) {
        return -1;
    }
    fputs(a->configuration, tan_output_stream(output));
    return tan_output_commit(output, e);
}

/* Host names from a file or list, for ranks once per slot, otherwise once. The array is freed by
 * the caller; the names in it belong to `list`. NULL on failure. */
static const char **read_hosts(const struct host_files *files, bool slots,
                               struct tan_hostfile *list, struct tan_error *e)
{
    if (tan_host_list_read(files, slots, list, e) < 0) {
        return NULL;
    }
    const char **names = calloc(list->n, sizeof *names);
    if (names == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < list->n; i++) {
        names[i] = list->hosts[i].name;
    }
    return names;
}

/* Number the hosts of n ranks, which are on those listed, or without any `per_host` on each. */
static int number_hosts(const struct tan_hostfile *list, int64_t per_host, int32_t n, int32_t *host,
                        struct tan_shared_hosts *out, struct tan_error *e)
{
    for (int32_t i = 0; i < n && list->n == 0; i++) {
        host[i] = (int32_t)(i / per_host);
    }
    out->n = list->n == 0 ? host[n - 1] + 1 : tan_hostfile_number(list, (size_t)n, host, e);
    if (out->n < 0) {
        return -1;
    }
    int32_t *ranks = calloc((size_t)out->n, sizeof *ranks);
    if (ranks == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < n; i++) {
        ranks[host[i]]++;
    }
    out->even = true;
    for (int32_t h = 0; h < out->n; h++) {
        out->even &= ranks[h] == ranks[0];
    }
    free(ranks);
    return 0;
}

/* The racks of `n` numbered hosts of the first `members` listed, and of one more: a root that is
 * not a member is in no rack that is known. The caller frees racks->rack[0]. */
static int read_racks(const char *file, const struct tan_hostfile *list, const int32_t *host,
                      int32_t members, int32_t n, struct tan_racks *racks, struct tan_error *e)
{
    const char **names = calloc((size_t)n + 1, sizeof *names);
    if (names == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < members; i++) {
        names[host[i]] = list->hosts[i].name;
    }
    const int result = tan_racks_read(file, names, n + 1, racks, e);
    free(names);
    return result;
}

/* Set problem->shared to `out` where ranks share hosts, or racks are given. On a single host a file
 * without tiers is taken to be measured there. */
static int place_members(const struct config *c, const struct tan_basis *from,
                         const struct tan_hostfile *list, struct tan_target_problem *problem,
                         struct tan_shared_hosts *out, struct tan_error *e)
{
    struct tan_error lacking = TAN_ERROR_INIT;
    struct tan_racks racks = {.n = 0};
    const int32_t members = (int32_t)problem->members;
    const int32_t apart = problem->target->counts.root_apart ? 1 : 0;
    const int32_t processes = members + apart;
    out->tiers = tan_machine_tiers(from->machine);
    out->host = calloc((1 + TAN_INNER_TIERS) * (size_t)processes, sizeof *out->host);
    if (out->host == NULL) {
        return tan_fail_nomem(e);
    }
    int32_t *host = out->host + apart;
    if (number_hosts(list, c->files.per_host, members, host, out, e) < 0) {
        return -1;
    }
    if (apart > 0) {
        out->host[0] = out->n;
    }
    const bool share = out->n < members;
    if (share && need_host_tier(from, &lacking) < 0) {
        *e = out->n > 1 ? lacking : *e;
        return out->n > 1 ? -1 : 0;
    }
    if (!share && c->files.racks == NULL) {
        return 0;
    }
    if (c->files.racks != NULL &&
        read_racks(c->files.racks, list, host, members, out->n, &racks, e) < 0) {
        return -1;
    }
    out->sites =
        tan_sites_of(&out->tiers, &racks, out->host, processes, out->host + (ptrdiff_t)processes);
    free(racks.rack[0]);
    problem->shared = out;
    return 0;
}

/* Racks are those of the hosts of members, whose tree follows from a setting. */
static int check_racks(const struct config *c, const struct tan_basis *from,
                       const struct tan_target_problem *problem, struct tan_error *e)
{
    const struct tan_machine *machine = from->machine;
    const int last = machine->n_tiers - 1;
    const struct tan_knob *knob = problem->target->knobs;
    while (knob->name != NULL && knob->split == NULL) {
        knob++;
    }
    if (c->files.hosts == NULL) {
        return tan_fail_usage(e, "--racks needs --hosts: the hosts that are in these racks");
    }
    if (knob->name == NULL) {
        return tan_fail_usage(e, "--racks: %s takes any tree; tan-design hosts places one",
                              problem->target->title);
    }
    return last >= 0 && machine->tier[last].level > 0
               ? 0
               : tan_fail_at(e, from->file != NULL ? from->file : "the machine", 0, 0,
                             "it has no tier of racks, which tanbench calibrate --racks measures");
}

/* Where the processes are, if that is known and makes a difference. out->host is then owned by the
 * caller. */
static int find_shared(const struct config *c, const struct tan_basis *from,
                       const struct tan_hostfile *list, struct tan_target_problem *problem,
                       struct tan_shared_hosts *out, struct tan_error *e)
{
    const int64_t n = problem->members;
    const bool ranks = problem->target->counts.ranks;
    const bool known = list->n > 0 ? (int64_t)list->n >= n : ranks && c->files.per_host > 1;
    if (c->files.racks != NULL && check_racks(c, from, problem, e) < 0) {
        return -1;
    }
    if (!known || (!ranks && c->files.racks == NULL)) {
        return 0;
    }
    if (n >= TAN_TREE_MAX_NODES) {
        return tan_fail_usage(e,
                              "processes that share hosts or racks are priced on their tree, which "
                              "has less than %" PRId32 " of them, not %" PRId64,
                              TAN_TREE_MAX_NODES, n);
    }
    return place_members(c, from, list, problem, out, e);
}

static int answer_wish(const struct config *c, const struct tan_target_problem *problem,
                       const struct tan_target_wish *wish, const struct tan_hostfile *hosts,
                       const struct tan_basis *from, struct tan_error *e)
{
    struct tan_target_answer answer;
    struct tan_doubts *doubts = from->doubts;
    int result = -1;
    if (tan_target_answer(problem, wish, &answer, e) < 0) {
        return -1;
    }
    if (hosts->note != NULL) {
        tan_doubts_add(doubts, TAN_NOTE, "names", NAN, 0, "%s", hosts->note);
    }
    const struct tan_knob *knob = answer.way[0].priced[0].setting.knob;
    if (hosts->n > 0 && knob->split != NULL && !problem->target->counts.ranks) {
        tan_doubts_add(doubts, TAN_NOTE, "names", NAN, 0,
                       "the lines for %s name no hosts: they are the same on all",
                       problem->target->title);
    }
    const struct tan_shape_cost *cost = &answer.way[0].priced[0].cost;
    const int64_t longest = answer.way[0].direction == TAN_DOWN ? 1 : cost->max_below;
    tan_doubt_tree(cost->max_fanout, longest, cost->processes,
                   problem->shared != NULL ? problem->shared->n : (int64_t)hosts->n, problem->model,
                   problem->up, from->machine, doubts);
    tan_target_add_notes(&answer, doubts);
    json_t *document = show_answer(c, tan_answer_target(&answer, from));
    if (write_configuration(c, &answer, document, e) < 0) {
        json_decref(document);
    } else {
        result = end_answer(c, document, from, e);
    }
    tan_target_answer_clear(&answer);
    return result;
}

static int answer_one(const struct config *c, struct tan_target_problem *problem,
                      const struct tan_tree *tree, const struct tan_basis *from,
                      struct tan_error *e)
{
    struct tan_setting setting;
    struct tan_target_wish wish = {.tree = tree};
    struct tan_hostfile hosts = {0};
    struct tan_shared_hosts shared = {.n = 0};
    const char **names = NULL;
    int result = 0;
    if (tree != NULL) {
        problem->members = tan_export_members(problem->target, tree);
    } else if (tan_target_check_count(problem->target, c->problem.leaves, c->target.members,
                                      problem->model, problem->up, e) < 0) {
        return -1;
    }
    if (c->target.setting != NULL) {
        wish.setting = &setting;
        if (tan_setting_parse(problem->target, c->target.setting, &setting, e) < 0) {
            return -1;
        }
    }
    if (c->files.hosts != NULL) {
        const bool slots =
            problem->target->counts.ranks || problem->target->counts.population == TAN_LEAVES_APART;
        names = read_hosts(&c->files, slots, &hosts, e);
        wish.hosts = names;
        wish.n_hosts = hosts.n;
        result = names == NULL ? -1 : 0;
    }
    if (result == 0) {
        result = find_shared(c, from, &hosts, problem, &shared, e);
    }
    if (result == 0) {
        result = answer_wish(c, problem, &wish, &hosts, from, e);
    }
    free(shared.host);
    free(names);
    tan_hostfile_clear(&hosts);
    return result;
}

static void set_target(struct tan_target_problem *problem, const struct tan_target *target,
                       const struct target_params *params)
{
    const bool apart = tan_target_apart(target) || tan_target_one_way(target);
    problem->target = target;
    problem->up = apart ? params->up : params->round_up;
    problem->down = apart ? params->down : params->round_down;
}

static int answer_all(const struct config *c, struct tan_target_problem problem,
                      const struct target_params *params, const struct tan_basis *from,
                      struct tan_error *e)
{
    size_t n = 0;
    size_t room = 0;
    int result = -1;
    while (tan_targets[room] != NULL) {
        room++;
    }
    struct tan_target_row *rows = calloc(room + 1, sizeof *rows);
    if (rows == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < room; i++) {
        struct tan_target_row *row = &rows[n];
        if (strchr(tan_targets[i]->name, '@') != NULL) {
            continue; /* an older version */
        }
        set_target(&problem, tan_targets[i], params);
        row->problem = problem;
        row->n_ways = tan_target_choose(&problem, row->way, e);
        if (row->n_ways < 0) {
            goto done;
        }
        n += row->n_ways > 0;
    }
    const struct tan_shape_cost *best = &rows[0].way[0].priced[0].cost;
    tan_doubt_tree(best->max_fanout, best->max_below, best->processes, 0, problem.model, problem.up,
                   from->machine, from->doubts);
    result = end_answer(c, show_answer(c, tan_answer_targets(rows, n, from)), from, e);

done:
    free(rows);
    return result;
}

static int answer_ways(const struct config *c, const struct tan_basis *from,
                       const struct target_params *params, struct tan_error *e)
{
    const int64_t members = c->target.members > 0 ? c->target.members : c->problem.leaves;
    struct tan_target_problem problem = {
        .members = members,
        .model = c->model,
        .ways = params->ways,
        .network = c->given.network.rate > 0.0,
        .error = tan_checks_may_err(&from->machine->checks, c->model->name),
        .p_down = c->p_down,
    };
    struct tan_tree *tree = NULL;
    if (c->target.tree != NULL) {
        tree = tan_spec_build(c->target.tree, e);
        if (tree == NULL) {
            return -1;
        }
    } else if (members < 2) {
        return tan_fail_usage(e, "--leaves and --members of a target must be at least 2");
    }
    if (c->target.targets) {
        return answer_all(c, problem, params, from, e);
    }
    set_target(&problem, c->target.row, params);
    problem.asked = c->target.target;
    const int result = answer_one(c, &problem, tree, from, e);
    tan_tree_destroy(tree);
    return result;
}

/* Each direction has its own messages; systems with one setting for both get round trips. */
static int transfer_to_target(const struct config *c, const struct tan_basis *from,
                              struct tan_error *e)
{
    const struct tan_network *both = &c->given.network;
    const struct tan_params *round = &from->machine->tan;
    if (tan_network_one_way(both)) {
        const int way = both->up > 0 ? TAN_UP : TAN_DOWN;
        const struct target_params one = {round, round, round, round, way};
        return answer_ways(c, from, &one, e);
    }
    struct tan_params up = *round;
    struct tan_params down = *round;
    tan_given_network(&c->given, &(struct tan_network){both->rate, both->up, 0}, &up);
    tan_given_network(&c->given, &(struct tan_network){both->rate, 0, both->down}, &down);
    const struct target_params ways = {&up, &down, round, round, 0};
    return answer_ways(c, from, &ways, e);
}

/* The rule makes messages grow on their way up; those that go down have one size everywhere. */
static int messages_to_target(const struct config *c, const struct tan_basis *from,
                              struct tan_error *e)
{
    const int64_t bytes = wave_bytes(c, from->machine);
    struct tan_params up = from->machine->tan;
    struct tan_params down = from->machine->tan;
    struct tan_payload *payload_up = NULL;
    struct tan_payload *payload_down = NULL;
    int result = -1;
    const int64_t up_bytes = c->message.up > 0 ? c->message.up : bytes;
    const int64_t down_bytes = c->message.down > 0 ? c->message.down : bytes;
    const bool overlap = c->model->node != NULL; /* its parameters describe round trips only */
    const bool same =
        up_bytes == down_bytes && (overlap || c->message.growth == &tan_payload_rules[0]);
    if (overlap && !same) {
        return tan_fail_usage(e, "under model tan-overlap both ways have the same bytes: leave out "
                                 "--up-bytes and --down-bytes, or ask model tan");
    }
    if (wave_payload(from, up_bytes, c->message.growth, &payload_up, e) == 0 &&
        (same || wave_payload(from, down_bytes, &tan_payload_rules[0], &payload_down, e) == 0)) {
        up.payload = payload_up;
        down.payload = payload_down;
        const struct tan_params *way_down = same ? &up : &down;
        struct target_params params = {&up, way_down, &up, way_down, 0};
        struct tan_params apart_up = up;
        struct tan_params apart_down = *way_down;
        if (wave_work_apart(c, &apart_up, &apart_down)) {
            params.up = &apart_up;
            params.down = &apart_down;
        }
        result = answer_ways(c, from, &params, e);
    }
    tan_payload_destroy(payload_up);
    tan_payload_destroy(payload_down);
    return result;
}

int answer_target(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    if (asks_rules(c)) {
        return answer_rules(c, from, e);
    }
    return c->given.network.rate > 0.0 ? transfer_to_target(c, from, e)
                                       : messages_to_target(c, from, e);
}
