/* test_trace_otf2_path.c - files of an OTF2 archive as inputs, before the library opens them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "sim/calls/trace_otf2_path.h"

static char folder[] = "/tmp/tan-test-XXXXXX";
static const char *const names[] = {"traces.otf2", "traces.def", "traces/0.evt"};
enum { NAMES = sizeof names / sizeof names[0] };
static char paths[NAMES][64];

static void make_file(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static int make_folder(void **state)
{
    (void)state;
    char inner[64];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/traces", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    for (int i = 0; i < NAMES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
        make_file(paths[i]);
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char inner[64];
    for (int i = 0; i < NAMES; i++) {
        unlink(paths[i]);
    }
    snprintf(inner, sizeof inner, "%s/traces", folder);
    rmdir(inner);
    return rmdir(folder);
}

/* Nobody writes to the pipe, and the device has no end. */
static void only_regular_files(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_trace_otf2_path_take(paths[0], &e), 0);
    for (int i = 0; i < NAMES; i++) {
        at_row("%s", names[i]);
        unlink(paths[i]);
        assert_int_equal(mkfifo(paths[i], 0600), 0);
        assert_int_equal(tan_trace_otf2_path_take(paths[0], &e), -1);
        assert_error(e, TAN_FAILED, "is no regular file");
        unlink(paths[i]);
        assert_int_equal(symlink("/dev/zero", paths[i]), 0);
        assert_int_equal(tan_trace_otf2_path_take(paths[0], &e), -1);
        assert_error(e, TAN_FAILED, "is no regular file");
        unlink(paths[i]);
        make_file(paths[i]);
    }
    assert_no_error(e);
}

static void outputs_spare_them(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    for (int i = 0; i < NAMES; i++) {
        at_row("%s", names[i]);
        tan_output_expect("json", paths[i]);
        assert_int_equal(tan_trace_otf2_path_take(paths[0], &e), -1);
        assert_error(e, TAN_USAGE, "--json would overwrite it");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_regular_files),
        cmocka_unit_test(outputs_spare_them),
    };
    return cmocka_run_group_tests_name("trace_otf2_path", tests, make_folder, remove_folder);
}
