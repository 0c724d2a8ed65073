/* scratch_file.h - scratch folder of a test program for its files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_UNIT_SCRATCH_FILE_H
#define TAN_TESTS_UNIT_SCRATCH_FILE_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/check.h"

/* Made below TMPDIR by make_scratch, the setup of the group. */
static char scratch[PATH_MAX - 8];
static char path[PATH_MAX];   /* the file in it, to be written */
static char absent[PATH_MAX]; /* a name in it that nothing has */

static int make_scratch(void **state)
{
    (void)state;
    const char *folder = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/tan-test-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(scratch) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/file", scratch);
    snprintf(absent, sizeof absent, "%s/absent", scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    char before[PATH_MAX + 2];
    snprintf(before, sizeof before, "%s~", path); /* of machine files */
    unlink(before);
    unlink(path);
    return rmdir(scratch); /* fails when something else was left behind */
}

static inline void write_bytes_to(const char *name, const void *bytes, size_t n)
{
    FILE *to = fopen(name, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, n, to), n);
    assert_int_equal(fclose(to), 0);
}

static inline void write_bytes(const void *bytes, size_t n)
{
    write_bytes_to(path, bytes, n);
}

static inline void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

#endif
