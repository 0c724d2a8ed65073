/* openmpi.c - Open MPI since 4.1: trees of coll/tuned for MPI_Reduce and MPI_Bcast
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trees of ompi/mca/coll/base/coll_base_topo.c of 4.1.4, with root 0; the same in 5.0.9 and on
 * the branch of 6.0 in August 2026. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "design/systems/knomial.h"
#include "design/systems/rules.h"
#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "design/systems/target.h"

/* `chains` chains below the root; the first ones are longer by one. */
static int chains_split(int64_t chains, int64_t size, int depth, struct tan_branch *out)
{
    return tan_branches_even(size - 1, depth == 0 ? chains : 1, out);
}

static void chains_parents(int64_t chains, int32_t n, int32_t *parents)
{
    tan_preorder_parents(chains_split, chains, n, parents);
}

enum { MOST_CHAINS = 32, MOST_RADIX = 65536 };
#define CHAINS_OUTSIDE "0 is 1 and more than 32 are 32, silently"

/* Algorithms of coll/tuned that MCA parameters and rules files can select. */
#define TREES(COLLECTIVE, DIRECTION, TO_ALL)                                                       \
    TAN_TABLE_ROW(COLLECTIVE "=linear", TO_ALL, 0, 0, DIRECTION, NULL, tan_kary_split,             \
                  tan_kary_parents),                                                               \
        TAN_TABLE_ROW(COLLECTIVE "=chain:", "this many chains below the root", 1, MOST_CHAINS,     \
                      DIRECTION, CHAINS_OUTSIDE, chains_split, chains_parents),                    \
        TAN_TABLE_ROW(COLLECTIVE "=pipeline", "one chain", 1, 0, DIRECTION, NULL, chains_split,    \
                      chains_parents),                                                             \
        TAN_TABLE_ROW(COLLECTIVE "=binary", "two children", 2, 0, DIRECTION, NULL,                 \
                      tan_radix_tree_split, tan_radix_tree_parents)
#define ALGORITHMS                                                                                 \
    TREES("reduce", TAN_UP, "all ranks send to the root"),                                         \
        TAN_TABLE_ROW("reduce=binomial", "rank v below v without its lowest bit", 2, 0, TAN_UP,    \
                      NULL, tan_knomial_split, tan_knomial_parents),                               \
        TREES("bcast", TAN_DOWN, "the root sends to all"),                                         \
        TAN_TABLE_ROW("bcast=binomial", "rank v below v without its highest bit", 2, 0, TAN_DOWN,  \
                      NULL, tan_strided_knomial_split, tan_strided_knomial_parents)

/* With a radix of 1 the ranks never return. */
#define KNOMIAL(COLLECTIVE, DIRECTION)                                                             \
    TAN_TABLE_ROW(COLLECTIVE "=knomial:", "rank v below v without its lowest digit to this base",  \
                  2, MOST_RADIX, DIRECTION, NULL, tan_knomial_split_by_place, tan_knomial_parents)
#define KNOMIAL_4                                                                                  \
    TAN_TABLE_ROW("bcast=knomial:4", "rank v below v without its lowest digit to base 4", 4, 0,    \
                  TAN_DOWN, NULL, tan_knomial_split_by_place, tan_knomial_parents)

static const struct tan_knob knobs[] = {ALGORITHMS, KNOMIAL("bcast", TAN_DOWN), TAN_NO_KNOB};
/* coll_tuned_reduce_decision.c of 6.0; coll_base_reduce.c builds the tree of the broadcasts. */
static const struct tan_knob knobs_6[] = {ALGORITHMS, KNOMIAL("bcast", TAN_DOWN),
                                          KNOMIAL("reduce", TAN_UP), TAN_NO_KNOB};
static const struct tan_knob knobs_of_rules[] = {ALGORITHMS, KNOMIAL_4, TAN_NO_KNOB};
static const struct tan_knob knobs_of_rules_6[] = {ALGORITHMS, KNOMIAL_4, KNOMIAL("reduce", TAN_UP),
                                                   TAN_NO_KNOB};
