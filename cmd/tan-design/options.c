/* options.c - the options of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "design/choice/design.h"
#include "design/systems/setting.h"
#include "topo/spec.h"

static int set_bandwidth(void *config, const char *what, const char *value, struct tan_error *e)
{
    double bits;
    if (tan_parse_rate(what, value, &bits, e) < 0) {
        return -1;
    }
    ((struct config *)config)->given.network.rate = bits / 8.0;
    return 0;
}

static int find_target(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct config *c = config;
    (void)what;
    c->target.target = value;
    c->target.row = tan_target_find(value, e);
    return c->target.row == NULL ? -1 : 0;
}

static int set_failures(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    double *p = &((struct config *)config)->p_down;
    return strncmp(value, "p=", 2) != 0 ||
                   tan_parse_real(what, value + 2, 0.0, 1.0, p, &ignored) < 0 || *p == 0.0 ||
                   *p == 1.0
               ? tan_fail_usage(e,
                                "%s must be p= and a probability above 0 and below 1, such as "
                                "p=1e-4, not \"%s\"",
                                what, value)
               : 0;
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

/* Nothing but options: say what was meant. */
static int design_operand(void *config, const char *value, struct tan_error *e)
{
    (void)config;
    if (value[strspn(value, "0123456789kMGi")] == '\0') {
        return tan_fail_usage(e, "did you mean --leaves %s? \"%s\" is not an option", value, value);
    }
    const bool named = tan_target_find(value, NULL) != NULL;
    const char *meant = named ? value : tan_target_nearest(value).name;
    if (meant != NULL) {
        return tan_fail_usage(e, "did you mean target %s? \"%s\" is not an option", meant, value);
    }
    return tan_fail_usage(e,
                          "\"%s\" is not an option; to predict a tree: tan-design predict %s; to "
                          "compare it with the best: tan-design compare %s",
                          value, value, value);
}

static int set_members(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct target_request *request = &((struct config *)config)->target;
    if (tan_parse_counts(what, value, 1, TAN_PLAN_MAX_LEAVES, request->range_members, MAX_RULE_ENDS,
                         &request->n_members, e) < 0) {
        return -1;
    }
    request->members = request->range_members[0];
    return 0;
}

static int set_bytes(void *config, const char *what, const char *value, struct tan_error *e)
{
    struct config *c = config;
    if (tan_parse_sizes(what, value, 1, INT32_MAX, c->target.range_bytes, MAX_RULE_ENDS,
                        &c->target.n_bytes, e) < 0) {
        return -1;
    }
    c->message.bytes = c->target.range_bytes[0];
    return 0;
}

static int add_sizes(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    int64_t bytes[MAX_SIZES];
    size_t n;
    if (tan_parse_sizes("the size of a message", value, 1, INT64_C(1) << 40, bytes, MAX_SIZES, &n,
                        e) < 0) {
        return -1;
    }
    if (c->sizes.n + n > MAX_SIZES) {
        return tan_fail_usage(e, "messages takes at most %d sizes", MAX_SIZES);
    }
    memcpy(c->sizes.bytes + c->sizes.n, bytes, n * sizeof *bytes);
    c->sizes.n += n;
    return 0;
}

/* Tables */

#define AT(member) offsetof(struct config, member)

/* The leaves, and the file that is written. */
static const struct tan_option leaves_rows[] = {
    TAN_HEADING("The tree:"),
    TAN_COUNT("leaves", 'l', "N", "the number of leaves (back ends), such as 4096, 4k or 4Ki",
              AT(problem.leaves), 1, TAN_PLAN_MAX_LEAVES),
    TAN_OPTIONS_END,
};

static const struct tan_option written_rows[] = {
    TAN_OUTPUT("output", 'o', "FILE",
               "write the recommended tree here (-: standard output, no answer)", AT(to.output)),
    TAN_CALL("format", 'f', "NAME", "mrnet, json, csv, dot and others [what FILE's ending says]",
             tree_output_set_format),
    TAN_OPTIONS_END,
};

static const struct tan_option limit_rows[] = {
    TAN_HEADING("Limits:"),
    TAN_COUNT("max-fanout", 0, "X", "no node may have more children", AT(problem.max_fanout), 1,
              TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-height", 0, "H", "no leaf may be more hops away from the root",
              AT(problem.max_height), 1, TAN_PLAN_MAX_LEAVES),
    TAN_COUNT("max-processes", 0, "P",
              "root, internal processes and leaves together may not be more (takes long beyond "
              "10^8 leaves)",
              AT(problem.max_processes), 1, INT64_MAX / 2),
    TAN_COUNT("max-loss", 0, "N", "no process may take more leaves with it when it fails",
              AT(problem.max_loss), 1, TAN_PLAN_MAX_LEAVES),
    TAN_OPTIONS_END,
};

