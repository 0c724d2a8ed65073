/* goal_property.h - properties that must hold for every input of the GOAL readers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_FUZZ_GOAL_PROPERTY_H
#define TAN_TESTS_FUZZ_GOAL_PROPERTY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/goal/goal.h"

struct tan_property_bytes {
    char *data;
    size_t length;
};

/* The schedule as `write` writes it; no data when it refuses. */
static inline struct tan_property_bytes tan_property_write(int (*write)(const struct tan_schedule *,
                                                                        FILE *, struct tan_error *),
                                                           const struct tan_schedule *s,
                                                           struct tan_error *e)
{
    struct tan_property_bytes bytes = {NULL, 0};
    FILE *to = open_memstream(&bytes.data, &bytes.length);
    const int result = to == NULL ? -1 : write(s, to, e);
    if (to != NULL) {
        fclose(to);
    }
    if (result < 0) {
        free(bytes.data);
        bytes.data = NULL;
    }
    return bytes;
}

static inline const char *tan_property_compare(const struct tan_property_bytes *a,
                                               const struct tan_property_bytes *b)
{
    return a->data != NULL && b->data != NULL && a->length == b->length &&
                   memcmp(a->data, b->data, a->length) == 0
               ? NULL
               : "what was written differs from what is written after reading it back";
}

/* Read `from` and write it both ways again: that must be *text and, where that has data, *binary.
 */
static inline const char *tan_property_again(const struct tan_property_bytes *from,
                                             const struct tan_property_bytes *text,
                                             const struct tan_property_bytes *binary)
{
    const struct tan_goal_options options = {.compatible = false};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(from->data, from->length, "written", &options, &e);
    if (s == NULL) {
        return "what was written is not read";
    }
    struct tan_property_bytes again = tan_property_write(tan_goal_write_text, s, &e);
    const char *wrong = tan_property_compare(text, &again);
    free(again.data);
    if (wrong == NULL && binary->data != NULL) {
        again = tan_property_write(tan_goal_write_binary, s, &e);
        wrong = tan_property_compare(binary, &again);
        free(again.data);
    }
    tan_schedule_destroy(s);
    return wrong;
}

/* Read `data`: that fails with an error, or gives a schedule that text and binary files bring back
 * the same. Returns what is wrong, or NULL. */
static inline const char *tan_property_goal(const void *data, size_t length, bool compatible)
{
    const struct tan_goal_options options = {.compatible = compatible};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(data, length, "input", &options, &e);
    if (s == NULL) {
        return e.status == TAN_FAILED && e.text[0] != '\0' ? NULL : "no schedule, and no error";
    }
    const char *wrong = e.status == TAN_DONE ? NULL : "a schedule, and an error";
    struct tan_property_bytes text = tan_property_write(tan_goal_write_text, s, &e);
    struct tan_property_bytes binary = tan_property_write(tan_goal_write_binary, s, &e);
    if (wrong == NULL) {
        wrong = text.data == NULL ? "no text" : tan_property_again(&text, &text, &binary);
    }
    if (wrong == NULL && binary.data != NULL) {
        wrong = tan_property_again(&binary, &text, &binary);
    }
    free(text.data);
    free(binary.data);
    tan_schedule_destroy(s);
    return wrong;
}

#endif
