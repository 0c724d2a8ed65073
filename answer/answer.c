/* answer.c - parts of every answer: doubts, origin of the numbers, rows, how sure it is
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "design/search/limits.h"
#include "model/wave/payload.h"

/* Documents */

const char *const tan_direction_names[] = {
    [TAN_UP] = "up", [TAN_DOWN] = "down", [TAN_UP | TAN_DOWN] = "both"};

void tan_report_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    if (isfinite(seconds)) {
        tan_json_set_us_digits(w, object, key, seconds, TAN_REPORT_DIGITS);
    }
}

/* Parameters given on the command line. */
static void set_given(struct tan_json_writer *w, json_t *object, const struct tan_given *given)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        tan_report_set_us(w, object, tan_param_keys[p], given->value[p]);
    }
    if (given->network.rate > 0.0) {
        tan_json_set_real(w, object, "bandwidth_bytes_per_s", given->network.rate);
        tan_json_set_int(w, object, "up_bytes", given->network.up);
        tan_json_set_int(w, object, "down_bytes", given->network.down);
    }
}

static void set_checked(struct tan_json_writer *w, json_t *object, const struct tan_checks *checks)
{
    tan_json_set_int(w, object, "trees", checks->trees);
    json_t *error = tan_json_set_object(w, object, "mean_abs_error");
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        if (!isnan(tan_checks_error(checks, m))) {
            tan_json_set_fixed(w, error, tan_check_models[m], tan_checks_error(checks, m), 6);
        }
    }
}

static void set_machine(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    json_t *machine = tan_json_set_object(w, top, "machine");
    tan_json_set_string(w, machine, "name", from->machine->name);
    tan_json_set_string(w, machine, "file", from->file);
    if (tan_given_any(from->given)) {
        set_given(w, tan_json_set_object(w, machine, "given"), from->given);
    }
    tan_json_set_string(w, machine, "method", tan_method_name(from->machine->tan.method));
    tan_json_set_bool(w, machine, "oversubscribed", from->machine->oversubscribed);
    tan_json_set_string(w, machine, "network", from->machine->network_real ? "real" : NULL);
    tan_json_set_true(w, machine, "default", from->machine->stand_in);
    tan_json_set_string(w, machine, "simulated", tan_machine_simulated(from->machine));
    if (from->machine->checks.trees > 0) {
        set_checked(w, tan_json_set_object(w, machine, "check"), &from->machine->checks);
    }
    if (from->machine->tan.work > 0.0) {
        tan_report_set_us(w, machine, "work_us", from->machine->tan.work);
    }
    tan_json_set_string(w, machine, "message_model",
                        from->machine->tan.derived ? from->machine->message_model->name : NULL);
}

/* Append to the notes what is assumed of fanout. */
static void add_reading(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    const struct tan_text text = tan_reading_text(from->model, &from->machine->tan);
    struct tan_doubts reading = {.n = 0};
    if (*text.text != '\0') {
        tan_doubts_add(&reading, TAN_NOTE, "fanout-cost", NAN, 1U << TAN_B, "%s", text.text);
    }
    tan_doubts_set(w, top, "notes", &reading, TAN_NOTE);
    tan_doubts_clear(&reading);
}

json_t *tan_document_begin(struct tan_json_writer *w, const char *schema, int64_t leaves,
                           const struct tan_basis *from)
{
    json_t *top = tan_json_new_object(w);
    if (from->whole) {
        tan_json_set_string(w, top, "schema", schema);
        tan_json_set_count(w, top, "leaves", leaves);
        set_machine(w, top, from);
        tan_json_set_bool(w, top, "trustworthy", tan_doubts_trusted(from->doubts));
        tan_doubts_set(w, top, "doubts", from->doubts, TAN_DOUBT);
        tan_doubts_set(w, top, "notes", from->doubts, TAN_NOTE);
        add_reading(w, top, from);
    }
    return top;
}

