/* test_journal.c - journals: round trip, torn lines, journals of other runs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/journal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "bench/results/journal_record.h"

#include "tests/unit/check.h"

static struct cell two_cells[] = {{.spec = "nto1:3", .processes = 4, .order = 1},
                                  {.spec = "chain:2", .processes = 3, .order = 0}};
static const struct plan plan = {
    .settings =
        {.filter = "sum", .wait = "auto", .n_sizes = 1, .sizes = {8}, .precision = 0.05, .seed = 3},
    .n_cells = 2,
    .cells = two_cells};

static json_t *head_of(int64_t bytes, const char *host)
{
    struct plan p = plan;
    json_t *environment = json_pack("{s:s, s:[s], s:s, s:{s:i, s:[s]}}", "date", "today", "command",
                                    "tanbench", "mpi", "some", "job", "ranks", 4, "hosts", host);

    p.settings.sizes[0] = bytes;
    json_t *head = tan_journal_head(&p, environment);
    json_decref(environment);
    return head;
}

struct fixture {
    char folder[64], path[80];
    json_t *head;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    strcpy(f->folder, "/tmp/test-journal-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/j", f->folder);
    f->head = head_of(8, "a");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    char aside[96];

    snprintf(aside, sizeof aside, "%s~", f->path);
    unlink(f->path);
    unlink(aside);
    rmdir(f->folder);
    json_decref(f->head);
    free(f);
    return 0;
}

/* A journal of two cells. */
static void write_two(struct fixture *f)
{
    double samples[] = {12.345678e-6, 1.0 / 3, 2e-9};
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries none;
    struct journal *j = tan_journal_open(f->path, JOURNAL_NEW, f->head, &none, &e);
    struct journal_entry entry = {.launch = 1,
                                  .order = 1,
                                  .waves = {.round_trips = samples,
                                            .n = 3,
                                            .batch = 2,
                                            .warmup = 5,
                                            .excluded = 4,
                                            .stopped = STOP_TIME,
                                            .period = 4e-6}};

    assert_no_error(e);
    assert_non_null(j);
    assert_int_equal(none.n, 0);
    assert_int_equal(tan_journal_add(j, &entry, "nto1:3", &e), 0);
    entry = (struct journal_entry){.waves = {.round_trips = samples, .n = 1, .batch = 1}};
    assert_int_equal(tan_journal_add(j, &entry, "chain:2", &e), 0);
    tan_journal_close(j, false);
}

static struct journal *proceed_with(struct fixture *f, struct journal_entries *entries,
                                    struct tan_error *e)
{
    return tan_journal_open(f->path, JOURNAL_CONTINUE, f->head, entries, e);
}

static void comes_back(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    int complete;
    write_two(f);
    struct journal *j = proceed_with(f, &entries, &e);
    assert_no_error(e);
    assert_int_equal(entries.n, 2);
    const struct journal_entry *first = &entries.list[0];
    assert_int_equal(first->launch, 1);
    assert_int_equal(first->order, 1);
    assert_int_equal(first->waves.n, 3);
    assert_int_equal(first->waves.batch, 2);
    assert_int_equal(first->waves.warmup, 5);
    assert_int_equal(first->waves.excluded, 4);
    assert_int_equal(first->waves.stopped, STOP_TIME);
    assert_close(first->waves.period, 4e-6, 1e-17);
    assert_close(first->waves.round_trips[0], 12.345678e-6, 1e-17);
    assert_close(first->waves.round_trips[1], 1.0 / 3, 1e-12);
    assert_int_equal(entries.list[1].order, 0);
    tan_journal_entries_clear(&entries);
    tan_journal_close(j, false);
    /* Launch 0 lacks cell 1, launch 1 cell 0; alone they would be complete. */
    assert_int_equal(tan_journal_launches(f->path, 2, &complete, &e), 0);
    assert_int_equal(complete, 0);
    assert_int_equal(tan_journal_launches(f->path, 1, &complete, &e), 0);
    assert_int_equal(complete, 2);
}

