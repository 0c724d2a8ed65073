/* journal.c - finished cells on disk, for resuming a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "bench/results/journal_record.h"

#define SCHEMA "tan-journal/1"
#define HEAD   "{\"schema\":\"" SCHEMA "\""

struct journal {
    char *path;
    int fd;
    off_t whole;   /* bytes of complete lines in the file */
    char *pending; /* lines that are not in the file yet */
    size_t n_pending;
};

/* --- writing --- */

/* Append the plan's cells in the order of the command line, since the order of measurement differs
 * between launches. */
static void append_cells(struct tan_json_writer *w, json_t *cells, const struct plan *plan)
{
    for (int order = 0; order < plan->n_cells; order++) {
        const struct cell *cell = &plan->cells[tan_plan_find(plan, order)];
        json_t *o = tan_json_append_object(w, cells);
        tan_json_set_string(w, o, "topo", cell->spec);
        tan_json_set_int(w, o, "processes", cell->processes);
        tan_json_set_int(w, o, "height", cell->height);
        tan_json_set_int(w, o, "max_fanout", cell->max_fanout);
        tan_json_set_int(w, o, "bytes", cell->bytes);
        tan_json_set_int(w, o, "waves", cell->waves);
    }
}

/* Copy the environment's value of `key`, if present. */
static void copy_value(struct tan_json_writer *w, json_t *head, const json_t *environment,
                       const char *key)
{
    json_t *value = json_object_get(environment, key);
    if (value != NULL) {
        tan_json_set(w, head, key, json_incref(value));
    }
}

/* Copy MPI's settings that affect communication: launchers set others differently in every run. */
static void copy_transport(struct tan_json_writer *w, json_t *head, const json_t *environment)
{
    static const char *const prefixes[] = {"OMPI_MCA_", "UCX_", "MPICH_", "MPIR_CVAR_", "FI_"};
    json_t *settings = json_object_get(environment, "mpi_settings");
    json_t *kept = tan_json_set_object(w, head, "mpi_settings");
    const char *name;
    json_t *value;
    json_object_foreach(settings, name, value)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            known |= strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
        }
        if (known && strcmp(name, "MPIR_CVAR_CH3_INTERFACE_HOSTNAME") != 0) {
            tan_json_set(w, kept, name, json_incref(value));
        }
    }
}

json_t *tan_journal_head(const struct plan *plan, const json_t *environment)
{
    /* other parts differ between runs without affecting measurements */
    static const char *const compared[] = {"version",   "mpi",      "job",         "kernel",
                                           "processor", "governor", "clocksource", "emulation"};
    struct tan_json_writer w = {.failed = false};
    json_t *head = tan_json_new_object(&w);
    tan_json_set_string(&w, head, "schema", SCHEMA);
    copy_value(&w, head, environment, "date");
    copy_value(&w, head, environment, "command");
    tan_settings_write(&w, tan_json_set_object(&w, head, "settings"), &plan->settings);
    append_cells(&w, tan_json_set_array(&w, head, "cells"), plan);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        copy_value(&w, head, environment, compared[i]);
    }
    copy_transport(&w, head, environment);
    return tan_json_finish(&w, head);
}

static json_t *entry_json(const struct journal_entry *entry, const char *spec)
{
    const struct measurement *m = &entry->waves;
    struct tan_json_writer w = {.failed = false};
    json_t *o = tan_json_new_object(&w);
    tan_json_set_int(&w, o, "launch", entry->launch);
    tan_json_set_int(&w, o, "pass", entry->pass);
    tan_json_set_int(&w, o, "cell", entry->order);
    tan_json_set_string(&w, o, "topo", spec);
    tan_json_set_int(&w, o, "warmup", m->warmup);
    tan_json_set_int(&w, o, "batch", m->batch);
    tan_json_set_string(&w, o, "stopped", tan_stop_reason_names[m->stopped]);
    tan_json_set_int(&w, o, "excluded", m->excluded);
    tan_json_set_bool(&w, o, "disturbed", m->disturbed);
    tan_json_set_real(&w, o, "period_us", m->period * 1e6);
    tan_journal_set_samples(&w, o, "round_trips_us", m->round_trips, m->n);
    tan_journal_set_mode(&w, o, m);
    return tan_json_finish(&w, o);
}

