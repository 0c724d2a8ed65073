/* test_output.c - files are written completely or not at all
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "tests/unit/scratch_file.h"

static char other[PATH_MAX];
static char nowhere[PATH_MAX + 8];

static int make_folder(void **state)
{
    if (make_scratch(state) < 0) {
        return -1;
    }
    snprintf(other, sizeof other, "%s/link", scratch);
    snprintf(nowhere, sizeof nowhere, "%s/x", absent);
    return 0;
}

static int clear_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return 0;
}

static int entries(void)
{
    DIR *dir = opendir(scratch);
    assert_non_null(dir);
    int count = 0;
    while (readdir(dir) != NULL) {
        count++;
    }
    closedir(dir);
    return count - 2; /* . and .. */
}

static void assert_content(const char *name, const char *wanted)
{
    struct tan_error e = TAN_ERROR_INIT;
    size_t length = 0;
    char *text = tan_read_file(name, &length, &e);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    assert_int_equal(length, strlen(wanted));
    free(text);
}

static void write_file(const char *name, const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_output *o = tan_output_open(name, &e);
    assert_non_null(o);
    fputs(text, tan_output_stream(o));
    assert_int_equal(tan_output_commit(o, &e), 0);
}

TEST_THEN(whole, clear_folder)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_output *o = tan_output_open(path, &e);
    assert_non_null(o);
    fputs("new", tan_output_stream(o));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(tan_output_commit(o, &e), 0);
    assert_content(path, "new");
    struct stat found;
    const mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0666 & ~mask);

    assert_int_equal(chmod(path, 0640), 0);
    write_file(path, "newer");
    assert_content(path, "newer");
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    assert_int_equal(entries(), 1);
}

TEST_THEN(not_at_all, clear_folder)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_file(path, "old");
    struct tan_output *o = tan_output_open(path, &e);
    assert_non_null(o);
    fputs("half", tan_output_stream(o));
    fflush(tan_output_stream(o));
    assert_content(path, "old");
    assert_int_equal(entries(), 2);
    tan_output_discard(o);
    assert_content(path, "old");
    assert_int_equal(entries(), 1);
    tan_output_discard(NULL);
}

TEST_THEN(links, clear_folder)
{
    assert_int_equal(symlink("file", other), 0);
    write_file(other, "through a link to nothing");
    assert_content(path, "through a link to nothing");
    write_file(other, "again");
    assert_content(path, "again");
    struct stat found;
    assert_int_equal(lstat(other, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(entries(), 2);
}

/* What lies in a folder is not followed, nor taken from others: not even root's is, by root. */
TEST_THEN(named_by_program, clear_folder)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (int i = 0; i < 2; i++) { /* a new file, and its own */
        struct tan_output *o = tan_output_open_named(path, &e);
        assert_non_null(o);
        fputs("own", tan_output_stream(o));
        assert_int_equal(tan_output_commit(o, &e), 0);
        assert_content(path, "own");
    }
    assert_int_equal(symlink("file", other), 0);
    assert_null(tan_output_open_named(other, &e));
    assert_error(e, TAN_FAILED, "/link: it is a symbolic link");
    assert_int_equal(unlink(path), 0);
    assert_null(tan_output_open_named(other, &e)); /* to nothing */
    assert_error(e, TAN_FAILED, "/link: it is a symbolic link");
    assert_null(tan_output_open_named(scratch, &e));
    assert_error(e, TAN_FAILED, "it is not a regular file");
    assert_null(tan_output_open_named(nowhere, &e));
    assert_error(e, TAN_FAILED, "/absent/x: No such file or directory");
    write_file(path, "another's");
    if (chown(path, 1234, (gid_t)-1) == 0) {
        assert_null(tan_output_open_named(path, &e));
        assert_error(e, TAN_FAILED, "/file: it is another user's file");
    }
    assert_content(path, "another's");
    assert_int_equal(entries(), 2);
}

/* The lowest free descriptor, and whether standard input is open. */
static int lowest_free(void)
{
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd > STDIN_FILENO);
    close(fd);
    return fd;
}

