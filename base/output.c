/* output.c - files written atomically, reading of inputs, and programs in PATH
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tan_output {
    FILE *stream;
    char *path;      /* as given by the user, for errors */
    char *target;    /* final path, replaced by the temporary file; NULL if written in place */
    char *temporary; /* NULL if written in place */
};

/* Outputs the program is expected to write, and whether it has. */
enum { MAX_EXPECTED = 16 };
static struct {
    struct tan_output_name file[MAX_EXPECTED];
    bool written[MAX_EXPECTED];
    size_t n;
    bool any;
} expected;

static void destroy_output(struct tan_output *o)
{
    free(o->path);
    free(o->target);
    free(o->temporary);
    free(o);
}

/* Create a uniquely named file beside o->target with permissions `mode`, or if 0 with those of a
 * new file. */
static int open_temporary(struct tan_output *o, mode_t mode)
{
    enum { ATTEMPTS = 100 };
    int fd = -1;
    for (int attempt = 0; fd < 0 && attempt < ATTEMPTS; attempt++) {
        free(o->temporary);
        if (asprintf(&o->temporary, "%s.%ld-%d.tmp", o->target, (long)getpid(), attempt) < 0) {
            o->temporary = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) {
            break;
        }
    }
    if (fd < 0) {
        return -1;
    }
    if (mode != 0 && fchmod(fd, mode) < 0) {
        goto fail;
    }
    o->stream = fdopen(fd, "w");
    if (o->stream != NULL) {
        return 0;
    }
fail:
    close(fd);
    unlink(o->temporary);
    return -1;
}

bool tan_output_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

size_t tan_output_print_written(const char *const *paths, size_t n, FILE *to)
{
    size_t written = 0;
    for (size_t i = 0; i < n; i++) {
        if (paths[i] != NULL && !tan_output_is_stdout(paths[i])) {
            fprintf(to, "%s%s", written++ > 0 ? ", " : "Wrote ", paths[i]);
        }
    }
    return written;
}

/* Whether both are standard output or the same file; devices such as /dev/null may repeat. */
static bool same_target(const char *a, const char *b)
{
    struct stat found;
    return strcmp(a, b) == 0 &&
           (tan_output_is_stdout(a) || stat(a, &found) < 0 || S_ISREG(found.st_mode));
}

int tan_output_distinct(const struct tan_output_name *outputs, size_t n, struct tan_error *e)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct tan_output_name *a = &outputs[j], *b = &outputs[i];
            if (a->path == NULL || b->path == NULL || !same_target(a->path, b->path)) {
                continue;
            }
            if (tan_output_is_stdout(a->path)) {
                return tan_fail_usage(e, "%s and %s cannot both go to standard output", a->option,
                                      b->option);
            }
            return tan_fail_usage(e, "%s and %s cannot both write %s", a->option, b->option,
                                  a->path);
        }
    }
    return 0;
}

int tan_output_check_expected(struct tan_error *e)
{
    char option[MAX_EXPECTED][64];
    struct tan_output_name outputs[MAX_EXPECTED];
    for (size_t i = 0; i < expected.n; i++) {
        snprintf(option[i], sizeof option[i], "--%s", expected.file[i].option);
        outputs[i] = (struct tan_output_name){option[i], expected.file[i].path};
    }
    return tan_output_distinct(outputs, expected.n, e);
}

void tan_output_expect(const char *option, const char *path)
{
    size_t i = 0;
    while (i < expected.n && strcmp(expected.file[i].option, option) != 0) {
        i++;
    }
    if (i < MAX_EXPECTED) {
        expected.file[i] = (struct tan_output_name){option, path};
        expected.written[i] = false;
        expected.n = i < expected.n ? expected.n : i + 1;
    }
}

const char *tan_output_missing(void)
{
    for (size_t i = 0; i < expected.n; i++) {
        if (!expected.written[i]) {
            return expected.file[i].path;
        }
    }
    return NULL;
}

bool tan_output_any(void)
{
    return expected.any;
}

static void note_written(const char *path)
{
    expected.any = true;
    for (size_t i = 0; i < expected.n; i++) {
        const size_t length = strlen(expected.file[i].path);
        if (strncmp(path, expected.file[i].path, length) == 0 &&
            (path[length] == '\0' || path[length] == '/')) {
            expected.written[i] = true;
        }
    }
}

