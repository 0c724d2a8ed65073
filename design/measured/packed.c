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

enum { BLOCK = 512, PIECE = 1 << 16, LIST = 300 };

/* Fields of a member's header in a tar archive. */
enum { NAME = 0, NAME_LENGTH = 100, SIZE = 124, SIZE_LENGTH = 12, TYPE = 156, MAGIC = 257 };

static bool is_tar(const char *text, size_t length)
{
    return length >= BLOCK && memcmp(text + MAGIC, "ustar", strlen("ustar")) == 0;
}

/* Open a regular file that is packed; -1 for any other. */
static int open_packed(const char *path)
{
    char first[BLOCK];
    struct stat found;
    const bool regular = stat(path, &found) == 0 && S_ISREG(found.st_mode);
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
    char name[NAME_LENGTH + 1];
    char type; /* of a regular file: '0', or NUL in old archives */
    size_t at, size;
};

/* Read the header at `*at`, and move there to the next one; false at the end. */
static bool next_member(const char *tar, size_t length, size_t *at, struct member *out)
{
    if (*at > length || !is_tar(tar + *at, length - *at)) {
        return false;
    }
    char digits[SIZE_LENGTH + 1] = "";
    memcpy(digits, tar + *at + SIZE, SIZE_LENGTH);
    *out = (struct member){
        .type = tar[*at + TYPE], .at = *at + BLOCK, .size = strtoul(digits, NULL, 8)};
    memcpy(out->name, tar + *at + NAME, NAME_LENGTH);
    *at =
        out->size <= length - out->at ? out->at + (out->size + BLOCK - 1) / BLOCK * BLOCK : length;
    return true;
}

static bool is_table(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".csv") == 0;
}

static void add_name(char list[LIST], const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, LIST - used, "%s%s", used > 0 ? ", " : "", name);
}

/* Move the only table of an archive to its start. */
static int choose_table(char *tar, size_t *length, const char *path, struct tan_error *e)
{
    char tables[LIST] = "";
    char others[LIST] = "";
    struct member member;
    struct member table = {.size = 0};
    size_t n = 0;
    for (size_t at = 0; next_member(tar, *length, &at, &member);) {
        if (member.type != '0' && member.type != '\0') {
            continue;
        }
        if (is_table(member.name)) {
            table = member;
            n++;
        }
        add_name(is_table(member.name) ? tables : others, member.name);
    }
    if (n == 1 && table.size > *length - table.at) {
        return tan_fail(e, "%s ends within %s", path, table.name);
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
