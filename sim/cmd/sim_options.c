/* sim_options.c - command line of tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/engine/noise.h"
#include "sim/trace/trace_program.h"
#include "topo/spec.h"

static int set_sweep(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return tan_sweep_parse(value, &((struct tan_sim_config *)config)->source.sweep, e);
}

static int set_cost(void *config, char name, const char *what, const char *value,
                    struct tan_error *e)
{
    struct tan_sim_config *c = config;
    c->costs_given = true;
    return tan_link_set(&c->params.between, name, what, value, e);
}

#define COST_SETTER(letter)                                                                        \
    static int set_##letter(void *config, const char *what, const char *value,                     \
                            struct tan_error *e)                                                   \
    {                                                                                              \
        return set_cost(config, #letter[0], what, value, e);                                       \
    }
COST_SETTER(L)
COST_SETTER(o)
COST_SETTER(g)
COST_SETTER(G)
COST_SETTER(O)

static int add_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    struct tan_sim_config *c = config;
    c->operands[c->n_operands++] = value;
    return 0;
}

static int add_value(struct tan_sim_values *values, const char *what, const char *value,
                     struct tan_error *e)
{
    if (values->n == TAN_SIM_VALUES) {
        return tan_fail_usage(e, "%s: more than %d of them", what, TAN_SIM_VALUES);
    }
    values->text[values->n++] = value;
    return 0;
}

static int add_collective(void *config, const char *what, const char *value, struct tan_error *e)
{
    return add_value(&((struct tan_sim_config *)config)->collectives.chosen, what, value, e);
}

static int add_within(void *config, const char *what, const char *value, struct tan_error *e)
{
    return add_value(&((struct tan_sim_config *)config)->within, what, value, e);
}

static int add_setting(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct tan_link any = {.L = 0};
    return add_value(&((struct tan_sim_config *)config)->settings, what, value, e) < 0
               ? -1
               : tan_link_change(&any, what, value, NULL, e);
}

static int set_sensitivity(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct tan_sim_config *c = config;
    return tan_cost_ranges_parse(what, value, c->sensitivity, &c->n_sensitivity, e);
}

/* Options */

const char *const tan_sim_models[] = {[TAN_SIM_BY_OPTIONS] = "auto",
                                      [TAN_SIM_LOGGOPS] = "loggops",
                                      [TAN_SIM_TAN] = "tan",
                                      [TAN_SIM_LOGGP] = "loggp",
                                      [TAN_SIM_LOGGPO] = "loggpo",
                                      [TAN_SIM_FITTED] = "fitted",
                                      [TAN_SIM_NO_OVERLAP] = "no-overlap",
                                      [TAN_SIM_INDEPENDENT] = "independent",
                                      NULL};
#define AT(member) offsetof(struct tan_sim_config, member)

static const struct tan_option schedule_rows[] = {
    TAN_HEADING("The schedule, besides FILE (GOAL; text, binary or either compressed):"),
    TAN_TEXT("pattern", 'p', "SPEC", "a communication pattern, see below", AT(source.pattern)),
    TAN_TEXT("topo", 't', "SPEC", "a wave over a tree, see below; rank r is node r",
             AT(source.topo)),
    TAN_SIZE("bytes", 'b', "SIZE",
             "size of the messages of a pattern or wave [8, or the machine file's]",
             AT(source.bytes), 0, (int64_t)TAN_SCHEDULE_MAX_BYTES),
    TAN_CALL("sweep", 0, "WAY",
             "the wave goes up (to the root), down, or round (down and up again) [up]", set_sweep),
    TAN_OPTIONS_END,
};

