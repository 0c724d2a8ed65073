/* rules.c - rules for ranges of members and sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "design/systems/setting.h"

/* A rule, and texts that describe it. */
struct rule_row {
    const char *direction, *ruling;
    struct tan_rule rule;
    struct tan_text members, sizes, setting;
    struct tan_text chosen; /* "" where the default stays */
};

#define AT(member) offsetof(struct rule_row, member)
static const struct tan_field rule_fields[] = {
    {"direction", "way", TAN_FIELD_NAME, AT(direction)},
    {"members", NULL, TAN_FIELD_INT64, AT(rule.members)},
    {"members_most", NULL, TAN_FIELD_INT64, AT(rule.members_most)},
    {"bytes", NULL, TAN_FIELD_INT64, AT(rule.bytes)},
    {"bytes_most", NULL, TAN_FIELD_INT64, AT(rule.bytes_most)},
    {"setting", NULL, TAN_FIELD_STRING, AT(chosen)},
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
    [TAN_RULE_OFFERED] = "not measured",
};

static struct tan_text range_text(struct tan_text low, struct tan_text high)
{
    return strcmp(low.text, high.text) == 0 ? low : tan_printed("%s to %s", low.text, high.text);
}

static struct rule_row describe_rule(const struct tan_rule *rule, int direction)
{
    struct rule_row row = {.setting = {"default"}};
    row.direction = tan_direction_names[direction];
    row.ruling = rulings[rule->ruling];
    row.rule = *rule;
    row.members = range_text(tan_printed("%" PRId64, rule->members),
                             tan_printed("%" PRId64, rule->members_most));
    row.sizes = range_text(tan_size_text(rule->bytes), tan_size_text(rule->bytes_most));
    if (rule->ruling == TAN_RULE_SETTING) {
        row.chosen = row.setting = tan_setting_text(&rule->setting);
    } else if (rule->ruling != TAN_RULE_NO_GAIN) {
        row.setting = tan_printed("default: %s", row.ruling);
    }
    return row;
}

static json_t *list_rules(struct tan_json_writer *w, json_t *table, const struct tan_rules *rules)
{
    json_t *list =
        tan_fields_table(w, table, row_fields, "direction members message setting gain regret");
    const bool several = rules->n[0] + (rules->n_ways > 1 ? rules->n[1] : 0) > TAN_REPLY_ROWS;
    int chosen = 0;
    for (int way = 0; way < rules->n_ways; way++) {
        for (size_t i = 0; i < rules->n[way]; i++) {
            const struct rule_row row = describe_rule(&rules->rule[way][i], rules->direction[way]);
            json_t *object = tan_fields_row(w, list, row_fields, &row);
            if (several) { /* rules first */
                const bool first = row.rule.ruling == TAN_RULE_SETTING;
                tan_json_set_int(w, object, "rank", first ? chosen++ : TAN_REPLY_ROWS);
            }
        }
    }
    return list;
}

/* "MPI_Reduce: a rule for 2 of 3 ranges; there the default takes +6.5 % to 9.4x." Returns how many
 * rules there are. */
static size_t say_way(struct tan_json_writer *w, json_t *answer, const struct tan_rules *rules,
                      int way)
{
    const char *operation = rules->target->operation[rules->direction[way] == TAN_DOWN];
    double least = INFINITY;
    double most = 0.0;
    size_t n = 0;
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
                      "%s: a rule for %zu of %zu ranges; there the default takes %s.", name, n,
                      rules->n[way],
                      range_text(tan_slower_text(least), tan_slower_text(most)).text);
    } else {
        tan_reply_say(w, answer, TAN_PART_FIRST, "%s: a rule for %zu of %zu ranges.", name, n,
                      rules->n[way]);
    }
    return n;
}

static void set_rules(struct tan_json_writer *w, json_t *top, const struct tan_rules *rules,
                      double error)
{
    tan_json_set_string(w, top, "target", rules->target->name);
    tan_json_set_real(w, top, "model_error", error);
    json_t *list = tan_json_set_array(w, top, "rules");
    for (int way = 0; way < rules->n_ways; way++) {
        for (size_t i = 0; i < rules->n[way]; i++) {
            const struct rule_row row = describe_rule(&rules->rule[way][i], rules->direction[way]);
            tan_fields_set(w, tan_json_append_object(w, list), rule_fields, &row);
        }
    }
}

json_t *tan_answer_rules(const struct tan_rules *rules, double error, const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    json_t *document = tan_document_begin(&w, "tan-rules/1", 0, from);
    if (from->whole) {
        set_rules(&w, document, rules, error);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    size_t n_settings = 0;
    for (int way = 0; way < rules->n_ways; way++) {
        n_settings += say_way(&w, answer, rules, way);
    }
    json_t *list = list_rules(&w, answer, rules);
    const bool checked = from->machine->checks.n > 0;
    const size_t n = json_array_size(list);
    if (n > TAN_REPLY_ROWS) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS, "--details lists all %zu ranges.", n);
    }
    tan_reply_say(&w, answer, TAN_PART_REMARKS,
                  "%scosts: the %s takes at most so much more than the best of each case.",
                  n_settings > 0 ? "gains: the default takes at least so much more; " : "",
                  n_settings > 0 ? "setting" : "default");
    if (!isnan(error)) {
        tan_reply_say(
            &w, answer, TAN_PART_SURE,
            "The default stays unless it takes %s longer in all cases of a range: the model errs "
            "by %s%s %s.",
            tan_share_text(tan_default_margin(error)).text, checked ? "up to " : "",
            tan_share_text(error).text,
            checked ? "on the check trees" : "on average on trees left out of its fit");
    }
    tan_reply_say(&w, answer, TAN_PART_SURE,
                  "Tried in each range: its first members and message, its last, and one "
                  "between%s.",
                  from->given->network.rate > 0.0
                      ? "; a rule gains whether children share their parent's link or are served "
                        "one after the other"
                      : "");
    tan_reply_say(&w, answer, TAN_PART_NOTES, "%s", rules->target->read_back);
    tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: --output FILE writes the file of rules.");
    return tan_json_finish(&w, document);
}
