/* host_list.c - file that names a host for each node or rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/host_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"

static int append(struct tan_host_list *list, const char *name, int line, struct tan_error *e)
{
    if ((list->n & (list->n - 1)) == 0) { /* full: room is the next power of two */
        const size_t room = list->n == 0 ? 1 : 2 * list->n;
        struct tan_listed_host *more = reallocarray(list->hosts, room, sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(e);
        }
        list->hosts = more;
    }
    list->hosts[list->n++] = (struct tan_listed_host){.name = name, .line = line};
    return 0;
}

int tan_host_list_read(const char *path, struct tan_host_list *out, struct tan_error *e)
{
    *out = (struct tan_host_list){.text = tan_read_file(path, NULL, e)};
    if (out->text == NULL) {
        return -1;
    }
    char *rest = out->text;
    int number = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        number++;
        line[strcspn(line, "#")] = '\0';
        for (char *name; (name = strsep(&line, " \t\r")) != NULL;) {
            if (name[0] != '\0' && append(out, name, number, e) < 0) {
                tan_host_list_clear(out);
                return -1;
            }
        }
    }
    return 0;
}

void tan_host_list_clear(struct tan_host_list *list)
{
    free(list->hosts);
    free(list->text);
    *list = (struct tan_host_list){0};
}
