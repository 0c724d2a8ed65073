/* tan-design.c - program: the best tree for a number of leaves, or predicted times of trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/json_keys.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/units.h"
#include "cmd/tan-design/host_files.h"
#include "cmd/tan-design/targets.h"
#include "cmd/tan-design/template.h"
#include "design/choice/pareto.h"
#include "design/report/messages.h"
#include "design/report/report.h"
#include "design/targets/setting.h"
#include "design/targets/thumb.h"
#include "design/targets/tree_formats.h"
#include "model/wave/payload.h"
#include "report/page/report.h"
#include "topo/file.h"
#include "topo/graph.h"
#include "topo/spec.h"

enum { LISTED = 5, MAX_MESSAGES = 64 };

struct config {
    const struct tan_command *command;
    int64_t leaves; /* 0: not given */
    int64_t max_fanout, max_height, max_processes, max_connections;
    int64_t listed; /* 0: not given */
    const char *machine, *json, *report, *output;
    struct host_files files;
    int64_t ranks_per_host; /* 0: not given */
    const char *map;
    struct tan_given given;
    bool fanouts, template, pareto, any_shape;
    const struct tan_objective *objective;
    struct target_request target;
    int64_t up_bytes, down_bytes; /* 0: as --bytes */
    int arguments;                /* of the command line */
    const struct tan_model *model;
    bool model_given;
    const struct tan_format *format;           /* NULL: not given */
    double work;                               /* seconds for each child's message; NaN: none */
    int64_t bytes;                             /* 0: as measured */
    const struct tan_payload_rule *growth;     /* NULL: not given */
    const struct tan_p2p_model *message_model; /* the same */
    int64_t messages[MAX_MESSAGES];            /* sizes */
    size_t n_messages;
    double compute;     /* seconds beside messages; NaN: not given */
    const char **specs; /* room for every argument; to predict, or to compare */
    size_t n_specs;
};

/* Options */

static int set_model(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct config *c = config;
    (void)what;
    c->model = tan_model_find(value, e);
    c->model_given = true;
    return c->model == NULL ? -1 : 0;
}

static int set_bandwidth(void *config, const char *what, const char *value, struct tan_error *e)
{
    double bits;
    if (tan_parse_rate(what, value, &bits, e) < 0) {
        return -1;
    }
    ((struct config *)config)->given.network.rate = bits / 8.0;
    return 0;
}

static int set_growth(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return (((struct config *)config)->growth = tan_payload_rule_find(value, e)) == NULL ? -1 : 0;
}

static int set_objective(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return (((struct config *)config)->objective = tan_objective_find(value, e)) == NULL ? -1 : 0;
}

static int set_shape(void *config, const char *what, const char *value, struct tan_error *e)
{
    if (strcmp(value, "levels") != 0 && strcmp(value, "any") != 0) {
        return tan_fail_usage(e, "%s must be levels or any, not \"%.64s\"", what, value);
    }
    ((struct config *)config)->any_shape = strcmp(value, "any") == 0;
    return 0;
}

static int set_pareto(void *config, const char *what, const char *value, struct tan_error *e)
{
    if (strcmp(value, "latency,processes") != 0) {
        return tan_fail_usage(e, "%s must be latency,processes, not \"%.64s\"", what, value);
    }
    ((struct config *)config)->pareto = true;
    return 0;
}

static int add_spec(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    struct config *c = config;
    c->specs[c->n_specs++] = value;
    return 0;
}

static int set_compare(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return add_spec(config, value, e);
}

/* Operands are further trees to compare. */
static int design_operand(void *config, const char *value, struct tan_error *e)
{
    if (((struct config *)config)->n_specs > 0) {
        return add_spec(config, value, e);
    }
    if (strcmp(value, "predict") == 0 || strcmp(value, "messages") == 0) {
        return tan_fail_usage(e, "a command comes first: tan-design %s ...", value);
    }
    return tan_fail_usage(e,
                          "\"%s\" is not an option; to predict a tree: tan-design predict %s; to "
                          "compare it with the best: tan-design --compare %s",
                          value, value, value);
}

static int set_message_model(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return (((struct config *)config)->message_model = tan_p2p_model_find(value, e)) == NULL ? -1
                                                                                             : 0;
}

static int add_messages(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    int64_t bytes[MAX_MESSAGES];
    size_t n;
    if (tan_parse_sizes("the size of a message", value, 1, INT64_C(1) << 40, bytes, MAX_MESSAGES,
                        &n, e) < 0) {
        return -1;
    }
    if (c->n_messages + n > MAX_MESSAGES) {
        return tan_fail_usage(e, "messages takes at most %d sizes", MAX_MESSAGES);
    }
    memcpy(c->messages + c->n_messages, bytes, n * sizeof *bytes);
    c->n_messages += n;
    return 0;
}

static bool wants_document(const struct config *c)
{
    return c->json != NULL || c->report != NULL;
}

/* Formats */

static const struct tan_format *const format_tables[] = {tan_file_formats, tan_graph_formats,
                                                         tan_target_formats};
enum { FORMAT_TABLES = sizeof format_tables / sizeof format_tables[0] };

static const struct tan_format *find_format(const char *name)
{
    for (int t = 0; t < FORMAT_TABLES; t++) {
        for (const struct tan_format *f = format_tables[t]; f->name != NULL; f++) {
            if (strcmp(f->name, name) == 0) {
                return f;
            }
        }
    }
    return NULL;
}

static const char format_names[] = "mrnet, json, dot, graphml, csv, flux, clustershell or goal";

static int set_format(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    const struct tan_format *format = find_format(value);
    if (format == NULL) {
        return tan_fail_usage(e, "--format must be %s, not \"%s\"", format_names, value);
    }
    ((struct config *)config)->format = format;
    return 0;
}

