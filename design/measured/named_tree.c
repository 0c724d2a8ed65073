/* named_tree.c - trees by the setting from which a system builds them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/named_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "topo/spec.h"

enum { TARGET = 64 }; /* most characters of a target's name with a version, and the final 0 */

/* The target whose name, with any version that it holds for, starts `name` up to the first colon.
 * NULL with an error if there is none. */
static const struct tan_target *target_of(const char *name, struct tan_error *e)
{
    char target[TARGET];
    snprintf(target, sizeof target, "%.*s", (int)strcspn(name, ":"), name);
    return tan_target_find(target, e);
}

/* A setting that users cannot give, but which the target uses by default. */
static bool find_decided(const struct tan_target *target, const char *text, struct tan_setting *out)
{
    for (int way = 0; way < 2; way++) {
        const struct tan_decision *d = target->decisions[way];
        for (bool more = d != NULL; more; d++) {
            *out = (struct tan_setting){d->knob, d->value};
            if (d->knob != NULL && strcmp(tan_setting_text(out).text, text) == 0) {
                return true;
            }
            more = d->members > 0 || d->bytes > 0;
        }
    }
    return false;
}

static struct tan_tree *build_setting(const struct tan_target *target,
                                      const struct tan_setting *setting, int64_t members,
                                      struct tan_error *e)
{
    if (setting->knob->split == NULL) {
        tan_fail_usage(e,
                       "%s takes any tree by the setting %s: give the tree itself, such as "
                       "kary:4:64",
                       target->title, setting->knob->name);
        return NULL;
    }
    const struct tan_shape shape = tan_shape_of(target, setting, members, NULL);
    return tan_shape_tree(&shape, e);
}

/* Parse TARGET:SETTING:N; the target is returned. */
static const struct tan_target *parse_named(const char *name, struct tan_setting *setting,
                                            int64_t *members, struct tan_error *e)
{
    const struct tan_target *target = target_of(name, e);
    const char *from = name + strcspn(name, ":") + (strchr(name, ':') != NULL);
    const char *colon = strrchr(from, ':');
    if (target == NULL) {
        return NULL;
    }
    if (colon == NULL) {
        tan_fail_usage(e, "\"%.64s\": after %s come its setting and N, such as %s:%s%s:64", name,
                       target->name, target->name, target->knobs[0].name,
                       target->knobs[0].most > 0 ? "4" : "");
        return NULL;
    }
    char what[96];
    snprintf(what, sizeof what, "\"%.64s\": N", name);
    char *text = strndup(from, (size_t)(colon - from));
    bool known = false;
    if (text == NULL) {
        tan_fail_nomem(e);
    } else {
        known = tan_parse_count(what, colon + 1, 2, TAN_TREE_MAX_NODES - 1, members, e) == 0 &&
                (find_decided(target, text, setting) ||
                 tan_setting_parse(target, text, setting, e) == 0);
    }
    free(text);
    return known ? target : NULL;
}

/* The tree of TARGET:SETTING:N. */
static struct tan_tree *build_named(const char *name, struct tan_error *e)
{
    int64_t members;
    struct tan_setting setting;
    const struct tan_target *target = parse_named(name, &setting, &members, e);
    return target == NULL ? NULL : build_setting(target, &setting, members, e);
}

const char *tan_named_operation(const char *name, int *direction)
{
    int64_t members;
    struct tan_setting setting;
    const struct tan_target *target = parse_named(name, &setting, &members, NULL);
    if (target == NULL) {
        return NULL;
    }
    const char *const *operation = target->operation;
    *direction = target->counts.ranks ? setting.knob->directions : TAN_DOWN;
    return target->counts.ranks        ? operation[*direction == TAN_DOWN]
           : target->also_down != NULL ? target->also_down
           : operation[0] == NULL      ? operation[1]
                                       : NULL;
}

bool tan_named_is_single(const char *name)
{
    const char *colon = strrchr(name, ':');
    return target_of(name, NULL) != NULL && colon != NULL && strcmp(colon, ":1") == 0 &&
           strchr(name, ':') != colon;
}

static const char *name_of_system(size_t i)
{
    return tan_targets[i] == NULL ? NULL : tan_targets[i]->name;
}

void tan_named_accept(void)
{
    static const struct tan_spec_source source = {name_of_system, build_named};
    tan_spec_accept(&source);
}