/* Append `line` (NULL: memory was short) to the pending ones, and try to write them all. Avoids
 * json_dumps, which drops keys when memory is short. */
static int append_line(struct journal *j, const json_t *line, size_t flags, struct tan_error *e)
{
    size_t length = line != NULL ? json_dumpb(line, NULL, 0, JSON_COMPACT | flags) : 0;
    char *all = length > 0 ? realloc(j->pending, j->n_pending + length + 1) : NULL;
    if (all == NULL) {
        return tan_fail_nomem(e);
    }
    j->pending = all;
    if (json_dumpb(line, all + j->n_pending, length, JSON_COMPACT | flags) != length) {
        return tan_fail_nomem(e);
    }
    j->n_pending += length;
    all[j->n_pending++] = '\n';

    ssize_t written = write(j->fd, j->pending, j->n_pending);
    if (written != (ssize_t)j->n_pending || fdatasync(j->fd) < 0) {
        errno = written >= 0 && written < (ssize_t)j->n_pending ? ENOSPC : errno;
        tan_fail_errno(e, "cannot write %s", j->path);
        if (ftruncate(j->fd, j->whole) < 0) {
            /* a reader ignores torn lines, too */
            errno = 0;
        }
        return -1;
    }
    j->whole += written;
    j->n_pending = 0;
    return 0;
}

int tan_journal_add(struct journal *j, const struct journal_entry *entry, const char *spec,
                    struct tan_error *e)
{
    json_t *line = entry_json(entry, spec);
    /* 17 digits represent a double exactly, so that a resumed run prints the same values */
    const int result = append_line(j, line, JSON_REAL_PRECISION(17), e);
    json_decref(line);
    return result;
}

/* --- reading --- */

void tan_journal_entries_clear(struct journal_entries *entries)
{
    for (int i = 0; i < entries->n; i++) {
        tan_measurement_clear(&entries->list[i].waves);
    }
    free(entries->list);
    *entries = (struct journal_entries){.n = 0};
}

static int find_reason(const char *name)
{
    int reason = 0;
    while (reason < STOP_REASONS && strcmp(tan_stop_reason_names[reason], name) != 0) {
        reason++;
    }
    return reason;
}

/* Parse a line after the first, in a run of `mode`. */
static int read_entry(const json_t *line, const char *mode, struct journal_entry *entry,
                      struct tan_error *e)
{
    const struct tan_json_at at = {.source = "", .path = "", .object = line};
    struct measurement *m = &entry->waves;
    int64_t launch;
    int64_t pass;
    int64_t cell;
    const char *stopped;
    *m = (struct measurement){.n = 0};
    if (!json_is_object(line)) {
        return tan_fail(e, "must be an object");
    }
    if (tan_json_required(&at, "launch", tan_json_int(&at, "launch", 0, INT32_MAX, &launch, e), e) <
            0 ||
        tan_json_required(&at, "pass", tan_json_int(&at, "pass", 0, MAX_PASSES - 1, &pass, e), e) <
            0 ||
        tan_json_required(&at, "cell", tan_json_int(&at, "cell", 0, INT32_MAX, &cell, e), e) < 0 ||
        tan_json_required(&at, "warmup", tan_json_int(&at, "warmup", 0, INT32_MAX, &m->warmup, e),
                          e) < 0 ||
        tan_json_required(&at, "batch", tan_json_int(&at, "batch", 1, INT32_MAX, &m->batch, e), e) <
            0 ||
        tan_json_required(&at, "period_us", tan_json_real(&at, "period_us", 0, 1e15, &m->period, e),
                          e) < 0 ||
        tan_json_int(&at, "excluded", 0, INT64_MAX, &m->excluded, e) < 0 ||
        tan_json_bool(&at, "disturbed", &m->disturbed, e) < 0 ||
        tan_json_required(&at, "stopped", tan_json_string(&at, "stopped", &stopped, e), e) < 0) {
        return -1;
    }
    entry->launch = (int)launch;
    entry->pass = (int)pass;
    entry->order = (int)cell;
    m->period /= 1e6;
    m->stopped = (enum stop_reason)find_reason(stopped);
    if (m->stopped == STOP_REASONS) {
        return tan_fail(e, "stopped: \"%s\" is not known", stopped);
    }
    m->n = SIZE_MAX;
    if (tan_journal_read_samples(&at, "round_trips_us", 0, &m->round_trips, &m->n, e) < 0) {
        return -1;
    }
    m->capacity = m->n;
    return tan_journal_read_mode(&at, mode, m, e);
}