void tan_report_set_waves(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    const struct tan_params *params = &from->machine->tan;
    tan_json_set_string(w, top, "model", from->model->name);
    tan_json_set_string(w, top, "fanout_cost",
                        tan_reading_name(tan_reading_of(from->model, params)));
    tan_report_set_payload(w, top, params);
}

void tan_report_set_payload(struct tan_json_writer *w, json_t *top, const struct tan_params *params)
{
    if (params->payload == NULL) {
        tan_json_set_int(w, top, "bytes", params->bytes);
        return;
    }
    tan_json_set_int(w, top, "bytes", tan_payload_bytes(params->payload));
    tan_json_set_string(w, top, "growth", tan_payload_rule_of(params->payload)->name);
    tan_json_set_string(w, top, "message_model", tan_payload_model_of(params->payload)->name);
}

void tan_report_set_limits(struct tan_json_writer *w, json_t *top, const struct tan_problem *p)
{
    const struct tan_problem *asked = tan_problem_asked(p);
    json_t *limits = tan_json_set_object(w, top, "limits");
    for (const struct tan_limit *limit = tan_limits; limit->key != NULL; limit++) {
        tan_json_set_count(w, limits, limit->key, tan_limit_of(asked, limit));
    }
    tan_json_set_string(w, top, "objective", p->objective != NULL ? p->objective->name : NULL);
}

static void set_moved(struct tan_json_writer *w, json_t *object, const char *key,
                      const struct tan_moved *moved)
{
    json_t *to = tan_json_set_object(w, object, key);
    tan_json_set_string(w, to, "best", moved->best.text);
    tan_json_set_fixed(w, to, "slower", moved->slower, 6);
}

void tan_report_set_sensitivities(struct tan_json_writer *w, json_t *object,
                                  const struct tan_sensitivity *rows, int n, enum tan_method method)
{
    json_t *list = n > 0 ? tan_json_set_array(w, object, "sensitivity") : NULL;
    for (int i = 0; i < n; i++) {
        const struct tan_interval stays = rows[i].stays;
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "parameter", tan_param_key(method, rows[i].param));
        tan_report_set_us(w, row, "value_us", rows[i].value);
        tan_json_set_pair(w, row, "stays_best_us", tan_json_us_digits(stays.low, 4),
                          isfinite(stays.high) ? tan_json_us_digits(stays.high, 4) : json_null());
        set_moved(w, row, "half", &rows[i].half);
        set_moved(w, row, "twice", &rows[i].twice);
    }
}

/* Answers */

/* The stand-in machine, and the calibration that was too bad to replace it. */
static void say_stand_in(struct tan_json_writer *w, json_t *answer, const struct tan_basis *from)
{
    const double *v = from->machine->tan.value;
    char *untrusted = tan_machine_user_path(false, NULL);
    tan_reply_say(
        w, answer, TAN_PART_FROM,
        "From Cab, a cluster of 2011, for want of a file: L = %s, %s for each message. For "
        "your machine: tanbench calibrate, or --rtt and --overhead.",
        tan_short_text(v[TAN_L]).text, tan_short_text(v[TAN_A]).text);
    if (untrusted != NULL && access(untrusted, F_OK) == 0) {
        tan_reply_say(w, answer, TAN_PART_FROM,
                      "An untrustworthy calibration is there: --machine %s", untrusted);
    }
    free(untrusted);
}

static void say_file(struct tan_json_writer *w, json_t *answer, const struct tan_basis *from,
                     const char *given)
{
    const struct tan_machine *m = from->machine;
    tan_reply_say(w, answer, TAN_PART_FROM, "From %s (%s), messages of %s%s%s%s%s%s.", m->name,
                  from->asked, tan_size_text(m->tan.bytes).text,
                  tan_machine_simulated(m) != NULL ? ", simulated" : "",
                  m->oversubscribed ? ", OVERSUBSCRIBED" : "",
                  m->network_real ? ", its network said to be real" : "",
                  *given != '\0' ? ", with " : "", given);
}