static const struct tan_option loggops_rows[] = {
    TAN_HEADING("LogGOPS parameters, such as 40ns, 2.5us or 3ms; after the one-letter options a "
                "bare number "
                "is nanoseconds:"),
    TAN_CALL("latency", 'L', "TIME", "latency [2500ns]", set_L),
    TAN_CALL("overhead", 'o', "TIME",
             "CPU time of a message at its sender and at its receiver [1500ns]", set_o),
    TAN_CALL("gap", 'g', "TIME", "gap between the messages of a NIC [1000ns]", set_g),
    TAN_CALL("gap-per-byte", 'G', "TIME", "gap for each byte [6ns]", set_G),
    TAN_CALL("overhead-per-byte", 'O', "TIME", "CPU time for each byte [0]", set_O),
    TAN_SIZE("eager", 'S', "SIZE",
             "longest message that is sent before its receiver is ready [65535]", AT(eager), 0,
             (int64_t)TAN_SCHEDULE_MAX_BYTES),
    TAN_OPTIONS_END,
};

static const struct tan_option beyond_rows[] = {
    TAN_HEADING("Beyond LogGOPS:"),
    TAN_CHOICE(
        "handshake", 0, "NAME",
        "before a longer message: none, rat (request, acknowledge, transfer: the sender pushes), "
        "rta (request, transfer, acknowledge: the receiver pulls) or fetch (as rta, by the "
        "receiver's CPU) [none]",
        AT(params.handshake), tan_handshakes),
    TAN_COUNT("ranks-per-host", 0, "R", "hosts hold R ranks each, in order", AT(ranks_per_host), 1,
              TAN_SCHEDULE_MAX_RANKS),
    TAN_TEXT("map", 0, "FILE", "names of hosts, one for each rank", AT(map)),
    TAN_CALL("within", 0, "COSTS",
             "within a host other parameters, such as L=500ns,o=200ns,G=0.04ns (repeatable)",
             add_within),
    TAN_CALL("set", 0, "COSTS",
             "change parameters of every message, one after the other: L=5us, L=+100us or L=-1us "
             "to add or subtract, L=*2 to multiply (L, o, g, G or O; repeatable)",
             add_setting),
    TAN_TEXT("noise", 0, "SPEC", "every message takes longer by chance, see below", AT(noise.spec)),
    TAN_COUNT("seed", 0, "N", "seed of the noise [1]", AT(noise.seed), 0, INT64_MAX),
    TAN_OPTIONS_END,
};

static const struct tan_option tan_rows[] = {
    TAN_HEADING("The machine:"),
    TAN_TEXT("machine", 'm', "FILE",
             "the parameters of this machine file, or of a shipped machine such as cab: TAN's for "
             "--topo, else its single messages (p2p) [with --model=tan: those of the last "
             "calibration, else Cab's]",
             AT(machine)),
    TAN_CHOICE("model", 0, "NAME",
               "auto, tan, which is for --topo, or of a machine file's messages loggp, loggops, "
               "loggpo, fitted, no-overlap or independent [auto: tan with --topo and --machine; "
               "else fitted, or where the file lacks its parameters loggpo for traces and loggops]",
               AT(model), tan_sim_models),
    TAN_OPTIONS_END,
};

static const struct tan_option result_rows[] = {
    TAN_HEADING("The result:"),
    TAN_FLAG("critical-path", 'c', "say what the finish time is made of", AT(critical_path)),
    TAN_CALL(
        "sensitivity", 0, "COSTS",
        "say by how much L, o or G grows when the run is first 1, 2 and 5 % longer, and with "
        "--details the finish time as a function of it: L, or L,o,G, or L=+100us for a given range",
        set_sensitivity),
    TAN_FLAG("details", 0,
             "print all of a trace's or --sensitivity's report, not only one screen of it",
             AT(details)),
    TAN_OUTPUT("json", 'j', "FILE", "write everything as JSON here (-: standard output, no report)",
               AT(output.json)),
    TAN_OUTPUT("trace", 0, "FILE", "write a timeline for Perfetto or chrome://tracing",
               AT(output.trace)),
    TAN_FLAG("compatible", 0,
             "simulate exactly as LogGOPSim does, its errors included, and print what it prints; "
             "with traces --collectives defaults to schedgen",
             AT(compatible)),
    TAN_OPTIONS_END,
};

