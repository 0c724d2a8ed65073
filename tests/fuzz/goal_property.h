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

/* The schedule as text; no data if memory is short. */
static inline struct tan_property_bytes tan_property_text(const struct tan_schedule *s)
{
    struct tan_property_bytes bytes = {NULL, 0};
    FILE *to = open_memstream(&bytes.data, &bytes.length);
    if (to != NULL) {
        tan_goal_write_text(s, to);
        fclose(to);
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

/* Read the text and write it again: that must be the same. */
static inline const char *tan_property_again(const struct tan_property_bytes *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(text->data, text->length, "written", false, &e);
    if (s == NULL) {
        return "what was written is not read";
    }
    struct tan_property_bytes again = tan_property_text(s);
    const char *wrong = tan_property_compare(text, &again);
    free(again.data);
    tan_schedule_destroy(s);
    return wrong;
}

/* Read `data`: that fails with an error, or gives a schedule that its text brings back. Returns
 * what is wrong, or NULL. */
static inline const char *tan_property_goal(const void *data, size_t length, bool compatible)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(data, length, "input", compatible, &e);
    if (s == NULL) {
        return e.status == TAN_FAILED && e.text[0] != '\0' ? NULL : "no schedule, and no error";
    }
    const char *wrong = e.status == TAN_DONE ? NULL : "a schedule, and an error";
    struct tan_property_bytes text = tan_property_text(s);
    if (wrong == NULL) {
        wrong = text.data == NULL ? "no text" : tan_property_again(&text);
    }
    free(text.data);
    tan_schedule_destroy(s);
    return wrong;
}

#endif
