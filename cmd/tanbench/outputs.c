/* outputs.c - output files of a run, and checks that they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/outputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/words.h"
#include "tanbench/launch/launch.h"

const char *outputs_results(const struct options *o)
{
    return o->json != NULL && !tan_output_is_stdout(o->json) ? o->json : launch_results();
}

void outputs_print_resume(const struct options *o, time_t since)
{
    struct stat s;
    if (o->json != NULL && !options_messages(o) && stat(o->json, &s) == 0 && S_ISREG(s.st_mode) &&
        (o->resume || s.st_mtime >= since)) {
        fputs("tanbench: the measurements are kept: continue with tanbench resume ", stderr);
        tan_words_quote(stderr, o->json);
        putc('\n', stderr);
    }
}

int outputs_check(const struct options *o, struct tan_error *e)
{
    const bool makes_machine =
        o->command == COMMAND_CALIBRATE || o->command == COMMAND_P2P_CALIBRATE;
    const bool users = makes_machine && o->operand == NULL;
    char *mine = users ? tan_machine_user_path(true, e) : NULL;
    const struct tan_output_name outputs[] = {
        {"standard output", tan_output_is_stdout(o->json) ? NULL : "-"},
        {"--json", o->json},
        {"--report", o->report},
        {"the machine file", users           ? mine
                             : makes_machine ? o->operand
                                             : NULL},
    };
    enum { OUTPUTS = sizeof outputs / sizeof *outputs };
    int result = users && mine == NULL ? -1 : tan_output_distinct(outputs, OUTPUTS, e);
    for (int i = 0; i < OUTPUTS && result == 0; i++) {
        const char *path = outputs[i].path;
        result = mine != NULL && path == mine && tan_machine_make_folders(mine, e) < 0
                     ? -1
                     : tan_output_check(path, e);
    }
    free(mine);
    return result;
}
