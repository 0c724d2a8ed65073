/* trace_files.c - files of a trace: one per rank, in a directory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_files.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_DIGITS = 8, NO_RANK = -1, TOO_LARGE = -2, UNCLEAR = -3 };

/* The rank at the end of a file name, before its extension. UNCLEAR: it looks like one of a
 * trace's, but something else follows the number, as in a copy "rank-5 (1).txt". */
static int64_t rank_of(const char *name)
{
    for (const char *at = name + strlen(name); at > name; at--) {
        if (at[-1] == '-' && isdigit((unsigned char)*at)) {
            const size_t zeros = strspn(at, "0");
            const size_t digits = zeros + strspn(at + zeros, "0123456789");
            const bool ends = at[digits] == '.' || at[digits] == '\0';
            const bool fits = digits - zeros <= MOST_DIGITS;
            const bool named = at - name >= 5 && strncmp(at - 5, "rank-", 5) == 0;
            return !ends  ? (named ? UNCLEAR : NO_RANK)
                   : fits ? strtoll(at + zeros, NULL, 10)
                          : TOO_LARGE;
        }
    }
    return NO_RANK;
}

/* Memory depends on the number of files, not on the ranks in their names. */
struct found {
    int64_t rank;
    char *path;
};
struct found_files {
    struct found *file;
    size_t n;
};

static int add_file(struct found_files *f, const char *dir, const char *name, int64_t rank,
                    struct tan_error *e)
{
    if (TAN_ONE_MORE(f->file, f->n) < 0) {
        return tan_fail_nomem(e);
    }
    f->file[f->n].rank = rank;
    if (asprintf(&f->file[f->n].path, "%s/%s", dir, name) < 0) {
        return tan_fail_nomem(e);
    }
    f->n++;
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : strcmp(x->path, y->path);
}

/* Check the sorted files. */
static int check_files(const struct found_files *f, const char *dir, struct tan_error *e)
{
    if (f->n == 0) {
        return tan_fail(e, "%s: no files of a trace, which have names such as rank-0.txt.zst", dir);
    }
    for (size_t i = 1; i < f->n; i++) {
        if (f->file[i].rank == f->file[i - 1].rank) {
            return tan_fail(e, "%s: two files of rank %" PRId64 ": %s and %s", dir, f->file[i].rank,
                            f->file[i - 1].path + strlen(dir) + 1,
                            f->file[i].path + strlen(dir) + 1);
        }
    }
    const int64_t last = f->file[f->n - 1].rank;
    for (size_t i = 0; i < f->n; i++) {
        if (f->file[i].rank != (int64_t)i) {
            return tan_fail(e, "%s: there are files up to rank %" PRId64 ", but none of rank %zu%s",
                            dir, last, i, last >= (int64_t)f->n + 1 ? " and others" : "");
        }
    }
    return 0;
}

static int find_files(DIR *open, const char *dir, struct found_files *f, struct tan_error *e)
{
    const struct dirent *entry;
    while ((entry = readdir(open)) != NULL) {
        const int64_t rank = entry->d_name[0] == '.' ? NO_RANK : rank_of(entry->d_name);
        if (rank == TOO_LARGE) {
            return tan_fail(e, "%s: the number of %s is too large for a rank", dir, entry->d_name);
        }
        if (rank == UNCLEAR) {
            return tan_fail(e,
                            "%s: %s cannot be told from a rank's file: only an extension such as "
                            ".txt.zst may follow the number",
                            dir, entry->d_name);
        }
        if (rank != NO_RANK && add_file(f, dir, entry->d_name, rank, e) < 0) {
            return -1;
        }
    }
    if (f->n > 0) {
        qsort(f->file, f->n, sizeof *f->file, by_rank);
    }
    return check_files(f, dir, e);
}

int tan_trace_files_find(const char *dir, struct trace_files *out, struct tan_error *e)
{
    struct found_files f = {.n = 0};
    *out = (struct trace_files){.n = 0};
    DIR *open = opendir(dir);
    if (open == NULL) {
        return tan_fail_errno(e, "cannot read the folder %s", dir);
    }
    int result = find_files(open, dir, &f, e);
    closedir(open);
    if (result == 0 && (out->path = calloc(f.n, sizeof *out->path)) == NULL) {
        result = tan_fail_nomem(e);
    }
    for (size_t i = 0; i < f.n; i++) {
        if (result == 0) {
            out->path[out->n++] = f.file[i].path;
        } else {
            free(f.file[i].path);
        }
    }
    free(f.file);
    return result;
}

void tan_trace_files_clear(struct trace_files *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        free(f->path[i]);
    }
    free(f->path);
    *f = (struct trace_files){.n = 0};
}
