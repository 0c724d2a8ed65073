/* tan-sim.c - program: simulation of sends, receives and calculations of ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/json_keys.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/units.h"
#include "model/machine/p2p.h"
#include "model/wave/concern.h"
#include "model/wave/wave.h"
#include "report/page/report.h"
#include "sim/cmd/sim_options.h"
#include "sim/engine/host_map.h"
#include "sim/engine/link_options.h"
#include "sim/engine/noise.h"
#include "sim/engine/simulate.h"
#include "sim/goal/goal.h"
#include "sim/loggopsim/compatible.h"
#include "sim/loggopsim/compatible_report.h"
#include "sim/schedule/message_models.h"
#include "sim/schedule/patterns.h"
#include "sim/trace/trace_programs.h"
#include "sim/trace/trace_simgrid.h"
#include "sim/view/collective_report.h"
#include "sim/view/result_report.h"
#include "sim/view/timeline.h"
#include "topo/spec.h"

enum { DEFAULT_BYTES = 8, DEFAULT_FLOPS = 1000000000 };

/* State of a run. */
struct run {
    const struct tan_sim_config *c;
    const char *pattern; /* of the command line, or one algorithm of it */
    struct tan_sim_params params;
    struct tan_machine *machine;
    char *machine_file;
    struct tan_doubts doubts; /* of the machine, about this schedule */
    struct tan_noise *noise;
    uint32_t *host_of;
    struct tan_sized_link *links;
    struct tan_schedule *schedule;
    char *source;             /* names of the programs; NULL: no traces */
    struct tan_trace *traces; /* of the command's programs */
    struct tan_program_times *times;
    struct tan_simulation simulation;
    struct tan_compatible_times compatible;
    struct tan_stuck stuck;
    struct tan_critical_path path;
    struct tan_sim_report report;
};

/* What belongs to one schedule. */
static void schedule_clear(struct run *r)
{
    free(r->host_of);
    free(r->links);
    tan_schedule_destroy(r->schedule);
    for (size_t i = 0; r->traces != NULL && i < r->c->n_traced; i++) {
        tan_trace_clear(&r->traces[i]);
    }
    free(r->source);
    free(r->traces);
    free(r->times);
    tan_simulation_clear(&r->simulation);
    tan_compatible_times_clear(&r->compatible);
    tan_stuck_clear(&r->stuck);
    tan_critical_path_clear(&r->path);
    r->host_of = NULL;
    r->links = NULL;
    r->schedule = NULL;
    r->source = NULL;
    r->traces = NULL;
    r->times = NULL;
}

