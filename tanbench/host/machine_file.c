/* machine_file.c - the machine file written by a calibration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/machine_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"

int machine_file_keep_messages(struct tan_machine *machine, const char *file, struct tan_error *e)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    char *users = file != NULL ? NULL : tan_machine_user_path(true, e);
    const char *path = file != NULL ? file : users;
    if (path == NULL) {
        return -1;
    }
    /* a file that cannot be read is replaced without complaint */
    struct tan_machine *old = access(path, F_OK) == 0 ? tan_machine_load(path, &ignored) : NULL;
    const int result = old != NULL && old->p2p != NULL
                           ? tan_machine_set_p2p(machine, json_incref(old->p2p), e)
                           : 0;
    tan_machine_destroy(old);
    free(users);
    return result;
}

static int save_user(const struct tan_machine *machine, bool trusted, const char *next, FILE *to,
                     struct tan_error *e)
{
    char *usual = tan_machine_user_path(true, e);
    char *path = usual != NULL ? tan_machine_user_path(trusted, e) : NULL;
    int result = -1;
    if (path != NULL && tan_machine_save_user(machine, path, e) == 0) {
        result = 0;
        fprintf(to, "\nWrote %s", path);
        if (trusted) {
            fprintf(to, "; next: %s\n", next);
        } else {
            fputc('\n', to);
            fprintf(to, access(usual, F_OK) == 0 ? "and left %s as it was.\n" : "and no %s.\n",
                    usual);
            fprintf(to, "To use it all the same: --machine %s\n", path);
        }
    }
    free(usual);
    free(path);
    return result;
}

static int save_named(const struct tan_machine *machine, const char *file, const char *next,
                      FILE *to, struct tan_error *e)
{
    if (tan_machine_save(machine, file, e) < 0) {
        return -1;
    }
    fprintf(to, "\nWrote %s; next: %s -m %s\n", file, next, file);
    return 0;
}

int machine_file_save(const struct tan_machine *machine, const char *file, bool trusted,
                      const char *next, FILE *to, struct tan_error *e)
{
    const int result = file != NULL ? save_named(machine, file, next, to, e)
                                    : save_user(machine, trusted, next, to, e);
    if (result == 0) {
        return 0;
    }
    json_t *document = tan_machine_to_json(machine);
    if (document != NULL) {
        tan_json_rescue(document, e);
        json_decref(document);
    }
    return -1;
}
