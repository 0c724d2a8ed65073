/* cost_map.c - which schedule is the fastest, by a cost and by the size of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/cost_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/sensitivity/response_report.h"

int tan_cost_map_begin(struct tan_cost_map *map, size_t n_rows, struct tan_error *e)
{
    map->rows = calloc(n_rows, sizeof *map->rows);
    map->n_rows = map->rows != NULL ? n_rows : 0;
    for (size_t i = 0; i < map->n_rows; i++) {
        map->rows[i].responses = calloc(map->n, sizeof *map->rows[i].responses);
        if (map->rows[i].responses == NULL) {
            return tan_fail_nomem(e);
        }
    }
    return map->rows == NULL ? tan_fail_nomem(e) : 0;
}

void tan_cost_map_clear(struct tan_cost_map *map)
{
    for (size_t i = 0; i < map->n_rows; i++) {
        struct tan_cost_row *row = &map->rows[i];
        for (size_t k = 0; row->responses != NULL && k < map->n; k++) {
            tan_response_clear(&row->responses[k]);
        }
        free(row->responses);
        tan_envelope_clear(&row->envelope);
    }
    free(map->rows);
    map->rows = NULL;
    map->n_rows = 0;
}

/* Where a range ends. */
static const char *end_text(const struct tan_cost_map *map, const struct tan_cost_row *row,
                            const struct tan_envelope_part *part, char text[TAN_TIME_TEXT])
{
    const double end = row->least + part->to;
    if (!part->about) {
        return tan_cost_text(map->cost, end, text);
    }
    if (map->cost == TAN_COST_G) {
        snprintf(text, TAN_TIME_TEXT, "about %.3g ns/B", end / 1e3);
    } else {
        const struct tan_time_unit *unit = tan_time_unit((uint64_t)llround(end));
        snprintf(text, TAN_TIME_TEXT, "about %.3g %s", end / (double)unit->ps, unit->name);
    }
    return text;
}

static const struct tan_envelope_part *part_now(const struct tan_cost_row *row)
{
    return tan_envelope_at(&row->envelope, row->base - row->least);
}

/* The part after the one of the present cost; NULL if that is the last one. */
static const struct tan_envelope_part *part_after(const struct tan_cost_row *row)
{
    const struct tan_envelope_part *now = part_now(row);
    return now + 1 < row->envelope.parts + row->envelope.n_parts ? now + 1 : NULL;
}

static size_t count_ties(const struct tan_envelope_part *part)
{
    return (size_t)__builtin_popcount(part->ties);
}

/* "a", "a and b" or "a, b and c" of those that take as long. */
enum { NAMES_TEXT = 400 };
static const char *names_of(const struct tan_cost_map *map, const struct tan_envelope_part *part,
                            char text[NAMES_TEXT])
{
    size_t left = count_ties(part) - 1;
    int used = snprintf(text, NAMES_TEXT, "%s", map->names[part->best]);
    for (size_t i = 0; i < map->n && used < NAMES_TEXT; i++) {
        if (i != part->best && (part->ties >> i & 1) != 0) {
            used += snprintf(text + used, (size_t)(NAMES_TEXT - used), "%s%s",
                             --left > 0 ? ", " : " and ", map->names[i]);
        }
    }
    return text;
}

/* For a table: "a", "a = b" or "a = 2 others". */
static const char *short_names(const struct tan_cost_map *map, const struct tan_envelope_part *part,
                               char text[NAMES_TEXT])
{
    const size_t ties = count_ties(part);
    const char *best = map->names[part->best];
    if (ties == 1) {
        return best;
    }
    size_t other = 0;
    while (other == part->best || (part->ties >> other & 1) == 0) {
        other++;
    }
    snprintf(text, NAMES_TEXT, "%s = %s", best, map->names[other]);
    if (ties > 2) {
        snprintf(text, NAMES_TEXT, "%s = %zu others", best, ties - 1);
    }
    return text;
}

static bool is_tied(const struct tan_envelope_part *part)
{
    return count_ties(part) > 1;
}

static const char *is_fastest(const struct tan_envelope_part *part)
{
    return is_tied(part) ? "are equally fast" : "is the fastest";
}