static void run_clear(struct run *r)
{
    schedule_clear(r);
    tan_machine_destroy(r->machine);
    free(r->machine_file);
    tan_noise_destroy(r->noise);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const struct tan_message_model *model_of(const struct tan_sim_config *c)
{
    return tan_message_model_find(tan_sim_models[c->model]);
}

/* What messages cost under a model of the machine file, as far as the schedule is known. */
static int set_messages(const struct run *r, const struct tan_message_model *model,
                        struct tan_sim_params *params, struct tan_sized_link **links,
                        struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const uint64_t bytes = c->bytes >= 0 ? (uint64_t)c->bytes : DEFAULT_BYTES;
    if (tan_message_model_params(model, r->machine, r->machine_file, bytes, r->schedule, params,
                                 links, e) < 0) {
        return -1;
    }
    params->S = c->eager >= 0 ? (uint64_t)c->eager : params->S;
    params->sized_within = c->within == NULL;
    return 0;
}

static int load_costs(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    r->params = c->params;
    if (c->model == TAN_SIM_TAN || c->machine != NULL) {
        r->machine = tan_machine_find(c->machine, &r->machine_file, e);
        const struct tan_output_name outputs[] = {{"--json", c->json},
                                                  {"--report", c->report},
                                                  {"--svg", c->svg},
                                                  {"--trace", c->trace},
                                                  {"OUT", c->output}};
        if (r->machine == NULL ||
            tan_output_spares(outputs, 5, "the machine file", r->machine_file, e) < 0) {
            return -1;
        }
    }
    if (c->model == TAN_SIM_TAN) {
        if (tan_machine_require_tan(r->machine, r->machine_file, e) < 0 ||
            tan_wave_link(&r->machine->tan, &r->params.between, e) < 0) {
            return -1;
        }
        r->params.S = TAN_SCHEDULE_MAX_BYTES;
    } else if (r->machine != NULL) {
        if (set_messages(r, model_of(c), &r->params, &r->links, e) < 0) {
            return -1;
        }
        if (r->machine->messages->disturbed) {
            tan_doubts_add(&r->doubts, "disturbed", NAN, TAN_TOUCHES_ALL,
                           "its messages were measured while other programs used the cores");
        }
    }
    r->params.within = r->params.between;
    if ((c->between != NULL &&
         tan_link_parse(&r->params.between, "--between", c->between, e) < 0) ||
        (c->within != NULL && tan_link_parse(&r->params.within, "--within", c->within, e) < 0)) {
        return -1;
    }
    if (!c->control_given && (r->machine == NULL || !tan_sim_has_control(&r->params))) {
        r->params.control = r->params.between.o;
    }
    if (c->noise != NULL && (r->noise = tan_noise_parse(c->noise, (uint64_t)c->seed, e)) == NULL) {
        return -1;
    }
    r->params.noise = r->noise;
    return 0;
}

static enum tan_sweep sweep_of(const struct tan_sim_config *c)
{
    return c->sweep != 0 ? c->sweep : TAN_SWEEP_UP;
}

/* What is to be said against times of this tree. */
static void doubt_tree(struct run *r, const struct tan_tree *tree)
{
    const struct tan_machine *m = r->machine;
    struct tan_doubts notes = {.n = 0};
    int32_t last = 0;
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        const int32_t fanout = tan_tree_fanout(tree, node);
        if (fanout > 0 && fanout != last) {
            tan_doubts_concerning(&m->doubts, &tan_models[0], &m->tan, fanout, &r->doubts);
            last = fanout;
        }
    }
    tan_doubt_sizes(&tan_models[0], &m->tan, tan_tree_max_fanout(tree), tan_tree_size(tree),
                    &r->doubts, &notes);
}

static struct tan_schedule *make_wave(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const uint32_t waves = c->waves > 0 ? (uint32_t)c->waves : 1;
    const enum tan_sweep sweep = sweep_of(c);
    struct tan_tree *tree = tan_spec_build(c->topo, e);
    if (tree == NULL) {
        return NULL;
    }
    uint64_t bytes = c->bytes >= 0 ? (uint64_t)c->bytes : DEFAULT_BYTES;
    struct tan_schedule *schedule;
    if (c->model == TAN_SIM_TAN) {
        doubt_tree(r, tree);
        bytes = c->bytes >= 0 ? bytes : (uint64_t)r->machine->tan.bytes;
        schedule = tan_wave_schedule_tan(tree, sweep, waves, bytes, &r->machine->tan, e);
    } else {
        schedule = tan_wave_schedule(tree, sweep, waves, bytes, e);
    }
    tan_tree_destroy(tree);
    return schedule;
}

static struct tan_trace_options trace_options(const struct tan_sim_config *c)
{
    return (struct tan_trace_options){
        .collectives = c->collectives != NULL ? c->collectives : "usual",
        .algorithms = c->collective,
        .n_algorithms = c->n_collectives,
        .copies = (uint32_t)c->extrapolate,
        .peers = c->peers,
        .n_peers = c->n_peers,
        .grow_dimension = (int)c->grow_dimension,
        .unrecognised_copies = c->unrecognised != 0,
    };
}

static int begin_traces(struct run *r, struct tan_error *e)
{
    r->traces = calloc(r->c->n_traced, sizeof *r->traces);
    r->times = calloc(r->c->n_traced, sizeof *r->times);
    return r->traces == NULL || r->times == NULL ? tan_fail_nomem(e) : 0;
}

/* What makes traces doubtful. */
static void keep_remarks(struct run *r)
{
    const size_t n = r->c->n_traced;
    for (size_t i = 0; i < n; i++) {
        const struct tan_trace *t = &r->traces[i];
        for (size_t k = 0; k < t->n_remarks; k++) {
            tan_doubts_add(&r->doubts, "trace", NAN, TAN_TOUCHES_ALL, "%s%s%s", n > 1 ? t->dir : "",
                           n > 1 ? ": " : "", t->remark[k]);
        }
    }
}