/* What the modes find besides. */
static void modes_come_back(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    double round_trips[] = {3e-6, 5e-6};
    double up[] = {2e-6, -1e-6};
    double down[] = {1e-6, 6e-6};
    double late[] = {0, -1e-9};
    struct perf_totals perf[] = {{.waves = 7, .timed = 1, .bytes_in = 24, .seconds = {1e-3, 2e-6}},
                                 {.waves = 7, .packets_out = 9, .cpu = 0.25}};
    const struct journal_entry together = {
        .waves = {.round_trips = round_trips,
                  .n = 2,
                  .batch = 1,
                  .up = up,
                  .down = down,
                  .late = late,
                  .perf = perf,
                  .n_perf = 2,
                  .clocks = {.ranks = 3, .shared = 1, .accuracy = 1e-7, .drift = 2e-4},
                  .flow = {.sent = 1ULL << 40, .received = 1ULL << 40, .late = 7, .window = 16}}};
    const struct journal_entry pushed = {.order = 1,
                                         .waves = {.round_trips = round_trips,
                                                   .n = 2,
                                                   .batch = 1,
                                                   .stream = {.duration = 2,
                                                              .rate = 1234.5,
                                                              .rate_low = 1200,
                                                              .rate_high = 1300,
                                                              .closed = 1e-3,
                                                              .bound = 1 / 7e-6,
                                                              .latencies = 99,
                                                              .growth = -4096}}};
    struct plan p = plan;
    for (p.settings.mode = 0; p.settings.mode < 3; p.settings.mode++) {
        json_t *environment = json_pack("{s:s, s:s}", "date", "today", "command", "tanbench");
        json_t *head = tan_journal_head(&p, environment);
        json_decref(environment);
        unlink(f->path);
        struct journal *j = tan_journal_open(f->path, JOURNAL_NEW, head, &entries, &e);
        assert_no_error(e);
        assert_int_equal(tan_journal_add(j, &together, "nto1:3", &e), 0);
        struct journal_entry again = pushed;
        again.pass++;
        assert_int_equal(tan_journal_add(j, &pushed, "chain:2", &e), 0);
        assert_int_equal(tan_journal_add(j, &again, "chain:2", &e), 0);
        tan_journal_close(j, false);
        j = tan_journal_open(f->path, JOURNAL_CONTINUE, head, &entries, &e);
        json_decref(head);
        if (p.settings.mode > 0) {
            /* one of the lines is of another mode */
            assert_null(j);
            assert_error(e, TAN_FAILED, p.settings.mode == 1 ? "up_us" : "stream");
            assert_int_equal(e.line, p.settings.mode == 1 ? 3 : 2);
            e = (struct tan_error)TAN_ERROR_INIT;
            continue;
        }
        assert_no_error(e);
        assert_int_equal(entries.n, 3);
        tan_journal_entries_clear(&entries);
        tan_journal_close(j, false);
    }

    /* To the last bit, which 15 digits do not have. */
    p.settings.mode = MODE_STREAM;
    json_t *environment = json_pack("{s:s, s:s}", "date", "today", "command", "tanbench");
    json_t *head = tan_journal_head(&p, environment);
    unlink(f->path);
    struct journal *streams = tan_journal_open(f->path, JOURNAL_NEW, head, &entries, &e);
    assert_no_error(e);
    assert_int_equal(tan_journal_add(streams, &pushed, "chain:2", &e), 0);
    tan_journal_close(streams, false);
    streams = tan_journal_open(f->path, JOURNAL_CONTINUE, head, &entries, &e);
    assert_no_error(e);
    assert_int_equal(entries.n, 1);
    assert_memory_equal(&entries.list[0].waves.stream, &pushed.waves.stream,
                        sizeof pushed.waves.stream);
    tan_journal_entries_clear(&entries);
    tan_journal_close(streams, false);
    json_decref(head);
    json_decref(environment);

    json_t *idle = json_object();
    struct tan_json_writer writer = {.failed = false};
    struct measurement none = pushed.waves;
    none.stream.rate = 0;
    tan_journal_set_mode(&writer, idle, &none);
    assert_false(writer.failed);
    const struct tan_json_at at_idle = {.source = "", .path = "", .object = idle};
    struct measurement read = {.n = 2};
    assert_int_equal(tan_journal_read_mode(&at_idle, "stream", &read, &e), -1);
    assert_error(e, TAN_FAILED, "stream: rate and closed must be above 0");
    e = (struct tan_error)TAN_ERROR_INIT;
    tan_measurement_clear(&read);
    json_decref(idle);

    static const char *const names[] = {"oneway", "stream"};
    for (int i = 0; i < 2; i++) {
        const struct measurement *in = i ? &pushed.waves : &together.waves;
        struct measurement out = {.n = 2};
        struct tan_json_writer w = {.failed = false};
        json_t *line = json_object();
        tan_journal_set_mode(&w, line, in);
        assert_false(w.failed);
        const struct tan_json_at at = {.source = "", .path = "", .object = line};
        assert_int_equal(tan_journal_read_mode(&at, names[i], &out, &e), 0);
        assert_memory_equal(&out.clocks, &in->clocks, sizeof out.clocks);
        assert_memory_equal(&out.flow, &in->flow, sizeof out.flow);
        assert_memory_equal(&out.stream, &in->stream, sizeof out.stream);
        assert_int_equal(out.n_perf, in->n_perf);
        for (int k = 0; k < in->n_perf; k++) {
            assert_memory_equal(&out.perf[k], &perf[k], sizeof perf[k]);
        }
        for (size_t k = 0; k < 2 && in->up; k++) {
            assert_close(out.up[k], up[k], 1e-17);
            assert_close(out.down[k], down[k], 1e-17);
            assert_close(out.late[k], late[k], 1e-17);
        }
        tan_measurement_clear(&out);
        json_decref(line);
    }
}