static const struct tan_option traced_rows[] = {
    TAN_HEADING("The trace:"),
    TAN_TEXT("collectives", 0, "SET",
             "algorithms of collective operations, see below: usual or schedgen [usual]",
             AT(collectives.set)),
    TAN_CALL("collective", 0, "NAME=PATTERN",
             "the algorithm of one of them, such as bcast=pipelined-ring:1 (repeatable)",
             add_collective),
    TAN_OPTIONS_END,
};

static void schedules_help(FILE *to)
{
    fputs("Patterns of P ranks (1 to 512Mi, such as 1000, 4k or 64Ki):\n", to);
    tan_pattern_help(to);
    fputs("\nTrees:\n", to);
    tan_spec_help(to);
}

static void noise_and_status_help(FILE *to)
{
    fputs("\nNoise; TIMEs such as 500ns or 2us:\n", to);
    tan_noise_help(to);
    tan_text_wrap(to,
                  "\nExit status: 0 done, 1 failed or the job never ends, 2 wrong usage, 3 not "
                  "trustworthy.",
                  0, 0);
}

static void run_help(FILE *to)
{
    schedules_help(to);
    noise_and_status_help(to);
}

static void trace_help(FILE *to)
{
    tan_text_wrap(to,
                  "Sets of algorithms; gather and scatter are linear, allgather is a ring, "
                  "alltoallv and reduce_scatter are exchanges of pairs, scan is a chain:",
                  0, 0);
    tan_trace_algorithms_help(to);
    noise_and_status_help(to);
}

static const struct tan_command commands[] = {
    {
        .name = "run",
        .usage = "[OPTION]... FILE\n"
                 "[OPTION]... --pattern=SPEC\n"
                 "[OPTION]... --topo=SPEC",
        .purpose = "Simulate a schedule of sends, receives and calculations under the LogGOPS "
                   "model, or the waves of an aggregation tree. FILE - is standard input.",
        .groups = (const struct tan_option *const[]){schedule_rows, loggops_rows, beyond_rows,
                                                     tan_rows, result_rows, NULL},
        .max_operands = 1,
        .operand = add_operand,
        .more_help = run_help,
    },
    {
        .name = "convert",
        .usage = "[OPTION]... IN OUT\n"
                 "[OPTION]... DIR OUT\n"
                 "[OPTION]... --pattern=SPEC OUT\n"
                 "[OPTION]... --topo=SPEC OUT",
        .purpose = "Write a schedule, a pattern or the waves of a tree as GOAL, without "
                   "simulating it.",
        .groups = (const struct tan_option *const[]){schedule_rows, traced_rows, tan_rows, NULL},
        .max_operands = 2,
        .operand = add_operand,
        .more_help = schedules_help,
    },
    {
        .name = "trace",
        .usage = "[OPTION]... DIR",
        .purpose =
            "Simulate a program from its trace, the folder DIR that tan-trace (or LogGOPSim's "
            "liballprof) has written: tan-trace -o DIR mpiexec -n 2 PROGRAM.",
        .groups = (const struct tan_option *const[]){traced_rows, loggops_rows, beyond_rows,
                                                     tan_rows, result_rows, NULL},
        .max_operands = 1,
        .operand = add_operand,
        .more_help = trace_help,
    },
    {.usage = NULL},
};

static void examples_help(FILE *to)
{
    fputs("Without a command, tan-sim runs:\n"
          "  tan-sim --topo levels:16x16x16 --machine configs/cab.json\n"
          "  tan-sim --pattern dissemination:64Ki --critical-path\n"
          "  tan-sim -L 2500 -o 1500 schedule.goal\n"
          "  tan-sim convert --pattern bcast:8 schedule.goal\n"
          "  tan-sim trace trace --machine machine.json --set L=+100us\n",
          to);
}

const struct tan_cli tan_sim_cli = {
    .program = "tan-sim",
    .purpose = "Simulate what ranks send, receive and calculate under the LogGOPS model, or the "
               "waves of an aggregation tree.",
    .commands = commands,
    .more_help = examples_help,
};

