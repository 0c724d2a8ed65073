/* program.c - whole programs run inside the fuzzer, in a scratch folder
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/program.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "cmd/tanbench/options.h"

int main_tan_design(int argc, char **argv);
int main_tan_sim(int argc, char **argv);
int main_tan_fit(int argc, char **argv);
int main_tan_report(int argc, char **argv);
int main_tanbench(int argc, char **argv);

struct fuzz_program fuzz_programs[] = {
    {"tan-design", main_tan_design, 0x1f, true, NULL},
    {"tan-sim", main_tan_sim, 0x0f, true, NULL},
    {"tan-fit", main_tan_fit, 0x0f, true, NULL},
    {"tan-report", main_tan_report, 0x07, true, NULL},
    {"tanbench", main_tanbench, 0x0f, false, NULL},
    {.name = NULL},
};

/* A file of the scratch folder, or a folder in it. */
enum { FILES = 64 };
static struct scratch_file {
    char *name;
    bool folder;
    char *data; /* of a file */
    size_t size;
    struct stat seen;
} files[FILES];
static size_t n_files;
static const char *names[FILES + 1];
static int standard[3] = {-1, -1, -1}; /* files in memory behind the standard streams */
static const struct tan_cli *learnt;
enum { OUTPUTS = 16 };
static struct tan_output_name outputs[OUTPUTS]; /* those of the command */
static size_t n_outputs;

__attribute__((noreturn)) static void give_up(const char *what)
{
    perror(what);
    _exit(1);
}

static void write_file(const char *name, const void *data, size_t size)
{
    const int to = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0 || write(to, data, size) != (ssize_t)size || close(to) != 0) {
        give_up(name);
    }
}

static int remove_entry(const char *path, const struct stat *seen, int type, struct FTW *at)
{
    (void)seen;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Files of a folder in the scratch folder are entries of their own, and follow it. */
static void remember_folder(const char *folder)
{
    DIR *open = opendir(folder);
    const struct dirent *entry;
    if (open == NULL) {
        give_up(folder);
    }
    while ((entry = readdir(open)) != NULL) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        struct scratch_file *f = &files[n_files];
        if (n_files == FILES ||
            asprintf(&f->name, "%s%s%s", strcmp(folder, ".") == 0 ? "" : folder,
                     strcmp(folder, ".") == 0 ? "" : "/", entry->d_name) < 0 ||
            stat(f->name, &f->seen) < 0) {
            give_up(entry->d_name);
        }
        n_files++;
        f->folder = S_ISDIR(f->seen.st_mode);
        if (f->folder) {
            remember_folder(f->name);
        } else {
            struct tan_error e = TAN_ERROR_INIT;
            f->data = tan_read_file(f->name, &f->size, &e);
        }
    }
    closedir(open);
}

void fuzz_scratch_enter(const char *scratch)
{
    if (chdir(scratch) < 0 || setenv("HOME", scratch, 1) < 0 || setenv("TMPDIR", scratch, 1) < 0) {
        give_up(scratch);
    }
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_DATA_HOME");
    remember_folder(".");
    for (size_t i = 0; i < n_files; i++) {
        names[i] = files[i].name;
    }
    for (int i = 0; i < 3; i++) {
        standard[i] = memfd_create("standard", MFD_CLOEXEC);
        if (standard[i] < 0) {
            give_up("memfd_create");
        }
    }
    dup2(standard[1], STDOUT_FILENO);
    /* libFuzzer and the sanitizers go on writing to what was standard error. */
    stderr = fdopen(standard[2], "w");
    if (stderr == NULL) {
        give_up("fdopen");
    }
    setvbuf(stderr, NULL, _IONBF, 0);
}

const char *const *fuzz_scratch_names(void)
{
    return names;
}

void fuzz_scratch_write(const char *name, const void *data, size_t size)
{
    write_file(name, data, size);
}

static bool is_name(const char *name, size_t length)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    return length > 0 && length < 64 && name[0] != '/' && name[0] != '.' &&
           strspn(name, allowed) >= length && memmem(name, length, "..", 2) == NULL &&
           memmem(name, length, "/.", 2) == NULL;
}