/* File endings and their formats. */
static const struct ending {
    const char *ending, *format;
} endings[] = {
    {".top", "mrnet"}, {".mrnet", "mrnet"}, {".json", "json"},
    {".dot", "dot"},   {".gv", "dot"},      {".graphml", "graphml"},
    {".csv", "csv"},   {".toml", "flux"},   {".conf", "clustershell"},
    {".goal", "goal"}, {NULL, NULL},
};

static const struct tan_format *format_of(const struct config *c, struct tan_error *e)
{
    if (c->format != NULL) {
        return c->format;
    }
    const char *dot = strrchr(c->output, '.');
    for (const struct ending *row = endings; dot != NULL && row->ending != NULL; row++) {
        if (strcmp(dot, row->ending) == 0) {
            return find_format(row->format);
        }
    }
    tan_fail_usage(e, "the name \"%s\" does not tell the format: add --format %s", c->output,
                   format_names);
    return NULL;
}

/* The command line */

#define AT(member) offsetof(struct config, member)

static const struct tan_option design_rows[] = {
    TAN_HEADING("The tree:"),
    TAN_COUNT("leaves", 'l', "N", "the number of leaves (back ends), such as 4096, 4k or 4Ki",
              AT(leaves), 1, TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-fanout", 0, "X", "no node may have more children", AT(max_fanout), 1,
              TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-connections", 0, "C", "no process may have more, to its children and its parent",
              AT(max_connections), 2, TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-height", 0, "H", "no leaf may be more hops away from the root", AT(max_height),
              1, TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-processes", 0, "P",
              "root, internal processes and leaves together may not be more\n(takes long beyond "
              "10^8 leaves)",
              AT(max_processes), 1, INT64_MAX / 2),
    TAN_CALL(
        "objective", 0, "NAME",
        "what is to be least: latency (of a wave), period (from wave to wave) or processes; of "
        "several trees the one with the shortest wave [latency]",
        set_objective),
    TAN_CALL("shape", 0, "KIND",
             "levels: nodes of a level have the same fanout; any: also the best tree in which "
             "every node may have another, up to 4096 leaves, which --output then writes [levels]",
             set_shape),
    TAN_CALL("pareto", 0, "KEYS",
             "latency,processes: list the trees to which no other is preferable in both",
             set_pareto),
    TAN_COUNT("top", 'k', "K", "list the K best trees, at most 1000 [5]", AT(listed), 1,
              TAN_DESIGN_LISTED),
    TAN_OUTPUT("output", 'o', "FILE",
               "write the recommended tree here (-: standard output, no report)", AT(output)),
    TAN_CALL("format", 'f', "NAME",
             "mrnet, json, dot, graphml, csv, flux, clustershell or goal [what FILE's ending says]",
             set_format),
    TAN_CALL("compare", 0, "SPEC",
             "list this tree and those that follow beside the best one;\nwithout --leaves the best "
             "one has as many as the first SPEC",
             set_compare),
    TAN_TEXT("hosts", 0, "FILE",
             "the hosts that the processes share, by name: find the best tree "
             "and its placement (needs tiers in the machine file); with --target, names for the "
             "configuration: a file, or a list such as n[1-64]",
             AT(files.hosts)),
    TAN_COUNT("ranks-per-host", 0, "K", "how many processes each of them holds [slots= of FILE]",
              AT(ranks_per_host), 1, INT32_MAX),
    TAN_TEXT("racks", 0, "FILE",
             "the rack of each of them: Slurm's topology.conf, or lines \"HOST RACK\" (needs a "
             "second tier in the machine file)",
             AT(files.racks)),
    TAN_TEXT("internal-hosts", 0, "FILE",
             "those of them that internal processes may have, in place of leaves",
             AT(files.internal)),
    TAN_OUTPUT("map", 0, "FILE", "write the host of each process here, for tanbench --map",
               AT(map)),
    TAN_FLAG("fanouts", 0, "list what fanouts of 2 to 128 cost, and with --leaves their trees",
             AT(fanouts)),
    TAN_FLAG("template", 0, "print a machine file to fill in", AT(template)),
    TAN_OPTIONS_END,
};

static const struct tan_option target_rows[] = {
    TAN_HEADING("The system that builds the tree:"),
    TAN_TEXT("target", 'T', "NAME",
             "the best setting of this system, the tree that it builds, and the lines for its "
             "configuration, which --output FILE writes; see below",
             AT(target.target)),
    TAN_FLAG("targets", 0, "all of them in a table", AT(target.targets)),
    TAN_COUNT("members", 0, "N",
              "in place of --leaves, for systems in which every process is a member: their number, "
              "internal ones included",
              AT(target.members), 1, TAN_PLAN_MAX_LEAVES),
    TAN_TEXT("setting", 0, "TEXT", "this setting in place of the best one, such as TreeWidth=16",
             AT(target.setting)),
    TAN_TEXT("tree", 0, "SPEC",
             "the setting that builds this tree of yours, or the nearest; SPEC as for predict; "
             "without --target --output writes it in another format",
             AT(target.tree)),
    TAN_OPTIONS_END,
};