/* Not open yet. NULL with an error. */
static struct tan_output *create_output(const char *path, struct tan_error *e)
{
    signal(SIGXFSZ, SIG_IGN); /* report a file size limit as an error, like a full disk */
    if (path[0] == '\0') {
        tan_fail_usage(e, "the name of a file to write is empty");
        return NULL;
    }
    struct tan_output *o = calloc(1, sizeof *o);
    if (o != NULL && (o->path = strdup(path)) != NULL) {
        return o;
    }
    free(o);
    tan_fail_nomem(e);
    return NULL;
}

struct tan_output *tan_output_open(const char *path, struct tan_error *e)
{
    struct tan_output *o = create_output(path, e);
    if (o == NULL) {
        return NULL;
    }
    struct stat found;
    const bool there = stat(path, &found) == 0;
    const bool link = !there && lstat(path, &found) == 0; /* dangling */
    if (tan_output_is_stdout(path)) {
        o->stream = stdout;
    } else if (link || (there && !S_ISREG(found.st_mode))) {
        o->stream = fopen(path, "we");
    } else if (there && access(path, W_OK) < 0) {
        o->stream = NULL; /* a rename would replace even a write-protected file */
    } else {
        o->target = there ? realpath(path, NULL) : strdup(path);
        if (o->target != NULL) {
            open_temporary(o, there ? found.st_mode & 07777 : 0);
        }
    }
    if (o->stream != NULL) {
        return o;
    }
    tan_fail_errno(e, "cannot write %s", path);
    destroy_output(o);
    return NULL;
}

/* The owner is compared with that of a new file: some file systems show all files as one user's.
 * Renaming replaces even a link that appears in the meantime, and does not follow it. */
struct tan_output *tan_output_open_named(const char *path, struct tan_error *e)
{
    struct stat found, made;
    struct tan_output *o = create_output(path, e);
    if (o == NULL) {
        return NULL;
    }
    const bool there = lstat(path, &found) == 0;
    const bool regular = !there || S_ISREG(found.st_mode);
    if (!regular) {
        tan_fail(e, "cannot write %s: %s", path,
                 S_ISLNK(found.st_mode) ? "it is a symbolic link" : "it is not a regular file");
    } else if ((there && access(path, W_OK) < 0) || (o->target = strdup(path)) == NULL ||
               open_temporary(o, there ? found.st_mode & 07777 : 0) < 0) {
        tan_fail_errno(e, "cannot write %s", path);
    } else if (there && fstat(fileno(o->stream), &made) == 0 && made.st_uid != found.st_uid) {
        tan_fail(e, "cannot write %s: it is another user's file", path);
        tan_output_discard(o);
        return NULL;
    } else {
        return o;
    }
    destroy_output(o);
    return NULL;
}

int tan_output_check(const char *path, struct tan_error *e)
{
    struct stat found;
    if (path == NULL || tan_output_is_stdout(path)) {
        return 0;
    }
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
        return access(path, W_OK) < 0 ? tan_fail_errno(e, "cannot write %s", path) : 0;
    }
    struct tan_output *output = tan_output_open(path, e);
    tan_output_discard(output);
    return output == NULL ? -1 : 0;
}

FILE *tan_output_stream(struct tan_output *o)
{
    return o->stream;
}