/* "At L 2.5 us a is the fastest; the next one, b, takes 1.2 times as long." */
static void print_fastest(const struct tan_cost_map *map, const struct tan_cost_row *row, FILE *to)
{
    const struct tan_envelope_part *part = part_now(row);
    const double at = row->base - row->least;
    const double finish = tan_response_at(&row->responses[part->best], at);
    const char letter = tan_costs[map->cost].letter;
    char text[TAN_TIME_TEXT], names[NAMES_TEXT], factor[32];
    size_t next = part->best;
    double least = INFINITY;
    for (size_t i = 0; i < map->n; i++) {
        const double other = tan_response_at(&row->responses[i], at);
        if ((part->ties >> i & 1) == 0 && other < least) {
            next = i;
            least = other;
        }
    }
    fprintf(to, "At the present %c, %s, %s %s", letter, tan_cost_text(map->cost, row->base, text),
            names_of(map, part, names),
            is_tied(part) ? "are the fastest, equally" : "is the fastest");
    if (next != part->best && finish > 0.0) {
        fprintf(to, "; the next one, %s, takes %s times as long", map->names[next],
                tan_format_factor(least / finish, 3, factor, sizeof factor));
    }
    fputs(".\n", to);
}

/* Up to which value that stays so, and from which. */
static void print_stays(const struct tan_cost_map *map, const struct tan_cost_row *row, FILE *to)
{
    const struct tan_envelope_part *now = part_now(row), *after = part_after(row);
    const char *stays = is_tied(now) ? "They stay" : "It stays";
    char text[TAN_TIME_TEXT], names[NAMES_TEXT];
    end_text(map, row, now, text);
    if (after == NULL) {
        fprintf(to, "%s so up to the end of the range, %s", stays, text);
    } else {
        fprintf(to, "%s so up to %s; beyond, %s %s", stays, text, names_of(map, after, names),
                is_fastest(after));
    }
    if (now > row->envelope.parts) {
        fprintf(to, "; below %s, %s %s", end_text(map, row, now - 1, text),
                names_of(map, now - 1, names), is_fastest(now - 1));
    }
    fputs(".\n", to);
}

static const char *size_text(int64_t bytes, char text[TAN_TIME_TEXT])
{
    return tan_format_size(bytes, text, TAN_TIME_TEXT);
}

static bool same_fastest(const struct tan_cost_row *a, const struct tan_cost_row *b)
{
    return part_now(a)->best == part_now(b)->best && part_now(a)->ties == part_now(b)->ties;
}

/* "At the present L, 2.5 us, a is the fastest for 8 B to 1 KiB, b for 2 KiB." */
static void print_fastest_by_size(const struct tan_cost_map *map, FILE *to)
{
    char text[TAN_TIME_TEXT], names[NAMES_TEXT];
    bool equal = true;
    for (size_t i = 1; i < map->n_rows; i++) {
        equal = equal && fabs(map->rows[i].base - map->rows[0].base) <= 0.0;
    }
    fprintf(to, "At the present %c", tan_costs[map->cost].letter);
    fprintf(to, equal ? ", %s, " : " ", tan_cost_text(map->cost, map->rows[0].base, text));
    for (size_t i = 0; i < map->n_rows;) {
        const struct tan_cost_row *first = &map->rows[i];
        size_t end = i + 1;
        for (; end < map->n_rows && same_fastest(first, &map->rows[end]); end++) {
        }
        fprintf(to, "%s%s %sfor ", i > 0 ? ", " : "", names_of(map, part_now(first), names),
                i > 0                      ? ""
                : is_tied(part_now(first)) ? "are the fastest "
                                           : "is the fastest ");
        fputs(size_text(first->bytes, text), to);
        if (end > i + 1) {
            fprintf(to, " to %s", size_text(map->rows[end - 1].bytes, text));
        }
        i = end;
    }
    fputs(".\n", to);
}