static const struct tan_option payload_rows[] = {
    TAN_HEADING("Messages:"),
    TAN_SIZE(
        "bytes", 'b', "SIZE",
        "what each leaf sends [the size that the machine was measured with]; other sizes need a "
        "p2p block in the machine file",
        AT(bytes), 1, INT32_MAX),
    TAN_SIZE("up-bytes", 0, "SIZE",
             "what each process sends up, for --bandwidth or --target [--bytes]", AT(up_bytes), 1,
             INT32_MAX),
    TAN_SIZE("down-bytes", 0, "SIZE",
             "what goes down to each, for --bandwidth or --target [--bytes]", AT(down_bytes), 1,
             INT32_MAX),
    TAN_CALL("growth", 0, "RULE",
             "how messages grow towards the root, constant or concat [constant]", set_growth),
    TAN_DURATION("work", 0, "TIME",
                 "what a parent's filter takes for each child's message, beside its reception [0]",
                 AT(work)),
    TAN_CALL("message-model", 0, "NAME",
             "the model of single messages, as tan-design messages has them [loggpo where the "
             "machine file has its parameters, else plogp, loggops or loggp]",
             set_message_model),
    TAN_OPTIONS_END,
};

static const struct tan_option model_rows[] = {
    TAN_HEADING("The model:"),
    TAN_CALL(
        "model", 0, "NAME",
        "how waves are predicted, see below [the one that is least off the machine file's check "
        "trees; tan without them]",
        set_model),
    TAN_OPTIONS_END,
};

static const struct tan_option given_rows[] = {
    TAN_HEADING(
        "The machine, in place of its file's parameters (--latency and --overhead need none):"),
    TAN_DURATION("latency", 0, "TIME", "L, the latency of a message, such as 2us",
                 AT(given.value[TAN_L])),
    TAN_DURATION("overhead", 0, "TIME",
                 "a, what a message costs its sender, and again its receiver",
                 AT(given.value[TAN_A])),
    TAN_DURATION(
        "per-child", 0, "TIME",
        "b, what every further child adds [the larger of g and a, where g is 0 unless given: a "
        "parent receives one message after the other]",
        AT(given.value[TAN_B])),
    TAN_CALL(
        "bandwidth", 0, "RATE",
        "the rate of each process's own link, such as 8Mbit or 1GB/s: the machine is a network "
        "on which the transfer of messages decides; --bytes, or --up-bytes and --down-bytes, "
        "say how long they are (one alone: only that way); L and a are 0 unless given",
        set_bandwidth),
    TAN_DURATION("quadratic", 0, "TIME", "c, the coefficient of the squared number of children",
                 AT(given.value[TAN_C2])),
    TAN_OPTIONS_END,
};

static const struct tan_option messages_rows[] = {
    TAN_HEADING("Overlap:"),
    TAN_DURATION("compute", 0, "TIME",
                 "what both sides compute between Isend or Irecv and Wait: show the overheads and "
                 "overlap ratios of every mechanism",
                 AT(compute)),
    TAN_OPTIONS_END,
};

static const struct tan_option common_rows[] = {
    TAN_HEADING("Input and output:"),
    TAN_TEXT("machine", 'm', "FILE",
             "the parameters: a file, or a shipped machine such as cab [those of the last "
             "calibration, else Cab's]",
             AT(machine)),
    TAN_OUTPUT("json", 'j', "FILE", "write everything as JSON here (-: standard output, no report)",
               AT(json)),
    TAN_OUTPUT("report", 0, "FILE", "write a page with figures here (HTML)", AT(report)),
    TAN_OPTIONS_END,
};

static void models_help(FILE *to)
{
    fputs("Models (x: children of a node):\n", to);
    tan_model_help(to);
    fputs("\nGrowth, the message of an internal node is:\n", to);
    tan_payload_rule_help(to);
}

static void design_help(FILE *to)
{
    models_help(to);
    fputs("\nA design is the best of all trees under the model. It is compared with what rules of\n"
          "thumb would build. Several of those systems make their inner nodes members of the\n"
          "tree; here each rule serves N leaves, with internal processes of its own:\n",
          to);
    tan_thumb_help(to);
    fputs("\nSystems for --target:\n", to);
    tan_target_help(to);
    fputs("\nPlacements under --hosts:\n", to);
    tan_place_help(to);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong usage, 3 not trustworthy, 4 no tree is within "
          "the\nlimits.\n",
          to);
}

static void predict_help(FILE *to)
{
    models_help(to);
    fputs("\nSPECs:\n", to);
    tan_spec_help(to);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong usage, 3 not trustworthy.\n", to);
}

static void messages_help(FILE *to)
{
    fputs("Models (k: bytes):\n", to);
    tan_p2p_model_help(to);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong usage.\n", to);
}

enum { DESIGN, PREDICT, MESSAGES };
static const struct tan_command commands[] = {
    [DESIGN] =
        {
            .usage =
                "--leaves=N [OPTION]...\n--leaves=N --hosts=FILE "
                "[--ranks-per-host=K] [OPTION]...\n--compare=SPEC [SPEC]... [OPTION]...\n--fanouts "
                "[OPTION]...\n--template",
            .purpose =
                "Find the aggregation tree whose waves take the least time on a machine. Needs "
                "no MPI.",
            .groups =
                (const struct tan_option *const[]){design_rows, target_rows, given_rows,
                                                   payload_rows, model_rows, common_rows, NULL},
            .max_operands = -1,
            .operand = design_operand,
            .more_help = design_help,
        },
    [PREDICT] =
        {
            .name = "predict",
            .usage = "SPEC... [OPTION]...",
            .purpose = "Predict the wave times of given trees, level by level.",
            .groups = (const struct tan_option *const[]){given_rows, payload_rows, model_rows,
                                                         common_rows, NULL},
            .max_operands = -1,
            .operand = add_spec,
            .more_help = predict_help,
        },
    [MESSAGES] =
        {
            .name = "messages",
            .usage = "SIZES... [OPTION]...",
            .purpose = "Predict single messages of these sizes, as in 1,1kB,64KiB, with every "
                       "point-to-point model.",
            .groups = (const struct tan_option *const[]){messages_rows, common_rows, NULL},
            .max_operands = -1,
            .operand = add_messages,
            .more_help = messages_help,
        },
    {.usage = NULL},
};