static const struct tan_option aim_rows[] = {
    TAN_ROW("objective", 0, "NAME",
            "what is to be least: latency (of a wave), period (from wave to wave) or processes; of "
            "several trees the one with the shortest wave [latency]",
            AT(aim.objective), tan_objectives),
    TAN_OPTIONS_END,
};

static const struct tan_option listed_rows[] = {
    TAN_COUNT("top", 'k', "K", "list the K best trees under --details, at most 1000 [5]",
              AT(listed), 1, TAN_DESIGN_LISTED),
    TAN_OPTIONS_END,
};

static const struct tan_option pareto_rows[] = {
    TAN_HEADING("The front:"),
    TAN_ROW("pareto", 0, "KEYS",
            "latency,processes or latency,loss: list the trees to which no other is preferable "
            "in both; loss is what one process takes with it when it fails",
            AT(aim.front), tan_fronts),
    TAN_OPTIONS_END,
};

static const struct tan_option compare_rows[] = {
    TAN_HEADING("The trees:"),
    TAN_CALL(
        "compare", 0, "SPEC",
        "list this tree and those that follow beside the best one, which has as many leaves as "
        "the first SPEC or --leaves; with --hosts place these alone",
        set_compare),
    TAN_OPTIONS_END,
};

#define HOSTS_ROW(help) TAN_TEXT("hosts", 0, "FILE", help, AT(files.hosts))
#define PER_HOST_ROW(help)                                                                         \
    TAN_COUNT("ranks-per-host", 0, "K", help, AT(files.per_host), 1, INT32_MAX)
#define RACKS_ROW(help) TAN_TEXT("racks", 0, "FILE", help, AT(files.racks))

static const struct tan_option hosts_rows[] = {
    TAN_HEADING("The hosts:"),
    HOSTS_ROW("the hosts of the processes, by name: a file, or a list such as n[1-64] (hosts with "
              "several processes need tiers in the machine file)"),
    PER_HOST_ROW("how many processes each of them holds [slots= of FILE]"),
    RACKS_ROW("the rack of each of them, which are filled rack by rack: Slurm's topology.conf, or "
              "lines \"HOST RACK\""),
    TAN_OUTPUT("map", 0, "FILE", "write the host of each process here, for tanbench --map",
               AT(to.map)),
    TAN_OPTIONS_END,
};

static const struct tan_option fanouts_rows[] = {
    TAN_FLAG("fanouts", 0, "list what fanouts of 2 to 128 cost, and with --leaves their trees",
             AT(fanouts)),
    TAN_OPTIONS_END,
};

#define TREE_ROW(help) TAN_TEXT("tree", 0, "SPEC", help, AT(target.tree))

static const struct tan_option convert_rows[] = {
    TAN_HEADING("The tree:"),
    TREE_ROW("the tree, as for predict"),
    TAN_OPTIONS_END,
};

static const struct tan_option target_rows[] = {
    TAN_HEADING("The system that builds the tree (--leaves counts leaves, --members all):"),
    TAN_CALL("target", 'T', "NAME", "the best setting of this system, in place of the operand NAME",
             find_target),
    TAN_FLAG("targets", 0, "all of them in a table; without a number their names",
             AT(target.targets)),
    TAN_CALL(
        "members", 0, "N",
        "the number of processes, where all are members of the tree; several, as in 16,64,256, "
        "with or without several --bytes: rules for the ranges between them",
        set_members),
    TAN_TEXT("setting", 0, "TEXT", "this setting in place of the best one, such as TreeWidth=16",
             AT(target.setting)),
    TREE_ROW("the setting that builds this tree of yours, or the nearest; SPEC as for predict"),
    TAN_CALL("failures", 0, "WHAT",
             "how likely processes are down when a wave begins, p=P, every one but the root: the "
             "setting "
             "with the least expected wave, by the time that others wait",
             set_failures),
    HOSTS_ROW("names for the configuration, a file or a list such as n[1-64]"),
    PER_HOST_ROW("how many MPI ranks fill each host, with or without names [slots= of FILE, or 1]"),
    RACKS_ROW(
        "the rack of each of them, by which links are priced: Slurm's topology.conf, or lines "
        "\"HOST RACK\""),
    TAN_OUTPUT("output", 'o', "FILE",
               "write the configuration here (-: standard output, no answer)", AT(to.output)),
    TAN_OPTIONS_END,
};

