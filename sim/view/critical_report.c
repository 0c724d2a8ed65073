/* critical_report.c - critical path as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "base/json.h"
#include "base/reply.h"
#include "base/table.h"
#include "sim/schedule/times.h"
#include "sim/view/critical_path.h"

/* By enum tan_why: a step's relation to the previous one. */
static const char *const whys[] = {
    [TAN_WHY_BEGIN] = "begin", /* nothing before it */
    [TAN_WHY_DEPENDENCY] = "requires",
    [TAN_WHY_CPU] = "cpu",         /* waited for the CPU */
    [TAN_WHY_GAP] = "nic",         /* waited for the NIC */
    [TAN_WHY_MESSAGE] = "message", /* waited for the message */
    [TAN_WHY_POSTED] = "posted",   /* the message waited for the receive */
};

static double in_unit(uint64_t ps, const struct tan_time_unit *unit)
{
    return (double)ps / (double)unit->ps;
}

/* Number of steps to list at the beginning and at the end, of n. */
static void listed_ends(size_t n, size_t listed, size_t *first, size_t *last)
{
    *first = n <= listed ? n : listed - listed / 2;
    *last = n <= listed ? 0 : listed / 2;
}

/* "L 2.5 us, o 80 ns": the nonzero parts. */
static struct tan_text parts_text(const struct tan_path_step *step)
{
    struct tan_text parts = {""};
    for (int i = 0; i < TAN_PATH_PARTS; i++) {
        if (step->part[i] > 0) {
            parts = tan_printed("%s%s%s %s", parts.text, parts.text[0] != '\0' ? ", " : "",
                                tan_path_parts[i].name, tan_ps_text(step->part[i]).text);
        }
    }
    return parts;
}

static void print_parts(const struct tan_critical_path *path, const struct tan_time_unit *unit,
                        FILE *to)
{
    const char *const headings[] = {"<part", unit->name, "share", "<spent on"};
    struct tan_table *table = tan_table_create(headings, 4);
    for (int i = 0; i < TAN_PATH_PARTS; i++) {
        if (path->part[i] > 0) {
            tan_table_cell(table, "%s", tan_path_parts[i].name);
            tan_table_cell(table, "%.*f", unit->decimals, in_unit(path->part[i], unit));
            tan_table_cell(table, "%.1f %%", 100.0 * (double)path->part[i] / (double)path->finish);
            tan_table_cell(table, "%s", tan_path_parts[i].help);
        }
    }
    tan_table_print(table, to);
}

void tan_critical_path_print(const struct tan_critical_path *path, const struct tan_schedule *s,
                             size_t listed, FILE *to)
{
    const struct tan_time_unit *unit = tan_time_unit(path->finish);
    size_t first, last;
    listed_ends(path->n_steps, listed, &first, &last);
    fprintf(to, "Critical path: %s through %zu step%s\n\n", tan_ps_text(path->finish).text,
            path->n_steps, path->n_steps == 1 ? "" : "s");
    if (path->finish > 0) {
        print_parts(path, unit, to);
        fputc('\n', to);
    }
    const char *const headings[] = {"from",  "to",         "rank",        "<operation",
                                    "<line", "<waits for", "<contributes"};
    struct tan_table *table = tan_table_create(headings, 7);
    for (size_t i = 0; i < path->n_steps; i++) {
        if (i == first && last > 0) {
            for (int blank = 0; blank < 3; blank++) {
                tan_table_cell(table, "%s", "");
            }
            tan_table_cell(table, "(%zu more)", path->n_steps - first - last);
            tan_table_end_row(table);
            i = path->n_steps - last;
        }
        const struct tan_path_step *step = &path->steps[i];
        tan_table_cell(table, "%.*f", unit->decimals, in_unit(step->from, unit));
        tan_table_cell(table, "%.*f", unit->decimals, in_unit(step->to, unit));
        tan_table_cell(table, "%" PRIu32, tan_schedule_op_rank(s, step->op));
        tan_table_cell(table, "%s", tan_op_text(s, step->op).text);
        tan_table_cell(table, "%.0" PRIu32,
                       s->lines != NULL ? s->lines[step->op] : 0); /* empty for 0 */
        tan_table_cell(table, "%s", whys[step->why]);
        tan_table_cell(table, "%s", parts_text(step).text);
    }
    tan_table_hide_empty(table);
    tan_table_print(table, to);
}

