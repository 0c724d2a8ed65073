/* installed.c - version of a target on this machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/installed.h"

#include <string.h>

#include "design/targets/setting.h"

enum { LINE = 256 };

/* The first line that a command prints, "" if there is none. */
static void first_line(const char *command, char line[LINE])
{
    char quiet[LINE];
    line[0] = '\0';
    snprintf(quiet, sizeof quiet, "%s 2>/dev/null </dev/null", command);
    FILE *from = popen(quiet, "r");
    if (from != NULL) {
        if (fgets(line, LINE, from) == NULL) {
            line[0] = '\0';
        }
        pclose(from);
    }
}

static const struct tan_target *installed_target(const char *name, struct tan_error *e)
{
    const struct tan_target *target = tan_target_find(name, e);
    if (target == NULL) {
        return NULL;
    }
    if (strchr(name, '@') != NULL) {
        tan_fail_usage(e, "--installed asks for the version: leave out @ in --target %.64s", name);
        return NULL;
    }
    if (target->version_command == NULL) {
        tan_fail_usage(e, "--installed: only one version of %s is known, %s", name, target->title);
        return NULL;
    }
    char line[LINE];
    char versioned[2 * LINE];
    first_line(target->version_command, line);
    const char *version = line + strcspn(line, "0123456789");
    const int length = (int)strspn(version, "0123456789.");
    if (length == 0) {
        tan_fail(e, "--installed: \"%s\" prints no version: is %s installed here?",
                 target->version_command, target->name);
        return NULL;
    }
    snprintf(versioned, sizeof versioned, "%s@%.*s", name, length, version);
    return tan_target_find(versioned, e);
}

const struct tan_target *tan_target_requested(const char *name, bool installed, struct tan_error *e)
{
    return installed ? installed_target(name, e) : tan_target_find(name, e);
}