/* The model and how far it errs. */
static void say_model(struct tan_json_writer *w, json_t *answer, const struct tan_machine *m,
                      const struct tan_model *model, bool as_measured)
{
    const struct tan_text checks = tan_checks_text(&m->checks, model->name);
    if (as_measured && *checks.text != '\0') {
        tan_reply_say(w, answer, TAN_PART_FROM, "Model %s.", checks.text);
    } else if (model != &tan_models[TAN_MODEL_TAN]) {
        tan_reply_say(w, answer, TAN_PART_FROM, "Model %s, %.*s.", model->name,
                      (int)strcspn(model->help, ":;"), model->help);
    } else if (as_measured && !m->stand_in && !m->overlap_known) {
        tan_reply_say(w, answer, TAN_PART_FROM,
                      "Model tan, not checked: tanbench calibrate also measures how far it errs.");
    }
}

static void say_messages(struct tan_json_writer *w, json_t *answer, const struct tan_machine *m)
{
    const struct tan_payload *payload = m->tan.payload;
    if (payload != NULL) {
        tan_reply_say(w, answer, TAN_PART_FROM,
                      "Messages of %s from every leaf, growth %s, times by model %s.",
                      tan_size_text(tan_payload_bytes(payload)).text,
                      tan_payload_rule_of(payload)->name, tan_payload_model_of(payload)->name);
    } else if (m->tan.derived) {
        tan_reply_say(w, answer, TAN_PART_FROM, "Costs of levels by its single messages, model %s.",
                      m->message_model->name);
    }
    if (m->tan.work > 0.0) {
        tan_reply_say(w, answer, TAN_PART_FROM, "A filter takes %g us for each child's message.",
                      m->tan.work * 1e6);
    }
}

json_t *tan_answer_begin(struct tan_json_writer *w, json_t *document, const struct tan_basis *from)
{
    const struct tan_machine *m = from->machine;
    json_t *answer = tan_json_set_object(w, document, "answer");
    const struct tan_text given = tan_given_text(from->given);
    const struct tan_text reading = tan_reading_text(from->model, &m->tan);
    tan_doubts_say(w, answer, from->doubts);
    if (m->stand_in) {
        say_stand_in(w, answer, from);
    } else if (from->file != NULL) {
        say_file(w, answer, from, given.text);
    } else if (from->round_trip > 0.0) {
        tan_reply_say(w, answer, TAN_PART_FROM, "From an RTT of %s: %s.",
                      tan_short_text(from->round_trip).text, given.text);
    } else {
        tan_reply_say(w, answer, TAN_PART_FROM, "From %s.", given.text);
    }
    say_messages(w, answer, m);
    say_model(w, answer, m, from->model, from->file != NULL && *given.text == '\0');
    if (*reading.text != '\0') {
        tan_reply_say(w, answer, TAN_PART_FROM, "%s", reading.text);
    }
    return answer;
}

char *tan_answer_platform(struct tan_json_writer *w, const struct tan_basis *from)
{
    char *text = NULL;
    size_t length;
    const char *platform = tan_machine_simulated(from->machine);
    FILE *to = open_memstream(&text, &length);
    if (to != NULL && platform != NULL && from->file != NULL) {
        fputs(" --platform ", to);
        tan_words_quote(to, platform);
        fputs(" -m ", to);
        tan_words_quote(to, from->asked);
    }
    w->failed |= to == NULL || fclose(to) != 0;
    return text;
}