static const struct tan_cli cli = {.program = "tan-design", .commands = commands};

/* Checks of combined options. */

static bool is_for_target(const struct config *c)
{
    return c->target.target != NULL || c->target.targets;
}

static int check_fanouts(const struct config *c, struct tan_error *e)
{
    if (c->output != NULL || c->format != NULL || c->n_specs > 0 || c->max_fanout > 0 ||
        c->max_height > 0 || c->max_processes > 0 || c->max_connections > 0 || c->listed > 0 ||
        c->target.tree != NULL || is_for_target(c)) {
        return tan_fail_usage(e, "--fanouts looks for no best tree: leave out --compare, --output, "
                                 "--format, --target, --targets, --tree, --top and the limits");
    }
    return 0;
}

/* Hosts that processes share, and what goes with them alone. */
static int check_hosts(const struct config *c, struct tan_error *e)
{
    const char *without = c->map != NULL              ? "--map"
                          : c->files.racks != NULL    ? "--racks"
                          : c->files.internal != NULL ? "--internal-hosts"
                          : c->ranks_per_host > 0     ? "--ranks-per-host"
                                                      : NULL;
    if (c->files.hosts == NULL) {
        return without == NULL
                   ? 0
                   : tan_fail_usage(e, "%s needs --hosts FILE, which names the hosts", without);
    }
    if (c->fanouts || tan_given_any(&c->given)) {
        return tan_fail_usage(e, "--hosts uses the tiers of the machine file: leave out --fanouts, "
                                 "--latency, --overhead, --per-child, --quadratic and --bandwidth");
    }
    return 0;
}

static struct target_request request_of(const struct config *c)
{
    struct target_request request = c->target;
    request.leaves = c->leaves;
    request.hosts = c->files.hosts;
    request.output = c->output;
    request.json = c->json;
    request.report = c->report;
    return request;
}

/* What a question about a target does not go with. */
static int check_target(const struct config *c, struct tan_error *e)
{
    const char *wrong = c->n_specs > 0                                ? "--compare"
                        : c->format != NULL                           ? "--format"
                        : c->listed > 0                               ? "--top"
                        : c->max_fanout > 0                           ? "--max-fanout"
                        : c->max_height > 0                           ? "--max-height"
                        : c->max_connections > 0                      ? "--max-connections"
                        : c->max_processes > 0                        ? "--max-processes"
                        : c->files.hosts != NULL && c->target.targets ? "--hosts"
                        : c->ranks_per_host > 0                       ? "--ranks-per-host"
                        : c->files.racks != NULL                      ? "--racks"
                        : c->files.internal != NULL                   ? "--internal-hosts"
                        : c->map != NULL                              ? "--map"
                        : c->target.targets && c->output != NULL      ? "--output"
                                                                      : NULL;
    if (wrong != NULL) {
        return tan_fail_usage(e, "--target%s does not go with %s", c->target.targets ? "s" : "",
                              wrong);
    }
    if (c->target.tree == NULL && (c->leaves == 0) == (c->target.members == 0)) {
        return tan_fail_usage(e,
                              "say either --leaves N, for a system whose internal processes come "
                              "besides, or --members N, where all are members of the tree");
    }
    return 0;
}

/* What --objective, --pareto and --shape do not go with. */
static int check_aim(const struct config *c, struct tan_error *e)
{
    const bool other = c->objective != &tan_objectives[0] || c->any_shape;
    const char *wrong = is_for_target(c)                 ? "--target and --targets"
                        : c->files.hosts != NULL         ? "--hosts"
                        : c->pareto && other             ? "--objective or --shape"
                        : c->pareto && c->n_specs > 0    ? "--compare"
                        : c->pareto && c->output != NULL ? "--output"
                        : c->pareto && c->listed > 0     ? "--top"
                                                         : NULL;
    const char *aim = c->pareto ? "--pareto" : c->any_shape ? "--shape any" : "--objective";
    return (c->pareto || other) && wrong != NULL
               ? tan_fail_usage(e, "%s does not go with %s", aim, wrong)
               : 0;
}

static int check_design(const struct config *c, struct tan_error *e)
{
    if (c->template) {
        return c->arguments == 1 ? 0
                                 : tan_fail_usage(e, "--template takes no other options: it prints "
                                                     "a machine file to fill in");
    }
    if ((!is_for_target(c) && check_hosts(c, e) < 0)) {
        return -1;
    }
    if (c->fanouts) {
        return check_fanouts(c, e);
    }
    if (check_aim(c, e) < 0) {
        return -1;
    }
    const struct target_request request = request_of(c);
    if (targets_check(&request, e) < 0) {
        return -1;
    }
    if (is_for_target(c)) {
        return check_target(c, e);
    }
    if (c->target.tree != NULL && (c->leaves > 0 || c->n_specs > 0 || wants_document(c))) {
        return tan_fail_usage(e, "--tree with --output writes that tree and looks for none: leave "
                                 "out --leaves, --compare, --json and --report");
    }
    if (c->leaves == 0 && c->n_specs == 0 && c->target.tree == NULL) {
        return tan_fail_usage(
            e, "say --leaves N to design a tree, --fanouts to see what fanout costs, "
               "or name a command: predict SPEC, messages SIZES");
    }
    if (c->n_specs > 0 && c->listed > 0) {
        return tan_fail_usage(e, "--compare lists the given trees, --top the best: choose one");
    }
    if (c->n_specs > 0 && c->output != NULL) {
        return tan_fail_usage(e, "--output writes the best tree, none of those after --compare: "
                                 "leave one of the two out");
    }
    if (c->output != NULL && c->leaves >= TAN_TREE_MAX_NODES) {
        return tan_fail_usage(e,
                              "a tree that is written has at most %" PRId32
                              " nodes, too few for these leaves: leave out --output",
                              TAN_TREE_MAX_NODES);
    }
    if (c->format != NULL && c->output == NULL) {
        return tan_fail_usage(e, "--format says how --output is written, which is not given");
    }
    return c->output != NULL && format_of(c, e) == NULL ? -1 : 0;
}

