/* outputs.c - output files of a run, and checks that they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/outputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/words.h"

/* Path of the journal next to the first output file; NULL if there is none. */
static const char *journal_beside(const struct options *o, char buffer[JOURNAL_PATH_MAX])
{
    const bool calibrates = o->command == COMMAND_CALIBRATE;
    char *mine = calibrates && o->operand == NULL ? tan_machine_user_path(true, NULL) : NULL;
    const char *const files[] = {o->json, o->raw, o->report, calibrates ? o->operand : NULL, mine};
    const char *path = NULL;
    for (size_t i = 0; i < sizeof files / sizeof *files && path == NULL; i++) {
        path = tan_journal_beside(files[i], buffer);
    }
    free(mine);
    return path;
}

const char *outputs_journal(const struct options *o, enum journal_mode *mode,
                            char buffer[JOURNAL_PATH_MAX])
{
    *mode = o->resume != NULL && o->force ? JOURNAL_FORCE
            : o->resume != NULL           ? JOURNAL_CONTINUE
            : o->journal != NULL          ? JOURNAL_NEW
                                          : JOURNAL_REPLACE;
    return o->resume != NULL     ? o->resume
           : o->journal != NULL  ? o->journal
           : options_messages(o) ? NULL
                                 : journal_beside(o, buffer);
}

void outputs_print_resume(const char *journal)
{
    if (journal != NULL && tan_journal_has_cells(journal)) {
        fputs("tanbench: the measurements are kept: continue with tanbench resume ", stderr);
        tan_words_quote(stderr, journal);
        putc('\n', stderr);
    }
}

int outputs_check(const struct options *o, struct tan_error *e)
{
    const bool makes_machine =
        o->command == COMMAND_CALIBRATE || o->command == COMMAND_P2P_CALIBRATE;
    const bool users = makes_machine && o->operand == NULL;
    const bool tables = o->osu || (!tan_output_is_stdout(o->json) && !tan_output_is_stdout(o->raw));
    char beside[JOURNAL_PATH_MAX];
    enum journal_mode mode;
    char *mine = users ? tan_machine_user_path(true, e) : NULL;
    const struct tan_output_name outputs[] = {
        {"standard output", tables ? "-" : NULL},
        {"--json", o->json},
        {"--raw", o->raw},
        {"--report", o->report},
        {"the machine file", users           ? mine
                             : makes_machine ? o->operand
                                             : NULL},
        {"the journal", outputs_journal(o, &mode, beside)},
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
