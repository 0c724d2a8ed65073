/* tan-sim.c - program: simulates what ranks send, receive and calculate
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/output.h"
#include "base/units.h"
#include "model/wave.h"
#include "sim/compatible_report.h"
#include "sim/goal.h"
#include "sim/host_map.h"
#include "sim/link_options.h"
#include "sim/noise.h"
#include "sim/patterns.h"
#include "sim/result_report.h"
#include "sim/times.h"
#include "sim/timeline.h"
#include "sim/tree_wave.h"
#include "topo/spec.h"

enum { MOST_OPERANDS = 3, DEFAULT_BYTES = 8 };

enum machine_model { MODEL_BY_OPTIONS, MODEL_LOGGOPS, MODEL_TAN };

struct config {
    /* where the schedule comes from */
    const char *operands[MOST_OPERANDS];
    int n_operands;
    const char *file, *topo, *pattern;
    int64_t bytes; /* -1: not given */
    int64_t waves; /* 0: not given */
    enum tan_sweep sweep;
    bool sweep_given;

    /* what things cost */
    struct tan_sim_params params;
    const char *within, *between; /* NULL: not given */
    bool costs_given, eager_given, control_given;
    enum machine_model model;
    const char *machine, *map, *noise;
    int64_t seed;
    bool compatible;

    /* what comes of it */
    const char *goal, *json, *svg, *trace, *to;
    bool critical_path, timing;
};

/* Options */

static int set_file(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->file = value;
    return 0;
}

static int set_topo(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->topo = value;
    return 0;
}

static int set_pattern(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->pattern = value;
    return 0;
}

static int set_bytes(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_size("--bytes", value, 0, (int64_t)TAN_SCHEDULE_MAX_BYTES,
                          &((struct config *)config)->bytes, e);
}

static int set_sweep(void *config, const char *value, struct tan_error *e)
{
    ((struct config *)config)->sweep_given = true;
    return tan_sweep_parse(value, &((struct config *)config)->sweep, e);
}

static int set_waves(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--waves", value, 1, TAN_WAVE_MAX_WAVES,
                           &((struct config *)config)->waves, e);
}

static int set_cost(void *config, char name, const char *what, const char *value,
                    struct tan_error *e)
{
    struct config *c = config;
    c->costs_given = true;
    return tan_link_set(&c->params.between, name, what, value, e);
}

static int set_L(void *config, const char *value, struct tan_error *e)
{
    return set_cost(config, 'L', "--latency", value, e);
}

static int set_o(void *config, const char *value, struct tan_error *e)
{
    return set_cost(config, 'o', "--overhead", value, e);
}

static int set_g(void *config, const char *value, struct tan_error *e)
{
    return set_cost(config, 'g', "--gap", value, e);
}

static int set_G(void *config, const char *value, struct tan_error *e)
{
    return set_cost(config, 'G', "--gap-per-byte", value, e);
}

static int set_O(void *config, const char *value, struct tan_error *e)
{
    return set_cost(config, 'O', "--overhead-per-byte", value, e);
}

static int set_S(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    int64_t bytes;
    if (tan_parse_size("--eager", value, 0, (int64_t)TAN_SCHEDULE_MAX_BYTES, &bytes, e) < 0) {
        return -1;
    }
    c->eager_given = true;
    c->params.S = (uint64_t)bytes;
    return 0;
}

static int set_handshake(void *config, const char *value, struct tan_error *e)
{
    return tan_handshake_parse(value, &((struct config *)config)->params.handshake, e);
}

static int set_control(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    c->control_given = true;
    return tan_parse_ps("--control", value, &c->params.control, e);
}

static int set_growth(void *config, const char *value, struct tan_error *e)
{
    return tan_growth_parse(value, &((struct config *)config)->params, e);
}

static int set_ranks_per_host(void *config, const char *value, struct tan_error *e)
{
    int64_t ranks;
    if (tan_parse_count("--ranks-per-host", value, 1, TAN_SCHEDULE_MAX_RANKS, &ranks, e) < 0) {
        return -1;
    }
    ((struct config *)config)->params.ranks_per_host = (uint32_t)ranks;
    return 0;
}

