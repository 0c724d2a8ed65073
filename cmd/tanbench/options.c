/* options.c - the command line of tanbench
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/launch/launch.h"
#include "tanbench/plan/calibration_plan.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/wait.h"
#include "topo/spec.h"

static int add_topology(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    (void)e;
    o->topologies.spec[o->topologies.n++] = value;
    return 0;
}

static int set_topology(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return add_topology(config, value, e);
}

/* `run` may be omitted, so a word that is no topology is a mistyped command. (The errors for a
 * shape without arguments, and for a file without file:, name what is missing.) */
static int add_topology_or_command(void *config, const char *value, struct tan_error *e)
{
    if (strchr(value, ':') == NULL && !tan_spec_is_levels(value) &&
        tan_shape_find(value, strlen(value)) == NULL && strcmp(value, "pingpong") != 0 &&
        access(value, F_OK) != 0) {
        return tan_fail_usage(e,
                              "\"%s\" is neither a topology, such as chain:32, nor a command: %s",
                              value, tan_choice_list(TAN_ROWS(tanbench_cli.commands)).text);
    }
    return add_topology(config, value, e);
}

static int set_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->operand = value;
    return 0;
}

static int set_processes(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct validation *v = &((struct options *)config)->validation;
    const char *dots = strstr(value, "..");
    const struct tan_text low = tan_printed("%.*s", dots != NULL ? (int)(dots - value) : 0, value);
    if (dots == NULL || tan_parse_count(what, low.text, 3, 1 << 20, &v->least_ranks, NULL) < 0 ||
        tan_parse_count(what, dots + 2, v->least_ranks, 1 << 20, &v->ranks, NULL) < 0) {
        return tan_fail_usage(e,
                              "%s must be LOW..HIGH with 3 <= LOW <= HIGH <= %d, such as 33..64, "
                              "not \"%s\"",
                              what, 1 << 20, value);
    }
    return 0;
}

static int set_sizes(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct p2p_request *p2p = &((struct options *)config)->p2p;
    return tan_parse_sizes(what, value, 1, 1 << 30, p2p->sizes, P2P_MAX_SIZES, &p2p->n_sizes, e);
}

static int set_bytes(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct settings *s = &((struct options *)config)->settings;
    size_t n;
    if (tan_parse_sizes(what, value, 0, INT32_MAX, s->sizes, MAX_SIZES, &n, e) < 0) {
        return -1;
    }
    s->n_sizes = (int)n;
    return 0;
}

static int set_filter(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct settings *s = &((struct options *)config)->settings;
    if (tan_choice_find(TAN_ROWS(tan_filters), what, value, e) < 0) {
        return -1;
    }
    snprintf(s->filter, sizeof s->filter, "%s", value);
    return 0;
}

static int set_wait(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct settings *s = &((struct options *)config)->settings;
    if (tan_choice_find(TAN_ROWS(wait_policies), what, value, e) < 0) {
        return -1;
    }
    snprintf(s->wait, sizeof s->wait, "%s", value);
    return 0;
}

/* With a tree that heals the mode is another. */
static int set_failure(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct settings *s = &((struct options *)config)->settings;
    s->mode = MODE_FAILURES;
    return tan_failure_parse(what, value, &s->failure, e);
}

static int set_frequency(void *config, const char *what, const char *value, struct tan_error *e)
{
    double *rate = &((struct options *)config)->settings.frequency;
    if (strcmp(value, "max") == 0) {
        *rate = 0;
        return 0;
    }
    if (tan_parse_real(what, value, 0, 1e9, rate, NULL) < 0) {
        return tan_fail_usage(
            e, "%s must be waves per second from 0 to 1e9, or max (as 0), not \"%s\"", what, value);
    }
    return 0;
}

static int set_duration(void *config, const char *what, const char *value, struct tan_error *e)
{
    double *seconds = &((struct options *)config)->settings.duration;
    if (tan_parse_duration(what, value, seconds, e) < 0) {
        return -1;
    }
    return *seconds >= 0.001
               ? 0
               : tan_fail_usage(e, "%s must be at least 1ms, not \"%s\"", what, value);
}

