/* test_measured.c - files that users have, written from a known machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <unistd.h>

#include "design/measured/measured.h"
#include "design/measured/named_tree.h"
#include "model/fit/fit.h"
#include "tests/unit/scratch_file.h"
#include "topo/spec.h"

/* Seconds for each term. */
static const double wanted[TAN_TREE_TERMS] = {[TAN_TREE_HOP] = 110e-6,
                                              [TAN_TREE_CHILD] = 9e-6,
                                              [TAN_TREE_BYTE] = 1 / 100e6,
                                              [TAN_TREE_WAVE] = 50e-6,
                                              [TAN_TREE_GROWTH] = 0.02e-6};

/* A file being written: 5 % of noise, one row of ten is missing, one is three times as long. */
struct writer {
    FILE *to;
    gsl_rng *rng;
    int rows, outlier;
};

/* The wave of a tree as it was measured, in seconds; NaN for a row that is missing. */
static double measure(struct writer *w, const char *name, double bytes)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree_paths paths;
    struct tan_tree *tree = tan_spec_build(name, &e);
    double longest = 0;
    assert_no_error(e);
    assert_int_equal(tan_tree_paths_find(tree, bytes, false, &paths, &e), 0);
    for (size_t i = 0; i < paths.n; i++) {
        double time = 0;
        for (size_t j = 0; j < TAN_TREE_TERMS; j++) {
            time += paths.row[i * TAN_TREE_TERMS + j] * wanted[j];
        }
        longest = fmax(longest, time);
    }
    tan_tree_paths_clear(&paths);
    tan_tree_destroy(tree);
    const double noise = 1 + gsl_ran_gaussian(w->rng, 0.05);
    const bool missing = gsl_rng_uniform(w->rng) < 0.1;
    return missing ? NAN : longest * noise * (++w->rows == w->outlier ? 3 : 1);
}

static const int radices[] = {2, 3, 4, 6, 8, 12, 16, 32, 64};
static const int sizes[] = {64, 200, 700, 2000};
enum { RADICES = sizeof radices / sizeof radices[0], SIZES = sizeof sizes / sizeof sizes[0] };