/* The row whose fastest schedule changes first when the cost grows; NULL if none does. */
static const struct tan_cost_row *first_change(const struct tan_cost_map *map)
{
    const struct tan_cost_row *first = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < map->n_rows; i++) {
        const struct tan_cost_row *row = &map->rows[i];
        const double more = part_now(row)->to - (row->base - row->least);
        if (part_after(row) != NULL && more < least) {
            least = more;
            first = row;
        }
    }
    return first;
}

static void print_first_change(const struct tan_cost_map *map, FILE *to)
{
    const struct tan_cost_row *row = first_change(map);
    char text[TAN_TIME_TEXT], size[TAN_TIME_TEXT], names[NAMES_TEXT];
    if (row == NULL) {
        const struct tan_cost_row *last = &map->rows[map->n_rows - 1];
        fprintf(to, "That stays so for every size up to the end of the range, %s.\n",
                tan_cost_text(map->cost, last->least + part_now(last)->to, text));
        return;
    }
    fprintf(to, "That stays so up to %s; beyond, %s %s for %s.\n",
            end_text(map, row, part_now(row), text), names_of(map, part_after(row), names),
            is_fastest(part_after(row)), size_text(row->bytes, size));
}

static void print_answer(const void *what, FILE *to)
{
    const struct tan_cost_map *map = what;
    if (map->n_rows == 1) {
        print_fastest(map, &map->rows[0], to);
        print_stays(map, &map->rows[0], to);
    } else {
        print_fastest_by_size(map, to);
        print_first_change(map, to);
    }
}

static const char *finish_text(double ps, char text[TAN_TIME_TEXT])
{
    const struct tan_time_unit *unit = tan_time_unit((uint64_t)llround(ps));
    snprintf(text, TAN_TIME_TEXT, "%.6g %s", ps / (double)unit->ps, unit->name);
    return text;
}

static void add_table_row(struct tan_table *table, const struct tan_cost_map *map,
                          const struct tan_cost_row *row, const struct tan_envelope_part *part)
{
    char text[TAN_TIME_TEXT], names[NAMES_TEXT];
    tan_table_cell(table, "%s", map->n_rows > 1 ? size_text(row->bytes, text) : "");
    tan_table_cell(table, "%s", tan_cost_text(map->cost, row->least + part->from, text));
    tan_table_cell(table, "%s", end_text(map, row, part, text));
    tan_table_cell(table, "%s", short_names(map, part, names));
    tan_table_cell(table, "%s", finish_text(part->finish_from, text));
    tan_table_cell(table, "%s", finish_text(part->finish_to, text));
    if (part->next != part->best) {
        tan_table_cell(table, "%s", map->names[part->next]);
        tan_table_cell(table, "%s", tan_format_slower(part->slower, text, sizeof text));
    }
    tan_table_end_row(table);
}