static int set_precision(void *config, const char *what, const char *value, struct tan_error *e)
{
    double percent;
    const size_t length = strcspn(value, "%");
    const struct tan_text number = tan_printed("%.*s", (int)length, value);
    if ((value[length] && value[length + 1]) ||
        tan_parse_real(what, number.text, 0, 100, &percent, NULL) < 0 ||
        (percent > 0 && percent < 0.01)) {
        return tan_fail_usage(e, "%s: \"%s\" is not 0 or a percentage from 0.01 to 100", what,
                              value);
    }
    ((struct options *)config)->settings.precision = percent / 100;
    return 0;
}

static int set_launcher(void *config, const char *what, const char *value, struct tan_error *e)
{
    if (strstr(value, "{n}") == NULL) {
        return tan_fail_usage(e, "%s: \"%s\" has no {n} where the number of ranks goes", what,
                              value);
    }
    char **words = tan_words_split(what, value, e);
    const bool split = words != NULL;
    tan_words_free(words);
    ((struct options *)config)->start.launcher = value;
    return split ? 0 : -1;
}

static int add_setting(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct simulation *s = &((struct options *)config)->simulation;
    if (s->n_settings == SIMULATION_SETTINGS) {
        return tan_fail_usage(e, "%s: more than %d settings", what, SIMULATION_SETTINGS);
    }
    s->settings[s->n_settings++] = value;
    return 0;
}

/* Option groups shared by commands. */

#define AT(member) offsetof(struct options, member)
enum { MAX_RANKS = 1 << 20, MAX_WAVES = 10000000 };
static const char *const network_values[] = {
    [NETWORK_AUTO] = "auto", [NETWORK_REAL] = "real", NULL};

static const struct tan_option topology_rows[] = {
    TAN_HEADING("Topologies:"),
    TAN_CALL("topo", 't', "SPEC", "a topology; the same as SPEC alone", set_topology),
    TAN_OPTIONS_END,
};

static const struct tan_option calibrate_rows[] = {
    TAN_HEADING("The machine:"),
    TAN_COUNT("max-leaves", 0, "N",
              "largest N-to-1 tree (default: 32 per core of real hosts, at most 128)",
              AT(calibration.max_leaves), 4, MAX_RANKS),
    TAN_COUNT("max-height", 0, "N", "tallest chain (default: as --max-leaves, at most 32)",
              AT(calibration.max_height), 4, MAX_CHAIN_HEIGHT),
    TAN_TEXT(
        "racks", 0, "FILE",
        "the racks of the hosts, Slurm's topology.conf or lines \"HOST RACK\": also measure how "
        "much nearer hosts of one are, at every level",
        AT(calibration.racks)),
    TAN_TEXT("name", 0, "NAME", "name of the machine (default: its host name)", AT(name)),
    TAN_OPTIONS_END,
};

static const struct tan_option validate_rows[] = {
    TAN_HEADING("The trees:"),
    TAN_COUNT("shapes", 0, "N", "number of random trees (default 20)", AT(validation.shapes), 1,
              10000),
    TAN_CALL(
        "processes", 0, "LOW..HIGH",
        "processes of every tree (default: up to the largest number in the waves that FILE was "
        "fitted to, and more than half of it; 33..64 if that is unknown)",
        set_processes),
    TAN_OPTIONS_END,
};

static const struct tan_option machine_rows[] = {
    TAN_HEADING("Predictions:"),
    TAN_TEXT("machine", 'm', "FILE",
             "machine file to predict with, or a shipped machine such as cab", AT(machine)),
    TAN_OPTIONS_END,
};

static const struct tan_option emulation_rows[] = {
    TAN_HEADING("Emulation:"),
    TAN_TEXT(
        "emulate", 0, "FILE",
        "emulate this machine: simulated processes sleep for as long as they and their messages "
        "take there (needs SimGrid)",
        AT(emulate)),
    TAN_OPTIONS_END,
};