/* Rows of `knobs`. */
enum {
    REDUCE_LINEAR,
    REDUCE_CHAIN,
    REDUCE_PIPELINE,
    REDUCE_BINARY,
    REDUCE_BINOMIAL,
    BCAST_LINEAR,
    BCAST_CHAIN,
    BCAST_PIPELINE,
    BCAST_BINARY,
    BCAST_BINOMIAL,
    BCAST_KNOMIAL
};

/* The root is rank n - 1, which forwards the result to rank 0. Rank 0 is also a leaf, so it stands
 * above the tree of all ranks and is counted twice. */
static int in_order_split(int64_t value, int64_t size, int depth, struct tan_branch *out)
{
    (void)value;
    if (depth == 0) {
        out[0] = (struct tan_branch){.size = size, .count = 1};
        return 1;
    }
    return tan_branches_even(size - 1, 2, out);
}

/* For comparison only: not a setting of the target. */
static const struct tan_knob in_order_binary = {
    .name = "reduce=in-order-binary", .directions = TAN_UP, .split = in_order_split};

/* The fixed decisions of coll/tuned for commutative operations, by ranks and bytes, from
 * coll_tuned_decision_fixed.c; identical in 4.1.4, 5.0.9 and on the branch of 6.0 in August 2026.
 * The main branch, 6.1, has other broadcasts for communicators with one rank per host. */