/* A line for every radix and size: by `line`, of radix, size and time in seconds times `scale`. */
static void write_grid(struct writer *w, const char *tree, const char *line, double scale)
{
    for (int i = 0; i < SIZES; i++) {
        for (int k = 0; k < RADICES; k++) {
            char name[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(name, sizeof name, tree, radices[k], sizes[i]);
            const double time = measure(w, name, 0);
            if (!isnan(time)) {
                fprintf(w->to, line, radices[k], sizes[i], time * scale);
            }
#pragma GCC diagnostic pop
        }
    }
}

static void write_waves(struct writer *w)
{
    fputs("topology,wave_us\n", w->to);
    write_grid(w, "kary:%d:%d", "kary:%d:%d,%.3f\n", 1e6);
}

static void write_own_trees(struct writer *w)
{
    write_grid(w, "kary:%d:%d", "kary:%d:%d, %.0f us\n", 1e6);
}

static void write_blanks(struct writer *w)
{
    fputs("# my measurements\nradix  nodes  round_ms\n", w->to);
    write_grid(w, "flux:kary:%d:%d", "%5d %6d %9.5f\n", 2e3);
}

static void write_slurm(struct writer *w)
{
    fputs("width;nodes;seconds\n", w->to);
    write_grid(w, "slurm:TreeWidth=%d:%d", "%d;%d;%.7f\n", 1);
}

static void write_loop(struct writer *w)
{
    write_grid(w, "slurm:TreeWidth=%d:%d", "%d\t%d\t%.7fs\n", 1);
}

/* What a process does with gathered data, once and with each byte. */
static const double gathered_once = 1.2e-3;
static const double gathered_byte = 3e-9;

static const struct format_row {
    const char *name;
    void (*write)(struct writer *w);
    struct tan_measured options;
} format_rows[] = {
    {"topology,wave_us", write_waves, {.tree = NULL}},
    {"trees and times with units", write_own_trees, {.tree = NULL}},
    {"blanks, round trips", write_blanks, {.wave = "round_ms/2"}},
    {"Slurm, semicolons", write_slurm, {.tree = NULL}},
    {"tabs, without headings", write_loop, {.tree = "slurm:TreeWidth={1}:{2}"}},
};

static void read_file(const struct format_row *row, struct tan_waves *waves,
                      struct tan_measured_notes *notes)
{
    struct tan_error e = TAN_ERROR_INIT;
    tan_measured_read(&row->options, path, waves, notes, &e);
    assert_no_error(e);
}

/* The paths of a wave over one tree, or up over one and down over another: "A + B". */
static void find_paths(const struct tan_wave_group *group, double more, struct tan_tree_paths *out)
{
    struct tan_error e = TAN_ERROR_INIT;
    char name[160];
    snprintf(name, sizeof name, "%s", group->topology);
    char *plus = strstr(name, " + ");
    if (plus != NULL) {
        *plus = '\0';
    }
    struct tan_tree *up = tan_spec_build(name, &e);
    struct tan_tree *down = plus != NULL ? tan_spec_build(plus + 3, &e) : NULL;
    assert_no_error(e);
    assert_int_equal(
        plus != NULL ? tan_tree_paths_two(up, down, group->gathered ? (double)group->bytes : more,
                                          group->gathered, out, &e)
                     : tan_tree_paths_find(up, more, false, out, &e),
        0);
    tan_tree_destroy(up);
    tan_tree_destroy(down);
}

static void fit_waves(const struct tan_waves *waves, struct tan_fit *fit)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_observation *trees = calloc(waves->n, sizeof *trees);
    for (size_t i = 0; i < waves->n; i++) {
        const struct tan_wave_group *group = &waves->group[i];
        trees[i] = (struct tan_observation){
            .name = group->topology, .waves = group->seconds, .n = group->n};
        find_paths(group, (double)(group->bytes - waves->bytes), &trees[i].paths);
    }
    const struct tan_fit_input input = {.observations = trees,
                                        .n_observations = waves->n,
                                        .method = TAN_METHOD_JOINT,
                                        .any = true,
                                        .L = NAN,
                                        .bootstrap = 1000,
                                        .seed = 1};
    assert_int_equal(tan_fit(&input, fit, &e), 0);
    for (size_t i = 0; i < waves->n; i++) {
        tan_tree_paths_clear(&trees[i].paths);
    }
    free(trees);
}

/* The parameters are in their intervals. */
TEST(formats_of_a_known_machine)
{
    const int trials = thorough() ? 40 : 8;
    for (size_t f = 0; f < sizeof format_rows / sizeof format_rows[0]; f++) {
        const struct format_row *row = &format_rows[f];
        int covered = 0;
        at_row("%s", row->name);
        for (int t = 0; t < trials; t++) {
            struct writer w = {.rng = gsl_rng_alloc(gsl_rng_mt19937), .outlier = 5 + 2 * t % 9};
            struct tan_waves waves;
            struct tan_measured_notes notes;
            struct tan_fit fit;
            gsl_rng_set(w.rng, (unsigned long)(100 * f) + (unsigned long)t + 1);
            w.to = fopen(path, "w");
            row->write(&w);
            fclose(w.to);
            read_file(row, &waves, &notes);
            assert_false(waves.sized);
            fit_waves(&waves, &fit);
            bool all = true;
            for (int j = 0; j < TAN_TREE_TERMS; j++) {
                all = all && (!fit.terms.identifiable[j] || (wanted[j] >= fit.terms.ci95[j].low &&
                                                             wanted[j] <= fit.terms.ci95[j].high));
            }
            covered += all;
            tan_fit_clear(&fit);
            tan_waves_clear(&waves);
            gsl_rng_free(w.rng);
        }
        assert_in_range(covered, trials * 7 / 8, trials);
    }
}

/* The time from the root of a tree to its last leaf, or back: a level of x children costs what is
 * in wanted[], and `byte` for each of `bytes` sent to each child, or, `gathered`, received from all
 * processes below the parent, whose shares of `bytes` are equal. */