static void drops_what_is_torn(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    size_t size;
    write_two(f);
    char *whole = tan_read_file(f->path, &size, &e);
    const char *last = (const char *)memrchr(whole, '\n', size - 1) + 1;
    /* Cut off anywhere in its last line, the journal has one cell less, and takes it again. */
    for (size_t keep = (size_t)(last - whole); keep < size; keep += 7) {
        assert_int_equal(truncate(f->path, (off_t)keep), 0);
        struct journal *j = proceed_with(f, &entries, &e);
        assert_no_error(e);
        assert_int_equal(entries.n, 1);
        double sample = 1e-6;
        struct journal_entry entry = {.waves = {.round_trips = &sample, .n = 1, .batch = 1}};
        assert_int_equal(tan_journal_add(j, &entry, "chain:2", &e), 0);
        tan_journal_close(j, false);
        tan_journal_entries_clear(&entries);
        j = proceed_with(f, &entries, &e);
        assert_int_equal(entries.n, 2);
        tan_journal_entries_clear(&entries);
        tan_journal_close(j, false);
        FILE *to = fopen(f->path, "w");
        assert_int_equal(fwrite(whole, 1, size, to), size);
        fclose(to);
    }
    free(whole);
}

static void refuses(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    assert_null(proceed_with(f, &entries, &e));
    assert_error(e, TAN_FAILED, "No such file");
    write_two(f);
    assert_null(tan_journal_open(f->path, JOURNAL_NEW, f->head, &entries, &e));
    assert_error(e, TAN_FAILED, "exists: continue");
    assert_null(tan_journal_open("/dev/null", JOURNAL_NEW, f->head, &entries, &e));
    assert_error(e, TAN_FAILED, "not a regular file");

    json_t *other = head_of(16, "a");
    assert_null(tan_journal_open(f->path, JOURNAL_CONTINUE, other, &entries, &e));
    assert_error(e, TAN_FAILED, "bytes was 8 there and is 16 here");
    json_decref(other);
    other = head_of(8, "b");
    assert_null(tan_journal_open(f->path, JOURNAL_CONTINUE, other, &entries, &e));
    assert_error(e, TAN_FAILED, "hosts was \"a\" there and is \"b\" here; tanbench resume --force");
    json_decref(other);

    /* In the middle every line must be one of ours. */
    static const char *const bad[][2] = {
        {"{}", "launch"},
        {"[]", "object"},
        {"{\"launch\":0,\"pass\":0,\"cell\":0,\"warmup\":0,\"batch\":1,\"period_us\":1,\"stopped\":"
         "\"so\","
         "\"round_trips_us\":[1]}",
         "\"so\" is not known"},
        {"{\"launch\":0,\"pass\":0,\"cell\":0,\"warmup\":0,\"batch\":1,\"period_us\":1,"
         "\"stopped\":\"precise\",\"round_trips_us\":[1, -1]}",
         "round_trips_us[1]"},
        {"{\"launch\":0,\"pass\":0,\"cell\":0,\"warmup\":0,\"batch\":1,\"period_us\":1,"
         "\"stopped\":\"precise\",\"round_trips_us\":[]}",
         "at least one"},
        {"{\"launch\":", "JSON"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *to = fopen(f->path, "w");
        json_dumpf(f->head, to, JSON_COMPACT);
        fprintf(to, "\n%s\n%s\n", bad[i][0], bad[i][0]);
        fclose(to);
        assert_null(proceed_with(f, &entries, &e));
        assert_int_equal(e.line, 2);
        assert_string_equal(e.source, f->path);
        assert_error(e, TAN_FAILED, bad[i][1]);
        e = (struct tan_error)TAN_ERROR_INIT;
    }
    FILE *to = fopen(f->path, "w");
    fprintf(to, "{\"sche ma\":");
    fclose(to);
    assert_null(proceed_with(f, &entries, &e));
    assert_error(e, TAN_FAILED, "holds no journal");
}

static json_t *head_with(const char *variable, const char *value)
{
    json_t *environment = json_pack("{s:s, s:[s], s:s, s:{s:s}}", "date", "today", "command",
                                    "tanbench", "mpi", "some", "mpi_settings", variable, value);
    json_t *head = tan_journal_head(&plan, environment);

    json_decref(environment);
    return head;
}

/* What launchers set for themselves is not compared, what reaches messages is. */
static void settings_of_launchers_may_differ(void **state)
{
    static const struct {
        const char *variable;
        bool compared;
    } rows[] = {{"PMIX_MCA_psec", false},      {"PRTE_MCA_hwloc_default_binding_policy", false},
                {"HYDRA_LAUNCHER", false},     {"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", false},
                {"OMPI_MCA_btl", true},        {"UCX_TLS", true},
                {"MPIR_CVAR_CH4_NETMOD", true}};
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *there = head_with(rows[i].variable, "native");
        json_t *here = head_with(rows[i].variable, "munge,native");
        unlink(f->path);
        tan_journal_close(tan_journal_open(f->path, JOURNAL_NEW, there, &entries, &e), false);
        assert_no_error(e);
        struct journal *j = tan_journal_open(f->path, JOURNAL_CONTINUE, here, &entries, &e);
        if (rows[i].compared) {
            assert_null(j);
            assert_error(e, TAN_FAILED, "was \"native\" there and is \"munge,native\" here");
        } else {
            assert_no_error(e);
            assert_non_null(j);
            tan_journal_close(j, false);
        }
        json_decref(there);
        json_decref(here);
    }
}

