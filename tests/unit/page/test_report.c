/* test_report.c - reports: text in pages and scripts, charts, rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/text.h"
#include "page/chart.h"
#include "page/gnuplot.h"
#include "page/rows.h"

static char *escaped(const char *text)
{
    char *out = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    assert_non_null(to);
    tan_text_markup(text, SIZE_MAX, to);
    fclose(to);
    return out;
}

TEST(texts_stay_texts)
{
    char *text = escaped("<script src=\"x\">a & b's\x01\n</script>");
    assert_string_equal(text, "&lt;script src=\"x\"&gt;a &amp; b's?\n&lt;/script&gt;");
    free(text);
    text = escaped("\xc3<\u00e4\x80"); /* a letter that was cut, and half of another */
    assert_string_equal(text, "?&lt;\u00e4?");
    free(text);
}

static char *script_of(const struct tan_chart *c)
{
    char *out = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    assert_non_null(to);
    tan_gnuplot_script(c, to);
    fclose(to);
    return out;
}

static void add_point(struct tan_chart *c, double x, double y)
{
    tan_chart_row(c, (const double[TAN_CHART_COLUMNS]){x, y});
}

/* gnuplot runs what is in backquotes of a text in double quotes; in single quotes only the quote
 * itself has to be written twice. */
TEST(texts_in_scripts)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "it's `reboot`", "");
    c.x.title = "a\nb";
    c.y.title = "\u00e4\xc3"; /* with a letter that was cut */
    tan_chart_add(&c, TAN_LINE, "'; system('x'); '");
    add_point(&c, 1.0, 2.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "'it''s `reboot`'"));
    assert_non_null(strstr(script, "set xlabel 'a?b'\n"));
    assert_non_null(strstr(script, "set ylabel '\u00e4?'\n"));
    assert_non_null(strstr(script, "title '''; system(''x''); '''"));
    assert_null(strchr(script, '"'));
    free(script);
    tan_chart_clear(&c);
}

/* Each mark has columns and a style of its own; a series has the line type of its place, the next
 * one of its chart or that which it asks for. */
TEST(marks_in_scripts)
{
    static const struct {
        enum tan_mark mark;
        const char *command;
    } rows[] = {
        {TAN_LINE, "$d3 using 1:2 with lines lt 4 lw 2 title"},
        {TAN_DASHES, "$d3 using 1:2 with lines lt 4 dt 2 title"},
        {TAN_STEPS, "$d3 using 1:2 with steps lt 4 lw 2 title"},
        {TAN_POINTS, "$d3 using 1:2 with points lt 4  title"},
        {TAN_INTERVALS, "$d3 using 1:2:3:4 with yerrorbars lt 4 pt 7 title"},
        {TAN_BOX, "$d3 using 4:1:3:5:($1-0.3):($1+0.3) with boxxyerror lt 4 fs transparent solid "
                  "0.15 border title"},
        {TAN_SPAN, "$d3 using 2:1:2:3:($1-0.3):($1+0.3) with boxxyerror lt 4 fs solid 0.6 border "
                   "title"},
        {TAN_HISTOGRAM, "$d3 using 1 bins=40 with boxes lt 4 fs solid 0.6 title"},
    };
    assert_int_equal(sizeof rows / sizeof *rows, TAN_MARKS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int style = 0; style < 2; style++) {
            struct tan_chart c;
            tan_chart_init(&c, "x", "t", "c");
            for (int k = 0; k < 4; k++) {
                struct tan_series *s = tan_chart_add(&c, k < 3 ? TAN_LINE : rows[i].mark, "s");
                s->style = k == 3 && style == 1 ? 2 : 0;
                tan_chart_row(&c, (const double[TAN_CHART_COLUMNS]){1, 2, 3, 4, 5, 6, 7, 8});
            }
            char wanted[256];
            snprintf(wanted, sizeof wanted, "%s", rows[i].command);
            *(strstr(wanted, "lt 4") + 3) = style == 1 ? '2' : '4';
            char *script = script_of(&c);
            assert_non_null(strstr(script, wanted));
            assert_non_null(strstr(script, "set linetype 4 lc rgb '#a3488a' pt 12 lw 1.5 dt 1\n"));
            free(script);
            tan_chart_clear(&c);
        }
    }
}

