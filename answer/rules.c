/* rules.c - rules for ranges of members and sizes as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/fields.h"
#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "base/text.h"
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
    {"direction", "<", TAN_FIELD_NAME, AT(direction)},
    {".members", "<members", TAN_FIELD_STRING, AT(members)},
    {".sizes", "<message", TAN_FIELD_STRING, AT(sizes)},
    {"members", NULL, TAN_FIELD_INT64, AT(rule.members)},
    {"members_most", NULL, TAN_FIELD_INT64, AT(rule.members_most)},
    {"bytes", NULL, TAN_FIELD_INT64, AT(rule.bytes)},
    {"bytes_most", NULL, TAN_FIELD_INT64, AT(rule.bytes_most)},
    {".setting", "<setting", TAN_FIELD_STRING, AT(setting)},
    {"setting", NULL, TAN_FIELD_NAME, AT(chosen)},
    {"ruling", NULL, TAN_FIELD_NAME, AT(ruling)},
    {"default_slower", "default,\nat least", TAN_FIELD_SLOWER, AT(rule.gain)},
    {"regret", "against the best,\nat most", TAN_FIELD_SLOWER, AT(rule.regret)},
    TAN_FIELDS_END,
};

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

void tan_report_rules(const struct tan_rules *rules, double error, FILE *to)
{
    char share[TAN_CELL];
    char margin[TAN_CELL];
    struct tan_listing table =
        tan_listing_create(rule_fields, "direction .members .sizes .setting default_slower regret");
    for (int way = 0; way < rules->n_ways; way++) {
        for (size_t i = 0; i < rules->n[way]; i++) {
            struct rule_row row;
            describe_rule(&rules->rule[way][i], rules->direction[way], &row);
            tan_listing_add(&table, &row, NULL);
        }
    }
    fprintf(to, "\n%s, rules for ranges of members and messages\n\n", rules->target->title);
    tan_listing_print(&table, to);
    fputs("\nTried in each range: its first members and message, its last, and one between.\n", to);
    if (!isnan(error)) {
        tan_text_say(
            to,
            "The default stays where it takes less than %s longer: the model errs by up to "
            "%s on the check trees.",
            tan_format_share(tan_rules_margin(error), margin, sizeof margin),
            tan_format_share(error, share, sizeof share));
    }
    tan_text_say(to, "--output FILE writes the file of rules.\n\n%s", rules->target->read_back);
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
