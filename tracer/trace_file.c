/* trace_file.c - the trace of one process, written while the program runs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { PIECE = 1 << 20, LONGEST = 64, PERIOD_NS = 1000000000 };

static struct {
    gzFile to;
    char path[4096];
    char *text; /* grows with long lines */
    size_t used, room;
    int64_t written_at;
} file;

static void give_up(const char *what)
{
    fprintf(stderr, "libtantrace: %s ends here: %s\n", file.path, what);
    gzclose(file.to);
    file.to = NULL;
}

bool trace_file_open(const char *dir, int rank, int ranks, char *problem, int size)
{
    char last[16];
    if (mkdir(dir, 0777) < 0 && errno != EEXIST) {
        snprintf(problem, (size_t)size, "cannot make the folder %s: %s", dir, strerror(errno));
        return false;
    }
    snprintf(last, sizeof last, "%d", ranks - 1);
    snprintf(file.path, sizeof file.path, "%s/rank-%0*d.txt.gz", dir, (int)strlen(last), rank);
    file.room = PIECE + LONGEST;
    file.text = malloc(file.room);
    file.to = file.text == NULL ? NULL : gzopen(file.path, "wbe1");
    if (file.to == NULL) {
        snprintf(problem, (size_t)size, "cannot write %s: %s", file.path, strerror(errno));
        free(file.text);
        file.text = NULL;
        return false;
    }
    return true;
}

bool trace_file_is_open(void)
{
    return file.to != NULL;
}

static void write_piece(void)
{
    errno = 0;
    if (file.used > 0 && (gzwrite(file.to, file.text, (unsigned)file.used) != (int)file.used ||
                          gzflush(file.to, Z_SYNC_FLUSH) != Z_OK)) {
        give_up(errno != 0 ? strerror(errno) : "it cannot be compressed");
    }
    file.used = 0;
}

void trace_file_close(void)
{
    if (file.to != NULL) {
        write_piece();
    }
    if (file.to != NULL && gzclose(file.to) != Z_OK) {
        fprintf(stderr, "libtantrace: %s is not whole: %s\n", file.path, strerror(errno));
    }
    file.to = NULL;
    free(file.text);
    file.text = NULL;
}

/* Room for `more` bytes; NULL: there is none. */
static char *room_for(size_t more)
{
    if (file.to == NULL) {
        return NULL;
    }
    if (file.used + more > file.room) {
        const size_t room = 2 * (file.used + more);
        char *text = realloc(file.text, room);
        if (text == NULL) {
            give_up("there is no memory left");
            return NULL;
        }
        file.text = text;
        file.room = room;
    }
    return file.text + file.used;
}

void trace_text(const char *text)
{
    const size_t length = strlen(text);
    char *at = room_for(length);
    if (at != NULL) {
        memcpy(at, text, length);
        file.used += length;
    }
}

/* Digits of `value`, at least `least` of them. */
static void put_digits(uint64_t value, int least)
{
    enum { MOST = 24 };
    char digits[MOST];
    int n = MOST;
    char *at = room_for(MOST);
    if (at == NULL) {
        return;
    }
    while (value > 0 || MOST - n < least) {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    }
    memcpy(at, digits + n, (size_t)(MOST - n));
    file.used += (size_t)(MOST - n);
}

void trace_number(int64_t value)
{
    if (value < 0) {
        trace_text("-");
    }
    put_digits(value < 0 ? -(uint64_t)value : (uint64_t)value, 1);
}

void trace_time(int64_t nanoseconds)
{
    trace_number(nanoseconds / 1000);
    trace_text(".");
    put_digits((uint64_t)(nanoseconds % 1000), 3);
}

void trace_line_end(int64_t now)
{
    trace_text("\n");
    if (file.to != NULL && (file.used >= PIECE || now - file.written_at >= PERIOD_NS)) {
        write_piece();
        file.written_at = now;
    }
}