static void print_table(const struct tan_cost_map *map, FILE *to)
{
    const char letter = tan_costs[map->cost].letter;
    char heading[16];
    snprintf(heading, sizeof heading, "<%c from", letter);
    const char *const headings[] = {"<size",        heading, "<to",           "<fastest",
                                    "<finish from", "<to",   "<next halfway", "slower"};
    struct tan_table *table = tan_table_create(headings, 8);
    for (size_t i = 0; i < map->n_rows; i++) {
        const struct tan_cost_row *row = &map->rows[i];
        for (size_t k = 0; k < row->envelope.n_parts; k++) {
            add_table_row(table, map, row, &row->envelope.parts[k]);
        }
    }
    tan_table_hide_empty(table);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_exactness(const void *what, FILE *to)
{
    const struct tan_cost_map *map = what;
    double exact = 0.0, rounded = 0.0;
    size_t simulations = 0;
    bool all = true, fixed = true;
    char text[TAN_TIME_TEXT];
    for (size_t i = 0; i < map->n_rows; i++) {
        for (size_t k = 0; k < map->n; k++) {
            const struct tan_response *r = &map->rows[i].responses[k];
            exact += r->exact / (double)(map->n_rows * map->n);
            all = all && r->exact >= 1.0;
            fixed = fixed && r->fixed;
            rounded = fmax(rounded, r->rounded);
            simulations += r->simulations;
        }
    }
    fputs("Exact", to);
    if (!all) {
        fprintf(to, " in %.3g %% of all ranges together", 100.0 * fmin(exact, 0.999));
    } else if (rounded > 0.0) {
        fprintf(to, " to within %s, since the costs of bytes are rounded",
                tan_format_ps((uint64_t)llround(rounded), text));
    }
    if (!fixed && exact > 0.0) {
        fputs(", unless an operation overtakes another one and falls back between two simulations",
              to);
    }
    if (!all) {
        fputs("; elsewhere straight lines between simulated times", to);
    }
    fprintf(to, " (%zu simulations%s).\n", simulations,
            all ? "" : "; --max-simulations allows more");
}

void tan_cost_map_print(const struct tan_cost_map *map, FILE *to)
{
    tan_text_wrap_printed(to, print_answer, map);
    fputc('\n', to);
    print_table(map, to);
    fputc('\n', to);
    tan_text_wrap_printed(to, print_exactness, map);
}

static void set_ns(struct tan_json_writer *w, json_t *object, const char *key, double ps)
{
    tan_json_set_real(w, object, key, ps / 1e3);
}

static void append_part(struct tan_json_writer *w, json_t *array, const struct tan_cost_map *map,
                        const struct tan_cost_row *row, const struct tan_envelope_part *part)
{
    json_t *object = tan_json_append_object(w, array);
    set_ns(w, object, "from_ns", row->least + part->from);
    set_ns(w, object, "to_ns", row->least + part->to);
    if (part->about) {
        tan_json_set_bool(w, object, "about", true);
    }
    tan_json_set_string(w, object, "fastest", map->names[part->best]);
    if (is_tied(part)) {
        json_t *equal = tan_json_set_array(w, object, "as_fast");
        for (size_t i = 0; i < map->n; i++) {
            if (i != part->best && (part->ties >> i & 1) != 0) {
                tan_json_append(w, equal, json_string(map->names[i]));
            }
        }
    }
    set_ns(w, object, "finish_from_ns", part->finish_from);
    set_ns(w, object, "finish_to_ns", part->finish_to);
    if (part->next != part->best) {
        tan_json_set_string(w, object, "next", map->names[part->next]);
        tan_json_set_real(w, object, "slower", part->slower);
    }
}

static void append_point(struct tan_json_writer *w, json_t *array, double at, double finish)
{
    json_t *pair = tan_json_append_array(w, array);
    tan_json_append(w, pair, json_real(at / 1e3));
    tan_json_append(w, pair, json_real(finish / 1e3));
}

static void append_function(struct tan_json_writer *w, json_t *array, const char *name,
                            const struct tan_cost_row *row, const struct tan_response *r)
{
    json_t *object = tan_json_append_object(w, array);
    tan_json_set_string(w, object, "algorithm", name);
    json_t *points = tan_json_set_array(w, object, "points");
    for (size_t i = 0; i < r->n_pieces && !w->failed; i++) {
        append_point(w, points, row->least + r->pieces[i].from, r->pieces[i].finish_from);
    }
    append_point(w, points, row->least + r->to, r->pieces[r->n_pieces - 1].finish_to);
    tan_response_exactness_json(w, object, r);
}

void tan_cost_map_json(struct tan_json_writer *w, json_t *object, const struct tan_cost_map *map)
{
    tan_json_set(w, object, "cost", json_stringn(&tan_costs[map->cost].letter, 1));
    json_t *sizes = tan_json_set_array(w, object, "sizes");
    for (size_t i = 0; i < map->n_rows; i++) {
        const struct tan_cost_row *row = &map->rows[i];
        json_t *size = tan_json_append_object(w, sizes);
        tan_json_set_int(w, size, "bytes", row->bytes);
        set_ns(w, size, "present_ns", row->base);
        json_t *ranges = tan_json_set_array(w, size, "ranges");
        for (size_t k = 0; k < row->envelope.n_parts; k++) {
            append_part(w, ranges, map, row, &row->envelope.parts[k]);
        }
        json_t *functions = tan_json_set_array(w, size, "functions");
        for (size_t k = 0; k < map->n; k++) {
            append_function(w, functions, map->names[k], row, &row->responses[k]);
        }
    }
}