/* The more points there are, the smaller they are. */
TEST(sizes_of_points)
{
    static const struct {
        int n;
        const char *size;
    } rows[] = {{30, "1"}, {31, "0.6"}, {100, "0.6"}, {101, "0.35"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_chart c;
        char wanted[32];
        tan_chart_init(&c, "x", "t", "c");
        tan_chart_add(&c, TAN_LINE, "s");
        for (int k = 0; k < 200; k++) {
            add_point(&c, k, k);
        }
        tan_chart_add(&c, TAN_POINTS, "s");
        for (int k = 0; k < rows[i].n; k++) {
            add_point(&c, k, k);
        }
        char *script = script_of(&c);
        snprintf(wanted, sizeof wanted, "set pointsize %s\n", rows[i].size);
        assert_non_null(strstr(script, wanted));
        free(script);
        tan_chart_clear(&c);
    }
}

/* Lines go from left to right, whatever the order of their rows, and points at one place keep
 * theirs. */
TEST(lines_from_left_to_right)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_LINE, "s");
    add_point(&c, 3.0, 1.0);
    add_point(&c, 1.0, 2.0);
    add_point(&c, 3.0, 3.0);
    tan_chart_add(&c, TAN_POINTS, "p");
    add_point(&c, 3.0, 1.0);
    add_point(&c, 1.0, 2.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "$d0 << EOD\n1 2\n3 1\n3 3\nEOD\n"));
    assert_non_null(strstr(script, "$d1 << EOD\n3 1\n1 2\nEOD\n"));
    free(script);
    assert_true(tan_chart_keep(&c));
    tan_chart_add(&c, TAN_POINTS, "empty");
    assert_false(tan_chart_keep(&c));
    assert_int_equal(c.n, 2);
    tan_chart_clear(&c);
}

/* Both axes have the range of both, 1 to 1000, so that equal values are on the diagonal. */
TEST(diagonals)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    c.x.log = true;
    c.y.log = true;
    c.diagonal = true;
    tan_chart_add(&c, TAN_POINTS, "s");
    add_point(&c, 10.0, 1.0);
    add_point(&c, 1000.0, 100.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "set xrange [0.9999:1000.1]\n"));
    assert_non_null(strstr(script, "set yrange [0.9999:1000.1]\n"));
    assert_non_null(strstr(script, "x*1.1 with lines"));
    free(script);
    tan_chart_clear(&c);
}

/* The legend has one column if any title is too long for two, wherever it is. */
TEST(columns_of_a_legend)
{
    static const char *const titles[] = {"s", "a title that is much too long for half of a figure"};
    for (int first = 0; first < 2; first++) {
        struct tan_chart c;
        tan_chart_init(&c, "x", "t", "c");
        for (int i = 0; i < 4; i++) {
            tan_chart_add(&c, TAN_POINTS, titles[i == 3 * first]);
            add_point(&c, i, i);
        }
        char *script = script_of(&c);
        assert_non_null(strstr(script, "set key maxrows 4\n"));
        free(script);
        tan_chart_clear(&c);
    }
}

