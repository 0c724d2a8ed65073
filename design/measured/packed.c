/* packed.c - text in compressed files and archives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/packed.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "base/output.h"

enum { BLOCK = 512, PIECE = 1 << 16, LIST = 300, LONGEST = 4096 };

/* Fields of a member's header in a tar archive. */
enum { NAME = 0, SIZE = 124, SIZE_LENGTH = 12, TYPE = 156, MAGIC = 257, PREFIX = 345 };

static bool is_tar(const char *text, size_t length)
{
    return length >= BLOCK && memcmp(text + MAGIC, "ustar", strlen("ustar")) == 0;
}

/* Open a regular file that is packed; -1 for any other, and for standard input. */
static int open_packed(const char *path)
{
    char first[BLOCK];
    struct stat found;
    const bool regular =
        strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISREG(found.st_mode);
    const int fd = regular ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t got = fd < 0 ? 0 : pread(fd, first, BLOCK, 0);
    if (got >= 2 && (memcmp(first, "\x1f\x8b", 2) == 0 || is_tar(first, (size_t)got))) {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

/* All of a file, unpacked if it is packed by gzip; malloc'd. */
static char *unpack_file(gzFile file, const char *path, size_t *length, struct tan_error *e)
{
    char *text = NULL;
    size_t room = 0;
    int got = 1;
    for (*length = 0; got > 0 && *length <= TAN_MAX_INPUT; *length += got > 0 ? (size_t)got : 0) {
        if (TAN_RESERVE(text, room, *length + PIECE + 1) < 0) {
            tan_fail_nomem(e);
            goto fail;
        }
        got = gzread(file, text + *length, PIECE);
    }
    int status = Z_OK;
    gzerror(file, &status);
    if (status != Z_OK) {
        tan_fail(e, "cannot unpack %s: it is damaged or cut off", path);
    } else if (*length > TAN_MAX_INPUT) {
        tan_fail(e, "%s unpacks to more than 1 GiB, the most that is read", path);
    } else {
        text[*length] = '\0';
        return text;
    }

fail:
    free(text);
    return NULL;
}

/* A file in an archive. */
struct member {
    char name[LONGEST];
    char type; /* of a regular file: '0' or NUL; of a longer name for the next: 'L' or 'x' */
    size_t at, size;
};

/* Read the header at `*at`, and move there to the next one; false at the end. */
static bool next_header(const char *tar, size_t length, size_t *at, struct member *out)
{
    if (*at > length || !is_tar(tar + *at, length - *at)) {
        return false;
    }
    const char *header = tar + *at;
    /* "ustar " is GNU's, with other fields in this place. */
    const char *prefix = header[MAGIC + strlen("ustar")] == '\0' ? header + PREFIX : "";
    char digits[SIZE_LENGTH + 1] = "";
    memcpy(digits, header + SIZE, SIZE_LENGTH);
    out->type = header[TYPE];
    out->at = *at + BLOCK;
    out->size = strtoul(digits, NULL, 8);
    snprintf(out->name, LONGEST, "%.155s%s%.100s", prefix, prefix[0] != '\0' ? "/" : "",
             header + NAME);
    *at =
        out->size <= length - out->at ? out->at + (out->size + BLOCK - 1) / BLOCK * BLOCK : length;
    return true;
}

/* Find the record "LENGTH path=NAME\n" of a pax header, if it has one. */
static void find_path(const char *records, size_t length, char name[LONGEST])
{
    static const char key[] = " path=";
    for (size_t at = 0; at < length;) {
        char *end;
        const size_t size = strtoul(records + at, &end, 10);
        const size_t start = (size_t)(end - records) - at + strlen(key);
        if (size == 0 || size > length - at) {
            break; /* it is damaged */
        }
        if (size > start && strncmp(end, key, strlen(key)) == 0) {
            snprintf(name, LONGEST, "%.*s", (int)(size - start) - 1, records + at + start);
        }
        at += size;
    }
}

/* Read the next regular file, whose name may be in a header of its own; false at the end. */
static bool next_file(const char *tar, size_t length, size_t *at, struct member *out)
{
    char longer[LONGEST] = "";
    while (next_header(tar, length, at, out)) {
        const size_t room = length - out->at;
        const size_t size = out->size < room ? out->size : room;
        if (out->type == 'L') {
            snprintf(longer, LONGEST, "%.*s", (int)size, tar + out->at);
        } else if (out->type == 'x') {
            find_path(tar + out->at, size, longer);
        } else if (out->type == '0' || out->type == '\0') {
            if (longer[0] != '\0') {
                memcpy(out->name, longer, LONGEST);
            }
            return true;
        } else {
            longer[0] = '\0';
        }
    }
    return false;
}

/* Whether a file is "NAME.csv", but not what macOS adds to one: "._NAME.csv". */
static bool is_table(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".csv") == 0 &&
           strncmp(slash != NULL ? slash + 1 : name, "._", 2) != 0;
}

static void add_name(char list[LIST], const char *name)
{
    const size_t used = strlen(list);
    const int more = snprintf(list + used, LIST - used, "%s%s", used > 0 ? ", " : "", name);
    if ((size_t)more >= LIST - used) {
        memcpy(list + LIST - sizeof "...", "...", sizeof "...");
    }
}

/* Move the only table of an archive to its start. */
static int choose_table(char *tar, size_t *length, const char *path, struct tan_error *e)
{
    char tables[LIST] = "";
    char others[LIST] = "";
    struct member member;
    struct member table = {.size = 0};
    size_t n = 0;
    for (size_t at = 0; next_file(tar, *length, &at, &member);) {
        if (is_table(member.name)) {
            table = member;
            n++;
        }
        add_name(is_table(member.name) ? tables : others, member.name);
    }
    if (n == 1 && table.size > *length - table.at) {
        return tan_fail(e, "%s ends within %s", path, table.name);
    }
    if (n == 0 && others[0] == '\0') {
        return tan_fail(e, "%s is an archive without files", path);
    }
    if (n != 1) {
        return tan_fail(e, "%s has %s: %s; give one as in tar xOf %s NAME | tan-fit -", path,
                        n > 1 ? "several tables" : "no member NAME.csv", n > 1 ? tables : others,
                        path);
    }
    memmove(tar, tar + table.at, table.size);
    tar[table.size] = '\0';
    *length = table.size;
    return 0;
}

char *tan_packed_text(const char *path, size_t *length, struct tan_error *e)
{
    const int fd = open_packed(path);
    if (fd < 0) {
        return tan_read_text(path, length, e);
    }
    gzFile file = tan_input_take(path, fd, e) < 0 ? NULL : gzdopen(fd, "rb");
    if (file == NULL) {
        close(fd);
        tan_fail_nomem(e); /* unless another error is there */
        return NULL;
    }
    char *text = unpack_file(file, path, length, e);
    gzclose_r(file);
    if (text != NULL && ((is_tar(text, *length) && choose_table(text, length, path, e) < 0) ||
                         tan_text_clean(text, length, path, e) < 0)) {
        free(text);
        return NULL;
    }
    return text;
}