/* Only files and devices can be synced; pipes and terminals fail with EINVAL or EROFS. */
static bool sync_stream(FILE *stream)
{
    return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* The errno of an earlier write is lost; another write fails the same way. */
bool tan_output_flush(FILE *stream)
{
    if (!ferror(stream)) {
        return fflush(stream) == 0;
    }
    if (write(fileno(stream), "\n", 1) == 1) {
        errno = EIO;
    }
    return false;
}

int tan_output_commit(struct tan_output *o, struct tan_error *e)
{
    const bool is_stdout = o->stream == stdout;
    bool good = tan_output_flush(o->stream) && (is_stdout || sync_stream(o->stream));
    if (!good) {
        tan_fail_errno(e, "cannot write %s", is_stdout ? "standard output" : o->path);
    }
    if (!is_stdout && fclose(o->stream) != 0 && good) {
        good = false;
        tan_fail_errno(e, "cannot write %s", o->path);
    }
    if (o->temporary != NULL) {
        if (good && rename(o->temporary, o->target) < 0) {
            good = false;
            tan_fail_errno(e, "cannot replace %s", o->path);
        }
        if (!good) {
            unlink(o->temporary);
        }
    }
    if (good) {
        note_written(o->path);
    }
    destroy_output(o);
    return good ? 0 : -1;
}

void tan_output_discard(struct tan_output *o)
{
    if (o == NULL) {
        return;
    }
    if (o->stream != stdout) {
        fclose(o->stream);
    }
    if (o->temporary != NULL) {
        unlink(o->temporary);
    }
    destroy_output(o);
}

int tan_input_regular(const char *path, struct tan_error *e)
{
    struct stat found;
    return stat(path, &found) < 0 || S_ISREG(found.st_mode)
               ? 0
               : tan_fail(e, "cannot read %s: it is not a regular file", path);
}

bool tan_program_found(const char *name)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[4096];
        const size_t length = strcspn(path, ":");
        const int written = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* As tan_read_file; if it must be text, reading stops soon after a NUL byte. */
static char *read_whole(const char *path, bool is_text, size_t *length, struct tan_error *e)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    char *buffer = NULL;
    if (path[0] == '\0') {
        tan_fail_usage(e, "the name of a file to read is empty");
        return NULL;
    }
    size_t used = 0;
    FILE *from = is_stdin ? stdin : fopen(path, "re");
    if (from == NULL) {
        tan_fail_errno(e, "cannot read %s", path);
        return NULL;
    }
    if (feof(from)) {
        tan_fail(e, "standard input can be read only once");
        return NULL;
    }
    size_t allocated = 0;
    struct stat found;
    bool long_file = fstat(fileno(from), &found) == 0 && S_ISREG(found.st_mode) &&
                     (uintmax_t)found.st_size > TAN_MAX_INPUT;
    bool nul = false;
    while (!long_file && !nul && !feof(from) && !ferror(from)) {
        if (allocated - used < 2) {
            allocated = 2 * allocated + 65536;
            allocated = allocated < TAN_MAX_INPUT ? allocated : TAN_MAX_INPUT + 2;
            char *larger = realloc(buffer, allocated);
            if (larger == NULL) {
                tan_fail_nomem(e);
                goto fail;
            }
            buffer = larger;
        }
        const size_t got = fread(buffer + used, 1, allocated - used - 1, from);
        nul = is_text && memchr(buffer + used, '\0', got) != NULL;
        used += got;
        long_file = used > TAN_MAX_INPUT;
    }
    if (long_file) {
        tan_fail(e, "%s is longer than 1 GiB, the most that is read", tan_input_name(path));
        goto fail;
    }
    if (ferror(from)) {
        tan_fail_errno(e, "cannot read %s", tan_input_name(path));
        goto fail;
    }
    buffer[used] = '\0';
    if (length != NULL) {
        *length = used;
    }
    if (!is_stdin) {
        fclose(from);
    }
    return buffer;

fail:
    free(buffer);
    if (!is_stdin) {
        fclose(from);
    }
    return NULL;
}

char *tan_read_file(const char *path, size_t *length, struct tan_error *e)
{
    return read_whole(path, false, length, e);
}

size_t tan_text_mark(const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t marked = sizeof mark - 1;
    return length >= marked && memcmp(text, mark, marked) == 0 ? marked : 0;
}

/* Binary files may start like a UTF-16 byte order mark, so the first character must be ASCII. */
int tan_text_check(const char *text, size_t length, const char *source, struct tan_error *e)
{
    const bool little =
        length >= 4 && memcmp(text, "\xff\xfe", 2) == 0 && text[2] != '\0' && text[3] == '\0';
    const bool big =
        length >= 4 && memcmp(text, "\xfe\xff", 2) == 0 && text[2] == '\0' && text[3] != '\0';
    return little || big ? tan_fail_at(e, source, 0, 0, "the text is in UTF-16: save it as UTF-8")
                         : 0;
}

const char *tan_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Turn what was read from `source`, NUL-terminated, into what tan_read_text returns, or fail. */
static int clean_text(char *text, size_t *length, const char *source, struct tan_error *e)
{
    if (tan_text_check(text, *length, source, e) < 0) {
        return -1;
    }
    if (memchr(text, '\0', *length) != NULL) {
        return tan_fail_at(e, source, 0, 0, "not a text file: it contains a NUL byte");
    }
    const size_t mark = tan_text_mark(text, *length);
    *length -= mark;
    memmove(text, text + mark, *length + 1);
    return 0;
}

char *tan_read_text(const char *path, size_t *length, struct tan_error *e)
{
    size_t size;
    char *text = read_whole(path, true, &size, e);
    if (text != NULL && clean_text(text, &size, tan_input_name(path), e) < 0) {
        free(text);
        return NULL;
    }
    if (text != NULL && length != NULL) {
        *length = size;
    }
    return text;
}