/* Another machine may be forced, another plan may not. */
static void forced(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    json_t *elsewhere = head_of(8, "b");
    json_t *larger = head_of(16, "a");

    write_two(f);
    struct journal *j = tan_journal_open(f->path, JOURNAL_FORCE, elsewhere, &entries, &e);
    assert_no_error(e);
    assert_int_equal(entries.n, 2);
    tan_journal_entries_clear(&entries);
    tan_journal_close(j, false);
    assert_null(tan_journal_open(f->path, JOURNAL_FORCE, larger, &entries, &e));
    assert_error(e, TAN_FAILED, "bytes was 8 there and is 16 here");
    json_decref(elsewhere);
    json_decref(larger);
}

/* Known before anything is started. */
static void checks(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;

    assert_int_equal(tan_journal_check(f->path, JOURNAL_NEW, &e), 0);
    assert_int_equal(access(f->path, F_OK), -1);
    assert_int_equal(tan_journal_check(f->path, JOURNAL_CONTINUE, &e), -1);
    assert_error(e, TAN_FAILED, "No such file");
    assert_false(tan_journal_has_cells(f->path));
    tan_journal_close(tan_journal_open(f->path, JOURNAL_NEW, f->head, &entries, &e), false);
    assert_false(tan_journal_has_cells(f->path));
    unlink(f->path);
    write_two(f);
    assert_true(tan_journal_has_cells(f->path));
    assert_int_equal(tan_journal_check(f->path, JOURNAL_NEW, &e), -1);
    assert_error(e, TAN_FAILED, "exists: continue with tanbench resume");
    assert_int_equal(tan_journal_check(f->path, JOURNAL_REPLACE, &e), 0);
    assert_int_equal(tan_journal_check(f->folder, JOURNAL_NEW, &e), -1);
    assert_error(e, TAN_FAILED, "Is a directory");
    assert_null(tan_journal_command("/dev/null", &e));
    assert_error(e, TAN_FAILED, "/dev/null is not a journal: it is not a regular file");
}