#define AT(member) offsetof(struct tan_answer_row, member)
static const struct tan_field answer_fields[] = {
    {"name", "tree", TAN_FIELD_STRING, AT(name)},
    {"placement", "placement", TAN_FIELD_STRING, AT(placement)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"height", "height", TAN_FIELD_KNOWN, AT(height)},
    {"children", "children", TAN_FIELD_KNOWN, AT(children)},
    {"processes", "processes", TAN_FIELD_KNOWN, AT(processes)},
    {"hosts", "hosts", TAN_FIELD_KNOWN, AT(hosts)},
    {"most_lost", "one takes", TAN_FIELD_KNOWN, AT(most_lost)},
    {"wait_us", "delay, 1 down", TAN_FIELD_TIME, AT(wait)},
    {"expected_us", "expected", TAN_FIELD_TIME, AT(expected)},
    {"note", "", TAN_FIELD_STRING, AT(note)},
    {"rank", "", TAN_FIELD_INT64, AT(rank)},
    TAN_FIELDS_END,
};
#undef AT

struct tan_answer_row *tan_answer_row(struct tan_answer_rows *rows, double wave)
{
    if (rows->n == TAN_ANSWER_ROWS) {
        return NULL;
    }
    struct tan_answer_row *row = &rows->row[rows->n];
    *row = (struct tan_answer_row){
        .wave = wave, .wait = NAN, .expected = NAN, .rank = (int64_t)rows->n};
    rows->n++;
    return row;
}

void tan_answer_note(struct tan_answer_row *row, const char *note)
{
    const size_t used = strlen(row->note);
    if (strstr(row->note, note) == NULL) {
        snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", note);
    }
}

struct tan_answer_row *tan_answer_same(struct tan_answer_rows *rows, size_t first, double wave,
                                       int64_t height, int64_t children)
{
    for (size_t i = first; i < rows->n; i++) {
        struct tan_answer_row *row = &rows->row[i];
        const bool alike = isnan(wave) ? isnan(row->wave) : fabs(row->wave - wave) <= 1e-9 * wave;
        if (alike && row->height == height && row->children == children) {
            return row;
        }
    }
    return NULL;
}

double tan_answer_cost(const struct tan_answer_row *row)
{
    return isnan(row->expected) ? row->wave : row->expected;
}

void tan_answer_against(struct tan_answer_rows *rows, size_t first)
{
    for (size_t i = first; i < rows->n; i++) {
        const bool alike = isnan(rows->row[i].expected) == isnan(rows->row[first].expected);
        const double slower =
            tan_answer_cost(&rows->row[i]) / tan_answer_cost(&rows->row[first]) - 1.0;
        rows->row[i].slower = alike ? slower : NAN;
    }
    for (size_t i = first + 2; i < rows->n; i++) {
        const struct tan_answer_row row = rows->row[i];
        size_t k = i;
        for (; k > first + 1 && tan_answer_cost(&rows->row[k - 1]) > tan_answer_cost(&row); k--) {
            rows->row[k] = rows->row[k - 1];
        }
        rows->row[k] = row;
    }
}

void tan_answer_table(struct tan_json_writer *w, json_t *answer, const struct tan_answer_rows *rows,
                      const char *columns)
{
    json_t *list = tan_fields_table(w, answer, answer_fields, columns);
    for (size_t i = 0; i < rows->n; i++) {
        tan_fields_row(w, list, answer_fields, &rows->row[i]);
    }
}

/* How sure */

static const char *const subjects[TAN_PARAMS] = {[TAN_L] = "L is",
                                                 [TAN_A] = "a message costs",
                                                 [TAN_B] = "a further child costs",
                                                 [TAN_C2] = "the quadratic cost is"};

/* How near the nearest end is, as a factor; assumed parameters come before all others. */
static double nearness(const struct tan_sure *sure, const struct tan_sensitivity *row)
{
    const double down = row->stays.low > 0.0 ? row->value / row->stays.low : INFINITY;
    const bool assumed = sure->params->unidentified[row->param];
    return fmin(down, row->stays.high / row->value) - (assumed ? 1e6 : 0.0);
}

