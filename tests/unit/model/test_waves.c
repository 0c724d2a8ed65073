/* test_waves.c - comma-separated tables, and waves in them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/output.h"
#include "design/measured/measured.h"
#include "tests/unit/scratch_file.h"

/* The table in the file. */
static int read_table(struct tan_csv *out, struct tan_error *e)
{
    size_t length = 0;
    char *text = tan_read_text(path, &length, e);
    const int result = text == NULL ? -1 : tan_csv_parse(out, text, length, path, e);
    free(text);
    return result;
}

TEST(tables)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_csv csv;
    write_text("\xef\xbb\xbf# a remark\r\n"
               "\r\n"
               "a, \"b, c\" ,\"d\"\"e\"\r\n"
               "1,2,3\r\n"
               "   # another\n"
               " x y ,,\"\"\n"
               "\"two\nlines\",\"#\",last");
    assert_int_equal(read_table(&csv, &e), 0);
    assert_int_equal(csv.columns, 3);
    assert_int_equal(csv.rows, 3);
    assert_int_equal(tan_csv_find(&csv, "a"), 0);
    assert_int_equal(tan_csv_find(&csv, "b, c"), 1);
    assert_int_equal(tan_csv_find(&csv, "d\"e"), 2);
    assert_int_equal(tan_csv_find(&csv, "b"), -1);
    static const char *const wanted[3][3] = {
        {"1", "2", "3"}, {"x y", "", ""}, {"two\nlines", "#", "last"}};
    for (size_t row = 0; row < 3; row++) {
        for (size_t column = 0; column < 3; column++) {
            assert_string_equal(tan_csv_at(&csv, row, column)->text, wanted[row][column]);
        }
    }
    assert_int_equal(tan_csv_at(&csv, 0, 1)->line, 4);
    assert_int_equal(tan_csv_at(&csv, 0, 1)->column, 3);
    assert_int_equal(tan_csv_at(&csv, 1, 0)->column, 2);
    assert_int_equal(tan_csv_at(&csv, 2, 2)->line, 8);
    assert_int_equal(tan_csv_at(&csv, 2, 2)->column, 12);
    tan_csv_clear(&csv);
}

TEST(bad_tables)
{
    static const struct {
        const char *text, *error;
        int line, column;
    } rows[] = {
        {"", "no heading line", 0, 0},
        {"# only\n\n", "no heading line", 0, 0},
        {"a,b\n1\n", "must have 2 fields, as the headings have, not 1", 2, 0},
        {"a,b\n1,2\n\n1,2,3\n", "not 3", 4, 0},
        {"a,b\n1,\"2\n3\n", "never closed", 2, 3},
        {"a,b\n1,\"2\"3\n", "may follow a closing quote", 2, 6},
        {"a,b\n1,2\"3\n", "does not start with one", 2, 4},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_csv csv;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_text(rows[i].text);
        assert_int_equal(read_table(&csv, &e), -1);
        assert_string_equal(e.source, path);
        assert_int_equal(e.line, rows[i].line);
        assert_int_equal(e.column, rows[i].column);
        assert_error(e, TAN_FAILED, rows[i].error);
    }
    char wide[1001]; /* one field more than commas */
    memset(wide, ',', 1000);
    wide[1000] = '\0';
    write_text(wide);
    assert_int_equal(read_table(&csv, &e), -1);
    assert_error(e, TAN_FAILED, "at most 1000 fields");
    write_text(wide + 1);
    assert_int_equal(read_table(&csv, &e), 0);
    assert_int_equal(csv.columns, 1000);
    tan_csv_clear(&csv);
}

/* Read the file's waves of one size; 0: of all. */
static int read_waves(struct tan_waves *out, int64_t bytes, struct tan_error *e)
{
    const struct tan_measured options = {.message = bytes};
    struct tan_measured_notes notes;
    return tan_measured_read(&options, path, out, &notes, e);
}

TEST(groups)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_waves w;
    write_text("run,wave_us,topology\n"
               "1,196.6,chain:1\n"
               "1,200,nto1:8\n"
               "1,97,pingpong\n"
               "1,350.5,binary:32\n"
               "2,1e2,flat:8\n"
               "2,99,latency\n"
               "2,197,chain:1\n");
    assert_int_equal(read_waves(&w, 0, &e), 0);
    assert_no_error(e);
    assert_int_equal(w.n, 4);
    assert_int_equal(w.bytes, 1024);
    static const struct {
        const char *topology;
        enum tan_wave_kind kind;
        int64_t size;
        size_t n;
        double first, last;
        int line;
    } wanted[] = {
        {"chain:1", TAN_WAVES_CHAIN, 1, 2, 196.6e-6, 197e-6, 2},
        {"nto1:8", TAN_WAVES_NTO1, 8, 2, 200e-6, 100e-6, 3},
        {"pingpong", TAN_WAVES_LATENCY, 0, 2, 97e-6, 99e-6, 4},
        {"binary:32", TAN_WAVES_OTHER, 0, 1, 350.5e-6, 350.5e-6, 5},
    };
    for (size_t i = 0; i < w.n; i++) {
        const struct tan_wave_group *g = &w.group[i];
        assert_string_equal(g->topology, wanted[i].topology);
        assert_int_equal(g->kind, wanted[i].kind);
        assert_int_equal(g->size, wanted[i].size);
        assert_int_equal(g->n, wanted[i].n);
        assert_close(g->seconds[0], wanted[i].first, 1e-18);
        assert_close(g->seconds[g->n - 1], wanted[i].last, 1e-18);
        assert_int_equal(g->line, wanted[i].line);
    }
    tan_waves_clear(&w);
}