/* Nanoseconds: 15 digits represent picoseconds exactly up to 1000 s. */
static void set_ns(struct tan_json_writer *w, json_t *object, const char *key, uint64_t ps)
{
    tan_json_set_real(w, object, key, (double)ps / 1e3);
}

static void set_parts(struct tan_json_writer *w, json_t *object,
                      const uint64_t part[TAN_PATH_PARTS], bool with_zeros)
{
    json_t *parts = tan_json_set_object(w, object, "parts");
    for (int i = 0; i < TAN_PATH_PARTS; i++) {
        if (part[i] > 0 || with_zeros) {
            set_ns(w, parts, tan_printed("%s_ns", tan_path_parts[i].name).text, part[i]);
        }
    }
}

static void append_step(struct tan_json_writer *w, json_t *array, const struct tan_path_step *step,
                        const struct tan_schedule *s)
{
    json_t *object = tan_json_append_object(w, array);
    tan_json_set_int(w, object, "rank", tan_schedule_op_rank(s, step->op));
    tan_json_set_string(w, object, "operation", tan_op_text(s, step->op).text);
    tan_json_set_count(w, object, "line", s->lines != NULL ? s->lines[step->op] : 0);
    tan_json_set_string(w, object, "waits_for", whys[step->why]);
    set_ns(w, object, "from_ns", step->from);
    set_ns(w, object, "to_ns", step->to);
    set_parts(w, object, step->part, false);
}

void tan_critical_path_json(struct tan_json_writer *w, json_t *object,
                            const struct tan_critical_path *path, const struct tan_schedule *s,
                            size_t listed)
{
    size_t first, last;
    listed_ends(path->n_steps, listed, &first, &last);
    set_ns(w, object, "finish_ns", path->finish);
    set_parts(w, object, path->part, true);
    tan_json_set_int(w, object, "n_steps", (json_int_t)path->n_steps);
    tan_json_set_int(w, object, "omitted", (json_int_t)(path->n_steps - first - last));
    json_t *steps = tan_json_set_array(w, object, "steps");
    for (size_t i = 0; i < path->n_steps; i++) {
        if (i < first || i >= path->n_steps - last) {
            append_step(w, steps, &path->steps[i], s);
        }
    }
}

void tan_critical_path_say(struct tan_json_writer *w, json_t *answer,
                           const struct tan_critical_path *path, const struct tan_schedule *s)
{
    enum { LONGEST = 5 };
    const struct tan_path_step *longest[LONGEST] = {NULL};
    for (size_t i = 0; i < path->n_steps; i++) {
        const struct tan_path_step *step = &path->steps[i];
        for (int k = 0; k < LONGEST && step != NULL; k++) {
            const struct tan_path_step *other = longest[k];
            if (other == NULL || step->to - step->from > other->to - other->from) {
                longest[k] = step;
                step = other;
            }
        }
    }
    for (int k = 0; k < LONGEST && longest[k] != NULL; k++) {
        const struct tan_path_step *step = longest[k];
        const double begin = (double)step->from / 1e12;
        tan_reply_say(w, answer, TAN_PART_REMARKS, "%s %s from %s on, %s on rank %" PRIu32,
                      k == 0 ? "Longest operation:" : "then",
                      tan_time_text((double)step->to / 1e12 - begin).text,
                      tan_time_like(begin, (double)path->finish / 1e12).text,
                      tan_op_text(s, step->op).text, tan_schedule_op_rank(s, step->op));
    }
}