static const struct tan_decision reduce_decisions[] = {
    {4, 8, NULL, 0, "reduce=rabenseifner"},
    {4, 16, &knobs[REDUCE_BINARY], 2, NULL},
    {4, 32, &knobs[REDUCE_PIPELINE], 1, NULL},
    {4, 262144, &knobs[REDUCE_LINEAR], 0, NULL},
    {4, 524288, &knobs[REDUCE_PIPELINE], 1, NULL},
    {4, 1048576, &knobs[REDUCE_CHAIN], 1, NULL},
    {4, 0, &knobs[REDUCE_PIPELINE], 1, NULL},
    {8, 4096, &knobs[REDUCE_BINARY], 2, NULL},
    {8, 65536, &knobs[REDUCE_CHAIN], 1, NULL},
    {8, 262144, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {8, 524288, &knobs[REDUCE_LINEAR], 0, NULL},
    {8, 1048576, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {8, 0, &knobs[REDUCE_LINEAR], 0, NULL},
    {16, 8192, &knobs[REDUCE_BINARY], 2, NULL},
    {16, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {32, 4096, &knobs[REDUCE_BINARY], 2, NULL},
    {32, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {256, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {512, 8192, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {512, 16384, &in_order_binary, 0, NULL},
    {512, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {2048, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {4096, 512, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {4096, 1024, &in_order_binary, 0, NULL},
    {4096, 8192, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {4096, 16384, &in_order_binary, 0, NULL},
    {4096, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {0, 16, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {0, 32, &in_order_binary, 0, NULL},
    {0, 1024, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {0, 2048, &in_order_binary, 0, NULL},
    {0, 8192, &knobs[REDUCE_BINOMIAL], 2, NULL},
    {0, 16384, &in_order_binary, 0, NULL},
    {0, 0, &knobs[REDUCE_BINOMIAL], 2, NULL},
};

static const struct tan_decision bcast_decisions[] = {
    {4, 32, &knobs[BCAST_PIPELINE], 1, NULL},       {4, 256, &knobs[BCAST_BINARY], 2, NULL},
    {4, 512, &knobs[BCAST_PIPELINE], 1, NULL},      {4, 1024, &knobs[BCAST_KNOMIAL], 4, NULL},
    {4, 32768, &knobs[BCAST_LINEAR], 0, NULL},      {4, 131072, &knobs[BCAST_BINARY], 2, NULL},
    {4, 262144, &knobs[BCAST_CHAIN], 1, NULL},      {4, 524288, &knobs[BCAST_LINEAR], 0, NULL},
    {4, 1048576, &knobs[BCAST_BINOMIAL], 2, NULL},  {4, 0, &knobs[BCAST_BINARY], 2, NULL},
    {8, 64, &knobs[BCAST_BINARY], 2, NULL},         {8, 128, &knobs[BCAST_BINOMIAL], 2, NULL},
    {8, 2048, &knobs[BCAST_BINARY], 2, NULL},       {8, 8192, &knobs[BCAST_BINOMIAL], 2, NULL},
    {8, 1048576, &knobs[BCAST_LINEAR], 0, NULL},    {8, 0, &knobs[BCAST_CHAIN], 1, NULL},
    {16, 8, &knobs[BCAST_KNOMIAL], 4, NULL},        {16, 64, &knobs[BCAST_BINARY], 2, NULL},
    {16, 4096, &knobs[BCAST_KNOMIAL], 4, NULL},     {16, 16384, &knobs[BCAST_BINARY], 2, NULL},
    {16, 32768, &knobs[BCAST_BINOMIAL], 2, NULL},   {16, 0, &knobs[BCAST_LINEAR], 0, NULL},
    {32, 4096, &knobs[BCAST_KNOMIAL], 4, NULL},     {32, 1048576, &knobs[BCAST_BINOMIAL], 2, NULL},
    {32, 0, NULL, 0, "bcast=scatter-allgather"},    {64, 2048, &knobs[BCAST_BINOMIAL], 2, NULL},
    {64, 0, &knobs[BCAST_KNOMIAL], 4, NULL},        {128, 0, &knobs[BCAST_KNOMIAL], 4, NULL},
    {256, 2, &knobs[BCAST_BINOMIAL], 2, NULL},      {256, 16384, &knobs[BCAST_BINARY], 2, NULL},
    {256, 32768, &knobs[BCAST_LINEAR], 0, NULL},    {256, 65536, &knobs[BCAST_BINARY], 2, NULL},
    {256, 0, &knobs[BCAST_KNOMIAL], 4, NULL},       {1024, 16384, &knobs[BCAST_KNOMIAL], 4, NULL},
    {1024, 32768, NULL, 0, "bcast=split-binary"},   {1024, 0, &knobs[BCAST_KNOMIAL], 4, NULL},
    {2048, 524288, &knobs[BCAST_KNOMIAL], 4, NULL}, {2048, 0, NULL, 0, "bcast=scatter-allgather"},
    {4096, 262144, &knobs[BCAST_KNOMIAL], 4, NULL}, {4096, 0, NULL, 0, "bcast=scatter-allgather"},
    {0, 8192, &knobs[BCAST_KNOMIAL], 4, NULL},      {0, 16384, &knobs[BCAST_BINARY], 2, NULL},
    {0, 262144, &knobs[BCAST_KNOMIAL], 4, NULL},    {0, 0, NULL, 0, "bcast=scatter-allgather"},
};

#define IN_ORDER_TRAP                                                                              \
    TAN_TABLE_ROW("reduce=in-order-binary", "its tree has the last rank as its root, which sends " \
                                            "the result to rank 0 in another message")
#define SPLIT_TRAP                                                                                 \
    TAN_TABLE_ROW("bcast=split-binary", "it sends a half of the message down each side, and the "  \
                                        "halves are exchanged at the end: no tree")
#define TRAPS                                                                                      \
    IN_ORDER_TRAP, SPLIT_TRAP,                                                                     \
        TAN_TABLE_ROW("reduce=rabenseifner", "it is no tree: ranks exchange halves"),              \
        TAN_TABLE_ROW("reduce=kary", "coll/tuned builds reduce trees with 2 children only, "       \
                                     "whatever coll_tuned_reduce_algorithm_tree_fanout says"),     \
        TAN_TABLE_ROW("coll_tuned_reduce_algorithm_tree_fanout",                                   \
                      "it has no effect on the trees of MPI_Reduce"),                              \
        TAN_TABLE_ROW(                                                                             \
            "coll_han",                                                                            \
            "the levels of coll/han are trees of other components, which it chooses by itself"),   \
        TAN_TABLE_ROW(NULL, NULL)
static const struct tan_trap traps[] = {
    {"reduce=knomial", "coll/tuned has it only from 6.0 on: use --target openmpi@6.0"},
    TRAPS,
};
static const struct tan_trap traps_6[] = {TRAPS};

static const struct tan_trap traps_of_rules[] = {
    {"bcast=knomial", "a rule says the algorithm, but not its radix, which is that of "
                      "coll_tuned_bcast_algorithm_knomial_radix for all, 4 by default: for "
                      "others use --target openmpi"},
    IN_ORDER_TRAP,
    SPLIT_TRAP,
    {"reduce=kary", "the fanout of a rule has no effect on the trees of MPI_Reduce, only on its "
                    "chains"},
    {"bcast=kary", "the fanout of a rule has no effect on the trees of MPI_Bcast, only on its "
                   "chains"},
    {NULL, NULL},
};

/* The number of an algorithm, and the MCA parameter of its value; NULL if it has none. */
static const struct openmpi_algorithm {
    const char *name; /* of the knob */
    int number;
    const char *parameter;
} algorithms[] = {
    {"reduce=linear", 1, NULL},
    {"reduce=chain:", 2, "coll_tuned_reduce_algorithm_chain_fanout"},
    {"reduce=pipeline", 3, NULL},
    {"reduce=binary", 4, NULL},
    {"reduce=binomial", 5, NULL},
    {"reduce=knomial:", 8, "coll_tuned_reduce_algorithm_chain_fanout"},
    {"bcast=linear", 1, NULL},
    {"bcast=chain:", 2, "coll_tuned_bcast_algorithm_chain_fanout"},
    {"bcast=pipeline", 3, NULL},
    {"bcast=binary", 5, NULL},
    {"bcast=binomial", 6, NULL},
    {"bcast=knomial:", 7, "coll_tuned_bcast_algorithm_knomial_radix"},
    {"bcast=knomial:4", 7, NULL},
};

/* NULL if the setting selects none. */
static const struct openmpi_algorithm *algorithm_of(const struct tan_setting *setting)
{
    for (size_t i = 0; setting->knob != NULL && i < sizeof algorithms / sizeof algorithms[0]; i++) {
        if (strcmp(algorithms[i].name, setting->knob->name) == 0) {
            return &algorithms[i];
        }
    }
    return NULL;
}

/* Of files of parameters or rules: components that come before coll/tuned. Priorities: tuned 30;
 * han 35 since 5.0 and 0 in 4.1, hcoll 90, adapt and sm 0 (their coll_*_component.c). */
#define BEFORE_TUNED                                                                               \
    "# Where several hosts run several ranks each, coll/han (since 5.0) comes before coll/tuned, " \
    "and\n"                                                                                        \
    "# so does HCOLL where it is built in. Neither is switched off here, since what they gain "    \
    "is\n"                                                                                         \
    "# not known.\n"

static void write_algorithm(const struct tan_setting *setting, const char *collective, FILE *to)
{
    const struct openmpi_algorithm *a = algorithm_of(setting);
    if (a == NULL) {
        return;
    }
    fprintf(to, "coll_tuned_%s_algorithm = %d\n", collective, a->number);
    fprintf(to, "coll_tuned_%s_algorithm_segmentsize = 0\n", collective);
    if (a->parameter != NULL) {
        fprintf(to, "%s = %" PRId64 "\n", a->parameter, setting->value);
    }
}

static int write_openmpi(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "# %s, %" PRId64 " ranks: for etc/openmpi-mca-params.conf\n"
            "# or ~/.openmpi/mca-params.conf; as options: mpirun --mca NAME VALUE. They hold for "
            "all\n"
            "# communicators and sizes of messages.\n" BEFORE_TUNED
            "coll_tuned_use_dynamic_rules = 1\n",
            answer->target->title, answer->members);
    write_algorithm(&answer->up, "reduce", to);
    write_algorithm(&answer->down, "bcast", to);
    return 0;
}

/* Files of rules for coll/tuned */

/* The format of 4.1 and 5.0 is read by ompi/mca/coll/tuned/coll_tuned_dynamic_file.c of 4.1.4, the
 * JSON format of 6.0 by the same file of August 2026. In the former a rule holds from its number up
 * to that of the next. 6.0 reads it, too, but takes the number for the end of the rule. */
struct collective {
    int id; /* in files of rules */
    const char *name, *key;
};

static const struct collective *collective_of(int direction)
{
    static const struct collective reduce = {11, "MPI_Reduce", "reduce"};
    static const struct collective bcast = {7, "MPI_Bcast", "bcast"};
    return direction == TAN_DOWN ? &bcast : &reduce;
}

/* The end of the rules at `from` for the same members. */
static size_t block_end(const struct tan_rules *rules, int way, size_t from)
{
    size_t end = from;
    while (end < rules->n[way] && rules->rule[way][end].members == rules->rule[way][from].members) {
        end++;
    }
    return end;
}

static int number_of(const struct tan_rule *rule)
{
    const struct openmpi_algorithm *a = algorithm_of(&rule->setting);
    return a != NULL ? a->number : 0;
}

static int64_t fanout_of(const struct tan_rule *rule)
{
    const struct tan_knob *knob = rule->setting.knob;
    return knob != NULL && knob->most > 0 ? rule->setting.value : 0;
}

/* By what percentage the best setting may take less time than one with this regret. */
static double percent_less(double regret)
{
    return ceil(100.0 * (1.0 - 1.0 / (1.0 + regret)));
}

static void write_remark(const struct tan_rule *rule, FILE *to)
{
    if (rule->ruling == TAN_RULE_NO_TREE) {
        fputs(" # no rule: the default is no tree", to);
    } else if (rule->ruling == TAN_RULE_OFFERED) {
        fputs(" # no rule: sent by rendezvous, unlike all that was measured", to);
    } else if (rule->ruling == TAN_RULE_NO_GAIN) {
        fprintf(to, " # no rule: the best setting takes at most %.0f %% less than the default",
                percent_less(rule->regret));
    } else if (isnan(rule->gain)) {
        fprintf(to, " # %s", tan_setting_text(&rule->setting).text);
    } else {
        fprintf(to,
                " # %s, to %" PRId64 " bytes: the default takes at least %.0f %% longer, the best "
                "setting at most %.0f %% less",
                tan_setting_text(&rule->setting).text, rule->bytes_most, floor(100.0 * rule->gain),
                percent_less(rule->regret));
    }
    fputc('\n', to);
}

/* Every block begins with size 0, and ends by leaving larger messages to the library. */
static void write_block(const struct tan_rules *rules, int way, size_t from, size_t end, FILE *to)
{
    const struct tan_rule *rule = rules->rule[way];
    const bool before = rule[from].bytes > 0;
    const bool after = rule[end - 1].bytes_most < INT32_MAX;
    fprintf(to, "%" PRId64 " # ranks or more\n%zu # sizes of messages:\n", rule[from].members,
            end - from + before + after);
    if (before) {
        fputs("0 0 0 0\n", to);
    }
    for (size_t i = from; i < end; i++) {
        fprintf(to, "%" PRId64 " %d %" PRId64 " 0", rule[i].bytes, number_of(&rule[i]),
                fanout_of(&rule[i]));
        write_remark(&rule[i], to);
    }
    if (after) {
        fprintf(to, "%" PRId64 " 0 0 0\n", rule[end - 1].bytes_most + 1);
    }
}

static void write_collective(const struct tan_rules *rules, int way, FILE *to)
{
    static const char nothing[] = "1 # size of messages:\n0 0 0 0";
    const struct collective *c = collective_of(rules->direction[way]);
    const struct tan_rule *rule = rules->rule[way];
    const bool after = rule[rules->n[way] - 1].members_most < INT32_MAX;
    size_t blocks = 1 + after;
    for (size_t i = 0; i < rules->n[way]; i = block_end(rules, way, i)) {
        blocks++;
    }
    fprintf(to,
            "%d # is %s\n%zu # sizes of communicators:\n0 # ranks or more\n%s # bytes or more, ",
            c->id, c->name, blocks, nothing);
    fputs("algorithm (0: as without this file), fanout, segment\n", to);
    for (size_t i = 0; i < rules->n[way]; i = block_end(rules, way, i)) {
        write_block(rules, way, i, block_end(rules, way, i), to);
    }
    if (after) {
        fprintf(to, "%" PRId64 " # ranks or more\n%s\n", rule[rules->n[way] - 1].members_most + 1,
                nothing);
    }
}

static void write_rules(const struct tan_rules *rules, FILE *to)
{
    fputs(
        "# Open MPI 4.1 and 5.0: a file of rules for coll/tuned; what they do not cover is decided "
        "as without it.\n"
        "# For etc/openmpi-mca-params.conf or ~/.openmpi/mca-params.conf:\n"
        "#   coll_tuned_use_dynamic_rules = 1\n"
        "#   coll_tuned_dynamic_rules_filename = this file, with its whole path\n"
        "# It comes before the parameters coll_tuned_*_algorithm. Open MPI 6 has another format "
        "(openmpi-rules@6.0).\n" BEFORE_TUNED,
        to);
    fprintf(to, "%d # collectives\n", rules->n_ways);
    for (int way = rules->n_ways - 1; way >= 0; way--) {
        write_collective(rules, way, to);
    }
}

static void write_json_block(const struct tan_rules *rules, int way, size_t from, size_t end,
                             const char **separator, FILE *to)
{
    const struct tan_rule *rule = rules->rule[way];
    const char *next = "";
    for (size_t i = from; i < end; i++) {
        if (rule[i].ruling != TAN_RULE_SETTING) {
            continue;
        }
        if (*next == '\0') {
            fprintf(to,
                    "%s\n      {\"comm_size_min\": %" PRId64 ", \"comm_size_max\": %" PRId64
                    ", \"rules\": [",
                    *separator, rule[from].members, rule[from].members_most);
            *separator = ",";
        }
        fprintf(to,
                "%s\n        {\"msg_size_min\": %" PRId64 ", \"msg_size_max\": %" PRId64
                ", \"alg\": %d, \"faninout\": %" PRId64 "}",
                next, rule[i].bytes, rule[i].bytes_most, number_of(&rule[i]), fanout_of(&rule[i]));
        next = ",";
    }
    fputs(*next != '\0' ? "]}" : "", to);
}

/* What matches no rule is decided as without the file. */
static void write_json_rules(const struct tan_rules *rules, FILE *to)
{
    fputs("{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {", to);
    for (int way = 0; way < rules->n_ways; way++) {
        const char *separator = "";
        fprintf(to, "%s\n    \"%s\": [", way > 0 ? "," : "",
                collective_of(rules->direction[way])->key);
        for (size_t i = 0; i < rules->n[way]; i = block_end(rules, way, i)) {
            write_json_block(rules, way, i, block_end(rules, way, i), &separator, to);
        }
        fputc(']', to);
    }
    fputs("\n}}\n", to);
}

/* One rule per direction, for an answer's members and more, whatever the size. */
static int write_rule(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    const struct tan_setting *settings[] = {&answer->up, &answer->down};
    struct tan_rule rule[2];
    struct tan_rules rules = {.target = answer->target};
    for (int i = 0; i < 2; i++) {
        if (settings[i]->knob != NULL) {
            rule[i] = (struct tan_rule){.members = answer->members,
                                        .members_most = INT32_MAX,
                                        .bytes_most = INT32_MAX,
                                        .ruling = TAN_RULE_SETTING,
                                        .setting = *settings[i],
                                        .gain = NAN};
            rules.direction[rules.n_ways] = i == 0 ? TAN_UP : TAN_DOWN;
            rules.rule[rules.n_ways] = &rule[i];
            rules.n[rules.n_ways++] = 1;
        }
    }
    if (answer->target->comment != NULL) {
        fprintf(to,
                "# For messages of all sizes, and communicators of %" PRId64 " ranks or more.\n",
                answer->members);
    }
    answer->target->write_rules(&rules, to);
    return 0;
}

#define READ_BACK                                                                                  \
    "mpirun --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 --mca "             \
    "pml_monitoring_filename FILE writes FILE.RANK.prof for each rank, whose lines that begin "    \
    "with "                                                                                        \
    "I say to whom it has sent collective messages."

#define OPENMPI_ROW                                                                                \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "ranks", .counts.ranks = true,          \
    .operation = {"MPI_Reduce", "MPI_Bcast"}, .decisions = {reduce_decisions, bcast_decisions},    \
    .shared.evenly = true, .write = write_openmpi, .fails.how = TAN_MPI_JOB_ENDS, .comment = "#",  \
    .read_back = READ_BACK

/* coll/han passes all calls on if no host has more than one rank of the communicator
 * (coll_han_subcomms.c) or hosts have different numbers of them (coll_han_topo.c), and is not there
 * on a single host (coll_han_module.c). */
#define HAN     "coll/han"
#define HAN_OFF "mpirun --mca coll ^han"

extern const struct tan_target tan_target_openmpi;
const struct tan_target tan_target_openmpi = {
    .name = "openmpi",
    .title = "Open MPI since 5.0 (coll/tuned)",
    .versions.newest = "5.0",
    .help = "algorithm and fanout of MPI_Reduce and MPI_Bcast",
    .knobs = knobs,
    .shared.by = {HAN, HAN},
    .shared.off = HAN_OFF,
    .traps = traps,
    OPENMPI_ROW,
};

extern const struct tan_target tan_target_openmpi_4_1;
const struct tan_target tan_target_openmpi_4_1 = {
    .name = "openmpi@4.1",
    .title = "Open MPI 4.1 (coll/tuned)",
    .help = "the same, whose defaults do not depend on the hosts",
    .knobs = knobs,
    .traps = traps,
    OPENMPI_ROW,
};

extern const struct tan_target tan_target_openmpi_6;
const struct tan_target tan_target_openmpi_6 = {
    .name = "openmpi@6.0",
    .title = "Open MPI 6.0, as of August 2026 (coll/tuned)",
    .help = "the same as openmpi, with k-nomial trees of MPI_Reduce as well",
    .knobs = knobs_6,
    .shared.by = {HAN, HAN},
    .shared.off = HAN_OFF,
    .traps = traps_6,
    OPENMPI_ROW,
};

#define RULES_ROW                                                                                  \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "ranks", .counts.ranks = true,          \
    .operation = {"MPI_Reduce", "MPI_Bcast"}, .decisions = {reduce_decisions, bcast_decisions},    \
    .shared.evenly = true, .shared.off = HAN_OFF, .traps = traps_of_rules,                         \
    .fails.how = TAN_MPI_JOB_ENDS, .write = write_rule, .read_back = READ_BACK

extern const struct tan_target tan_target_openmpi_rules;
const struct tan_target tan_target_openmpi_rules = {
    .name = "openmpi-rules",
    .title = "Open MPI 4.1 and 5.0 (rules of coll/tuned)",
    .versions.newest = "5.0",
    .help = "a file of rules for MPI_Reduce and MPI_Bcast, by communicator size",
    .knobs = knobs_of_rules,
    .shared.by = {HAN " (since 5.0)", HAN " (since 5.0)"},
    .write_rules = write_rules,
    .comment = "#",
    RULES_ROW,
};

extern const struct tan_target tan_target_openmpi_6_rules;
const struct tan_target tan_target_openmpi_6_rules = {
    .name = "openmpi-rules@6.0",
    .title = "Open MPI 6.0, as of August 2026 (rules of coll/tuned)",
    .help = "the same as JSON, with k-nomial trees of MPI_Reduce as well",
    .knobs = knobs_of_rules_6,
    .shared.by = {HAN, HAN},
    .write_rules = write_json_rules,
    RULES_ROW,
};