/* A parsed journal. */
struct reading {
    json_t *head;
    struct journal_entries entries;
    off_t whole;
    bool torn;  /* text after the last complete line is to be dropped */
    bool blank; /* its writer stopped before the first line was complete */
};

static void reading_clear(struct reading *r)
{
    json_decref(r->head);
    tan_journal_entries_clear(&r->entries);
}

static int keep_entry(struct journal_entries *entries, const struct journal_entry *entry,
                      struct tan_error *e)
{
    if (TAN_ONE_MORE(entries->list, entries->n) < 0) {
        return tan_fail_nomem(e);
    }
    entries->list[entries->n++] = *entry;
    return 0;
}

/* Read a line: the first one is the head, others are appended to the entries. */
static int read_line(struct reading *r, const char *line, size_t length, struct tan_error *e)
{
    json_t *document = tan_json_parse(line, length, "", e);
    struct journal_entry entry = {.order = 0};
    const struct tan_json_at at = {.source = "", .path = "", .object = document};
    if (document == NULL) {
        return -1;
    }
    if (r->head == NULL) {
        r->head = document;
        return json_is_object(document) ? tan_json_schema(&at, SCHEMA, e)
                                        : tan_fail(e, "must be an object");
    }
    const char *mode =
        json_string_value(json_object_get(json_object_get(r->head, "settings"), "mode"));
    int result = read_entry(document, mode != NULL ? mode : "", &entry, e);
    json_decref(document);
    if (result == 0) {
        result = keep_entry(&r->entries, &entry, e);
    }
    if (result != 0) {
        tan_measurement_clear(&entry.waves);
    }
    return result;
}

/* A journal line's place in the run. */
struct place {
    const struct journal_entry *entry;
    int line;
};

static int compare_places(const void *a, const void *b)
{
    const struct journal_entry *x = ((const struct place *)a)->entry;
    const struct journal_entry *y = ((const struct place *)b)->entry;
    if (x->launch != y->launch) {
        return x->launch < y->launch ? -1 : 1;
    }
    if (x->pass != y->pass) {
        return x->pass < y->pass ? -1 : 1;
    }
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x < y ? -1 : x > y;
}

/* Refuse two entries for one cell in the same pass of the same launch. The first entry is on line
 * 2. */
static int check_unique(const char *path, const struct journal_entries *entries,
                        struct tan_error *e)
{
    struct place *place = calloc((size_t)entries->n + 1, sizeof *place);
    int result = 0;
    if (place == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < entries->n; i++) {
        place[i] = (struct place){&entries->list[i], i + 2};
    }
    qsort(place, (size_t)entries->n, sizeof *place, compare_places);
    for (int i = 1; i < entries->n && result == 0; i++) {
        const struct journal_entry *x = place[i - 1].entry;
        const struct journal_entry *y = place[i].entry;
        if (x->launch == y->launch && x->pass == y->pass && x->order == y->order) {
            result = tan_fail_at(e, path, place[i].line, 0,
                                 "launch %d, pass %d, cell %d is also on line %d", y->launch,
                                 y->pass, y->order, place[i - 1].line);
        }
    }
    free(place);
    return result;
}

/* Read a journal; on failure `r` is cleared. The last line may be cut off or damaged, as its writer
 * may have been killed. */
