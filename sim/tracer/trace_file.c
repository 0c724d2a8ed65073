/* trace_file.c - trace of one process, written while the program runs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/trace_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "sim/tracer/notice.h"

enum {
    PIECE = 1 << 16,
    ROOM = 2 * PIECE,
    PERIOD_NS = 1000000000,
    LEVEL = -6,    /* of zstd: half the time of level 1, files 1.3 to 2 times larger */
    SHORTEST = 7,  /* matches: shorter ones cost more time than they save bytes */
    HASH_LOG = 12, /* a table that leaves room in the first cache */
    PATH = 4096,
};

struct trace_text trace_out;

static struct {
    int fd; /* -1 if closed */
    bool lost;
    pid_t writer;
    char path[PATH];
    char *text; /* grows for long lines */
    ZSTD_CCtx *zstd;
    char *packed;
    size_t packed_room;
    int64_t written_at;
} file = {.fd = -1};

bool trace_file_is_open(void)
{
    return file.fd >= 0;
}

bool trace_file_is_lost(void)
{
    return file.lost;
}

static void release_file(void)
{
    if (file.fd >= 0) {
        close(file.fd);
    }
    file.fd = -1;
    ZSTD_freeCCtx(file.zstd);
    file.zstd = NULL;
    free(file.packed);
    file.packed = NULL;
}

static void give_up(const char *what)
{
    notice("%s ends here: %s", file.path, what);
    file.lost = true;
    release_file();
}

/* The name of a rank's file, with as many digits as the highest rank. */
static void name_of(int rank, int ranks, char *name, size_t size)
{
    char last[16];
    const int digits = snprintf(last, sizeof last, "%d", ranks - 1);
    snprintf(name, size, "rank-%0*d.txt.zst", digits, rank);
}

/* A regular file of this user from an earlier run, which may be removed. */
static bool is_own_file(int dir, const char *name)
{
    struct stat found;
    return fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(found.st_mode) &&
           found.st_uid == geteuid();
}

/* Create a file that does not exist yet: an existing one could be a link in a world-writable
 * directory. -1 with errno; EEXIST: there is something other than a regular file of this user. */