/* "If a further child costs 2 us, 6 is best (4 is 3.7 % slower); if 8 us, 3 (4: 1.2 % slower)." */
static void say_if(struct tan_json_writer *w, json_t *answer, const struct tan_sure *sure,
                   const struct tan_sensitivity *row)
{
    const struct tan_moved *moved[] = {&row->half, &row->twice};
    const double factor[] = {0.5, 2.0};
    struct tan_text text = {""};
    for (int i = 0; i < 2; i++) {
        const struct tan_text value = tan_short_text(factor[i] * row->value);
        const struct tan_text slower = tan_share_text(moved[i]->slower);
        if (!(moved[i]->slower > 0.0)) {
            continue;
        }
        text = *text.text == '\0'
                   ? tan_printed("If %s %s, %s is %s (%s is %s slower)", subjects[row->param],
                                 value.text, moved[i]->best.text,
                                 *sure->among != '\0' ? "the best of them" : "best", sure->name,
                                 slower.text)
                   : tan_printed("%s; if %s, %s (%s slower)", text.text, value.text,
                                 moved[i]->best.text, slower.text);
    }
    if (*text.text != '\0') {
        tan_reply_say(w, answer, TAN_PART_SURE, "%s.", text.text);
    }
}

/* Whether half or twice an assumed value makes another choice better, by more than trusted models
 * may be off. */
static bool depends_on_assumed(const struct tan_sure *sure)
{
    bool depends = false;
    for (int i = 0; i < sure->n_limits; i++) {
        const struct tan_sensitivity *row = &sure->limit[i];
        depends |= sure->params->unidentified[row->param] &&
                   fmax(row->half.slower, row->twice.slower) > TAN_CHECKS_MOST;
    }
    return depends;
}

/* Nothing is sure of numbers that are not trustworthy, another machine's, or assumed. */
static const char *how_sure(const json_t *answer, const struct tan_sure *sure)
{
    const json_t *before = json_object_get(answer, tan_part_keys[TAN_PART_BEFORE]);
    return json_array_size(before) > 0 ? "By these numbers"
           : sure->assuming != NULL    ? sure->assuming
           : depends_on_assumed(sure)  ? "Unsure"
                                       : "Sure";
}

const char *tan_answer_assuming(const struct tan_basis *from)
{
    return from->machine->stand_in ? "On Cab"
           : tan_doubts_find(from->doubts, "hosts") != NULL
               ? "If further hosts are like those measured"
               : NULL;
}

/* Below, tan_share_text is "0 %". */
static const double shown_loss = 0.00005;

/* What another choice than the best one costs: "0.3 %", "23x". */
static struct tan_text loss_text(double loss)
{
    return loss < 1.0 ? tan_share_text(loss) : tan_slower_text(loss);
}

/* "; the next, TreeWidth=6, is as fast"; "" if there is none. */
static struct tan_text next_text(const struct tan_sure *sure)
{
    if (*sure->next == '\0') {
        return (struct tan_text){""};
    }
    return sure->next_loss < shown_loss ? tan_printed("; the next, %.80s, is as fast", sure->next)
                                        : tan_printed("; the next, %.80s, costs %s on average",
                                                      sure->next, loss_text(sure->next_loss).text);
}

/* "L is at least 47.7 us (98 us here)"; "" if it has no end, or another answer is as good here. */
static struct tan_text range_text(const struct tan_sure *sure, const struct tan_sensitivity *row)
{
    const bool transfer = row->param == TAN_L && sure->params->rate > 0.0; /* is part of L */
    const struct tan_interval s = row->stays;
    const bool above = s.low > 0.0;
    const bool below = isfinite(s.high);
    if ((!above && !below) || s.high <= s.low) {
        return (struct tan_text){""};
    }
    return tan_printed("%s %s%s%s%s (%s here%s)",
                       transfer ? "L with the transfer is" : subjects[row->param],
                       !above   ? "at most "
                       : !below ? "at least "
                                : "",
                       above ? tan_short_text(s.low).text : "", above && below ? " to " : "",
                       below ? tan_short_text(s.high).text : "", tan_short_text(row->value).text,
                       row->with_b ? ", b with it" : "");
}

