/* answer_hosted.c - the best tree and its placement on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/output.h"

/* Write the map: the host of each process, then of each spare rank, since a job's map names all of
 * its ranks. */
static int write_map(const struct config *c, const struct tan_hosted_problem *problem,
                     const struct tan_hosted *choice, const int32_t *host,
                     const struct tan_hostfile *hosts, struct tan_error *e)
{
    int32_t *left = calloc(hosts->n, sizeof *left);
    struct tan_output *output = tan_output_open(c->to.map, e);
    int result = -1;
    if (left == NULL) {
        tan_fail_nomem(e);
    } else if (output != NULL) {
        FILE *to = tan_output_stream(output);
        fprintf(to,
                "# %s on %zu hosts with %" PRId32 " rank%s each: line i is the host of process i, "
                "the root first\n",
                choice->spec, hosts->n, problem->room.per_host, tan_plural(problem->room.per_host));
        for (size_t h = 0; h < hosts->n; h++) {
            left[h] = problem->room.per_host;
        }
        for (int32_t i = 0; i < choice->processes; i++) {
            fprintf(to, "%s\n", hosts->hosts[host[i]].name);
            left[host[i]]--;
        }
        fputs("# ranks without a part\n", to);
        for (size_t h = 0; h < hosts->n; h++) {
            while (left[h]-- > 0) {
                fprintf(to, "%s\n", hosts->hosts[h].name);
            }
        }
        result = tan_output_commit(output, e);
        output = NULL;
    }
    tan_output_discard(output);
    free(left);
    return result;
}

/* Doubts about the machine that concern the recommended tree, about its size, and notes on the
 * names of hosts and if racks are not known. */
static int doubt_hosted(const struct config *c, const struct tan_hosted *best,
                        const struct tan_tree *tree, const struct tan_hostfile *hosts,
                        const struct tan_machine *machine, struct tan_doubts *doubts,
                        struct tan_error *e)
{
    struct tan_forecast forecast;
    if (tan_forecast(best->spec, tree, c->model, machine, &forecast, e) < 0) {
        return -1;
    }
    forecast.hosts = best->hosts;
    tan_doubt_forecasts(&forecast, 1, c->model, machine, doubts);
    tan_forecast_clear(&forecast);
    if (hosts->note != NULL) {
        tan_doubts_add(doubts, TAN_NOTE, "names", NAN, TAN_TOUCHES_ALL, "%s", hosts->note);
    }
    if (!note_racks(c, machine, doubts) && c->files.racks != NULL) {
        tan_doubts_add(doubts, TAN_NOTE, "racks-alike", NAN, TAN_TOUCHES_ALL,
                       "the machine file has no tier of racks, which tanbench calibrate --racks "
                       "measures: --racks only orders the hosts");
    }
    return 0;
}

/* Write a tree, its processes named after their hosts. */
static int write_hosted(const struct config *c, const struct tan_tree *tree, const int32_t *host,
                        const struct tan_hostfile *hosts, const json_t *document,
                        struct tan_error *e)
{
    const int32_t size = tan_tree_size(tree);
    const char **names = calloc((size_t)size, sizeof *names);
    if (names == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < size; i++) {
        names[i] = hosts->hosts[host[i]].name;
    }
    struct tan_tree *placed = tan_tree_on_hosts(tree, names, e);
    const int result = placed == NULL ? -1 : tree_output_write(c, placed, document, e);
    tan_tree_destroy(placed);
    free(names);
    return result;
}

static int report_hosted(const struct config *c, const struct tan_basis *from,
                         const struct tan_hosted_problem *problem, const struct tan_hostfile *hosts,
                         struct tan_error *e)
{
    struct tan_hosted_design d;
    if (tan_hosted_design(problem, (int)c->listed, &d, e) < 0) {
        return -1;
    }
    const struct tan_hosted *best = &d.choices[0];
    int32_t *host;
    struct tan_tree *tree = tan_hosted_tree(problem, best, &host, e);
    int result = -1;
    if (tree != NULL && doubt_hosted(c, best, tree, hosts, from->machine, from->doubts, e) == 0) {
        json_t *document = show_answer(c, tan_answer_hosted(problem, &d, from));
        if ((c->to.output != NULL && write_hosted(c, tree, host, hosts, document, e) < 0) ||
            (c->to.map != NULL && write_map(c, problem, best, host, hosts, e) < 0)) {
            json_decref(document);
        } else {
            result = end_answer(c, document, from, e);
        }
    }
    tan_tree_destroy(tree);
    free(host);
    tan_hosted_clear(&d);
    return result;
}

/* The hosts of the calibration, if its check trees, whose processes are on the hosts in order, were
 * predicted well, and messages are no longer than theirs; else 0. */
static int32_t checked_hosts(const struct config *c, const struct tan_machine *machine)
{
    const bool longer = c->message.bytes > machine->tan.bytes;
    const double worst = tan_checks_may_err(&machine->checks, c->model->name);
    return worst <= TAN_CHECKS_MOST && !longer && machine->hosts <= INT32_MAX
               ? (int32_t)machine->hosts
               : 0;
}

int answer_hosted(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    struct host_room hosts;
    if (tan_host_room_read(&c->files, &hosts, e) < 0) {
        return -1;
    }
    if (hosts.room.per_host > 1 && need_host_tier(from, e) < 0) {
        tan_host_room_clear(&hosts);
        return -1;
    }
    struct tan_hosted_problem problem = {
        .tree = problem_of(c, from),
        .tiers = tan_machine_tiers(from->machine),
        .room = hosts.room,
        .checked_hosts = checked_hosts(c, from->machine),
        .specs = c->n_specs > 0 ? c->specs : NULL,
        .n_specs = c->n_specs,
    };
    const int64_t ranks = (int64_t)hosts.room.hosts * hosts.room.per_host;
    if (problem.tree.max_processes == 0 || problem.tree.max_processes > ranks) {
        problem.tree.max_processes = ranks;
    }
    const int result = report_hosted(c, from, &problem, &hosts.hosts, e);
    tan_host_room_clear(&hosts);
    return result;
}
