/* scratch_file.h - the file of a test program that writes its inputs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_UNIT_SCRATCH_FILE_H
#define TESTS_UNIT_SCRATCH_FILE_H

#include <stdlib.h>
#include <unistd.h>

/* Its name once make_file, the setup of the group, has run. */
static char path[] = "/tmp/tan-test-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
