/* doubt_json.c - doubts as rows of a JSON file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/doubt_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/machine/params.h"

static const char *const all = "all";

/* The bit of a parameter's name, or all of them; 0: there is no such parameter. */
static unsigned touch_of(const char *name)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (strcmp(name, tan_param_keys[p]) == 0) {
            return 1u << p;
        }
    }
    return strcmp(name, all) == 0 ? TAN_TOUCHES_ALL : 0;
}

static int read_touches(const struct tan_json_at *row, unsigned *touches, struct tan_error *e)
{
    const json_t *list = NULL;
    if (tan_json_required(row, "touches", tan_json_array(row, "touches", &list, e), e) < 0) {
        return -1;
    }
    char path[64];
    snprintf(path, sizeof path, "%s.touches", row->path);
    if (json_array_size(list) == 0) {
        return tan_fail_at(e, row->source, 0, 0, "%s must name a parameter, or \"all\"", path);
    }
    const struct tan_json_at names = tan_json_below(row, path, list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = "";
        if (tan_json_string_at(&names, i, &name, e) < 0) {
            return -1;
        }
        if (touch_of(name) == 0) {
            return tan_fail_at(e, row->source, 0, 0,
                               "%s: \"%s\" is not one of L_us, a_us, b_us, c_us, g_us, C_us, all",
                               path, name);
        }
        *touches |= touch_of(name);
    }
    return 0;
}

static int read_row(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct tan_doubts *doubts = to;
    const char *what = "";
    const char *text = "";
    double amount = NAN;
    unsigned touches = 0;
    int64_t least = 0;
    int64_t most = 0;
    if (tan_json_required(row, "what", tan_json_string(row, "what", &what, e), e) < 0 ||
        tan_json_required(row, "text", tan_json_string(row, "text", &text, e), e) < 0 ||
        tan_json_real(row, "amount", -INFINITY, INFINITY, &amount, e) < 0 ||
        tan_json_int(row, "least_fanout", 0, INT64_MAX, &least, e) < 0 ||
        tan_json_int(row, "most_fanout", least, INT64_MAX, &most, e) < 0 ||
        read_touches(row, &touches, e) < 0) {
        return -1;
    }
    if (strlen(what) >= sizeof doubts->row[0].what) {
        return tan_fail_at(e, row->source, 0, 0, "%s.what must have at most %zu characters",
                           row->path, sizeof doubts->row[0].what - 1);
    }
    struct tan_doubt *doubt = tan_doubts_add(doubts, what, amount, touches, "%s", text);
    tan_printable(doubt->text);
    doubt->least_fanout = least;
    doubt->most_fanout = least > 0 && most == 0 ? INT64_MAX : most;
    return 0;
}

int tan_doubts_read(const struct tan_json_at *at, const char *key, struct tan_doubts *doubts,
                    struct tan_error *e)
{
    return tan_json_rows(at, key, TAN_MAX_WRITTEN_DOUBTS, read_row, doubts, e);
}

static void set_row(struct tan_json_writer *w, json_t *object, const struct tan_doubt *doubt)
{
    tan_json_set_string(w, object, "what", doubt->what);
    if (isfinite(doubt->amount)) {
        tan_json_set(w, object, "amount", tan_json_fixed(doubt->amount, 6));
    }
    json_t *touches = tan_json_set_array(w, object, "touches");
    if (doubt->touches == TAN_TOUCHES_ALL) {
        tan_json_append(w, touches, json_string(all));
    }
    for (int p = 0; p < TAN_PARAMS && doubt->touches != TAN_TOUCHES_ALL; p++) {
        if (doubt->touches & 1u << p) {
            tan_json_append(w, touches, json_string(tan_param_keys[p]));
        }
    }
    if (doubt->most_fanout > 0) {
        tan_json_set_int(w, object, "least_fanout", doubt->least_fanout);
    }
    if (doubt->most_fanout > 0 && doubt->most_fanout < INT64_MAX) {
        tan_json_set_int(w, object, "most_fanout", doubt->most_fanout);
    }
    tan_json_set(w, object, "text", tan_json_text(doubt->text));
}

void tan_doubts_set(struct tan_json_writer *w, json_t *object, const char *key,
                    const struct tan_doubts *doubts)
{
    json_t *rows = doubts->n > 0 ? tan_json_set_array(w, object, key) : NULL;
    for (int i = 0; i < doubts->n; i++) {
        set_row(w, tan_json_append_object(w, rows), &doubts->row[i]);
    }
}