static int read_journal(const char *path, struct reading *r, struct tan_error *e)
{
    struct stat found;
    size_t size;
    int number = 0;
    int result = -1;
    *r = (struct reading){.head = NULL};
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        return tan_fail(e, "%s is not a journal: it is not a regular file", path);
    }
    char *text = tan_read_file(path, &size, e);
    if (text == NULL) {
        return -1;
    }
    for (const char *line = text, *end;
         (end = memchr(line, '\n', size - (size_t)(line - text))) != NULL; line = end + 1) {
        struct tan_error why = TAN_ERROR_INIT;
        number++;
        if (read_line(r, line, (size_t)(end - line), &why) != 0) {
            if (r->entries.n > 0 && (size_t)(end + 1 - text) == size) {
                break;
            }
            tan_fail_at(e, path, number, 0, "not a line of a journal: %s", why.text);
            goto done;
        }
        r->whole = end + 1 - text;
    }
    r->torn = (size_t)r->whole < size;
    r->blank =
        r->head == NULL && strncmp(text, HEAD, size < strlen(HEAD) ? size : strlen(HEAD)) == 0;
    result = r->head == NULL && !r->blank
                 ? tan_fail(e, "%s holds no journal: begin one with --journal", path)
                 : check_unique(path, &r->entries, e);
done:
    if (result != 0) {
        reading_clear(r);
    }
    free(text);
    return result;
}

/* Refuse files that other users own or can write, since the command in them is executed. */
static int check_owner(const char *path, struct tan_error *e)
{
    struct stat s;
    if (stat(path, &s) < 0) {
        return tan_fail_errno(e, "cannot read %s", path);
    }
    if (s.st_uid != geteuid()) {
        return tan_fail(e,
                        "%s belongs to another user, and tanbench resume runs the command in it: "
                        "read it, and make a copy of your own",
                        path);
    }
    return (s.st_mode & (S_IWGRP | S_IWOTH)) != 0
               ? tan_fail(e,
                          "%s can be written by others, and tanbench resume runs the command in "
                          "it: read it, then chmod go-w it",
                          path)
               : 0;
}

json_t *tan_journal_command(const char *path, struct tan_error *e)
{
    struct reading r;
    if (read_journal(path, &r, e) < 0) {
        return NULL;
    }
    if (check_owner(path, e) < 0) {
        reading_clear(&r);
        return NULL;
    }
    json_t *command = json_incref(json_object_get(r.head, "command"));
    bool words = json_array_size(command) > 0;
    for (size_t i = 0; i < json_array_size(command); i++) {
        words &= json_is_string(json_array_get(command, i));
    }
    reading_clear(&r);
    if (!words) {
        json_decref(command);
        tan_fail(e, "%s does not say which command began it: repeat that command", path);
        return NULL;
    }
    return command;
}

int tan_journal_launches(const char *path, int visits, int *complete, struct tan_error *e)
{
    struct reading r;
    if (read_journal(path, &r, e) < 0) {
        return -1;
    }
    int found;
    *complete = 0;
    do {
        found = 0;
        for (int i = 0; i < r.entries.n; i++) {
            found += r.entries.list[i].launch == *complete;
        }
        *complete += found >= visits;
    } while (found >= visits);
    reading_clear(&r);
    return 0;
}

/* --- comparison with the present run --- */

/* Compact JSON, shortened to fit into a sentence. */
static void shorten_json(const json_t *value, char *buffer, size_t size)
{
    char *text = value != NULL
                     ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6))
                     : strdup("not given");
    snprintf(buffer, size, "%s", text != NULL ? text : "?");
    if (text != NULL && strlen(text) >= size) {
        strcpy(buffer + size - 4, "...");
    }
    free(text);
}

/* -1 if the values differ; `e` then names the first difference. Recurses into objects and arrays.
 */
