/* host_list.h - file that names a host for each node or rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_HOST_LIST_H
#define TAN_TOPO_HOST_LIST_H

#include <stddef.h>

#include "base/error.h"

/* Names in the order of the file. */
struct tan_host_list {
    size_t n;
    struct tan_listed_host {
        const char *name;
        int line; /* 1-based */
    } * hosts;    /* owned, n entries */
    char *text;   /* owned: storage of the names */
};

/* Read a file of host names with blanks or line ends between them; # starts a comment that ends
 * with its line. It may hold no name at all. O(length). */
int tan_host_list_read(const char *path, struct tan_host_list *out, struct tan_error *e);
void tan_host_list_clear(struct tan_host_list *list);

#endif
