/* critical_report.c - critical path as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <jansson.h>

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
static const char *parts_text(const struct tan_path_step *step, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < TAN_PATH_PARTS && used < size; i++) {
        char time[TAN_TIME_TEXT];
        if (step->part[i] > 0) {
            used += (size_t)snprintf(buffer + used, size - used, "%s%s %s", used > 0 ? ", " : "",
                                     tan_path_parts[i].name, tan_format_ps(step->part[i], time));
        }
    }
    return buffer;
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
    char time[TAN_TIME_TEXT];
    size_t first, last;
    listed_ends(path->n_steps, listed, &first, &last);
    fprintf(to, "Critical path: %s through %zu step%s\n\n", tan_format_ps(path->finish, time),
            path->n_steps, path->n_steps == 1 ? "" : "s");
    if (path->finish > 0) {
        print_parts(path, unit, to);
        fputc('\n', to);
    }
    const char *const headings[] = {"from",  "to",         "rank",        "<operation",
                                    "<line", "<waits for", "<contributes"};
    const int columns = s->lines != NULL ? 7 : 6;
    const char *const without_lines[] = {headings[0], headings[1], headings[2],
                                         headings[3], headings[5], headings[6]};
    struct tan_table *table =
        tan_table_create(s->lines != NULL ? headings : without_lines, columns);
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
        char op[TAN_OP_TEXT], parts[256];
        tan_table_cell(table, "%.*f", unit->decimals, in_unit(step->from, unit));
        tan_table_cell(table, "%.*f", unit->decimals, in_unit(step->to, unit));
        tan_table_cell(table, "%" PRIu32, tan_schedule_op_rank(s, step->op));
        tan_table_cell(table, "%s", tan_op_text(s, step->op, op));
        if (s->lines != NULL) {
            tan_table_cell(table, "%.0" PRIu32, s->lines[step->op]); /* empty for 0 */
        }
        tan_table_cell(table, "%s", whys[step->why]);
        tan_table_cell(table, "%s", parts_text(step, parts, sizeof parts));
    }
    tan_table_print(table, to);
}

/* Nanoseconds: 15 digits represent picoseconds exactly up to 1000 s. */
static json_t *ns_json(uint64_t ps)
{
    return json_real((double)ps / 1e3);
}

static json_t *parts_json(const uint64_t part[TAN_PATH_PARTS], bool with_zeros)
{
    json_t *object = json_object();
    int bad = 0;
    for (int i = 0; i < TAN_PATH_PARTS; i++) {
        if (part[i] > 0 || with_zeros) {
            char key[16];
            snprintf(key, sizeof key, "%s_ns", tan_path_parts[i].name);
            bad |= json_object_set_new(object, key, ns_json(part[i]));
        }
    }
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *step_json(const struct tan_path_step *step, const struct tan_schedule *s)
{
    char text[TAN_OP_TEXT];
    json_t *object = json_object();
    int bad = 0;
    bad |= json_object_set_new(object, "rank", json_integer(tan_schedule_op_rank(s, step->op)));
    bad |= json_object_set_new(object, "operation", json_string(tan_op_text(s, step->op, text)));
    if (s->lines != NULL && s->lines[step->op] > 0) {
        bad |= json_object_set_new(object, "line", json_integer(s->lines[step->op]));
    }
    bad |= json_object_set_new(object, "waits_for", json_string(whys[step->why]));
    bad |= json_object_set_new(object, "from_ns", ns_json(step->from));
    bad |= json_object_set_new(object, "to_ns", ns_json(step->to));
    bad |= json_object_set_new(object, "parts", parts_json(step->part, false));
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *tan_critical_path_to_json(const struct tan_critical_path *path,
                                  const struct tan_schedule *s, size_t listed)
{
    json_t *object = json_object();
    json_t *steps = json_array();
    int bad = 0;
    size_t first, last;
    listed_ends(path->n_steps, listed, &first, &last);
    for (size_t i = 0; i < path->n_steps; i++) {
        if (i < first || i >= path->n_steps - last) {
            bad |= json_array_append_new(steps, step_json(&path->steps[i], s));
        }
    }
    bad |= json_object_set_new(object, "finish_ns", ns_json(path->finish));
    bad |= json_object_set_new(object, "parts", parts_json(path->part, true));
    bad |= json_object_set_new(object, "n_steps", json_integer((json_int_t)path->n_steps));
    bad |= json_object_set_new(object, "omitted",
                               json_integer((json_int_t)(path->n_steps - first - last)));
    bad |= json_object_set_new(object, "steps", steps);
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}
