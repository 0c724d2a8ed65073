/* targets.c - the options --target and --targets
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/targets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_writer.h"
#include "base/output.h"
#include "design/report/report_target.h"
#include "design/targets/setting.h"
#include "report/page/report.h"
#include "topo/host_list.h"
#include "topo/spec.h"

int targets_check(const struct target_request *r, struct tan_error *e)
{
    const struct tan_target *target = NULL;
    struct tan_setting setting;
    if (r->target == NULL) {
        if (r->setting != NULL) {
            return tan_fail_usage(e, "--setting needs --target NAME: the system that it is for");
        }
        if (r->tree != NULL && r->output == NULL) {
            return tan_fail_usage(e, "--tree needs --target NAME, the system that is to build it, "
                                     "or --output FILE, a file to write it to");
        }
        return r->members > 0 && !r->targets
                   ? tan_fail_usage(e, "--members N is for systems whose processes are all members "
                                       "of the tree: add --target NAME or --targets")
                   : 0;
    }
    if ((target = tan_target_find(r->target, e)) == NULL) {
        return -1;
    }
    if (r->targets) {
        return tan_fail_usage(e, "--targets lists all, --target answers for one: choose one");
    }
    if (r->setting != NULL && r->tree != NULL) {
        return tan_fail_usage(e, "--setting and --tree exclude each other: a setting is a tree");
    }
    if (r->setting != NULL && tan_setting_parse(target, r->setting, &setting, e) < 0) {
        return -1;
    }
    if (r->tree != NULL && (r->leaves > 0 || r->members > 0)) {
        return tan_fail_usage(e, "--tree says how many processes there are: leave out --leaves and "
                                 "--members");
    }
    return 0;
}

/* Takes the reference; NULL: not wanted. */
static int deliver_document(const struct target_request *r, json_t *document, struct tan_error *e)
{
    return document == NULL ? 0 : tan_report_deliver(r->json, r->report, document, NULL, e);
}

static bool wants_document(const struct target_request *r)
{
    return r->json != NULL || r->report != NULL;
}

static int write_configuration(const char *path, const char *text, struct tan_error *e)
{
    struct tan_output *output = path == NULL ? NULL : tan_output_open(path, e);
    if (path == NULL) {
        return 0;
    }
    if (output == NULL) {
        return -1;
    }
    fputs(text, tan_output_stream(output));
    return tan_output_commit(output, e);
}

static bool prints_report(const struct target_request *r)
{
    return !tan_output_is_stdout(r->json) && !tan_output_is_stdout(r->output);
}

/* The names of hosts by a file of that name, else by a list: each once for each of its slots, where
 * they count. NULL: failed; free it before the list. */
