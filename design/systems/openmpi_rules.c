/* openmpi_rules.c - files of rules for Open MPI's coll/tuned
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The format of 4.1 and 5.0 is read by ompi/mca/coll/tuned/coll_tuned_dynamic_file.c of 4.1.4, the
 * JSON format of 6.0 by the same file of August 2026. In the former a rule holds from its number up
 * to that of the next. 6.0 reads it, too, but takes the number for the end of the rule. */
#include <inttypes.h>
#include <math.h>

#include "design/systems/openmpi.h"
#include "design/targets/rules.h"
#include "design/targets/setting.h"

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
    const struct tan_openmpi_algorithm *a = tan_openmpi_algorithm_of(&rule->setting);
    return a != NULL ? a->number : 0;
}

/* By what percentage the best setting may take less time than one with this regret. */
static double percent_less(double regret)
{
    return ceil(100.0 * (1.0 - 1.0 / (1.0 + regret)));
}

static void write_remark(const struct tan_rule *rule, FILE *to)
{
    char setting[TAN_SETTING_TEXT];
    if (rule->ruling == TAN_RULE_NO_TREE) {
        fputs(" # no rule: the default is no tree", to);
    } else if (rule->ruling == TAN_RULE_NO_GAIN) {
        fprintf(to, " # no rule: the best setting takes at most %.0f %% less than the default",
                percent_less(rule->regret));
    } else if (isnan(rule->gain)) {
        fprintf(to, " # %s", tan_setting_text(&rule->setting, setting));
    } else {
        fprintf(to,
                " # %s, to %" PRId64 " bytes: the default takes at least %.0f %% longer, the best "
                "setting at most %.0f %% less",
                tan_setting_text(&rule->setting, setting), rule->bytes_most,
                floor(100.0 * rule->gain), percent_less(rule->regret));
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
                rule[i].setting.value);
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

int tan_openmpi_write_rules(const struct tan_rules *rules, FILE *to, struct tan_error *e)
{
    (void)e;
    fputs(
        "# Open MPI 4.1 and 5.0: a file of rules for coll/tuned; what they do not cover is decided "
        "as without it.\n"
        "# For etc/openmpi-mca-params.conf or ~/.openmpi/mca-params.conf:\n"
        "#   coll_tuned_use_dynamic_rules = 1\n"
        "#   coll_tuned_dynamic_rules_filename = this file, with its whole path\n"
        "# It comes before the parameters coll_tuned_*_algorithm. Open MPI 6 has another format "
        "(openmpi-rules@6.0).\n" TAN_OPENMPI_BEFORE,
        to);
    fprintf(to, "%d # collectives\n", rules->n_ways);
    for (int way = rules->n_ways - 1; way >= 0; way--) {
        write_collective(rules, way, to);
    }
    return 0;
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
                next, rule[i].bytes, rule[i].bytes_most, number_of(&rule[i]),
                rule[i].setting.value);
        next = ",";
    }
    fputs(*next != '\0' ? "]}" : "", to);
}

/* What matches no rule is decided as without the file. */
int tan_openmpi_write_json_rules(const struct tan_rules *rules, FILE *to, struct tan_error *e)
{
    (void)e;
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
    return 0;
}

/* The rules of an answer for its members and more. */
static void rules_of(const struct tan_answer *answer, struct tan_rule rule[2],
                     struct tan_rules *rules)
{
    const struct tan_setting *settings[] = {&answer->up, &answer->down};
    *rules = (struct tan_rules){.target = answer->target};
    for (int i = 0; i < 2; i++) {
        if (settings[i]->knob != NULL) {
            rule[i] = (struct tan_rule){.members = answer->members,
                                        .members_most = INT32_MAX,
                                        .bytes_most = INT32_MAX,
                                        .ruling = TAN_RULE_SETTING,
                                        .setting = *settings[i],
                                        .gain = NAN};
            rules->direction[rules->n_ways] = i == 0 ? TAN_UP : TAN_DOWN;
            rules->rule[rules->n_ways] = &rule[i];
            rules->n[rules->n_ways++] = 1;
        }
    }
}

int tan_openmpi_write_rule(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct tan_rule rule[2];
    struct tan_rules rules;
    rules_of(answer, rule, &rules);
    return tan_openmpi_write_rules(&rules, to, e);
}

int tan_openmpi_write_json_rule(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct tan_rule rule[2];
    struct tan_rules rules;
    rules_of(answer, rule, &rules);
    return tan_openmpi_write_json_rules(&rules, to, e);
}
