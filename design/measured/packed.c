/* packed.c - text in compressed files and archives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/packed.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/output.h"
#include "sim/goal/source.h"

enum { BLOCK = 512, LIST = 300, LONGEST = 4096 };

/* Fields of a member's header in a tar archive. */
enum {
    NAME = 0,
    SIZE = 124,
    SIZE_LENGTH = 12,
    CHECKSUM = 148,
    CHECKSUM_LENGTH = 8,
    TYPE = 156,
    MAGIC = 257,
    PREFIX = 345
};

/* A number in octal digits, which a blank or NUL may follow; -1 if it is something else. */
static int64_t read_octal(const char *field, size_t length)
{
    char text[SIZE_LENGTH + 1] = "";
    memcpy(text, field, length);
    const char *digits = text + strspn(text, " ");
    const size_t n = strspn(digits, "01234567");
    return n > 0 && (digits[n] == ' ' || digits[n] == '\0') ? strtoll(digits, NULL, 8) : -1;
}

/* Whether the checksum is the sum of the header's bytes, with blanks in place of the checksum. */
static bool has_checksum(const char *header)
{
    int64_t sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        const bool own = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
        sum += own ? ' ' : (unsigned char)header[i];
    }
    return sum == read_octal(header + CHECKSUM, CHECKSUM_LENGTH);
}

static bool has_magic(const char *header)
{
    return memcmp(header + MAGIC, "ustar", strlen("ustar")) == 0;
}

/* Archives from before POSIX have no magic. */
static bool is_tar(const char *text, size_t length)
{
    return length >= BLOCK && (has_magic(text) || has_checksum(text));
}

/* All of the input, malloc'd. Binary data other than an archive are read only until a NUL shows
 * that they are no text. */
static char *read_all(struct tan_source *in, size_t *length, struct tan_error *e)
{
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    for (bool more = true; more;) {
        const size_t got = (size_t)(in->end - in->at);
        if (TAN_RESERVE(text, room, *length + got + 1) < 0) {
            tan_fail_nomem(e);
            goto fail;
        }
        memcpy(text + *length, in->at, got);
        *length += got;
        in->at = in->end;
        if (*length > TAN_MAX_INPUT) {
            tan_fail(e, "%s holds more than 1 GiB, the most that is read", in->name);
            goto fail;
        }
        const bool is_binary =
            memchr(text + *length - got, '\0', got) != NULL && !is_tar(text, *length);
        more = !in->ended && !is_binary;
        if (more && tan_source_fill(in, e) < 0) {
            goto fail;
        }
    }
    text[*length] = '\0';
    return text;

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

static bool is_zero(const char *bytes, size_t length)
{
    return length == 0 || (bytes[0] == '\0' && memcmp(bytes, bytes + 1, length - 1) == 0);
}

/* Read the header at `*at`, and move there to the next one. Returns 1, 0 at the end, -1 on
 * failure. */
static int next_header(const char *tar, size_t length, size_t *at, struct member *out,
                       const char *source, struct tan_error *e)
{
    const char *header = tar + *at;
    const size_t left = length - *at;
    if (is_zero(header, left < BLOCK ? left : BLOCK)) {
        return 0;
    }
    if (left < BLOCK || !has_checksum(header)) {
        return tan_fail(e, "%s is a damaged archive: at byte %zu there is no header of a member",
                        source, *at);
    }
    /* after "ustar ", GNU's magic, other fields take the place of the prefix */
    const bool prefixed = has_magic(header) && header[MAGIC + strlen("ustar")] == '\0';
    const char *prefix = prefixed ? header + PREFIX : "";
    const int64_t size = read_octal(header + SIZE, SIZE_LENGTH);
    snprintf(out->name, LONGEST, "%.155s%s%.100s", prefix, prefix[0] != '\0' ? "/" : "",
             header + NAME);
    out->type = header[TYPE];
    out->at = *at + BLOCK;
    if (size < 0 || (uint64_t)size > length - out->at) {
        return tan_fail(e,
                        size < 0 ? "%s is a damaged archive: %s has no size" : "%s ends within %s",
                        source, out->name);
    }
    out->size = (size_t)size;
    const size_t end = out->at + (out->size + BLOCK - 1) / BLOCK * BLOCK;
    *at = end < length ? end : length;
    return 1;
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

/* In old archives (v7) folders have the type of files, and names that end in a slash. */
static bool is_file(const struct member *m)
{
    const size_t length = strlen(m->name);
    return (m->type == '0' || m->type == '\0') && (length == 0 || m->name[length - 1] != '/');
}

/* Read the next regular file, whose name may be in a header of its own. Returns as next_header. */
static int next_file(const char *tar, size_t length, size_t *at, struct member *out,
                     const char *source, struct tan_error *e)
{
    char longer[LONGEST] = "";
    int found;
    while ((found = next_header(tar, length, at, out, source, e)) > 0) {
        if (out->type == 'L') {
            snprintf(longer, LONGEST, "%.*s", (int)out->size, tar + out->at);
        } else if (out->type == 'x') {
            find_path(tar + out->at, out->size, longer);
        } else if (is_file(out)) {
            if (longer[0] != '\0') {
                memcpy(out->name, longer, LONGEST);
            }
            return 1;
        } else {
            longer[0] = '\0';
        }
    }
    return found;
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
    const char *source = tan_input_name(path);
    char tables[LIST] = "";
    char others[LIST] = "";
    struct member member;
    struct member table = {.size = 0};
    size_t n = 0;
    int found;
    for (size_t at = 0; (found = next_file(tar, *length, &at, &member, source, e)) > 0;) {
        if (is_table(member.name)) {
            table = member;
            n++;
        }
        add_name(is_table(member.name) ? tables : others, member.name);
    }
    if (found < 0) {
        return -1;
    }
    if (n == 0 && others[0] == '\0') {
        return tan_fail(e, "%s is an archive without files", source);
    }
    if (n != 1) {
        return tan_fail(e, "%s has %s: %s; give one as in tar xOf %s NAME | tan-fit -", source,
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
    struct tan_source in;
    const bool is_open = tan_source_open(&in, path, e) == 0;
    char *text = is_open ? read_all(&in, length, e) : NULL;
    tan_source_close(&in);
    if (text != NULL && ((is_tar(text, *length) && choose_table(text, length, path, e) < 0) ||
                         tan_text_clean(text, length, in.name, e) < 0)) {
        free(text);
        return NULL;
    }
    return text;
}