static double one_way(const char *name, double bytes, double byte, bool gathered)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(name, &e);
    assert_no_error(e);
    const int32_t n = tan_tree_size(tree);
    double *to = calloc((size_t)n, sizeof *to);
    int32_t *size = calloc((size_t)n, sizeof *size);
    double longest = 0;
    tan_tree_subtree_sizes(tree, size);
    for (int32_t node = 1; node < n; node++) {
        const int32_t parent = tan_tree_parent(tree, node);
        const double x = tan_tree_fanout(tree, parent);
        const double received = bytes * (size[parent] - 1) / n;
        to[node] = to[parent] + wanted[TAN_TREE_HOP] + (x - 1) * wanted[TAN_TREE_CHILD] +
                   (x * x - 1) * wanted[TAN_TREE_GROWTH] + byte * (gathered ? received : bytes * x);
        longest = fmax(longest, to[node]);
    }
    tan_tree_destroy(tree);
    free(size);
    free(to);
    return longest;
}

/* Half the time up over trees of varying radix and then down over one of radix 4: without data, and
 * with those of all processes, where a byte on its way up takes `up` times what it takes down. */
static void write_fences(double up)
{
    static const int totals[] = {8192, 100000, 1000000, 8000000};
    struct writer w = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    const double byte = wanted[TAN_TREE_BYTE];
    w.to = fopen(path, "w");
    fputs("tree,gathered,wave_us\n", w.to);
    for (int i = 0; i < 3; i++) {
        char down[64];
        snprintf(down, sizeof down, "prrte:rml_base_radix2=4:%d", sizes[i]);
        for (int k = 0; k < RADICES; k++) {
            char name[64];
            snprintf(name, sizeof name, "prrte:rml_base_radix=%d:%d", radices[k], sizes[i]);
            const double both = one_way(name, 0, 0, false) + one_way(down, 0, 0, false);
            const double empty = wanted[TAN_TREE_WAVE] + both / 2;
            fprintf(w.to, "%s + %s,0,%.2f\n", name, down,
                    1e6 * empty * (1 + gsl_ran_gaussian(w.rng, 0.01)));
            for (int t = 0; t < 4; t++) {
                const double data = gathered_once + totals[t] * gathered_byte +
                                    one_way(name, totals[t], up * byte, true) +
                                    one_way(down, totals[t], byte, false) - both;
                fprintf(w.to, "%s + %s,%d,%.2f\n", name, down, totals[t],
                        1e6 * (empty + data / 2) * (1 + gsl_ran_gaussian(w.rng, 0.01)));
            }
        }
    }
    fclose(w.to);
    gsl_rng_free(w.rng);
}

TEST(bandwidth_of_two_trees)
{
    static const double ups[] = {1, 0, 3};
    for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
        const struct format_row row = {.name = "fences", .options = {.tree = NULL}};
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_fit fit;
        at_row("up %g", ups[i]);
        write_fences(ups[i]);
        read_file(&row, &waves, &notes);
        assert_true(waves.sized);
        assert_int_equal(waves.bytes, 1);
        fit_waves(&waves, &fit);
        assert_close(fit.terms.value[TAN_TREE_BYTE] / wanted[TAN_TREE_BYTE], 1, 0.05);
        assert_close(fit.terms.value[TAN_TREE_HOP] / wanted[TAN_TREE_HOP], 1, 0.1);
        assert_close(fit.terms.value[TAN_TREE_CHILD] / wanted[TAN_TREE_CHILD], 1, 0.1);
        assert_close(fit.terms.value[TAN_TREE_DATA] / gathered_once, 1, 0.2);
        /* A parent receives all bytes but its own, so that the two are hardly told apart. */
        const double byte = fit.terms.value[TAN_TREE_LOCAL] + fit.terms.value[TAN_TREE_GATHER];
        assert_close(byte / (gathered_byte + ups[i] * wanted[TAN_TREE_BYTE]), 1, 0.1);
        assert_true(fit.terms.ci95[TAN_TREE_BYTE].low < wanted[TAN_TREE_BYTE]);
        assert_true(fit.terms.ci95[TAN_TREE_BYTE].high > wanted[TAN_TREE_BYTE]);
        tan_fit_clear(&fit);
        tan_waves_clear(&waves);
    }
}

/* Up, of 13 daemons with radix 3 the root's children have 3 children each: of 13 shares the root
 * receives 12, and a child 3. Down, with radix 12, there is one level. */
