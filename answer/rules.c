/* rules.c - rules for ranges of members and sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/json_parts.h"
#include "base/units.h"
#include "design/systems/setting.h"

/* A rule, and texts that describe it. */
struct rule_row {
    const char *direction, *ruling;
    const char *chosen; /* points to `setting`; NULL where the default stays */
    struct tan_rule rule;
    char members[TAN_NAME], sizes[TAN_NAME], setting[TAN_SETTING_TEXT];
};

#define AT(member) offsetof(struct rule_row, member)
static const struct tan_field rule_fields[] = {
    {"direction", "way", TAN_FIELD_NAME, AT(direction)},
    {"members", NULL, TAN_FIELD_INT64, AT(rule.members)},
    {"members_most", NULL, TAN_FIELD_INT64, AT(rule.members_most)},
    {"bytes", NULL, TAN_FIELD_INT64, AT(rule.bytes)},
    {"bytes_most", NULL, TAN_FIELD_INT64, AT(rule.bytes_most)},
    {"setting", NULL, TAN_FIELD_NAME, AT(chosen)},
    {"ruling", NULL, TAN_FIELD_NAME, AT(ruling)},
    {"default_slower", "default, at least", TAN_FIELD_SLOWER, AT(rule.gain)},
    {"regret", "against the best, at most", TAN_FIELD_SLOWER, AT(rule.regret)},
    TAN_FIELDS_END,
};

static const struct tan_field row_fields[] = {
    {"direction", "way", TAN_FIELD_NAME, AT(direction)},
    {"members", "members", TAN_FIELD_STRING, AT(members)},
    {"message", "message", TAN_FIELD_STRING, AT(sizes)},
    {"setting", "setting", TAN_FIELD_STRING, AT(setting)},
    {"gain", "gains", TAN_FIELD_SLOWER, AT(rule.gain)},
    {"regret", "costs", TAN_FIELD_SLOWER, AT(rule.regret)},
    TAN_FIELDS_END,
};
#undef AT

static const char *const rulings[] = {
    [TAN_RULE_SETTING] = "setting",
    [TAN_RULE_NO_GAIN] = "no gain",
    [TAN_RULE_NO_TREE] = "no tree",
};

static void write_range(const char *low, const char *high, char text[TAN_NAME])
{
    const bool one = strcmp(low, high) == 0;
    snprintf(text, TAN_NAME, "%s%s%s", low, one ? "" : " to ", one ? "" : high);
}

static void describe_rule(const struct tan_rule *rule, int direction, struct rule_row *row)
{
    char low[TAN_CELL];
    char high[TAN_CELL];
    *row = (struct rule_row){.direction = tan_direction_names[direction],
                             .ruling = rulings[rule->ruling],
                             .rule = *rule};
    snprintf(low, sizeof low, "%" PRId64, rule->members);
    snprintf(high, sizeof high, "%" PRId64, rule->members_most);
    write_range(low, high, row->members);
    write_range(tan_format_size(rule->bytes, low, sizeof low),
                tan_format_size(rule->bytes_most, high, sizeof high), row->sizes);
    if (rule->ruling == TAN_RULE_SETTING) {
        row->chosen = tan_setting_text(&rule->setting, row->setting);
    } else {
        snprintf(row->setting, sizeof row->setting, "%s",
                 rule->ruling == TAN_RULE_NO_TREE ? "default: no tree" : "default");
    }
}

static json_t *list_rules(struct tan_json_writer *w, json_t *table, const struct tan_rules *rules)
{
    json_t *list =
        tan_fields_table(w, table, row_fields, "direction members message setting gain regret");
    const bool several = rules->n[0] + (rules->n_ways > 1 ? rules->n[1] : 0) > TAN_REPLY_ROWS;
    size_t chosen = 0;
    for (int way = 0; way < rules->n_ways; way++) {
        for (size_t i = 0; i < rules->n[way]; i++) {
            struct rule_row row;
            describe_rule(&rules->rule[way][i], rules->direction[way], &row);
            tan_fields_row(w, list, row_fields, &row);
            if (several) { /* rules first */
                const size_t rank = row.chosen != NULL ? chosen++ : TAN_REPLY_ROWS;
                tan_json_set_int(w, json_array_get(list, json_array_size(list) - 1), "rank",
                                 (int64_t)rank);
            }
        }
    }
    return list;
}