static int compare_values(const char *key, const json_t *there, const json_t *here,
                          struct tan_error *e)
{
    char was[80];
    char is[80];
    const char *name;
    json_t *value;
    if (json_equal(there, here) != 0) {
        return 0;
    }
    if (json_is_object(there) && json_is_object(here)) {
        json_object_foreach((json_t *)(uintptr_t)here, name, value)
        {
            if (compare_values(name, json_object_get(there, name), value, e) != 0) {
                return -1;
            }
        }
    }
    if (json_is_array(there) && json_is_array(here) &&
        json_array_size(there) == json_array_size(here)) {
        for (size_t i = 0; i < json_array_size(here); i++) {
            if (compare_values(key, json_array_get(there, i), json_array_get(here, i), e) != 0) {
                return -1;
            }
        }
    }
    shorten_json(there, was, sizeof was);
    shorten_json(here, is, sizeof is);
    return tan_fail(e, "%s was %s there and is %s here", key, was, is);
}

/* Whether a key describes the plan, which must match since entries name cells by number; other
 * differences can be forced. */
static bool is_of_plan(const char *key)
{
    return strcmp(key, "schema") == 0 || strcmp(key, "settings") == 0 || strcmp(key, "cells") == 0;
}

static int same_run(const char *path, const json_t *there, const json_t *here, bool force,
                    struct tan_error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)here, key, value)
    {
        struct tan_error why = TAN_ERROR_INIT;
        if (strcmp(key, "date") == 0 || strcmp(key, "command") == 0 ||
            compare_values(key, json_object_get(there, key), value, &why) == 0) {
            continue;
        }
        if (is_of_plan(key)) {
            return tan_fail(e, "%s is the journal of another run: %s", path, why.text);
        }
        if (!force) {
            return tan_fail(e,
                            "%s is the journal of another run: %s; tanbench resume --force %s "
                            "continues nevertheless",
                            path, why.text, path);
        }
        fprintf(stderr, "tanbench: going on although %s\n", why.text);
    }
    return 0;
}

/* --- opening --- */

const char *tan_journal_beside(const char *json, char buffer[JOURNAL_PATH_MAX])
{
    struct stat s;
    if (json == NULL || strcmp(json, "-") == 0 || (stat(json, &s) == 0 && !S_ISREG(s.st_mode)) ||
        snprintf(buffer, JOURNAL_PATH_MAX, "%s.journal", json) >= JOURNAL_PATH_MAX) {
        return NULL;
    }
    return buffer;
}