static struct tan_schedule *load_traces(struct run *r, struct tan_error *e)
{
    const struct tan_trace_options options = trace_options(r->c);
    if (begin_traces(r, e) < 0) {
        return NULL;
    }
    struct tan_schedule *schedule =
        tan_trace_load_all(r->c->operands, r->c->n_traced, &options, r->traces, e);
    keep_remarks(r);
    return schedule;
}

/* The same of every size, besides which other parameters are given. */
static int set_sizes(const struct run *r, const struct tan_message_model *model,
                     struct tan_sim_params *params, struct tan_sized_link **links,
                     struct tan_error *e)
{
    const struct tan_link within = params->within;
    const struct tan_link between = params->between;
    const int result = set_messages(r, model, params, links, e);
    params->within = within;
    params->between = between;
    return result;
}

/* --set */
static int change_link(const struct tan_sim_config *c, struct tan_link *link, struct tan_error *e)
{
    static const char more[] = "L=+";
    const char *text = c->set;
    if (text == NULL) {
        return 0;
    }
    if (strncmp(text, more, strlen(more)) != 0) {
        return tan_link_parse(link, "--set", text, e);
    }
    struct tan_link extra = {.L = 0};
    if (tan_link_set(&extra, 'L', "--set: L", text + strlen(more), e) < 0) {
        return -1;
    }
    link->L += extra.L;
    return 0;
}

static bool trace_is_cut(const struct run *r)
{
    for (size_t i = 0; i < r->c->n_traced; i++) {
        if (r->traces[i].cut) {
            return true;
        }
    }
    return false;
}

/* What the programs of a simulated schedule took, each by itself, too. */
static int time_programs(struct run *r, struct tan_error *e)
{
    const struct tan_trace_options options = trace_options(r->c);
    int result = 0;
    const size_t n = r->c->n_traced > 1 && r->report.stuck == NULL ? r->c->n_traced : 0;
    for (size_t i = 0; i < n && result == 0; i++) {
        result =
            tan_program_times(&r->traces[i], &options, &r->params, &r->simulation, &r->times[i], e);
    }
    return result;
}