static const char **read_hosts(const char *hosts, bool slots, struct tan_host_list *list,
                               struct tan_error *e)
{
    const bool file = access(hosts, F_OK) == 0;
    const char *source = file ? hosts : "--hosts";
    if ((file ? tan_host_list_read(hosts, list, e) : tan_host_list_parse(hosts, source, list, e)) <
            0 ||
        (slots && tan_host_list_by_slot(list, source, e) < 0)) {
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

static int answer_one(const struct target_request *r, struct tan_target_problem *problem,
                      const struct tan_tree *tree, const struct tan_provenance *from,
                      struct tan_error *e)
{
    struct tan_setting setting;
    struct tan_target_wish wish = {.tree = tree};
    struct tan_target_answer answer;
    struct tan_trust trust;
    struct tan_host_list hosts = {0};
    const char **names = NULL;
    int result = -1;
    if (tree != NULL) {
        problem->members = tan_export_members(problem->target, tree);
    } else if (tan_target_check_count(problem->target, r->leaves, r->members, problem->model,
                                      problem->up, e) < 0) {
        return -1;
    }
    if (r->setting != NULL) {
        wish.setting = &setting;
        if (tan_setting_parse(problem->target, r->setting, &setting, e) < 0) {
            return -1;
        }
    }
    if (r->hosts != NULL) {
        names = read_hosts(r->hosts, problem->target->population == TAN_LEAVES_APART, &hosts, e);
        wish.hosts = names;
        wish.n_hosts = hosts.n;
    }
    const int answered =
        r->hosts != NULL && names == NULL ? -1 : tan_target_answer(problem, &wish, &answer, e);
    free(names);
    tan_host_list_clear(&hosts);
    if (answered < 0) {
        return -1;
    }
    const struct tan_shape_cost *cost = &answer.way[0].told[0].cost;
    tan_trust_size(cost->max_fanout, cost->processes, problem->model, from->machine, &trust);
    if (prints_report(r)) {
        tan_report_machine(from, problem->model, &trust, 0, stdout);
        tan_report_target(&answer, stdout);
    }
    if (write_configuration(r->output, answer.configuration, e) == 0 &&
        deliver_document(r, wants_document(r) ? tan_target_to_json(&answer, from, &trust) : NULL,
                         e) == 0) {
        result = tan_doubts_fail(&trust.doubts, e);
    }
    tan_target_answer_clear(&answer);
    return result;
}

static int by_wave(const void *left, const void *right)
{
    const struct tan_target_row *a = left;
    const struct tan_target_row *b = right;
    const double x = a->way[0].told[0].slower;
    const double y = b->way[0].told[0].slower;
    const int order = (x > y) - (x < y);
    return order != 0 ? order : strcmp(a->problem.target->name, b->problem.target->name);
}

static void set_target(struct tan_target_problem *problem, const struct tan_target *target,
                       const struct target_params *params)
{
    const bool round = params->round != NULL && !tan_target_apart(target);
    problem->target = target;
    problem->up = round ? params->round : params->up;
    problem->down = round ? params->round : params->down;
}

static int answer_all(const struct target_request *r, struct tan_target_problem problem,
                      const struct target_params *params, const struct tan_provenance *from,
                      struct tan_error *e)
{
    size_t n = 0;
    size_t room = 0;
    struct tan_trust trust;
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
        set_target(&problem, tan_targets[i], params);
        row->problem = problem;
        row->n_ways = tan_target_choose(&problem, false, row->way, e);
        if (row->n_ways < 0) {
            goto done;
        }
        n += row->n_ways > 0;
    }
    qsort(rows, n, sizeof *rows, by_wave);
    tan_trust_size(rows[0].way[0].told[0].cost.max_fanout, problem.members, problem.model,
                   from->machine, &trust);
    if (prints_report(r)) {
        tan_report_machine(from, problem.model, &trust, 0, stdout);
        tan_report_targets(rows, n, stdout);
    }
    if (deliver_document(r, wants_document(r) ? tan_targets_to_json(rows, n, from, &trust) : NULL,
                         e) == 0) {
        result = tan_doubts_fail(&trust.doubts, e);
    }

done:
    free(rows);
    return result;
}

int targets_run(const struct target_request *request, const struct tan_provenance *from,
                const struct tan_model *model, const struct target_params *params,
                struct tan_error *e)
{
    const int64_t members = request->members > 0 ? request->members : request->leaves;
    struct tan_target_problem problem = {NULL, members, model, NULL, NULL, params->ways};
    struct tan_tree *tree = NULL;
    if (request->tree != NULL) {
        tree = tan_spec_build(request->tree, e);
        if (tree == NULL) {
            return -1;
        }
    } else if (members < 2) {
        return tan_fail_usage(e, "--leaves and --members of a target must be at least 2");
    }
    if (request->targets) {
        return answer_all(request, problem, params, from, e);
    }
    int result = -1;
    const struct tan_target *target = tan_target_find(request->target, e);
    if (target != NULL) {
        set_target(&problem, target, params);
        result = answer_one(request, &problem, tree, from, e);
    }
    tan_tree_destroy(tree);
    return result;
}