static void say_while(struct tan_json_writer *w, json_t *answer, const struct tan_sure *sure,
                      const struct tan_sensitivity *const *row, int n)
{
    enum { MOST = 3 }; /* the nearest ones */
    struct tan_text all = {""};
    struct tan_text text[MOST];
    int ranges = 0;
    bool tie = false;
    for (int i = 0; i < n; i++) {
        tie |= !(row[i]->stays.high > row[i]->stays.low);
        if (ranges < MOST) {
            text[ranges] = range_text(sure, row[i]);
            ranges += text[ranges].text[0] != '\0';
        }
    }
    for (int i = 0; i < ranges; i++) {
        all = tan_printed("%s%s%s", all.text,
                          i == 0            ? ""
                          : i + 1 == ranges ? " and "
                                            : ", ",
                          text[i].text);
    }
    if (ranges > 0) {
        tan_reply_say(w, answer, TAN_PART_SURE, "%s: %s%s stays the best while %s.",
                      how_sure(answer, sure), sure->among, sure->name, all.text);
    } else {
        tan_reply_say(w, answer, TAN_PART_SURE,
                      tie ? "%s: %sanother one is exactly as good as %s."
                          : "%s: %s%s stays the best even if any one number is a tenth or ten "
                            "times as large.",
                      how_sure(answer, sure), sure->among, sure->name);
    }
}

/* By draws of the parameters. */
static void say_drawn(struct tan_json_writer *w, json_t *answer, const struct tan_sure *sure)
{
    if (sure->kept && sure->share < 0.5) {
        tan_reply_say(w, answer, TAN_PART_SURE,
                      "By draws of the parameters %s costs %s on average, at most %s in 95 of 100 "
                      "cases.",
                      sure->name, loss_text(sure->mean_loss).text, loss_text(sure->loss95).text);
        return;
    }
    tan_reply_say(w, answer, TAN_PART_SURE, "%s: %s%s %s in %s draws of the parameters%s%s%s.",
                  sure->share < 0.5 ? "Unsure" : how_sure(answer, sure), sure->among, sure->name,
                  sure->expected ? "has the least expected wave" : "is the best",
                  sure->share < 0.01 ? "less than 1 % of the"
                                     : tan_printed("%.0f of 100", 100.0 * sure->share).text,
                  tan_is_wide(sure->ci95)
                      ? tan_printed(" (%s)", tan_interval_text(sure->ci95).text).text
                      : "",
                  sure->loss95 >= shown_loss
                      ? tan_printed(" and costs %s on average, at most %s in 95 of 100 cases",
                                    loss_text(sure->mean_loss).text, loss_text(sure->loss95).text)
                            .text
                      : "",
                  next_text(sure).text);
}

void tan_answer_sure(struct tan_json_writer *w, json_t *answer, const struct tan_sure *sure)
{
    const struct tan_sensitivity *row[TAN_SENSITIVITIES];
    if (!isnan(sure->share)) {
        say_drawn(w, answer, sure);
        return;
    }
    for (int i = 0; i < sure->n_limits; i++) {
        int k = i;
        for (; k > 0 && nearness(sure, row[k - 1]) > nearness(sure, &sure->limit[i]); k--) {
            row[k] = row[k - 1];
        }
        row[k] = &sure->limit[i];
    }
    if (sure->n_limits == 0) {
        tan_reply_say(w, answer, TAN_PART_SURE, "How sure %s is, is not known: %s.", sure->name,
                      sure->params->n_draws > 0
                          ? "trees of any shape are not searched for under draws of the parameters"
                          : "the parameters have no error bars");
        return;
    }
    say_while(w, answer, sure, row, sure->n_limits);
    for (int i = 0; i < sure->n_limits && i < 3; i++) {
        say_if(w, answer, sure, row[i]);
    }
}
