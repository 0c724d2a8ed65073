/* spec.c - tree specifications: "binomial:32", "file:t.top"
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/spec.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

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

static const struct tan_spec_source *accepted;

void tan_spec_accept(const struct tan_spec_source *source)
{
    accepted = source;
}

/* Whether the spec is one of the accepted source, in any version. */
static bool is_accepted(const char *spec)
{
    const size_t length = strcspn(spec, ":@");
    const char *name = "";
    for (size_t i = 0; accepted != NULL && (name = accepted->name(i)) != NULL; i++) {
        if (strlen(name) == length && strncmp(spec, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The shape, or name of the accepted source, that is probably meant by an unknown name; NULL if
 * none is near. */
static const char *guess_name(const char *name, size_t length)
{
    struct tan_nearest nearest = tan_nearest_to(name, length);
    for (const struct tan_spec_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        tan_nearest_try(&nearest, shape->name);
    }
    const char *other = NULL;
    for (size_t i = 0; accepted != NULL && (other = accepted->name(i)) != NULL; i++) {
        tan_nearest_try(&nearest, other);
    }
    return nearest.name;
}

static int count_colons(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++) {
        n += *text == ':';
    }
    return n;
}

/* Whether the file starts like a machine file. */
static bool is_machine_file(const char *path)
{
    char head[512] = "";
    FILE *file = fopen(path, "re");
    const size_t n = file != NULL ? fread(head, 1, sizeof head - 1, file) : 0;
    head[n] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return strstr(head, "\"tan-machine/") != NULL;
}

/* "did you mean SPEC? ": the file of this name, or the shape with the spec's own arguments, if it
 * has as many as the shape, else with its placeholders. "" if nothing is near. */
static struct tan_text suggest_spec(const char *spec)
{
    const size_t length = strcspn(spec, ":");
    const char *name = guess_name(spec, length);
    const struct tan_spec_shape *shape = name != NULL ? tan_shape_find(name, strlen(name)) : NULL;
    if (access(spec, F_OK) == 0) {
        return tan_printed("did you mean %s%.64s? ",
                           is_machine_file(spec) ? "--machine " : "file:", spec);
    }
    if (shape != NULL) {
        const bool fits = spec[length] != '\0' &&
                          count_colons(spec + length + 1) == count_colons(shape->arguments);
        return tan_printed("did you mean %s:%.64s? ", shape->name,
                           fits ? spec + length + 1 : shape->arguments);
    }
    if (name != NULL && spec[length] != '\0') {
        return tan_printed("did you mean %s%.64s? ", name, spec + length);
    }
    return (struct tan_text){""};
}

static const struct tan_spec_shape *find_shape(const char *spec, struct tan_error *e)
{
    const struct tan_spec_shape *found = tan_shape_find(spec, strcspn(spec, ":"));
    if (found != NULL) {
        return found;
    }
    struct tan_text known = {""};
    for (const struct tan_spec_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        known = tan_printed("%s%s%s:%s", known.text,
                            shape == tan_shapes     ? ""
                            : shape[1].name == NULL ? " or "
                                                    : ", ",
                            shape->name, shape->arguments);
    }
    tan_fail_usage(e, "%s\"%.64s\" names no tree: the shapes are %s", suggest_spec(spec).text, spec,
                   known.text);
    return NULL;
}

/* Parse request->text by the row's placeholders. */
static int read_numbers(const struct tan_spec_shape *shape, struct tan_shape_request *request,
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
        if (tan_parse_count(
                tan_printed("\"%.64s\": %s", request->spec, parameter->placeholder).text,
                tan_printed("%.*s", (int)have_length, have).text, parameter->min, parameter->max,
                &request->number[i], e) < 0) {
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
    /* with any separator, so that the right one is suggested */
    const bool bare =
        isdigit((unsigned char)spec[0]) && spec[strspn(spec, "0123456789x^:X*,")] == '\0';
    if (is_accepted(spec)) {
        return accepted->build(spec, e);
    }
    const struct tan_spec_shape *shape =
        bare ? tan_shape_find("levels", strlen("levels")) : find_shape(spec, e);
    if (shape == NULL) {
        return NULL;
    }
    const char *colon = strchr(spec, ':');
    if (!bare && colon == NULL) {
        tan_fail_usage(e, "\"%.64s\" lacks its arguments: the form is %s:%s", spec, shape->name,
                       shape->arguments);
        return NULL;
    }
    struct tan_shape_request request = {
        .spec = spec, .text = bare ? spec : colon + 1, .number = {0, 0}};
    if (read_numbers(shape, &request, e) < 0) {
        return NULL;
    }
    /* the request does not outlive the call */
    return shape->build(&request, e); // cppcheck-suppress returnDanglingLifetime
}

bool tan_spec_is_levels(const char *spec)
{
    return isdigit((unsigned char)spec[0]) && spec[strspn(spec, "0123456789x^:")] == '\0';
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
    for (const struct tan_spec_shape *shape = tan_shapes; shape->name != NULL; shape++) {
        tan_text_item(to, tan_printed("%s:%s", shape->name, shape->arguments).text, shape->help,
                      TAN_SPEC_COLUMN);
    }
}