static int set_map(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->map = value;
    return 0;
}

static int set_cores(void *config, const char *value, struct tan_error *e)
{
    enum { MOST_CORES = 65536 };
    int64_t cores;
    if (tan_parse_count("--cores", value, 1, MOST_CORES, &cores, e) < 0) {
        return -1;
    }
    ((struct config *)config)->params.cores = (uint32_t)cores;
    return 0;
}

static int set_within(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->within = value;
    return 0;
}

static int set_between(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->between = value;
    return 0;
}

static int set_noise(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->noise = value;
    return 0;
}

static int set_seed(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--seed", value, 0, INT64_MAX, &((struct config *)config)->seed, e);
}

static int set_machine(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->machine = value;
    return 0;
}

static int set_model(void *config, const char *value, struct tan_error *e)
{
    const bool tan = strcmp(value, "tan") == 0;
    if (!tan && strcmp(value, "loggops") != 0) {
        return tan_fail_usage(e, "--model must be loggops or tan, not \"%s\"", value);
    }
    ((struct config *)config)->model = tan ? MODEL_TAN : MODEL_LOGGOPS;
    return 0;
}

static int set_compatible(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct config *)config)->compatible = true;
    return 0;
}

static int set_goal(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->goal = value;
    return 0;
}

static int set_to(void *config, const char *value, struct tan_error *e)
{
    if (strcmp(value, "goal") != 0 && strcmp(value, "binary") != 0) {
        return tan_fail_usage(e, "--to must be goal or binary, not \"%s\"", value);
    }
    ((struct config *)config)->to = value;
    return 0;
}

static int set_json(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->json = value;
    return 0;
}

static int set_svg(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->svg = value;
    return 0;
}

static int set_trace(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->trace = value;
    return 0;
}

static int set_critical_path(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct config *)config)->critical_path = true;
    return 0;
}

static int set_timing(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct config *)config)->timing = true;
    return 0;
}

static int add_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    struct config *c = config;
    c->operands[c->n_operands++] = value;
    return 0;
}

/* The command line */

