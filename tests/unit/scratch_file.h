/* scratch_file.h - scratch folder of a test program for its input files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_UNIT_SCRATCH_FILE_H
#define TAN_TESTS_UNIT_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Made by make_scratch, the setup of the group. */
static char scratch[] = "/tmp/tan-test-XXXXXX";
static char path[sizeof scratch + 8];   /* the file in it, to be written */
static char absent[sizeof scratch + 8]; /* a name in it that nothing has */

static int make_scratch(void **state)
{
    (void)state;
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
    unlink(path);
    return rmdir(scratch); /* fails when something else was left behind */
}

#endif