TEST(terms_of_two_trees)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree_paths paths;
    struct tan_tree *up = tan_spec_build("prrte:rml_base_radix=3:13", &e);
    struct tan_tree *down = tan_spec_build("prrte:rml_base_radix2=12:13", &e);
    assert_int_equal(tan_tree_paths_two(up, down, 1000, true, &paths, &e), 0);
    assert_int_equal(paths.n, 1);
    assert_close(paths.row[TAN_TREE_HOP], (2 + 1) / 2.0, 0);
    assert_close(paths.row[TAN_TREE_CHILD], (2 + 2 + 11) / 2.0, 0);
    assert_close(paths.row[TAN_TREE_GROWTH], (8 + 8 + 143) / 2.0, 0);
    assert_close(paths.row[TAN_TREE_WAVE], 1, 0);
    assert_close(paths.row[TAN_TREE_BYTE], 500 * 12, 1e-9);
    assert_close(paths.row[TAN_TREE_GATHER], 500 * (12 / 13.0 + 3 / 13.0), 1e-9);
    assert_close(paths.row[TAN_TREE_LOCAL], 500, 0);
    assert_close(paths.row[TAN_TREE_DATA], 0.5, 0);
    assert_int_equal(paths.height, 2);
    assert_int_equal(paths.max_fanout, 12);
    tan_tree_paths_clear(&paths);
    assert_int_equal(tan_tree_paths_two(up, down, 1000, false, &paths, &e), 0);
    assert_close(paths.row[TAN_TREE_BYTE], 500 * (3 + 3 + 12), 1e-9);
    assert_close(paths.row[TAN_TREE_GATHER] + paths.row[TAN_TREE_LOCAL], 0, 0);
    tan_tree_paths_clear(&paths);
    tan_tree_destroy(up);
    tan_tree_destroy(down);
}

#define NAME_OF_64 "a123456789b123456789c123456789d123456789e123456789f123456789g123"

