/* sim_options.c - the command line of tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_options.h"

#include <string.h>

#include "base/units.h"
#include "sim/engine/link_options.h"
#include "sim/engine/noise.h"
#include "sim/schedule/patterns.h"
#include "sim/schedule/times.h"
#include "topo/spec.h"

static int set_file(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->file = value;
    return 0;
}

static int set_topo(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->topo = value;
    return 0;
}

static int set_pattern(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->pattern = value;
    return 0;
}

static int set_bytes(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_size("--bytes", value, 0, (int64_t)TAN_SCHEDULE_MAX_BYTES,
                          &((struct tan_sim_config *)config)->bytes, e);
}

static int set_sweep(void *config, const char *value, struct tan_error *e)
{
    ((struct tan_sim_config *)config)->sweep_given = true;
    return tan_sweep_parse(value, &((struct tan_sim_config *)config)->sweep, e);
}

static int set_waves(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--waves", value, 1, TAN_WAVE_MAX_WAVES,
                           &((struct tan_sim_config *)config)->waves, e);
}

static int set_cost(void *config, char name, const char *what, const char *value,
                    struct tan_error *e)
{
    struct tan_sim_config *c = config;
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
    struct tan_sim_config *c = config;
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
    return tan_handshake_parse(value, &((struct tan_sim_config *)config)->params.handshake, e);
}

static int set_control(void *config, const char *value, struct tan_error *e)
{
    struct tan_sim_config *c = config;
    c->control_given = true;
    return tan_parse_ps("--control", value, &c->params.control, e);
}

static int set_growth(void *config, const char *value, struct tan_error *e)
{
    return tan_growth_parse(value, &((struct tan_sim_config *)config)->params, e);
}

static int set_ranks_per_host(void *config, const char *value, struct tan_error *e)
{
    int64_t ranks;
    if (tan_parse_count("--ranks-per-host", value, 1, TAN_SCHEDULE_MAX_RANKS, &ranks, e) < 0) {
        return -1;
    }
    ((struct tan_sim_config *)config)->params.ranks_per_host = (uint32_t)ranks;
    return 0;
}

static int set_map(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->map = value;
    return 0;
}

static int set_cores(void *config, const char *value, struct tan_error *e)
{
    enum { MOST_CORES = 65536 };
    int64_t cores;
    if (tan_parse_count("--cores", value, 1, MOST_CORES, &cores, e) < 0) {
        return -1;
    }
    ((struct tan_sim_config *)config)->params.cores = (uint32_t)cores;
    return 0;
}

static int set_within(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->within = value;
    return 0;
}

static int set_between(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->between = value;
    return 0;
}

static int set_noise(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->noise = value;
    return 0;
}

static int set_seed(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--seed", value, 0, INT64_MAX, &((struct tan_sim_config *)config)->seed,
                           e);
}

static int set_machine(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->machine = value;
    return 0;
}

static int set_model(void *config, const char *value, struct tan_error *e)
{
    const bool tan = strcmp(value, "tan") == 0;
    if (!tan && strcmp(value, "loggops") != 0) {
        return tan_fail_usage(e, "--model must be loggops or tan, not \"%s\"", value);
    }
    ((struct tan_sim_config *)config)->model = tan ? TAN_SIM_TAN : TAN_SIM_LOGGOPS;
    return 0;
}

static int set_compatible(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct tan_sim_config *)config)->compatible = true;
    return 0;
}

static int set_goal(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->goal = value;
    return 0;
}

static int set_to(void *config, const char *value, struct tan_error *e)
{
    if (strcmp(value, "goal") != 0 && strcmp(value, "binary") != 0) {
        return tan_fail_usage(e, "--to must be goal or binary, not \"%s\"", value);
    }
    ((struct tan_sim_config *)config)->to = value;
    return 0;
}

static int set_json(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->json = value;
    return 0;
}

static int set_svg(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->svg = value;
    return 0;
}

static int set_trace(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct tan_sim_config *)config)->trace = value;
    return 0;
}

static int set_critical_path(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct tan_sim_config *)config)->critical_path = true;
    return 0;
}

static int set_timing(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct tan_sim_config *)config)->timing = true;
    return 0;
}

static int add_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    struct tan_sim_config *c = config;
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

const struct tan_cli tan_sim_cli = {
    .program = "tan-sim",
    .usage = "[OPTION]... FILE\n"
             "[OPTION]... --pattern=SPEC\n"
             "[OPTION]... --topo=SPEC\n"
             "convert IN OUT [--to=FORMAT]",
    .purpose = "Simulate a schedule of sends, receives and calculations under the LogGOPS model, "
               "or the waves of an aggregation tree. FILE - is standard input.",
    .options = options,
    .max_operands = TAN_SIM_OPERANDS,
    .more_help = more_help,
    .operand = add_operand,
};

bool tan_sim_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* "convert IN OUT" is "--goal OUT IN". */
static int take_convert(struct tan_sim_config *c, struct tan_error *e)
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

static int check_source(struct tan_sim_config *c, struct tan_error *e)
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

static int check_model(struct tan_sim_config *c, struct tan_error *e)
{
    if (c->model == TAN_SIM_BY_OPTIONS) {
        c->model = c->machine != NULL ? TAN_SIM_TAN : TAN_SIM_LOGGOPS;
    }
    if (c->model == TAN_SIM_LOGGOPS) {
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

int tan_sim_config_check(struct tan_sim_config *c, struct tan_error *e)
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
         c->model == TAN_SIM_TAN || c->params.handshake != TAN_HANDSHAKE_NONE)) {
        return tan_fail_usage(e, "--compatible knows what LogGOPSim knows: of the options for what "
                                 "things cost only -L, -o, -g, -G, -O and -S, and no timelines");
    }
    if (tan_sim_is_stdout(c->json) + tan_sim_is_stdout(c->svg) + tan_sim_is_stdout(c->trace) > 1) {
        return tan_fail_usage(e, "only one of --json, --svg and --trace can go to standard output");
    }
    return 0;
}