static const struct tan_option options[] = {
    {"", 0, NULL, "The schedule, besides FILE (GOAL; text, binary or either compressed):", NULL},
    {"pattern", 'p', "SPEC", "a communication pattern, see below", set_pattern},
    {"topo", 't', "SPEC", "a wave over a tree, see below; rank r is node r", set_topo},
    {"bytes", 'b', "SIZE", "size of the messages of a pattern or wave [8, or the machine file's]",
     set_bytes},
    {"sweep", 0, "WAY", "the wave goes up (to the root), down, or round (down and up again) [up]",
     set_sweep},
    {"waves", 'w', "W", "so many waves, each as soon as possible after the one before [1]",
     set_waves},
    {"file", 'f', "FILE", "the same as FILE alone", set_file},
    {"", 0, NULL,
     "LogGOPS parameters; a bare number is nanoseconds, 2.5us or 3ms are understood:", NULL},
    {"latency", 'L', "TIME", "latency [2500]", set_L},
    {"overhead", 'o', "TIME", "CPU time of a message at its sender and at its receiver [1500]",
     set_o},
    {"gap", 'g', "TIME", "gap between the messages of a NIC [1000]", set_g},
    {"gap-per-byte", 'G', "TIME", "gap for each byte [6]", set_G},
    {"overhead-per-byte", 'O', "TIME", "CPU time for each byte [0]", set_O},
    {"eager", 'S', "SIZE", "longest message that is sent before its receiver is ready [65535]",
     set_S},
    {"", 0, NULL, "Beyond LogGOPS:", NULL},
    {"handshake", 0, "NAME",
     "before a longer message: none, rat (request, acknowledge, transfer: the sender pushes) "
     "or rta (request, transfer, acknowledge: the receiver pulls) [none]",
     set_handshake},
    {"control", 0, "TIME", "CPU time of one message of a handshake [as --overhead]", set_control},
    {"growth", 0, "A,B,C",
     "receiving costs A + B w + C w^2 while w messages wait, in place of --overhead", set_growth},
    {"ranks-per-host", 0, "R", "hosts hold R ranks each, in order", set_ranks_per_host},
    {"map", 0, "FILE", "names of hosts, one for each rank", set_map},
    {"cores", 0, "C", "the ranks of a host share C cores", set_cores},
    {"within", 0, "COSTS", "within a host other parameters, such as L=500,o=200,G=0.04",
     set_within},
    {"between", 0, "COSTS", "between hosts other parameters, likewise", set_between},
    {"noise", 0, "SPEC", "every message takes longer by chance, see below", set_noise},
    {"seed", 0, "N", "draws other times [1]", set_seed},
    {"", 0, NULL, "TAN (waves only):", NULL},
    {"machine", 'm', "FILE",
     "the TAN parameters of this machine, in place of LogGOPS [with --model=tan: those "
     "of the last calibration, else Cab's]",
     set_machine},
    {"model", 0, "NAME", "loggops or tan [tan with --machine, else loggops]", set_model},
    {"", 0, NULL, "The result:", NULL},
    {"critical-path", 'c', NULL, "say what the finish time is made of", set_critical_path},
    {"json", 'j', "FILE", "write everything as JSON here (-: standard output, no report)",
     set_json},
    {"svg", 0, "FILE", "draw a timeline", set_svg},
    {"trace", 0, "FILE", "write a timeline for Perfetto or chrome://tracing", set_trace},
    {"timing", 0, NULL, "say on standard error what reading and simulating took", set_timing},
    {"compatible", 0, NULL,
     "simulate exactly as LogGOPSim does, its errors included, and print what it prints",
     set_compatible},
    {"", 0, NULL, "No simulation:", NULL},
    {"goal", 0, "FILE", "write the schedule as GOAL and do no more", set_goal},
    {"to", 0, "FORMAT", "goal (text) or binary (LogGOPSim's) [binary when the file ends in .bin]",
     set_to},
    {NULL, 0, NULL, NULL, NULL},
};

static void more_help(FILE *to)
{
    fputs("Patterns of P ranks (1 to 512Mi, such as 1000, 4k or 64Ki):\n", to);
    tan_pattern_help(to);
    fputs("\nTrees:\n", to);
    tan_spec_help(to);
    fputs("\nNoise; TIMEs such as 500 (nanoseconds) or 2us:\n", to);
    tan_noise_help(to);
    fputs("\nExit status: 0 done, 1 failed, or the job never ends, 2 wrong usage.\n", to);
}

static const struct tan_cli cli = {
    .program = "tan-sim",
    .usage = "[OPTION]... FILE\n"
             "[OPTION]... --pattern=SPEC\n"
             "[OPTION]... --topo=SPEC\n"
             "convert IN OUT [--to=FORMAT]",
    .purpose = "Simulate a schedule of sends, receives and calculations under the LogGOPS model, "
               "or the waves of an aggregation tree. FILE - is standard input.",
    .options = options,
    .max_operands = MOST_OPERANDS,
    .more_help = more_help,
    .operand = add_operand,
};

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* "convert IN OUT" is "--goal OUT IN". */
static int take_convert(struct config *c, struct tan_error *e)
{
    if (c->n_operands == 0 || strcmp(c->operands[0], "convert") != 0) {
        return 0;
    }
    if (c->n_operands != 3 || c->file != NULL || c->goal != NULL || c->topo != NULL ||
        c->pattern != NULL) {
        return tan_fail_usage(e, "convert takes two files: tan-sim convert IN OUT (a schedule in a "
                                 "file named convert is ./convert)");
    }
    c->goal = c->operands[2];
    c->operands[0] = c->operands[1];
    c->n_operands = 1;
    return 0;
}