/* Names, sizes and times as they stand in the file. */
TEST(rows_as_written)
{
    static const struct {
        const char *text;
        struct tan_measured options;
        const char *topology;
        int64_t bytes;
        double seconds;
        int line;
    } rows[] = {
        {"kary:4:7, 1832 us\n", {.tree = NULL}, "kary:4:7", 1024, 1832e-6, 1},
        {"\n# x\nkary:4:7\t1.5 ms\n", {.tree = NULL}, "kary:4:7", 1024, 1.5e-3, 3},
        {"tree time[ms]\nbinary:5 3\n", {.tree = NULL}, "binary:5", 1024, 3e-3, 2},
        {"w,t\n4,2\n", {.tree = "kary:{w}:9", .wave = "{t}ms/2"}, "kary:4:9", 1024, 1e-3, 2},
        {"4 2\n", {.tree = "kary:{1}:9", .wave = "{2}s*0.25"}, "kary:4:9", 1024, 0.5, 1},
        {"tree wave\nchain:2 12 msec\n", {.tree = NULL}, "chain:2", 1024, 12e-3, 2},
        {"w,a/b\n4,2\n", {.tree = "kary:{w}:9", .wave = "{a/b}ms*0.5"}, "kary:4:9", 1024, 1e-3, 2},
        {"tree wave_us\nfile:/" NAME_OF_64 "/tree.json 3\n",
         {.tree = NULL},
         "file:/" NAME_OF_64 "/tree.json",
         1024,
         3e-6,
         2},
        {"nodes,width,seconds\n9,3,.5\n", {.tree = NULL}, "slurm:TreeWidth=3:9", 1024, 0.5, 2},
        {"TreeWidth,time,nodes\n3,.5,9\n", {.tree = NULL}, "slurm:TreeWidth=3:9", 1024, 0.5, 2},
        {"Hosts;WIDTH;Time (ms)\n9;3;5\n", {.tree = NULL}, "slurm:TreeWidth=3:9", 1024, 5e-3, 2},
        {"members,Fanout,latency\n9,3,5 us\n", {.tree = NULL}, "flux:kary:3:9", 1024, 5e-6, 2},
        {"ranks radix time latency_us\n9 3 1 5\n", {.tree = NULL}, "flux:kary:3:9", 1024, 5e-6, 2},
        {"tree,setup_s,wave_us\nbinary:5,7,3\n", {.tree = NULL}, "binary:5", 1024, 3e-6, 2},
        {"radix,tree,time\n2,binary:5,3\n", {.tree = NULL}, "binary:5", 1024, 3, 2},
        {"tree,size,wave_us\nbinary:5,2kB,3\n", {.bytes = "size"}, "binary:5", 2000, 3e-6, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%s", rows[i].text);
        write_text(rows[i].text);
        tan_measured_read(&rows[i].options, path, &waves, &notes, &e);
        assert_no_error(e);
        assert_int_equal(waves.n, 1);
        assert_string_equal(waves.group[0].topology, rows[i].topology);
        assert_int_equal(waves.group[0].bytes, rows[i].bytes);
        assert_close(waves.group[0].seconds[0], rows[i].seconds, 1e-12);
        assert_int_equal(waves.group[0].line, rows[i].line);
        tan_waves_clear(&waves);
    }
}

/* Each unit, in the heading and behind the number. */
TEST(units_of_time)
{
    static const struct {
        const char *name;
        double seconds;
    } rows[] = {
        {"ns", 1e-9}, {"us", 1e-6}, {"usec", 1e-6}, {"ms", 1e-3},   {"msec", 1e-3},
        {"s", 1},     {"sec", 1},   {"min", 60},    {"seconds", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int heading = 0; heading < 2; heading++) {
            const struct tan_measured options = {.tree = NULL};
            struct tan_waves waves;
            struct tan_measured_notes notes;
            struct tan_error e = TAN_ERROR_INIT;
            char text[64];
            at_row("%s", rows[i].name);
            snprintf(text, sizeof text,
                     heading ? "tree,wave (%s)\nchain:2,42\n" : "tree,wave\nchain:2,42 %s\n",
                     rows[i].name);
            write_text(text);
            tan_measured_read(&options, path, &waves, &notes, &e);
            assert_no_error(e);
            assert_close(waves.group[0].seconds[0] / rows[i].seconds, 42, 1e-9);
            tan_waves_clear(&waves);
        }
    }
}

/* Times are rounded once, so that medians print as they were written. */
TEST(halves_of_microseconds)
{
    enum { TIMES = 4000 };
    struct tan_measured options = {.tree = NULL};
    struct tan_waves waves;
    struct tan_measured_notes notes;
    struct tan_error e = TAN_ERROR_INIT;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("topology,wave_us\n", file);
    for (int i = 1; i <= TIMES; i++) {
        fprintf(file, "chain:1,%.1f\n", i / 2.0);
    }
    fclose(file);
    assert_int_equal(tan_measured_read(&options, path, &waves, &notes, &e), 0);
    assert_int_equal(waves.group[0].n, TIMES);
    for (int i = 1; i <= TIMES; i++) {
        assert_close(waves.group[0].seconds[i - 1], i / 2.0 / 1e6, 0);
    }
    tan_waves_clear(&waves);
}

TEST(what_is_missing_is_said)
{
    static const struct {
        const char *text;
        struct tan_measured options;
        const char *error;
        int line;
    } rows[] = {
        {"a,b\n1,2\n", {.tree = NULL}, "no column says what the trees are", 1},
        {"a,b\n1,2\n", {.tree = NULL}, "the columns are a, b", 1},
        {"a,b\n1,2\n", {.tree = "kary:{a}:4"}, "no column is headed as a time", 1},
        {"a,b\n1,2\n", {.tree = "kary:{a}:4", .wave = "b"}, "b has no unit", 2},
        {"a,b\n1,2\n", {.tree = "kary:{a}:4", .wave = "c"}, "no column c for the wave", 1},
        {"a,b\n1,2\n", {.tree = "kary:{c}:4", .wave = "{b}us"}, "no column c for the tree", 1},
        {"a,b\n1,2\n", {.tree = "kary:{a}:4", .wave = "{b}miles"}, "comes a unit", 0},
        {"a,b_us\n1,3\n", {.tree = ""}, "the tree has no name", 2},
        {"width,seconds\n3,.5\n", {.tree = NULL}, "tree=slurm:TreeWidth={width}:N", 1},
        {"nodes,radix,barrier_us\n8,2,20\n", {.tree = NULL}, "tools/prrte-samples", 1},
        {"tree,gathered,wave_us\nkary:2:4 + kary:4:4,8kB,soon\n",
         {.tree = NULL},
         "not \"soon\"",
         2},
        {"tree,gathered,wave_us\nkary:2:4 + kary:4:4,lots,1\n",
         {.tree = NULL},
         "gathered must be",
         2},
        {"tree,time\nopenmpi:reduce=binomial:64,9 us\n",
         {.tree = NULL},
         "times of MPI_Reduce, one way up",
         2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%s", rows[i].error);
        write_text(rows[i].text);
        assert_int_equal(tan_measured_read(&rows[i].options, path, &waves, &notes, &e), -1);
        assert_int_equal(e.line, rows[i].line);
        assert_non_null(strstr(e.text, rows[i].error));
    }
}

/* Times that no heading and no option calls those of waves may be of round trips. */
TEST(half_round_trips)
{
    static const struct {
        const char *text;
        struct tan_measured options;
        size_t notes;
    } rows[] = {
        {"nodes,width,seconds\n9,3,.5\n", {.tree = NULL}, 2}, /* of which Slurm's trees, too */
        {"nodes,width,wave_s\n9,3,.5\n", {.tree = NULL}, 1},
        {"nodes,radix,wave_s\n9,3,.5\n", {.tree = NULL}, 0},
        {"k,seconds\n3,.5\n", {.tree = "kary:{k}:9"}, 1},
        {"nodes,width,seconds\n9,3,.5\n", {.tree = "kary:{width}:9"}, 1},
        {"k,wave_s\n3,.5\n", {.tree = "kary:{k}:9"}, 0},
        {"k,seconds\n3,.5\n", {.tree = "kary:{k}:9", .wave = "seconds/2"}, 0},
        {"kary:3:9,0.5 s\n", {.tree = NULL}, 1},
        {"nodes,TreeWidth,time\n9,3,.5\n", {.tree = NULL}, 3}, /* nor is there a unit */
        {"nodes,TreeWidth,time\n9,3,.5 s\n", {.tree = NULL}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%zu", i);
        write_text(rows[i].text);
        assert_int_equal(tan_measured_read(&rows[i].options, path, &waves, &notes, &e), 0);
        assert_int_equal(notes.n, rows[i].notes);
        tan_waves_clear(&waves);
    }
}

/* Times of trees of MPI_Bcast are those of MPI_Bcast, unless they are said to be of waves. */
TEST(one_way_down)
{
    static const struct {
        const char *text;
        struct tan_measured options;
        enum tan_wave_kind kind;
    } rows[] = {
        {"tree,time\nopenmpi:bcast=knomial:4:64,9 us\n", {.tree = NULL}, TAN_WAVES_DOWN},
        {"tree,wave_us\nopenmpi:bcast=knomial:4:64,9\n", {.tree = NULL}, TAN_WAVES_OTHER},
        {"tree,wave_us\nopenmpi:reduce=binomial:64,9\n", {.tree = NULL}, TAN_WAVES_OTHER},
        {"tree,time\nucc:BCAST_KN_RADIX=4:64,9 us\n", {.wave = "{time}us/2"}, TAN_WAVES_OTHER},
        {"tree,time\nflux:kary:4:64,9 us\n", {.tree = NULL}, TAN_WAVES_DOWN},
        {"tree,time\nprrte:rml_base_radix=4:64,9 us\n", {.tree = NULL}, TAN_WAVES_DOWN},
        {"tree,wave_us\nprrte:rml_base_radix=4:64,9\n", {.tree = NULL}, TAN_WAVES_OTHER},
        {"tree,time\nslurm:TreeWidth=4:64,9 us\n", {.tree = NULL}, TAN_WAVES_OTHER},
        {"tree,time\nopenmpi:reduce=binomial:64 + openmpi:bcast=binomial:64,9 us\n",
         {.tree = NULL},
         TAN_WAVES_TWO},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%s", rows[i].text);
        write_text(rows[i].text);
        assert_int_equal(tan_measured_read(&rows[i].options, path, &waves, &notes, &e), 0);
        assert_int_equal(waves.group[0].kind, rows[i].kind);
        assert_int_equal(notes.n > 0 && strstr(notes.text[0], "one way down") != NULL,
                         rows[i].kind == TAN_WAVES_DOWN);
        tan_waves_clear(&waves);
    }
}

/* Beginnings of outputs as the benchmarks write them. */
TEST(outputs_of_benchmarks)
{
    static const struct {
        const char *text;
        const char *benchmark;
    } rows[] = {
        {"$ mpirun -np 64 osu_bcast\n\n# OSU MPI Broadcast Latency Test v7.5\n# Datatype: "
         "MPI_CHAR.\n"
         "# Size       Avg Latency(us)\n1                       7.50\n",
         "an OSU benchmark"},
        {"# OSU MPI-CUDA Reduce Latency Test v7.1\n# Size  Avg Latency(us)\n4 9.1\n",
         "an OSU benchmark"},
        {"#------------------------------------------------------------\n"
         "#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n",
         "the Intel MPI Benchmarks"},
        {"# Benchmarking Bcast \n# #processes = 64 \n"
         "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n",
         "the Intel MPI Benchmarks"},
        {"#Command-line arguments: ./mpibenchmark --calls-list=MPI_Bcast\n#@operation=MPI_BOR\n"
         "#@nprocs=32\n",
         "ReproMPI"},
        {"test nrep count runtime_sec\nMPI_Bcast 0 1 0.0000123\n", "ReproMPI"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_measured options = {.tree = "kary:4:64"};
        struct tan_waves waves;
        struct tan_measured_notes notes;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%s", rows[i].text);
        write_text(rows[i].text);
        assert_int_equal(tan_measured_read(&options, path, &waves, &notes, &e), -1);
        assert_non_null(strstr(e.text, rows[i].benchmark));
        assert_non_null(strstr(e.text, "give a table"));
    }
}

TEST(names_of_trees)
{
    static const struct {
        const char *name;
        int32_t size, height, fanout;
        const char *error;
    } rows[] = {
        {"kary:2:4", 7, 2, 2, NULL},
        {"flux:kary:2:7", 7, 2, 2, NULL},
        {"slurm:TreeWidth=50:20", 21, 1, 20, NULL},
        {"slurm@23.11:TreeWidth=50:20", 21, 1, 20, NULL},
        {"slurm@22.05.3:TreeWidth=50:20", 21, 1, 20, NULL},
        {"slurm@99.11:TreeWidth=50:20", 0, 0, 0, "this version is not known"},
        {"slurm@new:TreeWidth=50:20", 0, 0, 0, "after @ comes a version"},
        {"slurm-sbcast2:TreeWidth=50:20", 0, 0, 0, "names no tree"},
        {"prrte:rml_base_radix=3:13", 13, 2, 3, NULL},
        {"openmpi:bcast=knomial:4:16", 16, 2, 6, NULL},
        {"mrnet:kary:2:4", 0, 0, 0, "MRNet takes"},
        {"slurm:TreeWidth=4", 0, 0, 0, "such as slurm:TreeWidth=4:64"},
        {"flux", 0, 0, 0, "\"flux\": after flux come its setting and N, such as flux:kary:4:64"},
        {"flux:custom:9", 0, 0, 0,
         "Flux takes any tree by the setting custom: give the tree itself"},
        {"slurm:Width=4:9", 0, 0, 0, "Width=4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(rows[i].name, &e);
        at_row("%s", rows[i].name);
        assert_int_equal(tree != NULL, rows[i].size > 0);
        if (tree != NULL) {
            assert_int_equal(tan_tree_size(tree), rows[i].size);
            assert_int_equal(tan_tree_height(tree), rows[i].height);
            assert_int_equal(tan_tree_max_fanout(tree), rows[i].fanout);
            tan_tree_destroy(tree);
        } else {
            assert_error(e, TAN_USAGE, rows[i].error);
        }
    }
}

static int make_measured(void **state)
{
    tan_named_accept();
    return make_scratch(state);
}

RUN_TESTS(make_measured, remove_scratch)