TEST(message_sizes)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_waves w;
    write_text("topology,wave_us,bytes\nchain:1,1,64\nchain:1,2,1KiB\npingpong,3,\nchain:2,4,64\n");
    assert_int_equal(read_waves(&w, 0, &e), 0);
    assert_true(w.sized);
    assert_int_equal(w.bytes, 64);
    assert_int_equal(w.n, 4); /* a topology has a group for each size; */
    assert_int_equal(w.group[0].bytes, 64);
    assert_int_equal(w.group[1].bytes, 1024);
    assert_int_equal(w.group[2].bytes, 64); /* rows without a size are of the least */
    tan_waves_clear(&w);
    assert_int_equal(read_waves(&w, 4096, &e), -1);
    assert_error(e, TAN_USAGE, "no waves of 4096 bytes");
    assert_int_equal(read_waves(&w, 64, &e), 0);
    assert_int_equal(w.bytes, 64);
    assert_int_equal(w.n, 3); /* rows without a size go with every size */
    assert_int_equal(w.group[0].n, 1);
    tan_waves_clear(&w);
    assert_int_equal(read_waves(&w, 1024, &e), 0);
    assert_int_equal(w.n, 2);
    assert_close(w.group[0].seconds[0], 2e-6, 1e-18);
    tan_waves_clear(&w);

    write_text("topology,wave_us,bytes\nchain:1,1,64\nchain:2,2,64\n");
    assert_int_equal(read_waves(&w, 0, &e), 0);
    assert_int_equal(w.bytes, 64);
    tan_waves_clear(&w);
    write_text("topology,wave_us\nchain:1,1\n");
    assert_int_equal(read_waves(&w, 4096, &e), 0);
    assert_int_equal(w.bytes, 4096);
    tan_waves_clear(&w);
}

/* Of the size that is read. */
TEST(waves_within_a_host_are_counted)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_waves w;
    write_text("topology,wave_us,bytes\nchain:1,1,64\nchain:3@host,2,64\nnto1:2@host,2,64\n"
               "pingpong@host,3,64\nchain:3@host,4,1024\nfile:a@host,5,64\n");
    assert_int_equal(read_waves(&w, 64, &e), 0);
    assert_no_error(e);
    assert_int_equal(w.near, 3);
    assert_int_equal(w.n, 2);
    assert_string_equal(w.group[1].topology, "file:a@host");
    tan_waves_clear(&w);
}

TEST(bad_waves)
{
    static const struct {
        const char *text, *error;
        int line, column;
    } rows[] = {
        {"shape,wave_us\nchain:1,1\n", "no column says what the trees are", 1, 1},
        {"topology,took\nchain:1,1\n", "no column is headed as a time", 1, 1},
        {"topology,wave_us\nchain:1,fast\n", "from 1 ps to 1e9 s, not \"fast\"", 2, 9},
        {"topology,wave_us\nchain:1,-1\n", "from 1 ps to 1e9 s, not \"-1\"", 2, 9},
        {"topology,wave_us\nchain:1,0\n", "from 1 ps to 1e9 s, not \"0\"", 2, 9},
        {"topology,wave_us\nchain:1,nan\n", "not \"nan\"", 2, 9},
        {"topology,wave_us\nchain:1,1e-300\n", "from 1 ps to 1e9 s, not \"1e-300\"", 2, 9},
        {"topology,wave_us\nchain:1,\n", "not \"\"", 2, 9},
        {"topology,wave_us\nchain:0,1\n", "\"chain:0\": H must be a whole number from 1", 2, 1},
        {"topology,wave_us\nchain,1\n", "\"chain\": H must be a whole number from 1", 2, 1},
        {"topology,wave_us\n\nflat:99999999999,1\n",
         "\"flat:99999999999\": N must be a whole number from 1", 3, 1},
        {"topology,wave_us\npingpong:3,1\n", "pingpong takes no size: \"pingpong:3\"", 2, 1},
        {"topology,wave_us\n,1\n", "the tree has no name", 2, 1},
        {"topology,wave_us,bytes\nchain:1,1,big\n", "bytes must be a size", 2, 11},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_waves w;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_text(rows[i].text);
        assert_int_equal(read_waves(&w, 0, &e), -1);
        assert_int_equal(e.line, rows[i].line);
        assert_int_equal(e.column, rows[i].column);
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

/* Thousands of topologies, met in turn. */
TEST(many)
{
    enum { TOPOLOGIES = 2000, ROUNDS = 20 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_waves w;
    FILE *file = fopen(path, "w");
    fputs("topology,wave_us\n", file);
    for (int i = 0; i < TOPOLOGIES * ROUNDS; i++) {
        fprintf(file, "nto1:%d,%d\n", i % TOPOLOGIES + 1, i + 1);
    }
    fclose(file);
    assert_int_equal(read_waves(&w, 0, &e), 0);
    assert_int_equal(w.n, TOPOLOGIES);
    for (size_t i = 0; i < w.n; i++) {
        assert_int_equal(w.group[i].size, i + 1);
        assert_int_equal(w.group[i].n, ROUNDS);
        assert_close(w.group[i].seconds[7], ((double)i + 7 * TOPOLOGIES + 1) * 1e-6, 1e-15);
    }
    tan_waves_clear(&w);
}

RUN_TESTS(make_scratch, remove_scratch)