static const struct tan_option payload_rows[] = {
    TAN_HEADING("Waves:"),
    TAN_CALL(
        "bytes", 'b', "SIZES",
        "payload of each leaf (default 1KiB); of several sizes (1KiB,16KiB), or a range by "
        "powers of two (64..1MiB), each is measured by itself; calibrate and validate take one",
        set_bytes),
    TAN_SIZE("request-bytes", 0, "SIZE", "payload of the root's request (default: as --bytes)",
             AT(settings.request_bytes), 0, INT32_MAX),
    TAN_CALL("filter", 'f', "FILTER", "what internal processes do (default sum)", set_filter),
    TAN_DURATION("work", 0, "TIME", "CPU time of a filter for each child's message (default 0)",
                 AT(settings.work)),
    TAN_OPTIONS_END,
};

static const struct tan_option failure_rows[] = {
    TAN_HEADING("A failure:"),
    TAN_CALL(
        "fail", 0, "PROCESS@WAVE",
        "this process falls silent at this wave, and its parent adopts its children: PROCESS is "
        "its number; it is given up if it has not answered "
        "after a second for each level below its parent",
        set_failure),
    TAN_OPTIONS_END,
};

static const struct tan_option effort_rows[] = {
    TAN_HEADING("Effort:"),
    TAN_COUNT("min-waves", 'n', "N",
              "minimum number of waves in each pass (default 10; calibrate and validate: 30)",
              AT(settings.min_waves), 1, MAX_WAVES),
    TAN_COUNT("max-waves", 0, "N", "maximum number of waves in each pass (default 1000)",
              AT(settings.max_waves), 1, MAX_WAVES),
    TAN_DURATION("max-time", 0, "TIME",
                 "longest time for one topology in each pass (default 2s; calibrate and validate: "
                 "300ms)",
                 AT(settings.max_seconds)),
    TAN_CALL("precision", 0, "PERCENT",
             "stop once the median's 95 % interval is within this (default 5%); 0: as late as the "
             "limits allow",
             set_precision),
    TAN_COUNT("passes", 0, "K",
              "measure every topology in K interleaved passes, so that a disturbance affects all "
              "of them a little (default 1; calibrate and validate: 7)",
              AT(settings.passes), 1, MAX_PASSES),
    TAN_OPTIONS_END,
};

static const struct tan_option launch_rows[] = {
    TAN_COUNT("launches", 0, "K",
              "number of independent launches of the job; intervals then predict the next one "
              "(default 1)",
              AT(start.launches), 1, 1000),
    TAN_OPTIONS_END,
};

static const struct tan_option stream_rows[] = {
    TAN_HEADING("Effort:"),
    TAN_CALL("frequency", 0, "N", "waves per second; max or 0 (default): as many as the tree takes",
             set_frequency),
    TAN_CALL("duration", 0, "TIME", "how long leaves push (default 2s)", set_duration),
    TAN_OPTIONS_END,
};

static const struct tan_option order_rows[] = {
    TAN_COUNT("warmup", 0, "N", "first waves that are discarded (default 5)", AT(settings.warmup),
              0, 1000000),
    TAN_COUNT("seed", 0, "N",
              "seed of the order of the topologies, and of random trees (default 1)",
              AT(settings.seed), 0, INT64_MAX),
    TAN_OPTIONS_END,
};

static const struct tan_option message_rows[] = {
    TAN_HEADING("Messages:"),
    TAN_CALL("sizes", 0, "SIZES",
             "messages of these sizes, as in 1,1kB,64KiB (default: 1 B to 4 MiB; validate: 30 "
             "random ones that the file lacks)",
             set_sizes),
    TAN_DURATION("max-time", 0, "TIME",
                 "no new passes over the sizes begin after this time (default 45s; validate: 20s "
                 "each for one-way times and for exchanges)",
                 AT(p2p.max_seconds)),
    TAN_COUNT("seed", 0, "N", "seed of random sizes (default 1)", AT(settings.seed), 0, INT64_MAX),
    TAN_OPTIONS_END,
};

static const struct tan_option more_message_rows[] = {
    TAN_FLAG("send-modes", 0, "also the cost of each MPI send mode", AT(p2p.send_modes)),
    TAN_FLAG("datatypes", 0, "also non-contiguous vectors of floats", AT(p2p.datatypes)),
    TAN_OPTIONS_END,
};

static const struct tan_option name_rows[] = {
    TAN_TEXT("name", 0, "NAME", "name of a new machine (default: its host name)", AT(name)),
    TAN_OPTIONS_END,
};