static int check_source(struct config *c, struct tan_error *e)
{
    if (c->n_operands > 1) {
        return tan_fail_usage(e, "\"%s\" is one schedule too many", c->operands[1]);
    }
    if (c->n_operands == 1 && c->file != NULL) {
        return tan_fail_usage(e, "\"%s\" and --file name two schedules", c->operands[0]);
    }
    c->file = c->n_operands == 1 ? c->operands[0] : c->file;
    const int sources = (c->file != NULL) + (c->topo != NULL) + (c->pattern != NULL);
    if (sources != 1) {
        return tan_fail_usage(e, sources == 0 ? "say what to simulate: a FILE, --pattern or --topo"
                                              : "a FILE, --pattern and --topo exclude each other");
    }
    if (c->topo == NULL && (c->waves > 0 || c->sweep_given)) {
        return tan_fail_usage(e, "--waves and --sweep are for the waves of --topo");
    }
    if (c->file != NULL && c->bytes >= 0) {
        return tan_fail_usage(e, "--bytes is for --pattern and --topo: a file says what it sends");
    }
    return 0;
}

static int check_model(struct config *c, struct tan_error *e)
{
    if (c->model == MODEL_BY_OPTIONS) {
        c->model = c->machine != NULL ? MODEL_TAN : MODEL_LOGGOPS;
    }
    if (c->model == MODEL_LOGGOPS) {
        return c->machine == NULL ? 0
                                  : tan_fail_usage(e, "--machine has the parameters of TAN: "
                                                      "--model=loggops takes -L, -o, -g, -G, -O");
    }
    if (c->topo == NULL) {
        return tan_fail_usage(e, "the TAN model is for the waves of --topo");
    }
    if (c->costs_given || c->eager_given || c->params.growing || c->control_given ||
        c->params.handshake != TAN_HANDSHAKE_NONE) {
        return tan_fail_usage(e, "under TAN the machine file says what messages cost: -L, -o, -g, "
                                 "-G, -O, -S, --handshake, --control and --growth are LogGOPS's");
    }
    return 0;
}

static int check_config(struct config *c, struct tan_error *e)
{
    if (take_convert(c, e) < 0 || check_source(c, e) < 0 || check_model(c, e) < 0) {
        return -1;
    }
    const bool hosts = c->params.ranks_per_host > 0 || c->map != NULL;
    if (c->params.ranks_per_host > 0 && c->map != NULL) {
        return tan_fail_usage(e, "--ranks-per-host and --map exclude each other");
    }
    if (!hosts && (c->within != NULL || c->params.cores > 0)) {
        return tan_fail_usage(e, "%s needs hosts with several ranks: add --ranks-per-host or --map",
                              c->within != NULL ? "--within" : "--cores");
    }
    if (c->to != NULL && c->goal == NULL) {
        return tan_fail_usage(e, "--to says how --goal or convert writes, and there is neither");
    }
    const bool history = c->critical_path || c->svg != NULL || c->trace != NULL;
    if (c->goal != NULL && (history || c->json != NULL || c->compatible || c->timing)) {
        return tan_fail_usage(e, "--goal and convert simulate nothing: --json, --svg, --trace, "
                                 "--critical-path, --timing and --compatible do not go with them");
    }
    if (c->compatible &&
        (history || hosts || c->noise != NULL || c->between != NULL || c->params.growing ||
         c->model == MODEL_TAN || c->params.handshake != TAN_HANDSHAKE_NONE)) {
        return tan_fail_usage(e, "--compatible knows what LogGOPSim knows: of the options for what "
                                 "things cost only -L, -o, -g, -G, -O and -S, and no timelines");
    }
    if (is_stdout(c->json) + is_stdout(c->svg) + is_stdout(c->trace) > 1) {
        return tan_fail_usage(e, "only one of --json, --svg and --trace can go to standard output");
    }
    return 0;
}

/* What it does */

/* Everything that a run holds. */
struct run {
    const struct config *c;
    struct tan_sim_params params;
    struct tan_machine *machine;
    char *machine_file;
    struct tan_noise *noise;
    uint32_t *host_of;
    struct tan_schedule *schedule;
    struct tan_simulation simulation;
    struct tan_stuck stuck;
    struct tan_critical_path path;
    struct tan_sim_report report;
};

