/* trace_files.c - the files of a trace: one for each rank, in a folder
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_files.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 8, NO_RANK = -1, TOO_LARGE = -2 };

/* The rank that a file's name ends with, before its extension. */
static int64_t rank_of(const char *name)
{
    for (const char *at = name + strlen(name); at > name; at--) {
        if (at[-1] == '-' && isdigit((unsigned char)*at)) {
            const size_t zeros = strspn(at, "0");
            const size_t digits = zeros + strspn(at + zeros, "0123456789");
            const bool ends = at[digits] == '.' || at[digits] == '\0';
            const bool fits = digits - zeros <= MOST_DIGITS;
            return !ends ? NO_RANK : fits ? strtoll(at + zeros, NULL, 10) : TOO_LARGE;
        }
    }
    return NO_RANK;
}

static int add(struct trace_files *f, const char *dir, const char *name, int64_t rank,
               struct tan_error *e)
{
    if (rank >= f->n) {
        const uint32_t n = (uint32_t)rank + 1;
        char **more = realloc(f->path, n * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(e);
        }
        memset(more + f->n, 0, (n - f->n) * sizeof *more);
        f->path = more;
        f->n = n;
    }
    if (f->path[rank] != NULL) {
        return tan_fail(e, "%s: two files of rank %" PRId64 ": %s and %s", dir, rank,
                        f->path[rank] + strlen(dir) + 1, name);
    }
    return asprintf(&f->path[rank], "%s/%s", dir, name) < 0 ? tan_fail_nomem(e) : 0;
}

static int check(const struct trace_files *f, const char *dir, struct tan_error *e)
{
    uint32_t missing = 0;
    uint32_t first = 0;
    for (uint32_t i = f->n; i-- > 0;) {
        if (f->path[i] == NULL) {
            missing++;
            first = i;
        }
    }
    if (f->n == 0) {
        return tan_fail(e, "%s: no files of a trace, which have names such as rank-0.txt.zst", dir);
    }
    return missing == 0 ? 0
                        : tan_fail(e,
                                   "%s: there are files up to rank %" PRIu32 ", but none of rank "
                                   "%" PRIu32 "%s",
                                   dir, f->n - 1, first, missing > 1 ? " and others" : "");
}

int trace_files_find(const char *dir, struct trace_files *out, struct tan_error *e)
{
    struct trace_files f = {.n = 0};
    DIR *open = opendir(dir);
    int result = open == NULL ? tan_fail_errno(e, "cannot read the folder %s", dir) : 0;
    const struct dirent *entry;
    while (result == 0 && (entry = readdir(open)) != NULL) {
        const int64_t rank = entry->d_name[0] == '.' ? NO_RANK : rank_of(entry->d_name);
        if (rank == TOO_LARGE) {
            result =
                tan_fail(e, "%s: the number of %s is too large for a rank", dir, entry->d_name);
        } else if (rank != NO_RANK) {
            result = add(&f, dir, entry->d_name, rank, e);
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    result = result == 0 ? check(&f, dir, e) : -1;
    if (result < 0) {
        trace_files_clear(&f);
    }
    *out = f;
    return result;
}

void trace_files_clear(struct trace_files *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        free(f->path[i]);
    }
    free(f->path);
    *f = (struct trace_files){.n = 0};
}