/* A run that is still at work keeps its journal, whatever a second one is about to do with it. */
static void one_run_at_a_time(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    char aside[96];
    double sample = 1e-6;
    struct journal_entry entry = {.waves = {.round_trips = &sample, .n = 1, .batch = 1}};
    struct journal *first = tan_journal_open(f->path, JOURNAL_REPLACE, f->head, &entries, &e);

    assert_no_error(e);
    assert_null(tan_journal_open(f->path, JOURNAL_REPLACE, f->head, &entries, &e));
    assert_error(e, TAN_FAILED, "another run is writing it");
    snprintf(aside, sizeof aside, "%s~", f->path);
    assert_int_equal(access(aside, F_OK), -1);
    assert_int_equal(tan_journal_add(first, &entry, "chain:2", &e), 0);
    tan_journal_close(first, false);
    struct journal *j = proceed_with(f, &entries, &e);
    assert_no_error(e);
    assert_int_equal(entries.n, 1);
    tan_journal_entries_clear(&entries);
    tan_journal_close(j, false);
}

/* Its writer was killed while it wrote the first line, or before. */
static void begins_what_is_blank(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    char *head = json_dumps(f->head, JSON_COMPACT);
    for (size_t length = 0; length < strlen(head); length += 5) {
        char text[4096] = "";
        FILE *to = fopen(f->path, "w+");
        fprintf(to, "%.*s", (int)length, head);
        fclose(to);
        struct journal *j = proceed_with(f, &entries, &e);
        assert_no_error(e);
        assert_int_equal(entries.n, 0);
        tan_journal_close(j, false);
        to = fopen(f->path, "r");
        assert_non_null(fgets(text, sizeof text, to));
        assert_int_equal(strncmp(text, head, strlen(head)), 0);
        assert_string_equal(text + strlen(head), "\n");
        assert_int_equal(fgetc(to), EOF);
        fclose(to);
    }
    free(head);
}

static void replaces(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    char aside[96];
    int complete;
    write_two(f);
    struct journal *j = tan_journal_open(f->path, JOURNAL_REPLACE, f->head, &entries, &e);
    assert_no_error(e);
    tan_journal_close(j, true);
    assert_int_not_equal(access(f->path, F_OK), 0);
    snprintf(aside, sizeof aside, "%s~", f->path);
    assert_int_equal(tan_journal_launches(aside, 1, &complete, &e), 0);
    assert_int_equal(complete, 2);
}

/* A line that stands twice would count its waves twice. */
static void refuses_lines_that_stand_twice(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    int complete;

    write_two(f);
    assert_int_equal(tan_journal_launches(f->path, 1, &complete, &e), 0);
    char *text = tan_read_file(f->path, NULL, &e);
    FILE *to = fopen(f->path, "ae");
    assert_non_null(to);
    const char *second = strchr(text, '\n') + 1;
    fprintf(to, "%.*s\n", (int)strcspn(second, "\n"), second);
    fclose(to);
    free(text);
    assert_int_equal(tan_journal_launches(f->path, 1, &complete, &e), -1);
    assert_error(e, TAN_FAILED, "is also on line 2");
}