static void run_clear(struct run *r)
{
    tan_machine_destroy(r->machine);
    free(r->machine_file);
    tan_noise_destroy(r->noise);
    free(r->host_of);
    tan_schedule_destroy(r->schedule);
    tan_simulation_clear(&r->simulation);
    tan_stuck_clear(&r->stuck);
    tan_critical_path_clear(&r->path);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int load_costs(struct run *r, struct tan_error *e)
{
    const struct config *c = r->c;
    r->params = c->params;
    if (c->model == MODEL_TAN) {
        r->machine = tan_machine_find(c->machine, &r->machine_file, e);
        if (r->machine == NULL || tan_wave_link(&r->machine->tan, &r->params.between, e) < 0) {
            return -1;
        }
        r->params.S = TAN_SCHEDULE_MAX_BYTES;
    }
    r->params.within = r->params.between;
    if ((c->between != NULL &&
         tan_link_parse(&r->params.between, "--between", c->between, e) < 0) ||
        (c->within != NULL && tan_link_parse(&r->params.within, "--within", c->within, e) < 0)) {
        return -1;
    }
    if (!c->control_given) {
        r->params.control = r->params.between.o;
    }
    if (c->noise != NULL && (r->noise = tan_noise_parse(c->noise, (uint64_t)c->seed, e)) == NULL) {
        return -1;
    }
    r->params.noise = r->noise;
    return 0;
}

static struct tan_schedule *make_wave(const struct run *r, struct tan_error *e)
{
    const struct config *c = r->c;
    const uint32_t waves = c->waves > 0 ? (uint32_t)c->waves : 1;
    struct tan_tree *tree = tan_spec_build(c->topo, e);
    if (tree == NULL) {
        return NULL;
    }
    uint64_t bytes = c->bytes >= 0 ? (uint64_t)c->bytes : DEFAULT_BYTES;
    struct tan_schedule *schedule;
    if (r->machine != NULL) {
        bytes = c->bytes >= 0 ? bytes : (uint64_t)r->machine->tan.bytes;
        schedule = tan_wave_schedule_tan(tree, c->sweep, waves, bytes, &r->machine->tan, e);
    } else {
        schedule = tan_wave_schedule(tree, c->sweep, waves, bytes, e);
    }
    tan_tree_destroy(tree);
    return schedule;
}

static int load_schedule(struct run *r, struct tan_error *e)
{
    const struct config *c = r->c;
    const double begin = seconds();
    if (c->file != NULL) {
        const struct tan_goal_options how = {.compatible = c->compatible};
        r->schedule = tan_goal_load(c->file, &how, e);
    } else if (c->pattern != NULL) {
        r->schedule =
            tan_pattern_build(c->pattern, c->bytes >= 0 ? (uint64_t)c->bytes : DEFAULT_BYTES, e);
    } else {
        r->schedule = make_wave(r, e);
    }
    r->report.read_s = seconds() - begin;
    return r->schedule == NULL ? -1 : 0;
}

/* Write a file with what `write` puts into a stream. */
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

static int write_trace(const struct run *r, FILE *to, struct tan_error *e)
{
    const struct tan_timeline t = timeline(r);
    return tan_timeline_chrome(&t, to, e);
}

static int write_goal(const struct run *r, struct tan_error *e)
{
    const char *dot = strrchr(r->c->goal, '.');
    const bool binary = r->c->to != NULL ? strcmp(r->c->to, "binary") == 0
                                         : dot != NULL && strcmp(dot, ".bin") == 0;
    return write_file(r->c->goal, r, binary ? write_goal_binary : write_goal_text, e);
}

static int write_json(const struct run *r, struct tan_error *e)
{
    struct json_t *document = tan_sim_report_json(&r->report);
    if (document == NULL) {
        return tan_fail(e, "cannot write %s: a text is not valid UTF-8, or memory is short",
                        r->c->json);
    }
    const int result = tan_json_save(r->c->json, document, e);
    json_decref(document);
    return result;
}

static int simulate(struct run *r, struct tan_error *e)
{
    const struct config *c = r->c;
    const bool history = c->critical_path || c->svg != NULL || c->trace != NULL;
    const double begin = seconds();
    if (c->map != NULL) {
        r->host_of = tan_host_map_load(c->map, r->schedule->ranks, e);
        if (r->host_of == NULL) {
            return -1;
        }
        r->params.host_of = r->host_of;
    }
    const int result = c->compatible
                           ? tan_simulate_compatible(r->schedule, &r->params, &r->simulation, e)
                           : tan_simulate(r->schedule, &r->params, history, &r->simulation, e);
    r->report.simulate_s = c->compatible ? seconds() - begin : r->simulation.run_s;
    r->report.prepare_s = r->simulation.prepare_s;
    if (result < 0) {
        return -1;
    }
    if (!tan_ended_well(&r->simulation)) {
        r->report.stuck = &r->stuck;
        return tan_stuck_find(r->schedule, &r->simulation, &r->stuck, e);
    }
    r->report.path = c->critical_path ? &r->path : NULL;
    return history ? tan_critical_path(r->schedule, &r->params, &r->simulation, &r->path, e) : 0;
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

static int put_out(struct run *r, struct tan_error *e)
{
    const struct config *c = r->c;
    const bool quiet = is_stdout(c->json) || is_stdout(c->svg) || is_stdout(c->trace);
    if (c->timing) {
        print_timing(r);
    }
    if (c->compatible && !quiet) {
        tan_compatible_print(r->schedule, &r->params, &r->simulation, stdout);
    } else if (r->report.stuck == NULL && !quiet) {
        tan_sim_report_print(&r->report, stdout);
    }
    if ((c->json != NULL && write_json(r, e) < 0) ||
        (c->svg != NULL && write_file(c->svg, r, write_svg, e) < 0) ||
        (c->trace != NULL && write_file(c->trace, r, write_trace, e) < 0)) {
        return -1;
    }
    if (r->report.stuck != NULL) {
        char text[256];
        if (!c->compatible) { /* which has said it on stdout */
            tan_sim_report_stuck(&r->report, stderr);
        }
        return tan_fail(e, "%s: %s", r->report.source,
                        tan_sim_stuck_text(&r->simulation, &r->stuck, text, sizeof text));
    }
    return 0;
}

static int run(struct config *c, struct tan_error *e)
{
    if (check_config(c, e) < 0) {
        return -1;
    }
    struct run r = {.c = c};
    int result = -1;
    if (load_costs(&r, e) == 0 && load_schedule(&r, e) == 0) {
        r.report = (struct tan_sim_report){
            .source = c->file != NULL      ? c->file
                      : c->pattern != NULL ? c->pattern
                                           : c->topo,
            .sweep = c->topo != NULL ? tan_sweep_name(c->sweep) : NULL,
            .waves = c->waves > 0 ? (uint32_t)c->waves : 1,
            .machine = r.machine,
            .machine_file = r.machine_file,
            .schedule = r.schedule,
            .params = &r.params,
            .map = c->map,
            .noise = c->noise,
            .seed = (uint64_t)c->seed,
            .simulation = &r.simulation,
            .compatible = c->compatible,
            .read_s = r.report.read_s,
        };
        result = c->goal != NULL                             ? write_goal(&r, e)
                 : simulate(&r, e) < 0 || put_out(&r, e) < 0 ? -1
                                                             : 0;
    }
    run_clear(&r);
    return result;
}

int main(int argc, char **argv)
{
    struct config config = {
        .params = tan_sim_defaults, .bytes = -1, .sweep = TAN_SWEEP_UP, .seed = 1};
    struct tan_error e = TAN_ERROR_INIT;
    enum tan_cli_action action;
    if (tan_cli_parse(&cli, &config, argc, argv, &action, &e) == 0) {
        if (action == TAN_CLI_RUN) {
            run(&config, &e);
        } else {
            tan_cli_answer(&cli, action);
        }
        tan_cli_close_stdout(&e);
    }
    return e.status == TAN_DONE ? TAN_DONE : tan_error_print(&e, cli.program, stderr);
}
