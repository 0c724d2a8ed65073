/* trace_otf2_none.c - OTF2 archives without the library that reads them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_archive.h"
#include "sim/calls/trace_otf2_path.h"

static void *refuse_archive(const char *path, uint32_t *ranks, struct tan_error *e)
{
    (void)ranks;
    tan_fail(e,
             "%s: this is an OTF2 archive, and tan-sim was built without the library that reads "
             "them: install libopen-trace-format2-dev (Debian) or otf2 (Spack), and build it again",
             path);
    return NULL;
}

const struct trace_format tan_trace_otf2_format = {.holds = tan_trace_otf2_path_is,
                                                   .open = refuse_archive};