/* What does not fit on the disk is cut off, and written with the next line. */
static void writes_later_what_does_not_fit(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    struct journal_entries entries;
    double samples[] = {1e-6};
    struct journal_entry entry = {.waves = {.round_trips = samples, .n = 1, .batch = 1}};
    struct stat before;
    struct stat after;
    struct rlimit limit;
    struct journal *j = tan_journal_open(f->path, JOURNAL_NEW, f->head, &entries, &e);
    assert_no_error(e);
    assert_int_equal(stat(f->path, &before), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit little = {(rlim_t)before.st_size + 5, limit.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    const int added = tan_journal_add(j, &entry, "chain:2", &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(added, -1);
    assert_error(e, TAN_FAILED, "cannot write");
    assert_non_null(strstr(e.text, "No space left on device"));
    assert_int_equal(stat(f->path, &after), 0);
    assert_int_equal(after.st_size, before.st_size);

    e = (struct tan_error)TAN_ERROR_INIT;
    entry.order = 1;
    assert_int_equal(tan_journal_add(j, &entry, "nto1:3", &e), 0);
    tan_journal_close(j, false);
    j = proceed_with(f, &entries, &e);
    assert_no_error(e);
    assert_int_equal(entries.n, 2);
    assert_int_equal(entries.list[0].order, 0);
    assert_int_equal(entries.list[1].order, 1);
    tan_journal_entries_clear(&entries);
    tan_journal_close(j, false);
}

static void names_its_command(void **state)
{
    struct fixture *f = *state;
    struct tan_error e = TAN_ERROR_INIT;
    write_two(f);
    json_t *command = tan_journal_command(f->path, &e);
    assert_no_error(e);
    assert_int_equal(json_array_size(command), 1);
    assert_string_equal(json_string_value(json_array_get(command, 0)), "tanbench");
    json_decref(command);
    unlink(f->path);
    json_object_del(f->head, "command");
    write_two(f);
    assert_null(tan_journal_command(f->path, &e));
    assert_error(e, TAN_FAILED, "does not say which command began it");
}

/* Its command is run. */
static void refuses_commands_of_others(void **state)
{
    struct fixture *f = *state;
    static const mode_t shared[] = {0666, 0664, 0646};

    write_two(f);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_int_equal(chmod(f->path, shared[i]), 0);
        assert_null(tan_journal_command(f->path, &e));
        assert_error(e, TAN_FAILED, "can be written by others");
    }
    chmod(f->path, 0644);
    if (geteuid() == 0) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_int_equal(chown(f->path, 12345, 12345), 0);
        assert_null(tan_journal_command(f->path, &e));
        assert_error(e, TAN_FAILED, "belongs to another user");
    }
}

static void names_itself(void **state)
{
    const struct fixture *f = *state;
    char buffer[JOURNAL_PATH_MAX];
    char beside[JOURNAL_PATH_MAX];
    snprintf(beside, sizeof beside, "%s.journal", f->path);
    assert_string_equal(tan_journal_beside(f->path, buffer), beside);
    assert_null(tan_journal_beside(NULL, buffer));
    assert_null(tan_journal_beside("-", buffer));
    assert_null(tan_journal_beside("/dev/null", buffer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(modes_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(drops_what_is_torn, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(settings_of_launchers_may_differ, setup, teardown),
        cmocka_unit_test_setup_teardown(forced, setup, teardown),
        cmocka_unit_test_setup_teardown(checks, setup, teardown),
        cmocka_unit_test_setup_teardown(one_run_at_a_time, setup, teardown),
        cmocka_unit_test_setup_teardown(begins_what_is_blank, setup, teardown),
        cmocka_unit_test_setup_teardown(replaces, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_lines_that_stand_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(writes_later_what_does_not_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(names_its_command, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_commands_of_others, setup, teardown),
        cmocka_unit_test_setup_teardown(names_itself, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