/* --set, of every link that there is. */
static int change_links(const struct tan_sim_config *c, struct tan_sim_params *params,
                        struct tan_sized_link *sizes, struct tan_error *e)
{
    if (change_link(c, &params->between, e) < 0 || change_link(c, &params->within, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < params->n_sizes; i++) {
        if (change_link(c, &sizes[i].link, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int load_schedule(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const double begin = seconds();
    if (c->n_traced > 0) {
        r->schedule = load_traces(r, e);
    } else if (c->file != NULL) {
        const struct tan_goal_options how = {.compatible = c->compatible};
        r->schedule = tan_goal_load(c->file, &how, e);
    } else if (c->pattern != NULL) {
        r->schedule =
            tan_pattern_build(r->pattern, c->bytes >= 0 ? (uint64_t)c->bytes : DEFAULT_BYTES, e);
    } else {
        r->schedule = make_wave(r, e);
    }
    if (r->schedule != NULL && model_of(c) != NULL && r->machine != NULL &&
        set_sizes(r, model_of(c), &r->params, &r->links, e) < 0) {
        return -1;
    }
    if (r->schedule != NULL && change_links(c, &r->params, r->links, e) < 0) {
        return -1;
    }
    r->report.read_s = seconds() - begin;
    return r->schedule == NULL ? -1 : 0;
}

/* Write a file by `write`. */
static int write_file(const char *path, const struct run *r,
                      int (*write)(const struct run *r, FILE *to, struct tan_error *e),
                      struct tan_error *e)
{
    struct tan_output *output = tan_output_open(path, e);
    if (output == NULL) {
        return -1;
    }
    if (write(r, tan_output_stream(output), e) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

static int write_goal_text(const struct run *r, FILE *to, struct tan_error *e)
{
    return tan_goal_write_text(r->schedule, to, e);
}

static int write_goal_binary(const struct run *r, FILE *to, struct tan_error *e)
{
    return tan_goal_write_binary(r->schedule, to, e);
}

static struct tan_timeline timeline(const struct run *r)
{
    return (struct tan_timeline){
        .title = r->report.source,
        .schedule = r->schedule,
        .params = &r->params,
        .simulation = &r->simulation,
        .critical = r->path.n_steps > 0 ? &r->path : NULL,
    };
}

static int write_svg(const struct run *r, FILE *to, struct tan_error *e)
{
    const struct tan_timeline t = timeline(r);
    return tan_timeline_svg(&t, to, e);
}

/* A page shows the timeline of a small schedule; of a large one it would be most of the page. */
enum { TIMELINE_OPERATIONS = 1500 };

static bool draws_timeline(const struct run *r)
{
    return r->c->report != NULL && !r->c->compatible && r->schedule != NULL &&
           r->schedule->n_ops <= TIMELINE_OPERATIONS && r->schedule->ranks <= TAN_SVG_RANKS;
}

static json_t *document_of(const struct run *r)
{
    json_t *document = tan_sim_report_json(&r->report);
    if (document == NULL || r->c->n_traced == 0 || r->report.stuck != NULL) {
        return document;
    }
    struct tan_json_writer w = {.failed = false};
    tan_programs_set_json(&w, document, r->traces, r->times, r->c->n_traced, &r->simulation);
    return tan_json_finish(&w, document);
}

/* As JSON and as a page, with a timeline of a small schedule. */
static int deliver(const struct run *r, struct tan_error *e)
{
    struct tan_report_picture picture = {
        "Timeline", "What each rank does when; the critical path, which the end waits for, in red.",
        NULL};
    char *svg = NULL;
    size_t length;
    FILE *to = draws_timeline(r) ? open_memstream(&svg, &length) : NULL;
    int result = to == NULL ? 0 : write_svg(r, to, e);
    if (to != NULL && fclose(to) != 0) {
        result = tan_fail_nomem(e);
    }
    picture.svg = svg;
    result = result < 0 ? -1
                        : tan_report_deliver(r->c->json, r->c->report, document_of(r),
                                             svg == NULL ? NULL : &picture, e);
    free(svg);
    return result;
}

static int write_trace(const struct run *r, FILE *to, struct tan_error *e)
{
    const struct tan_timeline t = timeline(r);
    return tan_timeline_chrome(&t, to, e);
}

static int write_goal(const struct run *r, struct tan_error *e)
{
    const char *dot = strrchr(r->c->output, '.');
    if (r->c->to == TAN_SIM_SIMGRID) {
        const double flops = r->c->flops > 0 ? (double)r->c->flops : DEFAULT_FLOPS;
        return trace_simgrid_write(&r->traces[0], r->c->output, flops, e);
    }
    const bool binary = r->c->to == TAN_SIM_BY_NAME ? dot != NULL && strcmp(dot, ".bin") == 0
                                                    : r->c->to == TAN_SIM_BINARY;
    return write_file(r->c->output, r, binary ? write_goal_binary : write_goal_text, e);
}

/* A trace grows with the schedule; a picture does not. */
static int check_trace(const struct run *r, struct tan_error *e)
{
    enum { OPERATION = 400 }; /* bytes of JSON, roughly */
    const struct tan_sim_config *c = r->c;
    const int64_t size = (int64_t)r->schedule->n_ops * OPERATION;
    char need[32], limit[32];
    if (c->trace == NULL || size <= c->max_trace) {
        return 0;
    }
    return tan_fail_usage(
        e,
        "--trace would write about %s for %" PRIu32
        " operations, and --max-trace allows %s: raise it, or draw them "
        "condensed with --svg",
        tan_format_size(size >> 20 > 0 ? size >> 20 << 20 : size, need, sizeof need),
        r->schedule->n_ops, tan_format_size(c->max_trace, limit, sizeof limit));
}

/* "a, b": the traces' names, owned by the run. */
static int name_source(struct run *r, struct tan_error *e)
{
    size_t length;
    FILE *to = r->c->n_traced > 0 ? open_memstream(&r->source, &length) : NULL;
    for (size_t i = 0; to != NULL && i < r->c->n_traced; i++) {
        fprintf(to, "%s%s", i > 0 ? ", " : "", r->c->operands[i]);
    }
    return to == NULL ? (r->c->n_traced > 0 ? tan_fail_nomem(e) : 0)
                      : (fclose(to) == 0 ? 0 : tan_fail_nomem(e));
}

/* What a report says before there are results. */
static int begin_report(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    if (name_source(r, e) < 0) {
        return -1;
    }
    r->report = (struct tan_sim_report){
        .source = c->n_traced > 0      ? r->source
                  : c->file != NULL    ? c->file
                  : r->pattern != NULL ? r->pattern
                                       : c->topo,
        .sweep = c->topo != NULL ? tan_sweep_name(sweep_of(c)) : NULL,
        .waves = c->waves > 0 ? (uint32_t)c->waves : 1,
        .machine = r->machine,
        .machine_file = r->machine_file,
        .tan = c->model == TAN_SIM_TAN,
        .model = model_of(c),
        .doubts = &r->doubts,
        .defaults = r->machine == NULL && !c->costs_given,
        .params = &r->params,
        .map = c->map,
        .noise = c->noise,
        .seed = (uint64_t)c->seed,
        .simulation = &r->simulation,
        .compatible = c->compatible ? &r->compatible : NULL,
    };
    return 0;
}

static int map_ranks(struct run *r, uint32_t ranks, struct tan_error *e)
{
    if (r->c->map != NULL) {
        r->host_of = tan_host_map_load(r->c->map, ranks, e);
        if (r->host_of == NULL) {
            return -1;
        }
        r->params.host_of = r->host_of;
    }
    return 0;
}

/* Say what never happened. */
static int find_stuck(struct run *r, struct tan_error *e)
{
    const struct tan_simulation *s = &r->simulation;
    if (tan_ended_well(s)) {
        return 0;
    }
    if (trace_is_cut(r)) {
        /* files end at different calls: the last ones have no partners */
        tan_doubts_add(&r->doubts, "trace", NAN, TAN_TOUCHES_ALL,
                       "%" PRIu64 " of its last operations have no partners, since files end at "
                       "different calls",
                       s->unloaded + s->n_blocked + s->n_unmatched + s->n_unexpected +
                           s->n_unfinished);
        return 0;
    }
    r->report.stuck = &r->stuck;
    return tan_stuck_find(r->schedule, s, &r->stuck, e);
}

static int simulate(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const bool history =
        c->critical_path || c->svg != NULL || c->trace != NULL || draws_timeline(r);
    const double begin = seconds();
    if (map_ranks(r, r->schedule->ranks, e) < 0) {
        return -1;
    }
    const int result =
        c->compatible
            ? tan_simulate_compatible(r->schedule, &r->params, &r->simulation, &r->compatible, e)
            : tan_simulate(r->schedule, &r->params, history, &r->simulation, e);
    r->report.simulate_s = c->compatible ? seconds() - begin : r->simulation.run_s;
    r->report.prepare_s = r->simulation.prepare_s;
    if (result < 0) {
        return -1;
    }
    if (!tan_ended_well(&r->simulation)) {
        return find_stuck(r, e);
    }
    r->report.path = c->critical_path ? &r->path : NULL;
    return history ? tan_critical_path(r->schedule, &r->params, &r->simulation, &r->path, e) : 0;
}

/* The whole schedule under one model; seconds. */
static int finish_under(const struct run *r, const struct tan_message_model *model, double *finish,
                        struct tan_error *e)
{
    struct tan_sim_params params = r->params;
    struct tan_sized_link *links = NULL;
    struct tan_simulation simulation = {.events = 0};
    int result = set_sizes(r, model, &params, &links, e);
    if (result == 0) {
        result = change_links(r->c, &params, links, e);
    }
    if (result == 0) {
        result = tan_simulate(r->schedule, &params, false, &simulation, e);
    }
    *finish = (double)simulation.finish / 1e12;
    tan_simulation_clear(&simulation);
    free(links);
    return result;
}

/* A trace under every model of the machine file's messages. */
static int compare_models(struct run *r, struct tan_error *e)
{
    if (r->c->n_traced != 1 || r->machine == NULL || r->report.stuck != NULL) {
        return 0;
    }
    for (const struct tan_message_model *m = tan_message_models; m->name != NULL; m++) {
        struct tan_trace_outcome *outcome = &r->times->outcome[r->times->n_outcomes++];
        outcome->model = m;
        if (finish_under(r, m, &outcome->finish, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Traces that are simulated while they are read */

static bool may_be_fed(const struct tan_sim_config *c)
{
    return c->n_traced == 1 && c->extrapolate < 2 && c->output == NULL && !c->compatible &&
           c->noise == NULL && !c->critical_path && c->svg == NULL && c->trace == NULL;
}

/* Links for the sizes of the messages that were just read. */
static int keep_sizes(void *context, const struct tan_schedule_builder *b, struct tan_error *e)
{
    struct run *r = context;
    const struct tan_op *ops = tan_schedule_added_ops(b);
    for (uint32_t i = 0; i < tan_schedule_added(b); i++) {
        if (tan_op_kind(&ops[i]) == TAN_OP_SEND && !tan_sim_has_size(&r->params, ops[i].amount)) {
            struct tan_sized_link new = {.bytes = ops[i].amount};
            if (tan_message_model_link(model_of(r->c), r->machine, r->machine_file, new.bytes,
                                       &new.link, e) < 0 ||
                change_link(r->c, &new.link, e) < 0 ||
                tan_sized_links_add(&r->links, &r->params.n_sizes, &new, e) < 0) {
                return -1;
            }
            r->params.sizes = r->links;
        }
    }
    return 0;
}

static int begin_fed(void *context, uint32_t ranks, struct tan_error *e)
{
    return map_ranks(context, ranks, e);
}

static int prepare_links(struct run *r, struct tan_error *e)
{
    if (r->machine != NULL) {
        r->params.sizes = r->links = calloc(1, sizeof *r->links);
        if (r->links == NULL) {
            return tan_fail_nomem(e);
        }
    }
    return change_links(r->c, &r->params, r->links, e);
}

/* Small enough for a timeline in the page, or for a look at all models: they need the whole. */
static bool is_small(const struct run *r)
{
    enum { COMPARED_OPERATIONS = 1 << 22 };
    return (r->c->report != NULL && r->simulation.operations <= TIMELINE_OPERATIONS &&
            r->report.ranks <= TAN_SVG_RANKS) ||
           (r->machine != NULL && r->simulation.operations <= COMPARED_OPERATIONS);
}

/* 1: the schedule is to be made as a whole. */
static int simulate_fed(struct run *r, struct tan_error *e)
{
    const struct tan_sim_params params = r->params;
    const struct tan_trace_options options = trace_options(r->c);
    const struct tan_trace_watch watch = {
        .begins = begin_fed, .added = r->machine != NULL ? keep_sizes : NULL, .context = r};
    if (begin_report(r, e) < 0 || prepare_links(r, e) < 0 || begin_traces(r, e) < 0) {
        return -1;
    }
    int result = tan_trace_simulate(r->c->operands[0], &options, &r->params, &watch, r->traces,
                                    &r->simulation, &r->schedule, e);
    r->report.ranks = r->traces->ranks * r->traces->copies;
    if (result == 1 || (result == 0 && is_small(r))) {
        schedule_clear(r);
        r->params = params;
        return 1;
    }
    keep_remarks(r);
    r->report.schedule = r->schedule;
    r->report.operations = r->simulation.operations;
    r->report.read_s = r->traces->read_s;
    r->report.simulate_s = r->simulation.run_s;
    r->report.prepare_s = r->simulation.prepare_s;
    return result < 0 ? -1 : find_stuck(r, e);
}

static void print_timing(const struct run *r)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const double rate = (double)r->simulation.events / 1e6 / r->report.simulate_s;
    fprintf(stderr,
            "Timing: read %.3f s, prepared %.3f s, simulated %.3f s, %" PRIu64
            " events, %.2f M events/s, peak memory %.1f MiB\n",
            r->report.read_s, r->report.prepare_s, r->report.simulate_s, r->simulation.events, rate,
            (double)usage.ru_maxrss / 1024);
}

static bool wants_document(const struct tan_sim_config *c)
{
    return c->json != NULL || c->report != NULL;
}

static int put_out(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const bool quiet = tan_output_is_stdout(c->json) || tan_output_is_stdout(c->svg) ||
                       tan_output_is_stdout(c->trace);
    if (c->timing) {
        print_timing(r);
    }
    if (c->compatible && !quiet) {
        tan_compatible_print(r->schedule, &r->params, &r->simulation, &r->compatible, stdout);
    } else if (r->report.stuck == NULL && !quiet) {
        tan_sim_report_print(&r->report, stdout);
        if (c->n_traced > 0) {
            tan_programs_print(r->traces, r->times, c->n_traced, &r->simulation, stdout);
        }
    }
    if ((wants_document(c) && deliver(r, e) < 0) ||
        (c->svg != NULL && write_file(c->svg, r, write_svg, e) < 0) ||
        (c->trace != NULL && write_file(c->trace, r, write_trace, e) < 0)) {
        return -1;
    }
    if (r->report.stuck != NULL) {
        char text[256];
        if (!c->compatible) { /* which has printed it on stdout */
            tan_sim_report_stuck(&r->report, stderr);
        }
        return tan_fail(e, "%s: %s", r->report.source,
                        tan_sim_stuck_text(&r->simulation, &r->stuck, text, sizeof text));
    }
    return 0;
}

/* Make the schedule, and what a report of it says. */
static int make_schedule(struct run *r, struct tan_error *e)
{
    if (begin_report(r, e) < 0 || load_schedule(r, e) < 0) {
        return -1;
    }
    r->report.schedule = r->schedule;
    r->report.ranks = r->schedule->ranks;
    r->report.operations = r->schedule->n_ops;
    return 0;
}

/* Simulate all algorithms of a collective operation. */
static int compare(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    struct tan_contest contest = {.collective = c->pattern,
                                  .bytes = c->bytes >= 0 ? c->bytes : DEFAULT_BYTES};
    for (const struct tan_algorithm *a = c->algorithms;
         a->collective != NULL && strcmp(a->collective, c->algorithms->collective) == 0; a++) {
        struct tan_contestant *row = &contest.row[contest.n++];
        snprintf(row->pattern, sizeof row->pattern, "%s%.32s", a->pattern, strchr(c->pattern, ':'));
        r->pattern = row->pattern;
        row->operations = tan_pattern_operations(r->pattern, e);
        if (row->operations < 0) {
            return -1;
        }
        if (row->operations > TAN_CONTEST_OPERATIONS) {
            continue;
        }
        schedule_clear(r);
        if (make_schedule(r, e) < 0 || simulate(r, e) < 0) {
            return -1;
        }
        row->simulated = true;
        row->finish = r->simulation.finish;
    }
    tan_contest_sort(&contest);
    if (!contest.row[0].simulated) {
        return tan_fail(e,
                        "every algorithm of %s has more than %d operations: name one with "
                        "--pattern to simulate it in spite of that",
                        c->pattern, TAN_CONTEST_OPERATIONS);
    }
    /* Of the sizes that algorithms send, the report gives the one that was asked for. */
    const struct tan_sized_link asked = {(uint64_t)contest.bytes, r->params.between};
    if (r->params.n_sizes > 0) {
        r->params.sizes = &asked;
        r->params.n_sizes = 1;
    }
    if (!tan_output_is_stdout(c->json)) {
        tan_contest_print(&contest, &r->report, stdout);
    }
    return wants_document(c) ? tan_report_deliver(c->json, c->report,
                                                  tan_contest_json(&contest, &r->report), NULL, e)
                             : 0;
}

static int run_loaded(struct run *r, struct tan_error *e)
{
    if (r->c->algorithms != NULL) {
        return compare(r, e);
    }
    r->pattern = r->c->pattern;
    const int fed = may_be_fed(r->c) ? simulate_fed(r, e) : 1;
    if (fed != 1) {
        return fed < 0 ? -1 : put_out(r, e);
    }
    if (make_schedule(r, e) < 0) {
        return -1;
    }
    if (r->c->output != NULL) {
        return write_goal(r, e);
    }
    return check_trace(r, e) < 0 || simulate(r, e) < 0 || time_programs(r, e) < 0 ||
                   compare_models(r, e) < 0
               ? -1
               : put_out(r, e);
}

static int run(struct tan_sim_config *c, const struct tan_command *command, struct tan_error *e)
{
    if (tan_sim_config_check(c, command, e) < 0) {
        return -1;
    }
    if (tan_output_check(c->json, e) < 0 || tan_output_check(c->report, e) < 0 ||
        tan_output_check(c->svg, e) < 0 || tan_output_check(c->trace, e) < 0) {
        return -1;
    }
    struct run r = {.c = c};
    int result = load_costs(&r, e) < 0 ? -1 : run_loaded(&r, e);
    if (result == 0 && c->output == NULL) {
        result = tan_doubts_fail(&r.doubts, e);
    }
    run_clear(&r);
    return result;
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    struct tan_sim_config config = TAN_SIM_CONFIG_INIT;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    if (tan_cli_parse(&tan_sim_cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action == TAN_CLI_RUN) {
            run(&config, answer.command, &e);
        } else {
            tan_cli_print(&tan_sim_cli, &answer);
        }
        tan_cli_close_stdout(&e);
    }
    return e.status == TAN_DONE ? TAN_DONE : tan_error_print(&e, tan_sim_cli.program, stderr);
}
