/* spec.c - tree specifications: "binomial:32", "file:t.top"
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "topo/shapes.h"

/* Numeric arguments of shapes, by placeholder. */
static const struct parameter {
    const char *placeholder;
    int64_t min, max;
} parameters[] = {
    {"H", 1, TAN_TREE_MAX_HEIGHT},
    {"N", 1, TAN_TREE_MAX_NODES - 1},
    {"K", 2, TAN_TREE_MAX_NODES - 1},
    {"SEED", 0, UINT32_MAX},
    {NULL, 0, 0},
};

static const struct parameter *find_parameter(const char *placeholder, size_t length)
{
    for (const struct parameter *p = parameters; p->placeholder != NULL; p++) {
        if (strlen(p->placeholder) == length && memcmp(p->placeholder, placeholder, length) == 0) {
            return p;
        }
    }
    return NULL;
}

static const struct tan_shape *find_shape(const char *spec, struct tan_error *e)
{
    const size_t length = strcspn(spec, ":");
    for (const struct tan_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        if (strlen(shape->name) == length && memcmp(shape->name, spec, length) == 0) {
            return shape;
        }
    }
    char known[512] = "";
    for (const struct tan_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s:%s",
                 shape == tan_shapes     ? ""
                 : shape[1].name == NULL ? " or "
                                         : ", ",
                 shape->name, shape->arguments);
    }
    tan_fail_usage(e, "\"%.64s\" names no tree: the shapes are %s", spec, known);
    return NULL;
}

/* Parse request->text by the row's placeholders. */
static int read_numbers(const struct tan_shape *shape, struct tan_shape_request *request,
                        struct tan_error *e)
{
    const char *want = shape->arguments;
    const char *have = request->text;
    for (size_t i = 0; want != NULL; i++) {
        const size_t want_length = strcspn(want, ":");
        const struct parameter *parameter = find_parameter(want, want_length);
        if (parameter == NULL) { /* the shape parses the text itself */
            return 0;
        }
        if (have == NULL) {
            return tan_fail_usage(e, "\"%.64s\" lacks %s: the form is %s:%s", request->spec,
                                  parameter->placeholder, shape->name, shape->arguments);
        }
        const size_t have_length = strcspn(have, ":");
        char text[64];
        char what[96];
        snprintf(text, sizeof text, "%.*s", (int)have_length, have);
        snprintf(what, sizeof what, "\"%.64s\": %s", request->spec, parameter->placeholder);
        if (tan_parse_count(what, text, parameter->min, parameter->max, &request->number[i], e) <
            0) {
            return -1;
        }
        have = have[have_length] == ':' ? have + have_length + 1 : NULL;
        want = want[want_length] == ':' ? want + want_length + 1 : NULL;
    }
    if (have != NULL) {
        return tan_fail_usage(e, "\"%.64s\" has too many parts: the form is %s:%s", request->spec,
                              shape->name, shape->arguments);
    }
    return 0;
}

struct tan_tree *tan_spec_build(const char *spec, struct tan_error *e)
{
    const struct tan_shape *shape = find_shape(spec, e);
    if (shape == NULL) {
        return NULL;
    }
    const char *colon = strchr(spec, ':');
    if (colon == NULL) {
        tan_fail_usage(e, "\"%.64s\" lacks its arguments: the form is %s:%s", spec, shape->name,
                       shape->arguments);
        return NULL;
    }
    struct tan_shape_request request = {.spec = spec, .text = colon + 1, .number = {0, 0}};
    if (read_numbers(shape, &request, e) < 0) {
        return NULL;
    }
    /* the request does not outlive the call */
    return shape->build(&request, e); // cppcheck-suppress returnDanglingLifetime
}

bool tan_spec_is_near(const char *spec, size_t *length)
{
    const size_t ending = strlen(TAN_SPEC_NEAR);
    *length = strlen(spec);
    if (*length <= ending || strncmp(spec, "file:", 5) == 0 ||
        strcmp(spec + *length - ending, TAN_SPEC_NEAR) != 0) {
        return false;
    }
    *length -= ending;
    return true;
}

void tan_spec_help(FILE *to)
{
    for (const struct tan_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        char term[64];
        snprintf(term, sizeof term, "%s:%s", shape->name, shape->arguments);
        tan_text_item(to, term, shape->help, TAN_SPEC_COLUMN);
    }
}