/* What cannot be drawn is left out. */
TEST(rows_that_cannot_be_drawn)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    c.y.log = true;
    add_point(&c, 1.0, 1.0); /* of no series */
    tan_chart_add(&c, TAN_POINTS, "s");
    assert_false(tan_chart_longest(&c) > 0);
    add_point(&c, 1.0, 0.0);
    add_point(&c, 1.0, -1.0);
    add_point(&c, NAN, 1.0);
    add_point(&c, 1.0, INFINITY);
    assert_false(tan_chart_longest(&c) > 0);
    add_point(&c, -1.0, 1.0); /* that axis is linear */
    assert_true(tan_chart_longest(&c) > 0);
    assert_int_equal(c.series[0].n, 1);
    /* values of a horizontal bar belong to the other axis */
    tan_chart_add(&c, TAN_SPAN, "bar");
    tan_chart_row(&c, (const double[TAN_CHART_COLUMNS]){1.0, -2.0, 3.0});
    tan_chart_row(&c, (const double[TAN_CHART_COLUMNS]){0.0, 2.0, 3.0});
    assert_int_equal(c.series[1].n, 1);
    assert_false(c.failed);
    tan_chart_clear(&c);
}

/* Logarithmic axes have units at their tics, and end at 1, 2 or 5. */
TEST(logarithmic_axes)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    c.x.title = "bytes";
    c.y.title = "wave, us";
    c.x.log = true;
    c.y.log = true;
    tan_chart_add(&c, TAN_POINTS, "s");
    add_point(&c, 1.0, 300.0);
    add_point(&c, 9e6, 4000.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "set xrange [0.9999:10001000]\n"));
    assert_non_null(strstr(script, "'10k' 10000"));
    assert_non_null(strstr(script, "'1M' 1000000"));
    assert_non_null(strstr(script, "set ylabel 'wave'\n"));
    assert_non_null(strstr(script, "set yrange [199.98:5000.5]\n"));
    assert_non_null(strstr(script, "'500 us' 500"));
    assert_non_null(strstr(script, "'2 ms' 2000"));
    free(script);
    /* values beyond all measure are none */
    add_point(&c, 1e308, 1e308);
    add_point(&c, 1e-308, 1.0);
    assert_int_equal(c.series[0].n, 2);
    tan_chart_clear(&c);
}

/* Tics of linear axes are at round places, from the last below the data to the first above, and
 * times have units; points at the ends have a fifth of a step beside them. */
TEST(linear_axes)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    c.x.title = "rank";
    c.y.title = "time, us";
    tan_chart_add(&c, TAN_POINTS, "s");
    add_point(&c, 3.0, 1e6);
    add_point(&c, 200000.0, 6.9e6);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "set xrange [-10000:210000]\n"
                                   "set xtics ('0' 0, '50000' 50000, '100000' 100000, '150000' "
                                   "150000, '200000' 200000)\n"));
    assert_non_null(strstr(script, "set ylabel 'time'\nset yrange [0:7000000]\n"
                                   "set ytics ('0' 0, '1 s' 1000000, '2 s' 2000000, "));
    free(script);
    tan_chart_clear(&c);
    tan_chart_init(&c, "x", "t", "c");
    c.x.title = "added, ns";
    tan_chart_add(&c, TAN_POINTS, "s");
    add_point(&c, 0.0, 1.0);
    add_point(&c, 1e6, 1.0);
    script = script_of(&c);
    assert_non_null(strstr(script, "set xlabel 'added'\n"));
    assert_non_null(strstr(script, "'200 us' 200000, '400 us' 400000, "));
    assert_non_null(strstr(script, ", '1 ms' 1000000)"));
    free(script);
    tan_chart_clear(&c);
    /* steps that the numbers are too large for end, too */
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_POINTS, "s");
    add_point(&c, 1e16, -1e-300);
    add_point(&c, 1e16 + 2.0, -1e-300);
    free(script_of(&c));
    tan_chart_clear(&c);
}

