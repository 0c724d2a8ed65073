/* test_target_hpx.c - trees of HPX and DAOS, worked out by hand from their sources
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include <string.h>

#include "design/targets/setting.h"

enum { TEXT = 256 };

static const char *text_of(const int32_t *parents, int32_t n, char text[TEXT])
{
    size_t used = 0;
    for (int32_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, TEXT - used, "%s%d", i > 0 ? " " : "", parents[i]);
    }
    return text;
}

static void known_trees(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        int32_t n;
        const char *parents;
    } rows[] = {
        {"arity=2", 2, "-1 0"},
        {"arity=2", 3, "-1 0 0"},     /* 0-1 and 2 */
        {"arity=2", 5, "-1 0 0 0 3"}, /* 0-2 and 3-4; 0-1 and 2 */
        {"arity=2", 8, "-1 0 0 2 0 4 4 6"},
        {"arity=3", 10, "-1 0 0 0 0 4 4 0 7 7"}, /* 0-3, 4-6, 7-9; 0-1, 2, 3 */
        {"arity=4", 4, "-1 0 0 0"},
        {"arity=4", 6, "-1 0 0 2 0 0"}, /* 0-1, 2-3, 4, 5 */
        {"arity=9", 6, "-1 0 0 0 0 0"},
        /* rank v below v without its lowest digit */
        {"DTX_COLL_TREE_WIDTH=2", 8, "-1 0 0 2 0 4 4 6"},
        {"DTX_COLL_TREE_WIDTH=3", 11, "-1 0 0 0 3 3 0 6 6 0 9"},
        {"DTX_COLL_TREE_WIDTH=8", 10, "-1 0 0 0 0 0 0 0 0 8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_setting setting;
        int32_t parents[16];
        char text[TEXT];
        const struct tan_target *t =
            tan_target_find(rows[i].setting[0] == 'a' ? "hpx" : "daos", &e);
        assert_int_equal(tan_setting_parse(t, rows[i].setting, &setting, &e), 0);
        setting.knob->parents(setting.value, rows[i].n, parents);
        assert_string_equal(text_of(parents, rows[i].n, text), rows[i].parents);
    }
}

static void defaults(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        int64_t members;
        const char *setting;
    } rows[] = {
        {"hpx", 15, "arity=15"}, /* flat below 16 */
        {"hpx", 16, "arity=2"},
        {"daos", 15, "DTX_COLL_TREE_WIDTH=8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_setting setting;
        char text[TAN_SETTING_TEXT];
        const struct tan_target *t = tan_target_find(rows[i].target, NULL);
        tan_target_default(t, TAN_UP | TAN_DOWN, rows[i].members, 1024, &setting);
        assert_string_equal(tan_setting_text(&setting, text), rows[i].setting);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *target, *setting, *wrong;
    } rows[] = {
        {"hpx", "arity=1", "takes 2 to"},
        {"hpx", "flat_fallback_threshold=0", "number of sites below which"},
        {"daos", "DTX_COLL_TREE_WIDTH=65", "takes 2 to 64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_setting_refused(rows[i].target, rows[i].setting, rows[i].wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_trees),
        cmocka_unit_test(defaults),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