/* Ranks of a killed run may hold the file for another second. */
static int lock_journal(const struct journal *j, struct tan_error *e)
{
    enum { TRIES = 50, PAUSE_NS = 100000000 };

    for (int i = 0; i < TRIES; i++) {
        /* file systems without locks return another error */
        if (flock(j->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
            return 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return tan_fail(e, "%s: another run is writing it", j->path);
}

/* Check that the open file may become a journal in this mode. */
static int check_file(const struct journal *j, enum journal_mode mode, struct tan_error *e)
{
    struct stat s;
    if (fstat(j->fd, &s) < 0 || !S_ISREG(s.st_mode)) {
        return tan_fail(e, "--journal: %s is not a regular file", j->path);
    }
    return s.st_size > 0 && mode == JOURNAL_NEW
               ? tan_fail(e, "%s exists: continue with tanbench resume %s, or remove it", j->path,
                          j->path)
               : 0;
}

static int continue_journal(struct journal *j, const json_t *head, bool force,
                            struct journal_entries *entries, struct tan_error *e)
{
    struct reading r;
    if (read_journal(j->path, &r, e) < 0) {
        return -1;
    }
    int result = r.blank ? 0 : same_run(j->path, r.head, head, force, e);
    if (result == 0 && r.torn) {
        fprintf(stderr, "tanbench: %s: dropped its last line, which was cut off\n", j->path);
        if (ftruncate(j->fd, r.whole) < 0) {
            result = tan_fail_errno(e, "cannot shorten %s", j->path);
        }
    }
    if (result == 0) {
        j->whole = r.whole;
        *entries = r.entries;
        r.entries = (struct journal_entries){.n = 0};
    }
    if (result == 0 && r.blank) {
        result = append_line(j, head, 0, e);
    }
    reading_clear(&r);
    return result;
}

/* The file is left from a run that has ended, since we hold its lock. */
static int move_aside(const struct journal *j, struct tan_error *e)
{
    char *aside;
    if (asprintf(&aside, "%s~", j->path) < 0) {
        return tan_fail_nomem(e);
    }
    int result = rename(j->path, aside) < 0 ? tan_fail_errno(e, "cannot rename %s", j->path) : 0;
    if (result == 0) {
        fprintf(stderr, "tanbench: kept the journal of an earlier run as %s\n", aside);
    }
    free(aside);
    return result;
}

static bool continues_run(enum journal_mode mode)
{
    return mode == JOURNAL_CONTINUE || mode == JOURNAL_FORCE;
}

/* Open and lock the journal file. The previous holder of the lock may have removed or renamed it,
 * so check that it is still the same. */
static int open_locked(struct journal *j, enum journal_mode mode, struct tan_error *e)
{
    const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (continues_run(mode) ? 0 : O_CREAT);
    struct stat held;
    struct stat named;
    for (;;) {
        j->fd = open(j->path, flags, 0644); /* not for others: resume executes its command */
        if (j->fd < 0) {
            return tan_fail_errno(e, "cannot open %s", j->path);
        }
        if (lock_journal(j, e) < 0 || (!continues_run(mode) && check_file(j, mode, e) < 0)) {
            return -1;
        }
        if (fstat(j->fd, &held) < 0) {
            return tan_fail_errno(e, "cannot open %s", j->path);
        }
        if (stat(j->path, &named) == 0 && named.st_ino == held.st_ino) {
            if (held.st_size == 0 || mode != JOURNAL_REPLACE) {
                return 0;
            }
            if (move_aside(j, e) < 0) {
                return -1;
            }
        }
        close(j->fd);
    }
}

struct journal *tan_journal_open(const char *path, enum journal_mode mode, const json_t *head,
                                 struct journal_entries *entries, struct tan_error *e)
{
    struct journal *j = calloc(1, sizeof *j);
    *entries = (struct journal_entries){.n = 0};
    if (j == NULL || (j->path = strdup(path)) == NULL) {
        free(j);
        tan_fail_nomem(e);
        return NULL;
    }
    const bool opened = open_locked(j, mode, e) == 0;
    if (opened &&
        !(continues_run(mode) ? continue_journal(j, head, mode == JOURNAL_FORCE, entries, e)
                              : append_line(j, head, 0, e))) {
        return j;
    }
    tan_journal_close(j, opened && !continues_run(mode)); /* an empty file is of no use */
    return NULL;
}

int tan_journal_check(const char *path, enum journal_mode mode, struct tan_error *e)
{
    struct journal j = {.path = strdup(path), .fd = -1};
    int result = -1;
    if (j.path == NULL) {
        return tan_fail_nomem(e);
    }
    j.fd = open(path, O_RDWR | O_CLOEXEC);
    if (j.fd < 0 && errno == ENOENT && !continues_run(mode)) {
        result = 0;
    } else if (j.fd < 0) {
        tan_fail_errno(e, "cannot open %s", path);
    } else {
        result = lock_journal(&j, e) < 0 || check_file(&j, mode, e) < 0 ? -1 : 0;
    }
    if (j.fd >= 0) {
        close(j.fd);
    }
    free(j.path);
    return result;
}

bool tan_journal_has_cells(const char *path)
{
    struct stat found;
    int lines = 0;
    /* other files, such as pipes, may never end */
    FILE *f = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "re") : NULL;
    for (int c; f != NULL && lines < 2 && (c = getc(f)) != EOF;) {
        lines += c == '\n';
    }
    if (f != NULL) {
        fclose(f);
    }
    return lines == 2;
}

void tan_journal_close(struct journal *j, bool finished)
{
    if (j == NULL) {
        return;
    }
    if (finished) {
        unlink(j->path);
    }
    if (j->fd >= 0) {
        close(j->fd);
    }
    free(j->pending);
    free(j->path);
    free(j);
}