static int open_new(const char *path)
{
    if (is_own_file(AT_FDCWD, path) && unlink(path) < 0) {
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* A rank's file of an earlier trace that this run does not overwrite: of more ranks, with another
 * number of digits, or of gzip. */
static bool is_left_over(const char *name, int ranks)
{
    static const char *const ends[] = {".txt.zst", ".txt.gz"};
    char own[48];
    char *end;
    if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9') {
        return false;
    }
    const long rank = strtol(name + 5, &end, 10);
    name_of((int)(rank < ranks ? rank : 0), ranks, own, sizeof own);
    return (strcmp(end, ends[0]) == 0 || strcmp(end, ends[1]) == 0) && strcmp(name, own) != 0;
}

/* In every process, since directories of this name may be local to hosts. */
static int remove_left_overs(const char *dir, int ranks)
{
    DIR *open = opendir(dir);
    const struct dirent *entry;
    int removed = 0;
    while (open != NULL && (entry = readdir(open)) != NULL) {
        if (is_left_over(entry->d_name, ranks) && is_own_file(dirfd(open), entry->d_name)) {
            removed += unlinkat(dirfd(open), entry->d_name, 0) == 0;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return removed;
}

static bool make_buffers(void)
{
    file.text = malloc(ROOM);
    file.packed_room = ZSTD_compressBound(ROOM);
    file.packed = malloc(file.packed_room);
    file.zstd = ZSTD_createCCtx();
    if (file.text == NULL || file.packed == NULL || file.zstd == NULL) {
        return false;
    }
    ZSTD_CCtx_setParameter(file.zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(file.zstd, ZSTD_c_minMatch, SHORTEST);
    ZSTD_CCtx_setParameter(file.zstd, ZSTD_c_hashLog, HASH_LOG);
    trace_out = (struct trace_text){file.text, file.text + ROOM};
    return true;
}

bool trace_file_open(const char *dir, int rank, int ranks, int *removed, char *problem, int size)
{
    char name[48];
    file.lost = true; /* until it is open */
    if (mkdir(dir, 0777) < 0 && errno != EEXIST) {
        snprintf(problem, (size_t)size, "cannot make the folder %s: %s", dir, strerror(errno));
        return false;
    }
    *removed = remove_left_overs(dir, ranks);
    name_of(rank, ranks, name, sizeof name);
    snprintf(file.path, sizeof file.path, "%s/%s", dir, name);
    file.fd = open_new(file.path);
    if (file.fd < 0 || !make_buffers()) {
        snprintf(problem, (size_t)size, "cannot write %s: %s", file.path,
                 errno == EEXIST ? "it exists, but is no regular file of this user"
                                 : strerror(errno));
        release_file();
        return false;
    }
    file.writer = getpid();
    file.lost = false;
    return true;
}

static void write_all(const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(file.fd, bytes, n);
        if (written < 0 && errno != EINTR) {
            give_up(strerror(errno));
            return;
        }
        bytes += written < 0 ? 0 : written;
        n -= (size_t)(written < 0 ? 0 : written);
    }
}

/* Each piece is a frame of its own, so that zstd need not copy text that it may refer to later. */
static void pack_text(void)
{
    size_t n;
    for (const char *at = file.text; at < trace_out.at && file.fd >= 0; at += n) {
        const size_t left = (size_t)(trace_out.at - at);
        n = left < ROOM ? left : ROOM;
        const size_t packed = ZSTD_compress2(file.zstd, file.packed, file.packed_room, at, n);
        if (ZSTD_isError(packed)) {
            give_up(ZSTD_getErrorName(packed));
        } else {
            write_all(file.packed, packed);
        }
    }
}

void trace_write_piece(int64_t now)
{
    pack_text();
    trace_out.at = file.text;
    file.written_at = now;
}

/* A forked process has a copy of the text, but leaves the file to its parent. */
void trace_file_close(void)
{
    if (file.fd >= 0 && file.writer == getpid()) {
        pack_text();
    }
    if (file.fd >= 0 && close(file.fd) < 0 && file.writer == getpid()) {
        notice("%s is incomplete: %s", file.path, strerror(errno));
        file.lost = true;
    }
    file.fd = -1;
    release_file();
    trace_out.at = file.text;
}

/* Singletons and some launchers end with status 0, then. */
__attribute__((destructor)) static void end_without_finalize(void)
{
    if (file.fd >= 0 && file.writer == getpid()) {
        notice("%s lacks an end: the program ended without MPI_Finalize", file.path);
        trace_file_close();
        notice_incomplete();
    }
}

void trace_grow(size_t bytes)
{
    const size_t used = (size_t)(trace_out.at - file.text);
    const size_t room = 2 * (used + bytes);
    char *text = realloc(file.text, room);
    if (text != NULL) {
        file.text = text;
        trace_out = (struct trace_text){text + used, text + room};
        return;
    }
    if (file.fd >= 0) {
        give_up("there is no memory left");
    }
    trace_out.at = file.text; /* the old buffer has room for any field */
}

static size_t count_digits(uint64_t value)
{
    size_t n = 1;
    for (uint64_t power = 10; value >= power && n < 19; power *= 10) {
        n++;
    }
    return n + (value >= UINT64_C(10000000000000000000));
}

/* Two digits at a time, written in place: copying them from a buffer would stall on the preceding
 * stores. */
char *trace_put(char *to, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char *end = to + count_digits(value);
    char *at = end;
    for (; value >= 10; value /= 100) {
        at -= 2;
        memcpy(at, &pairs[2 * (value % 100)], 2);
    }
    if (at > to) {
        *to = (char)('0' + value);
    }
    return end;
}

void trace_number(int64_t value)
{
    char *at = trace_room(24);
    *at = '-';
    at += value < 0;
    trace_out.at = trace_put(at, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void trace_time(int64_t nanoseconds)
{
    const uint64_t value = nanoseconds < 0 ? 0 : (uint64_t)nanoseconds;
    const unsigned rest = (unsigned)(value % 1000);
    char *at = trace_put(trace_room(32), value / 1000);
    at[0] = '.';
    at[1] = (char)('0' + rest / 100);
    at[2] = (char)('0' + rest / 10 % 10);
    at[3] = (char)('0' + rest % 10);
    trace_out.at = at + 4;
}

size_t trace_mark(void)
{
    return (size_t)(trace_out.at - file.text);
}

void trace_back(size_t mark)
{
    trace_out.at = file.text + mark;
}

bool trace_line_end(int64_t now)
{
    *trace_room(1) = '\n';
    trace_out.at++;
    return file.fd >= 0 &&
           (trace_out.at - file.text >= PIECE || now - file.written_at >= PERIOD_NS);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool threads; /* several threads may call MPI concurrently */

void lines_have_threads(void)
{
    threads = true;
}

void lines_lock(void)
{
    if (threads) {
        pthread_mutex_lock(&lock);
    }
}

void lines_unlock(void)
{
    if (threads) {
        pthread_mutex_unlock(&lock);
    }
}

void lines_begin(const char *name, int64_t start)
{
    trace_text(name);
    trace_text(":");
    trace_time(start);
}

void lines_end(int64_t end, int64_t request)
{
    trace_text(":");
    trace_time(end);
    trace_text(":");
    if (request >= 0) {
        trace_number(request);
    }
    trace_text("\n");
}