static const struct tan_option wait_rows[] = {
    TAN_CALL("wait", 'w', "POLICY", "how ranks wait (default auto)", set_wait),
    TAN_OPTIONS_END,
};

static const struct tan_option simulation_rows[] = {
    TAN_HEADING("Simulated machine (SimGrid):"),
    TAN_TEXT(
        "platform", 0, "PLATFORM",
        "run the ranks on this simulated cluster: a platform file of SimGrid, or a shipped one "
        "such as crossbar",
        AT(simulation.platform)),
    TAN_TEXT("os", 0, "OVERHEAD",
             "CPU time of sending a message: TIME, TIME:TIME (more for each byte), or several "
             "SIZE:TIME:TIME with ; between them, from that size on",
             AT(simulation.os)),
    TAN_TEXT("or", 0, "OVERHEAD", "the same for receiving", AT(simulation.receive)),
    TAN_COUNT("ranks-per-host", 0, "N", "ranks on each host, in the order of hosts (default 1)",
              AT(simulation.ranks_per_host), 1, MAX_RANKS),
    TAN_CALL("platform-option", 0, "NAME:VALUE", "a setting of SimGrid, such as smpi/bcast:mpich",
             add_setting),
    TAN_OPTIONS_END,
};

static const struct tan_option rank_rows[] = {
    TAN_HEADING("Ranks:"),
    TAN_TEXT(
        "map", 0, "HOW",
        "where the processes of a tree run (block: host by host; depth: the same, subtree by "
        "subtree; cyclic: by turns; apart: by turns, the root's host last; or a file with one host "
        "a line; default: as the launcher numbers the ranks)",
        AT(start.map)),
    TAN_COUNT("ranks", 0, "N",
              "number of ranks to start (default: enough for the largest topology)",
              AT(start.ranks), 2, MAX_RANKS),
    TAN_CALL("launcher", 0, "COMMAND",
             "launch command, such as 'srun -n {n}' (default: this MPI's mpiexec)", set_launcher),
    TAN_DURATION("start-timeout", 0, "TIME",
                 "end a start that takes longer (default: 60s and 0.1s a rank; 0: no limit)",
                 AT(start.timeout)),
    TAN_CHOICE("network", 0, "WHAT",
               "whether ranks that outnumber cores have a network (real: they do, such as a slow "
               "one between namespaces: then that is no doubt; auto, the default: they do not)",
               AT(start.network), network_values),
    TAN_FLAG("dry-run", 0, "show the plan and the launch command, and do nothing", AT(start.dry)),
    TAN_OPTIONS_END,
};

static const struct tan_option output_rows[] = {
    TAN_HEADING("Output:"),
    TAN_OUTPUT("json", 'j', "FILE",
               "results with environment and every sample (-: stdout, no table)", AT(json)),
    TAN_FLAG("quiet", 'q', "no progress on stderr", AT(quiet)),
    TAN_OPTIONS_END,
};

static const struct tan_option raw_rows[] = {
    TAN_OUTPUT("raw", 0, "FILE", "every sample as CSV, for tan-fit (-: stdout, no table)", AT(raw)),
    TAN_OPTIONS_END,
};

static const struct tan_option report_rows[] = {
    TAN_OUTPUT("report", 0, "FILE", "a page with figures of the results (HTML)", AT(report)),
    TAN_OPTIONS_END,
};

static const struct tan_option more_launches_rows[] = {
    TAN_HEADING("Additional effort:"),
    TAN_COUNT("launches", 0, "K", "number of launches, when more than the command names",
              AT(start.launches), 1, 1000),
    TAN_OPTIONS_END,
};

/* Help after the options */

static void topologies_help(FILE *to)
{
    fprintf(to, "Topologies:\n");
    tan_spec_help(to);
    tan_plan_help(to);
}

static void exit_status_help(FILE *to)
{
    tan_text_say(to,
                 "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 measured but not trustworthy.");
}

static void waves_help(FILE *to)
{
    fprintf(to, "Filters:\n");
    tan_choice_help(TAN_ROWS(tan_filters), 22, to);
    fprintf(to, "\nHow to wait (--wait):\n");
    tan_choice_help(TAN_ROWS(wait_policies), 22, to);
    exit_status_help(to);
}