static const struct tan_option payload_rows[] = {
    TAN_HEADING("Messages:"),
    TAN_CALL(
        "bytes", 'b', "SIZE",
        "what each leaf sends [the size that the machine was measured with]; other sizes need a "
        "p2p block in the machine file",
        set_bytes),
    TAN_SIZE("up-bytes", 0, "SIZE",
             "what each process sends up, for --bandwidth or --target [--bytes]", AT(message.up), 1,
             INT32_MAX),
    TAN_SIZE("down-bytes", 0, "SIZE",
             "what goes down to each, for --bandwidth or --target [--bytes]", AT(message.down), 1,
             INT32_MAX),
    TAN_ROW("growth", 0, "RULE",
            "how messages grow towards the root, constant or concat [constant]", AT(message.growth),
            tan_payload_rules),
    TAN_DURATION(
        "work", 0, "TIME",
        "what a parent's filter takes for each child's message, in addition to its reception [0]",
        AT(message.work)),
    TAN_OPTIONS_END,
};

static const struct tan_option model_rows[] = {
    TAN_HEADING("The model:"),
    TAN_ROW("model", 0, "NAME",
            "tan, logp, tan-overlap and others [the machine file's best; tan if it names none]",
            AT(model), tan_models),
    TAN_OPTIONS_END,
};

static const struct tan_option given_rows[] = {
    TAN_HEADING(
        "The machine, in place of its file's parameters (--latency and --overhead need none):"),
    TAN_DURATION("latency", 0, "TIME",
                 "L, the latency of a message, such as 2us, without the overheads of sender and "
                 "receiver",
                 AT(given.value[TAN_L])),
    TAN_DURATION(
        "rtt", 0, "TIME",
        "the round-trip time of a short message between processes, in place of L, which is half of "
        "it less two overheads (half of what ping shows is L)",
        AT(round_trip)),
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
        "say how long they are (one alone: only that way); L, a and b are 0 unless given, and "
        "a further child takes the transfer of its message, but not less than a and b",
        set_bandwidth),
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
             "a file of parameters, or a shipped machine such as cab [those of the last "
             "calibration, else Cab's]",
             AT(machine)),
    TAN_OUTPUT("json", 'j', "FILE", "write everything as JSON here (-: standard output, no report)",
               AT(to.json)),
    TAN_OUTPUT("report", 0, "FILE", "write a page with figures here (HTML)", AT(to.report)),
    TAN_FLAG("details", 0, "print all of the answer, with more tables, not only one screen of it",
             AT(details)),
    TAN_OPTIONS_END,
};

static void models_help(FILE *to)
{
    fputs("Models (x: children of a node):\n", to);
    tan_choice_help(TAN_ROWS(tan_models), 18, to);
    fputs("\nGrowth, the message of an internal node is:\n", to);
    tan_choice_help(TAN_ROWS(tan_payload_rules), 19, to);
}

static void exit_help(FILE *to)
{
    tan_text_say(to,
                 "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 not trustworthy, 4 no tree is "
                 "within the limits.");
}

static void design_help(FILE *to)
{
    models_help(to);
    tan_text_say(to,
                 "\nA design is the best of all trees under the model. It is compared with what "
                 "rules of thumb would build. Several of those systems make their inner nodes "
                 "members of the tree; here each rule serves N leaves, with internal processes of "
                 "its own:");
    tan_thumb_help(to);
    fputs("\nFormats for --format:\n", to);
    tree_output_help(to);
    exit_help(to);
}

static void target_help(FILE *to)
{
    fputs("Systems:\n", to);
    tan_target_help(to);
    exit_help(to);
}

static void hosts_help(FILE *to)
{
    fputs("Placements:\n", to);
    tan_choice_help(TAN_ROWS(tan_places), 18, to);
    exit_help(to);
}

static void convert_help(FILE *to)
{
    fputs("Formats for --format:\n", to);
    tree_output_help(to);
    fputs("\nSPECs:\n", to);
    tan_spec_help(to);
    exit_help(to);
}

static void predict_help(FILE *to)
{
    models_help(to);
    fputs("\nSPECs:\n", to);
    tan_spec_help(to);
    exit_help(to);
}

static void messages_help(FILE *to)
{
    fputs("Models (k: bytes):\n", to);
    tan_choice_help(TAN_ROWS(tan_p2p_models), 14, to);
    exit_help(to);
}

#define GROUPS(...)                                                                                \
    (const struct tan_option *const[])                                                             \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define WAVE_GROUPS given_rows, payload_rows, model_rows