/* The last operand of convert is its output file. */
static int take_output(struct tan_sim_config *c, struct tan_error *e)
{
    if (c->n_operands == 0) {
        return tan_fail_usage(
            e, "convert needs a schedule and a file to write: tan-sim convert IN OUT");
    }
    c->output.converted = c->operands[--c->n_operands];
    tan_output_expect("OUT", c->output.converted);
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* The operand is a trace. */
static int check_trace(struct tan_sim_config *c, struct tan_error *e)
{
    if (!is_folder(c->operands[0])) {
        return tan_fail(e, "%s: there is no folder of this name", c->operands[0]);
    }
    if (c->source.pattern != NULL || c->source.topo != NULL) {
        return tan_fail_usage(e, "a trace, --pattern and --topo exclude each other");
    }
    if (c->source.bytes >= 0 || c->source.sweep != 0) {
        return tan_fail_usage(e, "a trace says what it sends: --bytes is for --pattern and "
                                 "--topo, --sweep for --topo");
    }
    c->source.traced = c->operands[0];
    return 0;
}

/* Refuse a file that is not there, and whose name is that of a tree or nearly that of a pattern,
 * with its arguments. */
static int check_file_name(const char *name, struct tan_error *e)
{
    const size_t length = strcspn(name, ":");
    if (name[length] == '\0' || access(name, F_OK) == 0) {
        return 0;
    }
    if (tan_shape_find(name, length) != NULL) {
        return tan_fail_usage(e, "did you mean --topo %.64s? There is no file of this name", name);
    }
    const char *pattern = tan_pattern_nearest(name, length);
    return pattern == NULL
               ? 0
               : tan_fail_usage(e, "did you mean --pattern %s%.64s? There is no file %.64s",
                                pattern, name + length, name);
}

static int check_source(struct tan_sim_config *c, struct tan_error *e)
{
    if (check_file_name(c->n_operands > 0 ? c->operands[0] : "", e) < 0) {
        return -1;
    }
    if (c->n_operands == 1 && is_folder(c->operands[0])) {
        return check_trace(c, e);
    }
    c->source.file = c->n_operands == 1 ? c->operands[0] : NULL;
    if (c->collectives.set != NULL || c->collectives.chosen.n > 0) {
        return tan_fail_usage(e, "--collectives and --collective are for traces");
    }
    const int sources =
        (c->source.file != NULL) + (c->source.topo != NULL) + (c->source.pattern != NULL);
    if (sources != 1) {
        return tan_fail_usage(e, sources == 0 ? "name a schedule: a FILE, --pattern or --topo"
                                              : "a FILE, --pattern and --topo exclude each other");
    }
    c->source.algorithms = c->source.pattern != NULL ? tan_algorithms_of(c->source.pattern) : NULL;
    if (c->source.topo == NULL && c->source.sweep != 0) {
        return tan_fail_usage(e, "--sweep is for the waves of --topo");
    }
    if (c->source.file != NULL && c->source.bytes >= 0) {
        return tan_fail_usage(e, "--bytes is for --pattern and --topo: a file says what it sends");
    }
    return 0;
}

static int check_model(struct tan_sim_config *c, struct tan_error *e)
{
    if (c->model == TAN_SIM_BY_OPTIONS) {
        c->model = c->machine == NULL       ? TAN_SIM_LOGGOPS
                   : c->source.topo != NULL ? TAN_SIM_TAN
                                            : TAN_SIM_BY_OPTIONS;
    }
    if (c->model > TAN_SIM_TAN && c->machine == NULL) {
        return tan_fail_usage(e, "the model %s needs the messages of a --machine",
                              tan_sim_models[c->model]);
    }
    if (c->model == TAN_SIM_TAN && c->source.topo == NULL) {
        return tan_fail_usage(e, "the TAN model is for the waves of --topo");
    }
    const bool tan = c->model == TAN_SIM_TAN;
    if (!tan && c->machine == NULL) {
        return 0;
    }
    return c->costs_given || c->params.handshake != TAN_HANDSHAKE_NONE || (tan && c->eager >= 0)
               ? tan_fail_usage(e,
                                "the machine file says what messages cost: -L, -o, -g, -G, -O%s "
                                "and --handshake are for LogGOPS without --machine",
                                tan ? ", -S" : "")
               : 0;
}

bool tan_sim_keeps_history(const struct tan_sim_config *c)
{
    return c->critical_path || c->output.trace != NULL;
}

/* All algorithms of a collective operation are compared in a table; refuse other outputs. */
static int check_algorithms(const struct tan_sim_config *c, struct tan_error *e)
{
    const struct tan_algorithm *first = c->source.algorithms;
    if (first == NULL) {
        return 0;
    }
    const char *ranks = strchr(c->source.pattern, ':');
    if (ranks == NULL) {
        return tan_fail_usage(e, "\"%s\" is not of the form %s:P", c->source.pattern,
                              first->collective);
    }
    int64_t p;
    const struct tan_text what = tan_printed("\"%.64s\": P", c->source.pattern);
    if (tan_parse_count(what.text, ranks + 1, 1, TAN_SCHEDULE_MAX_RANKS, &p, e) < 0) {
        return -1;
    }
    if (c->output.converted == NULL && !tan_sim_keeps_history(c) && c->n_sensitivity == 0 &&
        !c->compatible) {
        return 0;
    }
    return tan_fail_usage(e,
                          "\"%.64s\" is compared by all its algorithms: for convert, "
                          "--critical-path, --sensitivity, --trace and --compatible name "
                          "one, such as "
                          "--pattern %s%.32s",
                          c->source.pattern, first->pattern, ranks);
}

int tan_sim_config_check(struct tan_sim_config *c, const struct tan_command *command,
                         struct tan_error *e)
{
    if (command == &commands[1]) {
        if (take_output(c, e) < 0 || check_source(c, e) < 0 || check_model(c, e) < 0 ||
            check_algorithms(c, e) < 0) {
            return -1;
        }
        return c->machine != NULL && c->model != TAN_SIM_TAN
                   ? tan_fail_usage(e, "a schedule says nothing of what messages cost: convert "
                                       "takes --machine only for the waves of --topo, in which "
                                       "ranks calculate")
                   : 0;
    }
    if (command == &commands[2]) {
        if (c->n_operands == 0) {
            return tan_fail_usage(e, "trace needs the folder of a trace: tan-sim trace DIR");
        }
        if (check_trace(c, e) < 0) {
            return -1;
        }
    }
    if (c->eager >= 0) {
        c->params.S = (uint64_t)c->eager;
    }
    c->params.ranks_per_host = (uint32_t)c->ranks_per_host;
    if (check_source(c, e) < 0 || check_model(c, e) < 0 || check_algorithms(c, e) < 0) {
        return -1;
    }
    if (c->n_sensitivity > 0 && c->compatible) {
        return tan_fail_usage(e, "--sensitivity and --compatible exclude each other: LogGOPSim's "
                                 "rules have no critical path");
    }
    const bool hosts = c->params.ranks_per_host > 0 || c->map != NULL;
    if (c->params.ranks_per_host > 0 && c->map != NULL) {
        return tan_fail_usage(e, "--ranks-per-host and --map exclude each other");
    }
    if (!hosts && c->within.n > 0) {
        return tan_fail_usage(e, "--within needs hosts with several ranks: add --ranks-per-host or "
                                 "--map");
    }
    if (c->compatible &&
        (tan_sim_keeps_history(c) || hosts || c->noise.spec != NULL || c->model == TAN_SIM_TAN ||
         c->machine != NULL || c->params.handshake != TAN_HANDSHAKE_NONE)) {
        return tan_fail_usage(e, "--compatible simulates as LogGOPSim does, which has only -L, -o, "
                                 "-g, -G, -O and -S for costs, and no timelines");
    }
    return 0;
}