/* A text is read no further than its first NUL byte: this one has no end. */
TEST(text_has_no_nul)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_read_text("/dev/zero", NULL, &e));
    assert_error(e, TAN_FAILED, "it contains a NUL byte");
}

/* A file is closed after it was read, or could not be, and standard input stays open. */
TEST(files_are_closed)
{
    struct tan_error e = TAN_ERROR_INIT;
    const int before = lowest_free();
    size_t length;
    char *text = tan_read_file("/dev/null", &length, &e);
    assert_non_null(text);
    assert_int_equal(length, 0);
    free(text);
    assert_int_equal(lowest_free(), before);
    assert_null(tan_read_file(scratch, NULL, &e));
    assert_error(e, TAN_FAILED, "Is a directory");
    assert_int_equal(lowest_free(), before);
}

TEST(failures)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_output_open(nowhere, &e));
    assert_error(e, TAN_FAILED, "/absent/x: No such file or directory");
    assert_null(tan_output_open(scratch, &e));
    assert_error(e, TAN_FAILED, "Is a directory");

    struct tan_output *o = tan_output_open("/dev/full", &e);
    assert_non_null(o);
    fputs("too much", tan_output_stream(o));
    assert_int_equal(tan_output_commit(o, &e), -1);
    assert_error(e, TAN_FAILED, "cannot write /dev/full: No space left on device");

    write_file("/dev/null", "gone");

    assert_null(tan_read_file(nowhere, NULL, &e));
    assert_error(e, TAN_FAILED, "/absent/x: No such file or directory");
    assert_null(tan_read_file(scratch, NULL, &e));
    assert_error(e, TAN_FAILED, "Is a directory");
}

static int check_two(const char *a, const char *b, struct tan_error *e)
{
    const struct tan_output_name outputs[] = {{"--raw", NULL}, {"--output", a}, {"--json", b}};
    *e = (struct tan_error)TAN_ERROR_INIT;
    return tan_output_distinct(outputs, 3, e);
}

TEST_THEN(distinct, clear_folder)
{
    struct tan_error e;
    assert_int_equal(check_two(path, other, &e), 0);
    assert_int_equal(check_two(path, "-", &e), 0);
    assert_int_equal(check_two(path, NULL, &e), 0);
    assert_int_equal(check_two("/dev/null", "/dev/null", &e), 0);
    assert_int_equal(check_two("-", "-", &e), -1);
    assert_error(e, TAN_USAGE, "--output and --json cannot both go to standard output");
    /* before the file is there, and when it is */
    for (int there = 0; there < 2; there++) {
        assert_int_equal(check_two(path, path, &e), -1);
        assert_error(e, TAN_USAGE, "--output and --json cannot both write /");
        assert_int_equal(check_two(nowhere, nowhere, &e), -1);
        write_file(path, "there");
    }
}

TEST_THEN(large_file, clear_folder)
{
    enum { LINES = 100000 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_output *o = tan_output_open(path, &e);
    assert_non_null(o);
    for (int i = 0; i < LINES; i++) {
        fprintf(tan_output_stream(o), "%06d\n", i);
    }
    assert_int_equal(tan_output_commit(o, &e), 0);
    size_t length = 0;
    char *text = tan_read_file(path, &length, &e);
    assert_non_null(text);
    assert_int_equal(length, 7 * LINES);
    assert_string_equal(text + length - 7, "099999\n");
    free(text);
}

/* Nothing of a file that is too long is read. */
TEST_THEN(too_large, clear_folder)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_file(path, "x");
    assert_int_equal(truncate(path, ((off_t)1 << 30) + 1), 0);
    assert_null(tan_read_file(path, NULL, &e));
    assert_error(e, TAN_FAILED, "is longer than 1 GiB, the most that is read");
}

RUN_TESTS(make_folder, remove_scratch)