static const struct tan_command commands[] = {
    [COMMAND_DESIGN] =
        {
            .usage = "--leaves=N [OPTION]...",
            .purpose =
                "Find the aggregation tree whose waves take the least time on a machine. Needs "
                "no MPI.",
            .groups = GROUPS(leaves_rows, written_rows, common_rows, given_rows, aim_rows,
                             listed_rows, limit_rows, payload_rows, model_rows),
            .brief = 4,
            .max_operands = -1,
            .operand = design_operand,
            .more_help = design_help,
        },
    [COMMAND_TARGET] =
        {
            .name = "target",
            .option = "target",
            .usage = "NAME --members=N [OPTION]...",
            .purpose = "The best setting of a system that builds its own tree, and the lines for "
                       "its configuration; without NAME all systems. NAME@VERSION: that version.",
            .groups = GROUPS(leaves_rows, target_rows, common_rows, WAVE_GROUPS),
            .brief = 5,
            .max_operands = 1,
            .more_help = target_help,
        },
    [COMMAND_TARGETS] =
        {
            .name = "targets",
            .option = "targets",
            .usage = "[--members=N] [OPTION]...",
            .purpose = "All systems that build their own trees, and their best settings.",
            .groups = GROUPS(leaves_rows, target_rows, common_rows, WAVE_GROUPS),
            .brief = 5,
            .more_help = target_help,
        },
    [COMMAND_HOSTS] =
        {
            .name = "hosts",
            .option = "hosts",
            .usage = "--leaves=N --hosts=FILE [OPTION]...",
            .purpose = "The best tree and its placement on hosts that hold several processes each, "
                       "or are in racks.",
            .groups = GROUPS(leaves_rows, hosts_rows, written_rows, common_rows, listed_rows,
                             limit_rows, compare_rows, payload_rows, model_rows),
            .brief = 4,
            .max_operands = -1,
            .operand = add_spec,
            .more_help = hosts_help,
        },
    [COMMAND_PARETO] =
        {
            .name = "pareto",
            .option = "pareto",
            .usage = "KEYS --leaves=N [OPTION]...",
            .purpose = "The trees to which no other is preferable both in wave time and in "
                       "processes, or in what a failure takes: KEYS latency,processes or "
                       "latency,loss.",
            .groups = GROUPS(leaves_rows, pareto_rows, limit_rows, common_rows, WAVE_GROUPS),
            .brief = 4,
            .max_operands = 1,
            .more_help = exit_help,
        },
    [COMMAND_FANOUTS] =
        {
            .name = "fanouts",
            .option = "fanouts",
            .usage = "[--leaves=N] [OPTION]...",
            .purpose = "What fanouts of 2 to 128 cost, and with --leaves their trees.",
            .groups = GROUPS(leaves_rows, fanouts_rows, common_rows, WAVE_GROUPS),
            .brief = 3,
            .more_help = exit_help,
        },
    [COMMAND_COMPARE] =
        {
            .name = "compare",
            .option = "compare",
            .usage = "SPEC... [--leaves=N] [OPTION]...",
            .purpose = "Given trees beside the best one, which has as many leaves as the first, or "
                       "N.",
            .groups =
                GROUPS(leaves_rows, compare_rows, limit_rows, aim_rows, common_rows, WAVE_GROUPS),
            .brief = 5,
            .max_operands = -1,
            .more_help = predict_help,
        },
    [COMMAND_CONVERT] =
        {
            .name = "convert",
            .option = "tree",
            .usage = "SPEC --output=FILE [--format=NAME]",
            .purpose = "Write a tree in another format.",
            .groups = GROUPS(convert_rows, written_rows),
            .brief = 2,
            .max_operands = 1,
            .more_help = convert_help,
        },
    [COMMAND_PREDICT] =
        {
            .name = "predict",
            .usage = "SPEC... [OPTION]...",
            .purpose = "Predict the wave times of given trees, level by level.",
            .groups = GROUPS(common_rows, WAVE_GROUPS),
            .brief = 2,
            .max_operands = -1,
            .operand = add_spec,
            .more_help = predict_help,
        },
    [COMMAND_MESSAGES] =
        {
            .name = "messages",
            .usage = "SIZES... [OPTION]...",
            .purpose = "Predict single messages of these sizes, as in 1,1kB,64KiB, with every "
                       "point-to-point model.",
            .groups = GROUPS(messages_rows, common_rows),
            .brief = 2,
            .max_operands = -1,
            .operand = add_sizes,
            .more_help = messages_help,
        },
    {.usage = NULL},
};

const struct tan_cli design_cli = {.program = "tan-design", .commands = commands};