static void run_help(FILE *to)
{
    topologies_help(to);
    fprintf(to, "\n");
    waves_help(to);
}

#define GROUPS(...)                                                                                \
    .groups = (const struct tan_option *const[])                                                   \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
static const struct tan_command commands[] = {
    [COMMAND_RUN] = {.name = "run",
                     .usage = "[OPTION]... SPEC...",
                     .purpose = "Measure round-trip waves on reduction trees of real MPI "
                                "processes, next to what the LogP and TAN models predict.",
                     GROUPS(topology_rows, payload_rows, effort_rows, launch_rows, rank_rows,
                            output_rows, report_rows, failure_rows, order_rows, machine_rows,
                            emulation_rows, simulation_rows, wait_rows, raw_rows),
                     .brief = 7,
                     .max_operands = -1,
                     .operand = add_topology_or_command,
                     .more_help = run_help},
    [COMMAND_STREAM] = {.name = "stream",
                        .usage = "[OPTION]... SPEC...",
                        .purpose =
                            "Measure the sustained throughput of a tree: leaves push packets by "
                            "themselves, without requests.",
                        GROUPS(topology_rows, payload_rows, stream_rows, rank_rows, output_rows,
                               report_rows, order_rows, machine_rows, simulation_rows, wait_rows),
                        .brief = 6,
                        .max_operands = -1,
                        .operand = add_topology,
                        .more_help = run_help},
    [COMMAND_ONEWAY] = {.name = "oneway",
                        .usage = "[OPTION]... SPEC...",
                        .purpose = "Measure the ways down and up separately: leaves with "
                                   "synchronised clocks send together at an agreed instant.",
                        GROUPS(topology_rows, payload_rows, effort_rows, rank_rows, output_rows,
                               report_rows, order_rows, machine_rows, simulation_rows, wait_rows,
                               raw_rows),
                        .brief = 6,
                        .max_operands = -1,
                        .operand = add_topology,
                        .more_help = run_help},
    [COMMAND_CALIBRATE] = {.name = "calibrate",
                           .usage = "[OPTION]... [FILE]",
                           .purpose =
                               "Measure latency, chains and N-to-1 trees, fit the parameters of "
                               "this machine and write them to FILE (default: the machine file "
                               "that tan-design and tanbench look for).",
                           GROUPS(calibrate_rows, payload_rows, effort_rows, launch_rows, rank_rows,
                                  output_rows, report_rows, order_rows, emulation_rows,
                                  simulation_rows, wait_rows, raw_rows),
                           .brief = 7,
                           .max_operands = 1,
                           .operand = set_operand,
                           .more_help = waves_help},
    [COMMAND_VALIDATE] = {.name = "validate",
                          .usage = "[OPTION]... FILE",
                          .purpose = "Measure random trees, and one of every other shape, that the "
                                     "fit of machine file FILE has not seen: how well each model "
                                     "predicts and ranks them.",
                          GROUPS(validate_rows, payload_rows, effort_rows, launch_rows, rank_rows,
                                 output_rows, report_rows, order_rows, emulation_rows,
                                 simulation_rows, wait_rows, raw_rows),
                          .brief = 7,
                          .max_operands = 1,
                          .operand = set_operand,
                          .more_help = waves_help},
    [COMMAND_P2P] = {.name = "p2p",
                     .usage = "[OPTION]...",
                     .purpose = "Measure single messages between two ranks: one-way times, "
                                "overheads, gaps, the MPI library's protocols.",
                     GROUPS(message_rows, rank_rows, output_rows, report_rows, more_message_rows,
                            simulation_rows),
                     .brief = 4,
                     .max_operands = 0},
    [COMMAND_P2P_CALIBRATE] = {.name = "p2p calibrate",
                               .usage = "[OPTION]... [FILE]",
                               .purpose = "Measure single messages and add their costs to machine "
                                          "file FILE (default: the user's).",
                               GROUPS(message_rows, rank_rows, output_rows, report_rows,
                                      more_message_rows, name_rows, simulation_rows),
                               .brief = 4,
                               .max_operands = 1,
                               .operand = set_operand},
    [COMMAND_P2P_VALIDATE] = {.name = "p2p validate",
                              .usage = "[OPTION]... FILE",
                              .purpose = "Measure single messages and compare them with the "
                                         "predictions of machine file FILE.",
                              GROUPS(message_rows, rank_rows, output_rows, report_rows,
                                     simulation_rows),
                              .brief = 4,
                              .max_operands = 1,
                              .operand = set_operand},
    [COMMAND_RESUME] = {.name = "resume",
                        .usage = "[OPTION]... FILE",
                        .purpose =
                            "Finish the run whose results are in FILE, as --json writes them: its "
                            "command is repeated, and only what is missing is measured.",
                        GROUPS(more_launches_rows, output_rows, report_rows, raw_rows),
                        .brief = 3,
                        .max_operands = 1,
                        .operand = set_operand},
    {.usage = NULL},
};

