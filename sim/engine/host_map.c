/* host_map.c - which host every rank is on, from a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/host_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Cut `text` into the names; returns how many there are, of which the first `room` are kept. */
static uint64_t split(char *text, const char **names, uint64_t room)
{
    uint64_t n = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        line[strcspn(line, "#")] = '\0';
        for (char *name; (name = strsep(&line, " \t\r")) != NULL;) {
            if (name[0] != '\0') {
                if (n < room) {
                    names[n] = name;
                }
                n++;
            }
        }
    }
    return n;
}

uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_error *e)
{
    char *text = tan_read_file(path, NULL, e);
    const char **names = malloc(ranks * sizeof *names);
    const char **hosts = malloc(ranks * sizeof *hosts);
    uint32_t *host_of = malloc(ranks * sizeof *host_of);
    if (text == NULL || names == NULL || hosts == NULL || host_of == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    const uint64_t n = split(text, names, ranks);
    if (n != ranks) {
        tan_fail(e, "%s has %" PRIu64 " names of hosts, and there are %" PRIu32 " ranks", path, n,
                 ranks);
        goto fail;
    }
    memcpy(hosts, names, ranks * sizeof *hosts);
    qsort(hosts, ranks, sizeof *hosts, compare);
    size_t different = 1;
    for (uint32_t i = 1; i < ranks; i++) {
        if (strcmp(hosts[i], hosts[different - 1]) != 0) {
            hosts[different++] = hosts[i];
        }
    }
    for (uint32_t r = 0; r < ranks; r++) {
        const char **host = bsearch(&names[r], hosts, different, sizeof *hosts, compare);
        host_of[r] = (uint32_t)(host - hosts);
    }
    goto done;

fail:
    free(host_of);
    host_of = NULL;
done:
    free(hosts);
    free(names);
    free(text);
    return host_of;
}
