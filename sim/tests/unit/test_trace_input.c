/* test_trace_input.c - equal lines from plain, gzip and zstd files, complete, truncated and damaged
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sim/trace/trace_input.h"
#include "tests/unit/scratch_file.h"

enum { LINES = 60000, LONG = 700000 };
static char *text;
static size_t size;

/* Short lines, one that is longer than any buffer, and a last one without its end. */
static int make_text(void **state)
{
    FILE *to = open_memstream(&text, &size);
    if (to == NULL || make_scratch(state) < 0) {
        return -1;
    }
    for (int i = 0; i < LINES; i++) {
        fprintf(to, i % 2 == 0 ? "line %d\n" : "line %d\r\n", i);
    }
    for (int i = 0; i < LONG; i++) {
        putc('x', to);
    }
    fputs("\n\nleft out", to);
    return fclose(to);
}

static int remove_text(void **state)
{
    free(text);
    return remove_scratch(state);
}

/* The first `n` of the short lines and then, if that is all of them, the other two. */
static void assert_lines(int n)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct trace_input *in = tan_trace_input_open(path, &e);
    size_t length;
    assert_no_error(e);
    assert_non_null(in);
    for (int i = 0; i < n; i++) {
        char want[32];
        snprintf(want, sizeof want, "line %d", i);
        const char *line = tan_trace_input_line(in, &length);
        assert_non_null(line);
        assert_string_equal(line, want);
        assert_int_equal(length, strlen(want));
    }
    if (n == LINES) {
        const char *line = tan_trace_input_line(in, &length);
        assert_non_null(line);
        assert_int_equal(length, LONG);
        assert_int_equal(strspn(line, "x"), LONG);
        line = tan_trace_input_line(in, &length);
        assert_non_null(line);
        assert_string_equal(line, "");
    }
    assert_null(tan_trace_input_line(in, NULL));
    assert_null(tan_trace_input_line(in, NULL));
    assert_null(tan_trace_input_error(in));
    tan_trace_input_close(in);
}

/* An error after at most `most` lines; decompression may lose some of those before the damage. */
static void assert_damaged(int most)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct trace_input *in = tan_trace_input_open(path, &e);
    assert_no_error(e);
    assert_non_null(in);
    int n = 0;
    while (tan_trace_input_line(in, NULL) != NULL) {
        n++;
    }
    assert_in_range(n, 0, most);
    assert_null(tan_trace_input_line(in, NULL));
    assert_non_null(tan_trace_input_error(in));
    assert_non_null(strstr(tan_trace_input_error(in), "damaged"));
    tan_trace_input_close(in);
}

TEST(plain)
{
    write_bytes(text, size);
    assert_lines(LINES);
    write_bytes("line 0\nline 1\nli", 16);
    assert_lines(2);
    write_bytes("", 0);
    assert_lines(0);
}

TEST(gzip)
{
    gzFile to = gzopen(path, "wbe");
    assert_non_null(to);
    assert_int_equal(gzwrite(to, text, (unsigned)size), size);
    assert_int_equal(gzclose(to), Z_OK);
    assert_lines(LINES);
}

/* A gzip file ends with its checksum and its length, 4 bytes each. */
TEST(gzip_checksum)
{
    unsigned char bytes[200];
    gzFile to = gzopen(path, "wbe");
    assert_non_null(to);
    gzputs(to, "line 0\nline 1\n");
    assert_int_equal(gzclose(to), Z_OK);
    assert_lines(2);
    FILE *file = fopen(path, "rbe");
    assert_non_null(file);
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    write_bytes(bytes, n - 8);
    assert_lines(2);
    bytes[n - 8] ^= 1;
    write_bytes(bytes, n);
    assert_damaged(2);
}

/* What comes of lines in pieces of one frame, flushed as a tracer does it; the first piece's end
 * goes to `first`. */
static size_t packed(char *to, size_t room, size_t *first)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_outBuffer out = {to, room, 0};
    const size_t half = (size_t)(strstr(text, "line 30000\n") - text);
    ZSTD_inBuffer in = {text, half, 0};
    assert_non_null(zstd);
    assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush), 0);
    *first = out.pos;
    in.size = size;
    assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end), 0);
    ZSTD_freeCCtx(zstd);
    return out.pos;
}

TEST(zstd)
{
    size_t first;
    char *to = malloc(2 * size);
    assert_non_null(to);
    const size_t n = packed(to, 2 * size, &first);
    write_bytes(to, n);
    assert_lines(LINES);
    write_bytes(to, first); /* as a killed program leaves it */
    assert_lines(30000);
    write_bytes(to, first + 5); /* within what came next */
    assert_lines(30000);
    write_bytes(to, 3);
    assert_lines(0);
    to[first] |= 6; /* a kind of block that does not exist */
    write_bytes(to, n);
    assert_damaged(30000);
    free(to);
}

/* One frame after the other, as zstd files may be joined. */
TEST(frames)
{
    char to[200];
    size_t n = 0;
    n += ZSTD_compress(to, sizeof to, "line 0\nli", 9, 1);
    n += ZSTD_compress(to + n, sizeof to - n, "ne 1\n", 5, 1);
    write_bytes(to, n);
    assert_lines(2);
}

TEST(no_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_trace_input_open(absent, &e));
    assert_error(e, TAN_FAILED, "/absent: No such file or directory");
    tan_trace_input_close(NULL);
}

/* Nobody writes to the pipe: a reader that opens it waits for ever. */
TEST(pipes_are_refused)
{
    struct tan_error e = TAN_ERROR_INIT;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(tan_trace_input_open(path, &e));
    assert_error(e, TAN_FAILED, "is not a regular file");
    unlink(path);
    write_bytes(text, size);
    assert_lines(LINES);
}

/* A file of 64 MiB and a little more, without a line's end. */
TEST(lines_have_a_limit)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_bytes("line 0\n", 7);
    assert_int_equal(truncate(path, ((off_t)1 << 26) + (1 << 20)), 0);
    struct trace_input *in = tan_trace_input_open(path, &e);
    assert_non_null(in);
    assert_string_equal(tan_trace_input_line(in, NULL), "line 0");
    assert_null(tan_trace_input_error(in));
    assert_null(tan_trace_input_line(in, NULL));
    assert_non_null(strstr(tan_trace_input_error(in), "longer than 64 MiB"));
    tan_trace_input_close(in);
}

RUN_TESTS(make_text, remove_text)
