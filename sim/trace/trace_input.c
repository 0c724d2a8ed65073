/* trace_input.c - lines of a trace file: plain text, gzip or zstd
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/array.h"
#include "base/output.h"

enum { PIECE = 1 << 16, LONGEST_LINE = 1 << 26 };

struct trace_input {
    gzFile gz; /* also for plain text; NULL: zstd */
    FILE *file;
    ZSTD_DStream *zstd;
    ZSTD_inBuffer packed;
    char *text; /* lines not yet returned are from `at` to `end` */
    size_t at, end, room;
    const char *error;
};

static const char cannot_unpack[] = "the rest of the file is damaged: it cannot be decompressed";
static const char cannot_read[] = "the rest of the file cannot be read";

static bool is_zstd(FILE *file)
{
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char first[sizeof magic];
    const bool same = fread(first, 1, sizeof first, file) == sizeof first &&
                      memcmp(first, magic, sizeof magic) == 0;
    rewind(file);
    return same;
}

static bool open_zstd(struct trace_input *in)
{
    in->zstd = ZSTD_createDStream();
    in->packed.src = malloc(PIECE);
    return in->zstd != NULL && in->packed.src != NULL;
}

static bool open_gz(struct trace_input *in, const char *path)
{
    fclose(in->file);
    in->file = NULL;
    errno = ENOMEM; /* zlib has no message for this error */
    in->gz = gzopen(path, "rbe");
    if (in->gz != NULL) {
        gzbuffer(in->gz, PIECE);
    }
    return in->gz != NULL;
}

void tan_trace_input_close(struct trace_input *in)
{
    if (in == NULL) {
        return;
    }
    if (in->gz != NULL) {
        gzclose_r(in->gz);
    }
    if (in->file != NULL) {
        fclose(in->file);
    }
    ZSTD_freeDStream(in->zstd);
    free((void *)in->packed.src);
    free(in->text);
    free(in);
}

/* Unpack bytes to `to` and return their number; 0 at the end, which may be in the middle of a
 * frame, or after an error. */
static size_t unpack_zstd(struct trace_input *in, char *to, size_t room)
{
    ZSTD_outBuffer out = {to, room, 0};
    while (out.pos == 0) {
        if (in->packed.pos == in->packed.size) {
            in->packed.pos = 0;
            in->packed.size = fread((void *)in->packed.src, 1, PIECE, in->file);
        }
        const size_t before = in->packed.pos;
        if (ZSTD_isError(ZSTD_decompressStream(in->zstd, &out, &in->packed))) {
            in->error = cannot_unpack;
            break;
        }
        if (out.pos == 0 && in->packed.pos == before) {
            in->error = ferror(in->file) ? cannot_read : NULL;
            break;
        }
    }
    return out.pos;
}

static size_t read_some(struct trace_input *in, char *to, size_t room)
{
    if (in->gz == NULL) {
        return unpack_zstd(in, to, room);
    }
    const int n = gzread(in->gz, to, (unsigned)room);
    if (n < 0) { /* not at a truncated end */
        int code;
        gzerror(in->gz, &code);
        in->error = code == Z_ERRNO ? cannot_read : cannot_unpack;
    }
    return n > 0 ? (size_t)n : 0;
}

/* Move unread text to the front and append more; false at the end or after an error. */
static bool refill_text(struct trace_input *in)
{
    if (in->error != NULL) {
        return false;
    }
    in->end -= in->at;
    memmove(in->text, in->text + in->at, in->end);
    in->at = 0;
    if (in->room - in->end < PIECE / 2 && TAN_RESERVE(in->text, in->room, in->room + 1) < 0) {
        in->error = "out of memory";
        return false;
    }
    const size_t n = read_some(in, in->text + in->end, in->room - in->end);
    in->end += n;
    return n > 0;
}

/* Read the first text and skip a byte order mark. */
static int begin_text(struct trace_input *in, const char *path, struct tan_error *e)
{
    while (in->end < 4 && refill_text(in)) {
    }
    in->at = tan_text_mark(in->text, in->end);
    return tan_text_check(in->text, in->end, path, e);
}

struct trace_input *tan_trace_input_open(const char *path, struct tan_error *e)
{
    if (tan_input_regular(path, e) < 0) {
        return NULL;
    }
    struct trace_input *in = calloc(1, sizeof *in);
    if (in == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    in->room = PIECE;
    in->text = malloc(in->room);
    in->file = in->text == NULL ? NULL : fopen(path, "rbe");
    if (in->file == NULL || !(is_zstd(in->file) ? open_zstd(in) : open_gz(in, path))) {
        tan_fail_errno(e, "cannot read %s", path);
        tan_trace_input_close(in);
        return NULL;
    }
    if (begin_text(in, path, e) < 0) {
        tan_trace_input_close(in);
        return NULL;
    }
    return in;
}

char *tan_trace_input_line(struct trace_input *in, size_t *length)
{
    char *end = NULL;
    size_t seen = 0; /* bytes from `at` known to contain no line end */
    while ((end = memchr(in->text + in->at + seen, '\n', in->end - in->at - seen)) == NULL) {
        seen = in->end - in->at;
        if (seen > LONGEST_LINE) {
            in->error = "a line is longer than 64 MiB, the most that is read";
            return NULL;
        }
        if (!refill_text(in)) {
            return NULL;
        }
    }
    char *line = in->text + in->at;
    in->at = (size_t)(end - in->text) + 1;
    end -= end > line && end[-1] == '\r';
    *end = '\0';
    if (length != NULL) {
        *length = (size_t)(end - line);
    }
    return line;
}

const char *tan_trace_input_error(const struct trace_input *in)
{
    return in->error;
}