/* The header goes, names get the chart's in front, points are thicker, and white discs go. */
TEST(element_of_a_plot)
{
    static const char svg[] =
        "<?xml version=\"1.0\"?>\n<svg width=\"6\" viewBox=\"0 0 6 4\" xmlns=\"x\">\n"
        "<title>Gnuplot</title><desc>Produced</desc>\n<g id=\"canvas\"><defs>\n"
        "<path id='used' d='M0' stroke-width='0.222'/>\n</defs>\n"
        "<use xlink:href='#used' color='white'/>\n"
        "<use xlink:href='#used' color='black'/>\n</g></svg>\n";
    char *text = tan_svg_element(svg, "n", "a<b", "c&d");
    assert_non_null(text);
    assert_null(strstr(text, "Gnuplot"));
    assert_non_null(strstr(text, "viewBox=\"0 0 6 4\""));
    assert_null(strstr(text, " width="));
    assert_non_null(strstr(text, "aria-labelledby=\"n-t n-d\""));
    assert_non_null(strstr(text, "<title id=\"n-t\">a&lt;b</title>"));
    assert_non_null(strstr(text, "<desc id=\"n-d\">c&amp;d</desc>"));
    assert_non_null(strstr(text, "<g id=\"n-canvas\">"));
    assert_non_null(strstr(text, "id='n-used'"));
    assert_non_null(strstr(text, "href='#n-used'"));
    assert_non_null(strstr(text, "stroke-width='0.45'"));
    assert_null(strstr(text, "white"));
    free(text);
    assert_null(tan_svg_element("no SVG", "n", "", ""));
    assert_null(tan_svg_element("<svg viewBox=\"0 0 1 1\"><desc>cut", "n", "", ""));
}

/* Texts of the second entry, {"t": 2500, "s": "w=3", "e": {"k": -0.5}, "n": "N", "ok": true}, of
 * three. */
TEST(texts_of_rows)
{
    static const struct {
        const char *format, *text;
        bool complete;
    } rows[] = {
        {"{n} takes {t:ns}, {e.k abs:share}", "N takes 2.500 us, 50 %", true},
        {"{t - 500 / 4 max 600:%.1f} {e.k:%+.0f} {#}", "600.0 -0 2", true},
        {"{none|t} {e.k|7} {none}", "2500 7 ", false},
        {"[a {none}][b {n:%.0f}][{?ok}c][{?!ok}d][{?n=N}e][{?n=M}f][{?!n=M}g]", "b ceg", true},
        {"{?none}x", "x", false},
        {"[*l:[{?# - 1},]{}]", "u,v", true},
        {"{l} {/list.-1.n} {/values} {.v} {@} {e.@}", "2 last 20 5 k -0.5", true},
        {"{s:name} {s * 2} {$}", "w 6 3", true},
        {"[{?s=w}a][{?s~.s}b][{?n~.s}c][{?t~/t}d][{?#~t}e][{?ok & n=N}f][{?ok & n=M}g]", "abdf",
         true},
        {"{}", "", false},
        {"{t:%.3g} {/small:%.4g} {/list%t} {/list%none} {/ratio * 1}", "2500 0 2 1 32", true},
        {"[{?none~nothing}a][{?!none~t}b]", "ab", true},
    };
    json_t *document = json_loads("{\"t\": 2500, \"small\": 9e-7, \"ratio\": \"nto1:32\", "
                                  "\"values\": [10, 20], \"list\": [{}, {\"t\": "
                                  "2500, \"s\": \"w=3\", \"e\": {\"k\": "
                                  "-0.5}, \"n\": \"N\", \"ok\": true, \"l\": [\"u\", \"v\"]}, "
                                  "{\"n\": \"last\"}], \"each\": {\"v\": 5, \"s\": \"w=\"}}",
                                  0, NULL);
    assert_non_null(document);
    const struct tan_place at = {.document = document,
                                 .each = json_object_get(document, "each"),
                                 .entry = json_array_get(json_object_get(document, "list"), 1),
                                 .key = "k",
                                 .i = 1,
                                 .names = 2};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[100];
        const bool complete = tan_place_text(&at, rows[i].format, text, sizeof text);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(complete, rows[i].complete);
    }
    json_decref(document);
}

RUN_TESTS(NULL, NULL)