static void examples_help(FILE *to)
{
    fprintf(to, "Examples:\n"
                "  tanbench --topo chain:32 --topo nto1:32      (the same as tanbench run)\n"
                "  tanbench stream --duration 60s twolevel:32\n"
                "  tanbench calibrate\n"
                "  mpiexec -n 33 tanbench run levels:4x7\n"
                "\n");
    topologies_help(to);
    exit_status_help(to);
}

const struct tan_cli tanbench_cli = {
    .program = "tanbench",
    .purpose = "Measure waves on reduction trees of real MPI processes, next to what the LogP and "
               "TAN models predict; fit those models' parameters to this machine; measure single "
               "messages.",
    .commands = commands,
    .more_help = examples_help,
};

static int options_init(struct options *o, int argc, char **argv, struct tan_error *e)
{
    *o = (struct options){.argc = argc,
                          .argv = argv,
                          .start.launches = 1,
                          .start.timeout = -1,
                          .validation = {.shapes = 20, .ranks = 0}};
    tan_settings_default(&o->settings);
    o->settings.passes = o->settings.warmup = o->settings.min_waves = o->settings.max_waves = -1;
    o->settings.max_seconds = o->settings.duration = -1;
    o->topologies.spec = calloc((size_t)argc + 1, sizeof *o->topologies.spec);
    return o->topologies.spec != NULL ? 0 : tan_fail_nomem(e);
}

/* Platform under --emulate; its messages cost nothing beside the times of the machine file. */
static const char no_costs[] = "no-costs";

/* Simulated machines get a machine file of their own, since the user's is for measured ones. */
static void set_simulated_defaults(struct options *o)
{
    const char *slash = strrchr(o->simulation.platform, '/');
    const char *name = slash != NULL ? slash + 1 : o->simulation.platform;
    const bool makes = o->command == COMMAND_CALIBRATE || o->command == COMMAND_P2P_CALIBRATE;
    if (makes && o->operand == NULL) {
        snprintf(o->machine_file, sizeof o->machine_file, "%.*s.json",
                 (int)(strcspn(name, ".") < 240 ? strcspn(name, ".") : 240), name);
        o->operand = o->machine_file;
    }
}

/* Default time limit of p2p on simulated machines, where all repetitions are identical. */
#define SIMULATED_P2P_SECONDS 0.1

/* The request for a job that measures single messages. */
static void complete_p2p(struct options *o)
{
    struct p2p_request *request = &o->p2p;
    request->calibrate = o->command == COMMAND_P2P_CALIBRATE;
    if (o->simulation.platform != NULL && request->max_seconds == 0) {
        request->max_seconds = SIMULATED_P2P_SECONDS;
    }
    request->machine = request->calibrate ? o->operand : NULL;
    request->validate = o->command == COMMAND_P2P_VALIDATE ? o->operand : NULL;
    request->name = options_machine_name(o);
    request->json = o->json;
    request->report = o->report;
    request->seed = o->settings.seed;
    request->quiet = o->quiet;
}

