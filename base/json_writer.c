/* json_writer.c - building JSON documents, complete or failed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

json_t *tan_json_new_object(struct tan_json_writer *w)
{
    json_t *object = json_object();
    w->failed |= object == NULL;
    return object;
}

json_t *tan_json_finish(struct tan_json_writer *w, json_t *document)
{
    if (w->failed) {
        json_decref(document);
        return NULL;
    }
    return document;
}

void tan_json_set(struct tan_json_writer *w, json_t *object, const char *key, json_t *value)
{
    w->failed |= json_object_set_new(object, key, value) != 0;
}

void tan_json_set_string(struct tan_json_writer *w, json_t *object, const char *key,
                         const char *text)
{
    tan_json_set(w, object, key, json_string(text));
}

void tan_json_set_int(struct tan_json_writer *w, json_t *object, const char *key, json_int_t value)
{
    tan_json_set(w, object, key, json_integer(value));
}

void tan_json_set_bool(struct tan_json_writer *w, json_t *object, const char *key, bool value)
{
    tan_json_set(w, object, key, json_boolean(value));
}

void tan_json_set_real(struct tan_json_writer *w, json_t *object, const char *key, double value)
{
    tan_json_set(w, object, key, json_real(value));
}

void tan_json_set_pair(struct tan_json_writer *w, json_t *object, const char *key, json_t *low,
                       json_t *high)
{
    json_t *pair = tan_json_set_array(w, object, key);
    tan_json_append(w, pair, low);
    tan_json_append(w, pair, high);
}

void tan_json_append(struct tan_json_writer *w, json_t *array, json_t *value)
{
    w->failed |= json_array_append_new(array, value) != 0;
}

/* `result`: of the Jansson call that added `value` to the document. Returns `value`; if the call
 * failed, NULL, since Jansson has released it. */
static json_t *check_placed(struct tan_json_writer *w, int result, json_t *value)
{
    w->failed |= result != 0;
    return result == 0 ? value : NULL;
}

json_t *tan_json_set_object(struct tan_json_writer *w, json_t *object, const char *key)
{
    json_t *value = json_object();
    return check_placed(w, json_object_set_new(object, key, value), value);
}

json_t *tan_json_set_array(struct tan_json_writer *w, json_t *object, const char *key)
{
    json_t *value = json_array();
    return check_placed(w, json_object_set_new(object, key, value), value);
}

json_t *tan_json_append_object(struct tan_json_writer *w, json_t *array)
{
    json_t *value = json_object();
    return check_placed(w, json_array_append_new(array, value), value);
}

json_t *tan_json_append_array(struct tan_json_writer *w, json_t *array)
{
    json_t *value = json_array();
    return check_placed(w, json_array_append_new(array, value), value);
}

json_t *tan_json_text(const char *text)
{
    json_t *value = json_string(text);
    char *ascii = value == NULL ? strdup(text) : NULL;
    for (char *c = ascii; c != NULL && *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    value = ascii != NULL ? json_string(ascii) : value;
    free(ascii);
    return value;
}

json_t *tan_json_fixed(double value, int decimals)
{
    const double units = pow(10.0, decimals);
    return isfinite(value) ? json_real(round(value * units) / units) : json_null();
}

json_t *tan_json_us(double seconds)
{
    return tan_json_fixed(seconds * 1e6, 3);
}

json_t *tan_json_us_digits(double seconds, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, seconds / 1e-6);
    return json_real(strtod(text, NULL));
}

void tan_json_set_fixed(struct tan_json_writer *w, json_t *object, const char *key, double value,
                        int decimals)
{
    tan_json_set(w, object, key, tan_json_fixed(value, decimals));
}

void tan_json_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    tan_json_set(w, object, key, tan_json_us(seconds));
}

void tan_json_set_us_digits(struct tan_json_writer *w, json_t *object, const char *key,
                            double seconds, int digits)
{
    tan_json_set(w, object, key, tan_json_us_digits(seconds, digits));
}

int tan_json_save_new(const char *path, json_t *document, struct tan_error *e)
{
    if (document == NULL) {
        return tan_fail(e,
                        "cannot write %s: a string is not valid UTF-8, a number is not finite, or "
                        "memory is short",
                        path);
    }
    const int result = tan_json_save(path, document, e);
    json_decref(document);
    return result;
}