void fuzz_scratch_unpack(const uint8_t *data, size_t size)
{
    static const char mark[] = "=== ";
    const char *at = (const char *)data;
    const char *end = at + size;
    mkdir("input", 0777);
    while (end - at > 4 && memcmp(at, mark, 4) == 0) {
        const char *name = at + 4;
        const char *line = memchr(name, '\n', (size_t)(end - name));
        if (line == NULL) {
            return;
        }
        const char *next = memmem(line, (size_t)(end - line), "\n=== ", 5);
        const char *stop = next == NULL ? end : next;
        char path[80];
        snprintf(path, sizeof path, "%.*s", (int)(line - name < 64 ? line - name : 64), name);
        if (is_name(path, strlen(path))) {
            char file[96];
            snprintf(file, sizeof file, "input/%s", path);
            char *slash = strchr(file + 6, '/');
            if (slash != NULL) {
                *slash = '\0';
                mkdir(file, 0777);
                *slash = '/';
            }
            const int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
            const char *body = stop > line ? line + 1 : stop;
            if (to >= 0 && write(to, body, (size_t)(stop - body)) < 0) {
                give_up(file);
            }
            if (to >= 0) {
                close(to);
            }
        }
        at = next == NULL ? end : next + 1;
    }
}

static bool is_remembered(const char *name)
{
    for (size_t i = 0; i < n_files; i++) {
        if (strcmp(files[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void remove_new(const char *folder)
{
    DIR *open = opendir(folder);
    const struct dirent *entry;
    while (open != NULL && (entry = readdir(open)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s%s%s", strcmp(folder, ".") == 0 ? "" : folder,
                 strcmp(folder, ".") == 0 ? "" : "/", entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !is_remembered(path)) {
            remove_all(path);
        }
    }
    if (open != NULL) {
        closedir(open);
    }
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void fuzz_scratch_restore(void)
{
    remove_new(".");
    for (size_t i = 0; i < n_files; i++) {
        struct scratch_file *f = &files[i];
        struct stat now;
        const bool there = lstat(f->name, &now) == 0;
        if (f->folder && !(there && S_ISDIR(now.st_mode))) {
            remove_all(f->name);
            mkdir(f->name, 0777);
        } else if (f->folder) {
            remove_new(f->name);
        } else if (!there || !same(&now, &f->seen)) {
            remove_all(f->name);
            write_file(f->name, f->data, f->size);
            stat(f->name, &f->seen);
        }
    }
}

struct fuzz_program *fuzz_program_find(const char *name)
{
    struct fuzz_program *p = fuzz_programs;
    while (p->name != NULL && strcmp(p->name, name) != 0) {
        p++;
    }
    return p->name == NULL ? NULL : p;
}

/* Whatever is linked with --wrap comes through here. */

int __real_tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                         struct tan_cli_answer *answer, struct tan_error *e);
int __wrap_tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                         struct tan_cli_answer *answer, struct tan_error *e);
int __real_options_read(struct options *o, int argc, char **argv, struct tan_cli_answer *answer,
                        struct tan_error *e);
int __wrap_options_read(struct options *o, int argc, char **argv, struct tan_cli_answer *answer,
                        struct tan_error *e);
int __wrap_tan_program_run(const char *const argv[], const char *what, int from, int to,
                           struct tan_error *e);
void __wrap_tan_output_expect(const char *option, const char *path);
double __wrap_tan_memory_available(void);
int __wrap___fprintf_chk(FILE *to, int flag, const char *format, ...);
int __vfprintf_chk(FILE *to, int flag, const char *format, va_list list);

/* What an input may take, whatever the machine has. */
double __wrap_tan_memory_available(void)
{
    return 0x1p31;
}

int __wrap_tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                         struct tan_cli_answer *answer, struct tan_error *e)
{
    learnt = cli;
    return __real_tan_cli_parse(cli, config, argc, argv, answer, e);
}

/* The library's own record is that of a process with one command. Of an option the last path
 * counts.
 */
void __wrap_tan_output_expect(const char *option, const char *path)
{
    size_t i = 0;
    while (i < n_outputs && strcmp(outputs[i].option, option) != 0) {
        i++;
    }
    if (i < OUTPUTS) {
        outputs[i] = (struct tan_output_name){option, path};
        n_outputs = i < n_outputs ? n_outputs : i + 1;
    }
}

/* AddressSanitizer's own one leaves out what _FORTIFY_SOURCE checks. */
int __wrap___fprintf_chk(FILE *to, int flag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int written = __vfprintf_chk(to, flag, format, list);
    va_end(list);
    return written;
}

/* tanbench says what it would do, and starts nothing. */
int __wrap_options_read(struct options *o, int argc, char **argv, struct tan_cli_answer *answer,
                        struct tan_error *e)
{
    const int result = __real_options_read(o, argc, argv, answer, e);
    o->start.dry = true;
    return result;
}

/* In place of gnuplot: an empty drawing. */
int __wrap_tan_program_run(const char *const argv[], const char *what, int from, int to,
                           struct tan_error *e)
{
    static const char drawing[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";
    (void)argv;
    (void)what;
    (void)from;
    (void)e;
    return write(to, drawing, sizeof drawing - 1) < 0 ? -1 : 0;
}

/* A command. */

static void rewind_all(const void *input, size_t size)
{
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        if (ftruncate(standard[i], 0) < 0) {
            give_up("ftruncate");
        }
        lseek(standard[i], 0, SEEK_SET);
    }
    if (pwrite(standard[0], input, size, 0) != (ssize_t)size) {
        give_up("pwrite");
    }
    if (dup2(standard[0], STDIN_FILENO) < 0 || stdin == NULL) {
        give_up("dup2");
    }
    clearerr(stdin);
    rewind(stdin);
    clearerr(stdout);
}

static off_t size_of(int file)
{
    struct stat now;
    return fstat(file, &now) == 0 ? now.st_size : 0;
}

/* What was written to standard error, or its beginning. */
static const char *read_errors(char *text, size_t size)
{
    const ssize_t length = pread(standard[2], text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

__attribute__((noreturn)) static void complain(const char *what, int status, int argc,
                                               char *const *argv)
{
    char said[4000];
    dprintf(STDERR_FILENO, "== %s, status %d:", what, status);
    for (int i = 0; i < argc; i++) {
        dprintf(STDERR_FILENO, " '%s'", argv[i]);
    }
    dprintf(STDERR_FILENO, "\n%s", read_errors(said, sizeof said));
    abort();
}

static void check_outputs(int argc, char *const *argv)
{
    for (size_t i = 0; i < n_outputs; i++) {
        if (strcmp(outputs[i].path, "-") != 0 && access(outputs[i].path, F_OK) < 0) {
            complain("a file that was asked for is not there", 0, argc, argv);
        }
    }
}

static bool asks_for_help(int argc, char *const *argv)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--h", 3) == 0 || strncmp(argv[i], "--v", 3) == 0 ||
            (argv[i][0] == '-' && argv[i][1] != '-' && strpbrk(argv[i], "hV") != NULL)) {
            return true;
        }
    }
    return false;
}

static bool anything_new(void)
{
    DIR *open = opendir(".");
    const struct dirent *entry;
    bool found = false;
    while (open != NULL && !found && (entry = readdir(open)) != NULL) {
        found = entry->d_name[0] != '.' && strcmp(entry->d_name, "input") != 0 &&
                !is_remembered(entry->d_name);
    }
    if (open != NULL) {
        closedir(open);
    }
    for (size_t i = 0; i < n_files && !found; i++) {
        struct stat now;
        found = !files[i].folder && (stat(files[i].name, &now) < 0 || !same(&now, &files[i].seen));
    }
    return found;
}

void fuzz_program_run(const struct fuzz_program *p, int argc, char **argv, const void *input,
                      size_t size)
{
    rewind_all(input, size);
    n_outputs = 0;
    const int status = p->main(argc, argv);
    fflush(stdout);
    if (status < 0 || status > 31 || (p->statuses >> status & 1) == 0) {
        complain("a status that is not documented", status, argc, argv);
    }
    if (status != 0 && size_of(standard[2]) == 0) {
        complain("a failure without a word", status, argc, argv);
    }
    char said[4000];
    char internal[64];
    snprintf(internal, sizeof internal, "%s: internal error:", p->name);
    if (strstr(read_errors(said, sizeof said), internal) == said) {
        complain("an internal error", status, argc, argv);
    }
    if (status == 0 && size_of(standard[1]) == 0 && !anything_new()) {
        complain("success without output", status, argc, argv);
    }
    if (status == 0 && p->writes && !asks_for_help(argc, argv)) {
        check_outputs(argc, argv);
    }
}

void fuzz_program_learn(struct fuzz_program *p)
{
    char program[32];
    char help[] = "--help";
    char *argv[] = {program, help, NULL};
    snprintf(program, sizeof program, "%s", p->name);
    fuzz_program_run(p, 2, argv, "", 0);
    p->cli = learnt;
}