int options_read(struct options *o, int argc, char **argv, struct tan_cli_answer *answer,
                 struct tan_error *e)
{
    if (options_init(o, argc, argv, e) < 0 ||
        tan_cli_parse(&tanbench_cli, o, argc, argv, answer, e) < 0) {
        return -1;
    }
    o->command = (enum command)(answer->command - commands);
    o->settings.mode = o->command == COMMAND_STREAM   ? MODE_STREAM
                       : o->command == COMMAND_ONEWAY ? MODE_ONEWAY
                                                      : o->settings.mode;
    if (o->command == COMMAND_VALIDATE) {
        o->machine = o->operand;
    }
    if (o->emulate != NULL && o->simulation.platform == NULL) {
        o->simulation.platform = no_costs;
    } else if (o->simulation.platform != NULL) {
        set_simulated_defaults(o);
    }
    complete_p2p(o);
    return 0;
}

void options_clear(struct options *o)
{
    free(o->topologies.spec);
    o->topologies.spec = NULL;
    free(o->resumed.words);
    json_decref(o->resumed.command);
}

/* Whether results are of round trips, which alone can be read again. */
static bool can_resume(const struct options *o)
{
    return !options_messages(o) && o->settings.mode == MODE_WAVES;
}

int options_resume(struct options *o, json_t *command, struct tan_error *e)
{
    const char *file = o->operand;
    const int argc = o->argc;
    char **argv = o->argv;
    const size_t n = json_array_size(command);
    char **words = calloc(n + 1, sizeof *words);
    struct tan_cli_answer answer;
    if (command == NULL || words == NULL) {
        json_decref(command);
        free(words);
        return command == NULL ? -1 : tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        words[i] = (char *)(uintptr_t)json_string_value(json_array_get(command, i));
    }
    options_clear(o);
    int result = options_read(o, (int)n, words, &answer, e);
    o->resumed.command = command;
    o->resumed.words = words;
    if (!result) {
        /* Options given with the file override those of the command; its operand stays. */
        const char *operand = o->operand;
        const char *json = o->json;
        struct tan_cli_answer beside;
        result = tan_cli_parse(&tanbench_cli, o, argc, argv, &beside, e);
        o->operand = operand;
        if (!result && o->json != json) {
            result = tan_fail_usage(e, "tanbench resume writes to %s: drop --json", file);
        }
    }
    o->resumed.on = true;
    o->json = file;
    tan_output_expect("json", file);
    if (!result &&
        (answer.action != TAN_CLI_RUN || o->command == COMMAND_RESUME || !can_resume(o))) {
        result = tan_fail(
            e, "%s is not of round trips, which alone can be resumed: repeat its command", file);
    }
    return result ? -1 : options_check(o, e);
}

/* Constraints of the plans of calibrate and validate. */
static int check_fixed_plan(const struct options *o, struct tan_error *e)
{
    if (o->settings.n_sizes > 1) {
        return tan_fail_usage(e, "%s needs waves of one size: give a single size",
                              commands[o->command].name);
    }
    if (o->command == COMMAND_CALIBRATE && o->emulate != NULL && o->operand == NULL) {
        return tan_fail_usage(e, "calibrate --emulate needs a FILE to write: the user's machine "
                                 "file is for measured machines");
    }
    return 0;
}

/* The first given option that only simulated machines have; NULL: none. */
static const char *simulation_named(const struct simulation *s)
{
    return s->os != NULL        ? "--os"
           : s->receive != NULL ? "--or"
           : s->ranks_per_host  ? "--ranks-per-host"
           : s->n_settings > 0  ? "--platform-option"
                                : NULL;
}

static int check_simulation(const struct options *o, struct tan_error *e)
{
    const char *simulation = o->emulate != NULL ? "--emulate" : "--platform";
    const char *other = o->start.launcher != NULL ? "--launcher"
                        : o->start.launches > 1   ? "--launches"
                                                  : NULL;
    if (other != NULL) {
        return tan_fail_usage(e, "%s is for real machines: give it or %s", other, simulation);
    }
    if (strcmp(o->settings.wait, "auto") != 0 && strcmp(o->settings.wait, "block") != 0) {
        return tan_fail_usage(e, "%s: simulated ranks wait inside MPI, by --wait block, not %s",
                              simulation, o->settings.wait);
    }
    return 0;
}