/* The bytes of each way; where only one way has any, waves are that way alone. */
static void set_transfer(struct config *c)
{
    c->given.network.up = c->up_bytes > 0 ? c->up_bytes : c->bytes;
    c->given.network.down = c->down_bytes > 0 ? c->down_bytes : c->bytes;
}

/* Whether rate and bytes are what the model needs: a target's ways have costs of their own. */
static bool network_has(const struct config *c)
{
    return c->model->level == tan_models[TAN_MODEL_TAN].level ||
           (c->model->node != NULL && tan_network_same(&c->given.network) && !is_for_target(c));
}

/* What the transfer of messages does not go with. */
static int check_transfer(const struct config *c, struct tan_error *e)
{
    const bool ways = c->up_bytes > 0 || c->down_bytes > 0;
    const bool rule = c->growth != NULL && c->growth != &tan_payload_rules[0];
    const char *wrong = c->machine != NULL               ? "--machine"
                        : !isnan(c->given.value[TAN_B])  ? "--per-child"
                        : !isnan(c->given.value[TAN_C2]) ? "--quadratic"
                        : rule                           ? "--growth"
                        : c->message_model != NULL       ? "--message-model"
                        : !network_has(c)                ? "this --model"
                                                         : NULL;
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
                              "messages cost, the same on all links, under tan and, where both "
                              "ways have the same bytes, tan-overlap",
                              wrong);
    }
    if (!ways && c->bytes == 0) {
        return tan_fail_usage(e, "--bandwidth needs the length of messages: --bytes SIZE, the same "
                                 "both ways, or --up-bytes SIZE, --down-bytes SIZE or both");
    }
    return 0;
}

static int check_config(const struct config *c, struct tan_error *e)
{
    if (check_transfer(c, e) < 0) {
        return -1;
    }
    if (c->command == &commands[DESIGN]) {
        return check_design(c, e);
    }
    if (c->command == &commands[PREDICT]) {
        return c->n_specs > 0 ? 0 : tan_fail_usage(e, "predict needs a tree, such as binomial:32");
    }
    return c->n_messages > 0 ? 0 : tan_fail_usage(e, "messages needs a size, such as 64KiB");
}

/* Commands */

/* Takes the reference. */
static int put_answer(const struct config *c, json_t *document, struct tan_error *e)
{
    return tan_report_deliver(c->json, c->report, document, NULL, e);
}