/* "Reduce: 2 of 3 ranges gain 6.5 % to 9.4x with a rule; the default is kept in the others." */
static void say_way(struct tan_json_writer *w, json_t *answer, const struct tan_rules *rules,
                    int way)
{
    const char *operation = rules->target->operation[rules->direction[way] == TAN_DOWN];
    double least = INFINITY;
    double most = 0.0;
    size_t n = 0;
    char low[TAN_CELL];
    char high[TAN_CELL];
    for (size_t i = 0; i < rules->n[way]; i++) {
        const struct tan_rule *rule = &rules->rule[way][i];
        if (rule->ruling == TAN_RULE_SETTING) {
            n++;
            least = isnan(rule->gain) ? least : fmin(least, rule->gain);
            most = isnan(rule->gain) ? most : fmax(most, rule->gain);
        }
    }
    const char *name = operation != NULL ? operation : tan_direction_names[rules->direction[way]];
    if (n == 0) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "%s: no rule pays; keep the default.", name);
    } else if (most > 0.0) {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "%s: a rule for %zu of %zu ranges; there the default takes %s to %s.", name,
                      n, rules->n[way], tan_slower_text(least, false, low),
                      tan_slower_text(most, false, high));
    } else {
        tan_reply_say(w, answer, TAN_PART_FIRST, "%s: a rule for %zu of %zu ranges.", name, n,
                      rules->n[way]);
    }
}

json_t *tan_answer_rules(const struct tan_rules *rules, double error, const struct tan_model *model,
                         const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *answer = tan_answer_begin(&w, from, model, doubts);
    char share[TAN_CELL];
    char margin[TAN_CELL];
    for (int way = 0; way < rules->n_ways; way++) {
        say_way(&w, answer, rules, way);
    }
    json_t *list = list_rules(&w, answer, rules);
    const size_t n = json_array_size(list);
    if (n > TAN_REPLY_ROWS) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS, "--details lists all %zu ranges.", n);
    }
    tan_reply_say(
        &w, answer, TAN_PART_REMARKS,
        "gains: the default takes at least so much more; costs: the setting takes at most "
        "so much more than the best of each case.");
    if (!isnan(error)) {
        tan_reply_say(
            &w, answer, TAN_PART_SURE,
            "The default stays where it takes less than %s longer: the model errs by up to "
            "%s on the check trees.",
            tan_format_share(tan_rules_margin(error), margin, sizeof margin),
            tan_format_share(error, share, sizeof share));
    }
    tan_reply_say(&w, answer, TAN_PART_SURE,
                  "Tried in each range: its first members and message, its last, and one between.");
    tan_reply_say(&w, answer, TAN_PART_NOTES, "%s", rules->target->read_back);
    tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: --output FILE writes the file of rules.");
    return tan_json_finish(&w, answer);
}

json_t *tan_rules_to_json(const struct tan_rules *rules, double error,
                          const struct tan_model *model, const struct tan_provenance *from,
                          const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-rules/1", 0, model, from, doubts);
    tan_json_set_string(&w, top, "target", rules->target->name);
    tan_json_set_real(&w, top, "model_error", error);
    json_t *list = tan_json_set_array(&w, top, "rules");
    for (int way = 0; way < rules->n_ways; way++) {
        for (size_t i = 0; i < rules->n[way]; i++) {
            struct rule_row row;
            describe_rule(&rules->rule[way][i], rules->direction[way], &row);
            tan_fields_set(&w, tan_json_append_object(&w, list), rule_fields, &row);
        }
    }
    return tan_json_finish(&w, top);
}