int options_check(const struct options *o, struct tan_error *e)
{
    const bool needs_file = o->command == COMMAND_VALIDATE || o->command == COMMAND_P2P_VALIDATE ||
                            o->command == COMMAND_RESUME;
    if (needs_file && o->operand == NULL) {
        return tan_fail_usage(e, "%s needs %s: tanbench %s %s", commands[o->command].name,
                              o->command == COMMAND_RESUME ? "the results of a run"
                                                           : "the machine file to validate",
                              commands[o->command].name, "FILE.json");
    }
    if (o->command <= COMMAND_ONEWAY && o->topologies.n == 0) {
        return tan_fail_usage(e, "nothing to measure: name a topology, as in tanbench %s chain:32",
                              commands[o->command].name);
    }
    if (tan_modes[o->settings.mode].heals && o->start.launches > 1) {
        return tan_fail_usage(e, "--launches: not with --fail");
    }
    if (o->emulate != NULL && strcmp(o->simulation.platform, no_costs) != 0) {
        return tan_fail_usage(e, "--emulate plays a machine file, and --platform another machine: "
                                 "give one of them");
    }
    if (o->simulation.platform != NULL && check_simulation(o, e) < 0) {
        return -1;
    }
    if (o->simulation.platform == NULL && simulation_named(&o->simulation) != NULL) {
        return tan_fail_usage(e, "%s is for simulated machines: name one with --platform",
                              simulation_named(&o->simulation));
    }
    return o->command == COMMAND_CALIBRATE || o->command == COMMAND_VALIDATE
               ? check_fixed_plan(o, e)
               : 0;
}

static bool is_stdin(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

bool options_uses_stdin(const struct options *o)
{
    const bool reads = o->command == COMMAND_P2P_VALIDATE;
    bool uses = is_stdin(o->machine) || is_stdin(o->emulate) || (reads && is_stdin(o->operand));
    for (int i = 0; i < o->topologies.n; i++) {
        uses |= strcmp(o->topologies.spec[i], "file:-") == 0;
    }
    return uses;
}

const char *options_machine_name(const struct options *o)
{
    return o->name != NULL || o->emulate != NULL ? o->name : o->simulation.platform;
}

bool options_messages(const struct options *o)
{
    return o->command >= COMMAND_P2P && o->command <= COMMAND_P2P_VALIDATE;
}

double options_start_seconds(const struct options *o, int ranks)
{
    return o->start.timeout < 0 ? launch_start_seconds(ranks) : o->start.timeout;
}

const char *outputs_results(const struct options *o)
{
    return o->json != NULL && !tan_output_is_stdout(o->json) ? o->json : launch_results();
}

void outputs_print_resume(const struct options *o, time_t since)
{
    struct stat s;
    if (o->json != NULL && can_resume(o) && stat(o->json, &s) == 0 && S_ISREG(s.st_mode) &&
        (o->resumed.on || s.st_mtime >= since)) {
        fputs("tanbench: the measurements are kept: continue with tanbench resume ", stderr);
        tan_words_quote(stderr, o->json);
        putc('\n', stderr);
    }
}

int outputs_check(const struct options *o, struct tan_error *e)
{
    const bool makes_machine =
        o->command == COMMAND_CALIBRATE || o->command == COMMAND_P2P_CALIBRATE;
    const bool users = makes_machine && o->operand == NULL;
    const bool tables = !tan_output_is_stdout(o->json) && !tan_output_is_stdout(o->raw);
    char *mine = users ? tan_machine_user_path(true, e) : NULL;
    const struct tan_output_name outputs[] = {
        {"standard output", tables ? "-" : NULL},
        {"--json", o->json},
        {"--raw", o->raw},
        {"--report", o->report},
        {"the machine file", users           ? mine
                             : makes_machine ? o->operand
                                             : NULL},
    };
    enum { OUTPUTS = sizeof outputs / sizeof *outputs };
    int result = users && mine == NULL ? -1 : tan_output_distinct(outputs, OUTPUTS, e);
    for (int i = 0; i < OUTPUTS && result == 0; i++) {
        const char *path = outputs[i].path;
        result = mine != NULL && path == mine && tan_machine_make_folders(mine, e) < 0
                     ? -1
                     : tan_output_check(path, e);
    }
    free(mine);
    return result;
}