static int write_tree(const struct config *c, const struct tan_tree *tree, struct tan_error *e)
{
    struct tan_output *output = tan_output_open(c->output, e);
    if (output == NULL) {
        return -1;
    }
    if (format_of(c, e)->write(tree, tan_output_stream(output), e) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

static int write_spec(const struct config *c, const char *spec, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(spec, e);
    const int result = tree == NULL ? -1 : write_tree(c, tree, e);
    tan_tree_destroy(tree);
    return result;
}

/* The recommended one, or what is faster still. */
static int write_design(const struct config *c, const struct tan_design *d, struct tan_error *e)
{
    char spec[280];
    return d->any_shape != NULL && d->any_shape_wave < d->fastest.wave
               ? write_tree(c, d->any_shape, e)
               : write_spec(c, tan_plan_spec(&d->choices[0].plan, spec, sizeof spec), e);
}

/* Compare the given trees with the best; free() the array. */
static int compare_specs(const struct config *c, const struct tan_design *d,
                         struct tan_compared **compared, struct tan_error *e)
{
    *compared = calloc(c->n_specs + 1, sizeof **compared);
    if (*compared == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < c->n_specs; i++) {
        if (tan_compare(d, c->specs[i], &(*compared)[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int leaves_of(const char *spec, int64_t *leaves, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(spec, e);
    if (tree == NULL) {
        return -1;
    }
    *leaves = tan_tree_leaves(tree);
    tan_tree_destroy(tree);
    return 0;
}

static void report_trees(const struct config *c, const struct tan_design *d,
                         const struct tan_compared *compared, int listed)
{
    if (c->n_specs > 0) {
        tan_report_compared(d, compared, c->n_specs, stdout);
    } else {
        tan_report_design(d, listed, stdout);
    }
}

static struct tan_problem problem_of(const struct config *c, const struct tan_provenance *from)
{
    return (struct tan_problem){
        .leaves = c->leaves,
        .model = c->model,
        .params = &from->machine->tan,
        .beside = from->machine->overlap_known ? &from->machine->overlap : NULL,
        .max_fanout = c->max_fanout,
        .max_height = c->max_height,
        .max_processes = c->max_processes,
        .max_connections = c->max_connections,
    };
}

/* A host for each process, and then for each rank that is left over: a job has all of them. */
static int write_map(const struct config *c, const struct tan_hosted_problem *problem,
                     const struct tan_hosted *choice, const struct tan_host_list *hosts,
                     struct tan_error *e)
{
    int32_t *host = tan_hosted_map(problem, choice, e);
    int32_t *left = calloc(hosts->n, sizeof *left);
    struct tan_output *output = host == NULL ? NULL : tan_output_open(c->map, e);
    int result = -1;
    if (left == NULL) {
        tan_fail_nomem(e);
    } else if (output != NULL) {
        FILE *to = tan_output_stream(output);
        fprintf(to,
                "# %s on %zu hosts with %" PRId32 " ranks each: line i is the host of process i, "
                "the root first\n",
                choice->spec, hosts->n, problem->room.per_host);
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
    free(host);
    return result;
}

/* The machine's doubts, and what the recommended tree asks of it beyond what was measured. */
static int trust_hosted(const struct config *c, const struct tan_hosted *best,
                        const struct tan_machine *machine, struct tan_trust *trust,
                        struct tan_error *e)
{
    struct tan_forecast forecast;
    if (tan_forecast(best->spec, c->model, machine, &forecast, e) < 0) {
        return -1;
    }
    tan_trust_forecasts(&forecast, 1, c->model, machine, trust);
    tan_forecast_clear(&forecast);
    if (machine->n_tiers > 1 && c->files.racks == NULL) {
        tan_doubts_add(&trust->notes, "racks-unknown", NAN, TAN_TOUCHES_ALL,
                       "without --racks no two hosts are taken to be nearer to each other than "
                       "others: tier %.40s is not used",
                       machine->tier[1].name);
    }
    return 0;
}

static int report_hosted(const struct config *c, const struct tan_provenance *from,
                         const struct tan_hosted_problem *problem,
                         const struct tan_host_list *hosts, struct tan_error *e)
{
    const int listed = c->listed > 0 ? (int)c->listed : LISTED;
    struct tan_hosted_design d = {0};
    struct tan_trust trust;
    int result = -1;
    if (tan_hosted_design(problem, listed, &d, e) < 0) {
        return -1;
    }
    if (trust_hosted(c, &d.choices[0], from->machine, &trust, e) < 0) {
        goto done;
    }
    if (!tan_output_is_stdout(c->json) && !tan_output_is_stdout(c->output) &&
        !tan_output_is_stdout(c->map)) {
        tan_report_machine(from, c->model, &trust, d.choices[0].leaves, stdout);
        tan_report_hosted(problem, &d, stdout);
    }
    if ((wants_document(c) &&
         put_answer(c, tan_hosted_to_json(problem, &d, from, &trust), e) < 0) ||
        (c->output != NULL && write_spec(c, d.choices[0].spec, e) < 0) ||
        (c->map != NULL && write_map(c, problem, &d.choices[0], hosts, e) < 0)) {
        goto done;
    }
    result = tan_doubts_fail(&trust.doubts, e);

done:
    tan_hosted_clear(&d);
    return result;
}

static int hosted_design(const struct config *c, const struct tan_provenance *from,
                         struct tan_error *e)
{
    struct host_room hosts;
    if (from->machine->n_tiers == 0) {
        return tan_fail_at(e, from->file, 0, 0,
                           "it has no tiers, so it does not say what processes on one host cost: "
                           "tanbench calibrate measures them with at least 3 ranks on each of at "
                           "least 3 hosts");
    }
    if (c->files.racks != NULL && from->machine->n_tiers < 2) {
        return tan_fail_at(e, from->file, 0, 0,
                           "it has no tier beyond hosts, such as racks: leave out --racks");
    }
    if (tan_host_room_read(&c->files, c->ranks_per_host, &hosts, e) < 0) {
        return -1;
    }
    struct tan_hosted_problem problem = {
        .tree = problem_of(c, from),
        .tiers = tan_machine_tiers(from->machine),
        .room = hosts.room,
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

static int design_tree(const struct config *c, const struct tan_provenance *from,
                       struct tan_error *e)
{
    struct tan_problem problem = problem_of(c, from);
    const int listed = c->listed > 0 ? (int)c->listed : LISTED;
    struct tan_compared *compared = NULL;
    struct tan_design d;
    struct tan_trust trust;
    int result = -1;
    if ((problem.leaves == 0 && leaves_of(c->specs[0], &problem.leaves, e) < 0) ||
        c->objective->narrow(&problem, e) < 0 || tan_design(&problem, listed, &d, e) < 0) {
        return -1;
    }
    if ((c->any_shape && tan_design_any_shape(&d, e) < 0) ||
        compare_specs(c, &d, &compared, e) < 0) {
        goto done;
    }
    tan_trust_design(&d, from->machine, &trust);
    tan_trust_compared(compared, c->n_specs, c->model, from->machine, &trust);
    if (!tan_output_is_stdout(c->json) && !tan_output_is_stdout(c->output)) {
        tan_report_machine(from, c->model, &trust, d.problem.leaves, stdout);
        report_trees(c, &d, compared, listed);
    }
    if (wants_document(c) &&
        put_answer(c, tan_design_to_json(&d, listed, compared, c->n_specs, from, &trust), e) < 0) {
        goto done;
    }
    if (c->output != NULL && write_design(c, &d, e) < 0) {
        goto done;
    }
    result = tan_doubts_fail(&trust.doubts, e);

done:
    free(compared);
    tan_design_clear(&d);
    return result;
}

static int list_pareto(const struct config *c, const struct tan_provenance *from,
                       struct tan_error *e)
{
    enum { MOST = 1000 };
    const struct tan_problem problem = problem_of(c, from);
    struct tan_plans front;
    struct tan_trust trust;
    int result = -1;
    if (tan_pareto(&problem, MOST, &front, e) < 0) {
        return -1;
    }
    int64_t widest = 0;
    for (size_t i = 0; i < front.n; i++) {
        widest = front.plan[i].max_fanout > widest ? front.plan[i].max_fanout : widest;
    }
    tan_trust_size(widest, front.plan[0].processes, c->model, from->machine, &trust);
    if (!tan_output_is_stdout(c->json)) {
        tan_report_machine(from, c->model, &trust, c->leaves, stdout);
        tan_report_pareto(&problem, &front, stdout);
    }
    if (!wants_document(c) ||
        put_answer(c, tan_pareto_to_json(&problem, &front, from, &trust), e) == 0) {
        result = tan_doubts_fail(&trust.doubts, e);
    }
    tan_plans_clear(&front);
    return result;
}

static int list_fanouts(const struct config *c, const struct tan_provenance *from,
                        struct tan_error *e)
{
    struct tan_fanout rows[TAN_FANOUTS];
    const struct tan_params *params = &from->machine->tan;
    struct tan_trust trust;
    if (tan_fanouts(c->model, params, c->leaves, rows, e) < 0) {
        return -1;
    }
    tan_trust_fanouts(rows, c->model, from->machine, &trust);
    if (!tan_output_is_stdout(c->json)) {
        tan_report_machine(from, c->model, &trust, c->leaves, stdout);
        tan_report_fanouts(rows, c->model, params, c->leaves, stdout);
    }
    if (wants_document(c) &&
        put_answer(c, tan_fanouts_to_json(rows, c->model, c->leaves, from, &trust), e) < 0) {
        return -1;
    }
    return tan_doubts_fail(&trust.doubts, e);
}

static int64_t message_bytes(const struct config *c, const struct tan_machine *machine)
{
    return c->bytes > 0 ? c->bytes : machine->tan.bytes;
}

static const struct tan_payload_rule *growth_rule(const struct config *c)
{
    return c->growth == NULL ? &tan_payload_rules[0] : c->growth;
}

static int predict_trees(const struct config *c, const struct tan_provenance *from,
                         struct tan_error *e)
{
    int result = -1;
    size_t n = 0;
    struct tan_forecast *forecasts = calloc(c->n_specs, sizeof *forecasts);
    if (forecasts == NULL) {
        return tan_fail_nomem(e);
    }
    const struct tan_machine *machine = from->machine;
    const bool by_messages = machine->tan.payload != NULL || machine->message_model != NULL;
    for (; n < c->n_specs; n++) {
        if (tan_forecast(c->specs[n], c->model, machine, &forecasts[n], e) < 0 ||
            (by_messages &&
             tan_forecast_messages(&forecasts[n], c->model, machine, message_bytes(c, machine),
                                   growth_rule(c), e) < 0)) {
            n++;
            goto done;
        }
    }
    struct tan_trust trust;
    tan_trust_forecasts(forecasts, n, c->model, from->machine, &trust);
    if (!tan_output_is_stdout(c->json)) {
        tan_report_machine(from, c->model, &trust, 0, stdout);
        tan_report_forecasts(forecasts, n, c->model, &from->machine->tan, stdout);
    }
    if (wants_document(c) &&
        put_answer(c, tan_forecasts_to_json(forecasts, n, c->model, from, &trust), e) < 0) {
        goto done;
    }
    result = tan_doubts_fail(&trust.doubts, e);

done:
    while (n-- > 0) {
        tan_forecast_clear(&forecasts[n]);
    }
    free(forecasts);
    return result;
}

static int predict_messages(const struct config *c, const struct tan_provenance *from,
                            struct tan_error *e)
{
    if (tan_messages_check(from, e) < 0 || tan_messages_check_models(from, e) < 0) {
        return -1;
    }
    if (!tan_output_is_stdout(c->json)) {
        tan_messages_print(c->messages, c->n_messages, c->compute, from, stdout);
    }
    return !wants_document(c)
               ? 0
               : put_answer(c, tan_messages_to_json(c->messages, c->n_messages, c->compute, from),
                            e);
}

/* The payload of waves with messages of `bytes`, where it differs from the measured one. */
static int make_payload(const struct config *c, const struct tan_provenance *from, int64_t bytes,
                        const struct tan_payload_rule *growth, struct tan_payload **payload,
                        struct tan_error *e)
{
    const struct tan_params *tan = &from->machine->tan;
    *payload = NULL;
    if (from->given->network.rate > 0.0) {
        return 0;
    }
    if (bytes == tan->bytes && growth == &tan_payload_rules[0]) {
        return 0;
    }
    if (tan_messages_check(from, e) < 0) {
        return -1;
    }
    *payload = tan_payload_create(from->machine->messages, c->message_model, tan->bytes, bytes,
                                  growth, from->file, e);
    return *payload == NULL ? -1 : 0;
}

/* Each way of a network has its own messages; systems with one setting for both have round trips.
 */
static int transfer_to_target(const struct config *c, const struct tan_provenance *from,
                              struct tan_error *e)
{
    const struct tan_network *both = &c->given.network;
    const struct target_request request = request_of(c);
    const struct tan_params *round = &from->machine->tan;
    if (tan_network_one_way(both)) {
        const struct target_params one = {round, round, round, both->up > 0 ? TAN_UP : TAN_DOWN};
        return targets_run(&request, from, c->model, &one, e);
    }
    struct tan_params up = *round;
    struct tan_params down = *round;
    tan_given_network(&c->given, &(struct tan_network){both->rate, both->up, 0}, &up);
    tan_given_network(&c->given, &(struct tan_network){both->rate, 0, both->down}, &down);
    const struct target_params ways = {&up, &down, round, 0};
    return targets_run(&request, from, c->model, &ways, e);
}

/* What goes up grows by the rule, what goes down is the same everywhere. */
static int for_target(const struct config *c, const struct tan_provenance *from,
                      struct tan_error *e)
{
    const int64_t bytes = message_bytes(c, from->machine);
    const struct target_request request = request_of(c);
    struct tan_params up = from->machine->tan;
    struct tan_params down = from->machine->tan;
    struct tan_payload *payload_up = NULL;
    struct tan_payload *payload_down = NULL;
    int result = -1;
    const int64_t up_bytes = c->up_bytes > 0 ? c->up_bytes : bytes;
    const int64_t down_bytes = c->down_bytes > 0 ? c->down_bytes : bytes;
    const bool overlap = c->model->node != NULL; /* its round trips know both ways */
    const bool same =
        up_bytes == down_bytes && (overlap || growth_rule(c) == &tan_payload_rules[0]);
    if (overlap && !same) {
        return tan_fail_usage(e, "under model tan-overlap both ways have the same bytes: leave out "
                                 "--up-bytes and --down-bytes, or ask model tan");
    }
    if (make_payload(c, from, up_bytes, growth_rule(c), &payload_up, e) == 0 &&
        (same || make_payload(c, from, down_bytes, &tan_payload_rules[0], &payload_down, e) == 0)) {
        up.payload = payload_up;
        down.payload = payload_down;
        const struct target_params params = {&up, same ? &up : &down, NULL, 0};
        result = targets_run(&request, from, c->model, &params, e);
    }
    tan_payload_destroy(payload_up);
    tan_payload_destroy(payload_down);
    return result;
}

static int predict_or_design(const struct config *c, const struct tan_provenance *from,
                             struct tan_machine *machine, struct tan_error *e)
{
    struct tan_payload *payload;
    if (tan_machine_require_tan(from->machine, from->file, e) < 0 ||
        (!is_for_target(c) &&
         make_payload(c, from, message_bytes(c, from->machine), growth_rule(c), &payload, e) < 0)) {
        return -1;
    }
    if (is_for_target(c)) {
        return c->given.network.rate > 0.0 ? transfer_to_target(c, from, e)
                                           : for_target(c, from, e);
    }
    machine->tan.payload = machine->overlap.payload = payload;
    const int result = c->command == &commands[PREDICT] ? predict_trees(c, from, e)
                       : c->fanouts                     ? list_fanouts(c, from, e)
                       : c->pareto                      ? list_pareto(c, from, e)
                       : c->files.hosts != NULL         ? hosted_design(c, from, e)
                                                        : design_tree(c, from, e);
    machine->tan.payload = machine->overlap.payload = NULL;
    tan_payload_destroy(payload);
    return result;
}

static int use_message_model(const struct config *c, const struct tan_provenance *from,
                             struct tan_machine *machine, struct tan_error *e)
{
    if (c->message_model == NULL) {
        return 0;
    }
    if (tan_messages_check(from, e) < 0) {
        return -1;
    }
    const int64_t bytes = c->command == &commands[MESSAGES] ? 1 : message_bytes(c, machine);
    if (tan_p2p_require(machine->messages, from->file, c->message_model, bytes, e) < 0) {
        return -1;
    }
    if (machine->tan_derived) {
        tan_machine_derive_tan(machine, c->message_model);
    }
    return 0;
}

/* The model that is least off the file's check trees. TAN where there are none, for what the trees
 * do not speak of: a target's ways apart, parameters that replace the file's, and hosts where the
 * file has no tiers; and where a tier has none of the model's. On a network of known rate messages
 * overlap. */
static const struct tan_model *checked_model(const struct config *c,
                                             const struct tan_machine *machine)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const bool network = tan_network_same(&c->given.network);
    const int best = network ? TAN_CHECK_OVERLAP : tan_checks_best(&machine->checks);
    const bool apart = is_for_target(c) && (network || c->up_bytes > 0 || c->down_bytes > 0);
    const bool hosts = c->files.hosts != NULL && !is_for_target(c) && machine->n_tiers == 0;
    struct tan_tiers tiers;
    if (best < 0 || apart || hosts || (tan_given_any(&c->given) && !network)) {
        return &tan_models[TAN_MODEL_TAN];
    }
    const struct tan_model *model = tan_model_find(tan_check_models[best], &ignored);
    return tan_model_tiers(model, machine, &tiers) ? model : &tan_models[TAN_MODEL_TAN];
}

static int run_command(struct config *c, struct tan_error *e)
{
    set_transfer(c);
    if (check_config(c, e) < 0) {
        return -1;
    }
    if (c->template) {
        template_print(stdout, stderr);
        return 0;
    }
    if (c->target.tree != NULL && !is_for_target(c)) {
        return write_spec(c, c->target.tree, e);
    }
    char *file = NULL;
    struct tan_machine *machine = tan_given_machine(&c->given, c->machine, &file, e);
    if (machine == NULL) {
        return -1;
    }
    const struct tan_provenance from = {machine, file, &c->given};
    c->model = c->model_given ? c->model : checked_model(c, machine);
    machine->tan.work = machine->overlap.work = isnan(c->work) ? 0.0 : c->work;
    const int result = use_message_model(c, &from, machine, e) < 0 ||
                               tan_machine_choose(machine, c->model->node != NULL, file, e) < 0
                           ? -1
                       : c->command == &commands[MESSAGES]
                           ? predict_messages(c, &from, e)
                           : predict_or_design(c, &from, machine, e);
    tan_machine_destroy(machine);
    free(file);
    return result;
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    struct config config = {.arguments = argc - 1,
                            .model = &tan_models[TAN_MODEL_TAN],
                            .objective = &tan_objectives[0],
                            .work = NAN,
                            .compute = NAN,
                            .given = TAN_GIVEN_NOTHING};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    int result = -1;
    config.specs = calloc((size_t)argc, sizeof *config.specs);
    if (config.specs == NULL) {
        tan_fail_nomem(&e);
    } else if (tan_cli_parse(&cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action == TAN_CLI_RUN) {
            config.command = answer.command;
            result = run_command(&config, &e);
        } else {
            tan_cli_print(&cli, &answer);
            result = 0;
        }
    }
    free(config.specs);
    return tan_cli_end(cli.program, result, &e);
}
