/* test_report.c - reports: text in pages and scripts, charts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/text.h"
#include "page/chart.h"
#include "page/gnuplot.h"
#include "page/page.h"
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

TEST(times)
{
    static const struct {
        double us;
        const char *text;
    } rows[] = {{0.0, "0 us"},         {12.3456, "12.35 us"}, {999.94, "999.9 us"},
                {999.96, "1000 us"},   {99998.0, "99998 us"}, {99999.0, "0.1 s"},
                {123456.0, "0.1235 s"}};
    char text[TAN_PAGE_TIME];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tan_page_time(rows[i].us, text), rows[i].text);
    }
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

/* gnuplot runs what is in backquotes of a text in double quotes; in single quotes only the quote
 * itself has to be written twice. */
TEST(texts_in_scripts)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "it's `reboot`", "");
    c.x.title = "a\nb";
    c.y.title = "\u00e4\xc3"; /* with a letter that was cut */
    tan_chart_add(&c, TAN_LINE, "'; system('x'); '");
    tan_chart_point(&c, 1.0, 2.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "'it''s `reboot`'"));
    assert_non_null(strstr(script, "set xlabel 'a?b'\n"));
    assert_non_null(strstr(script, "set ylabel '\u00e4?'\n"));
    assert_non_null(strstr(script, "title '''; system(''x''); '''"));
    assert_null(strchr(script, '"'));
    free(script);
    tan_chart_clear(&c);
}

/* Each mark has a command of its own, with the number of the data, the colour, the point, the dash
 * and the size that belong to the series. The ends are those that a series of one row, the fourth
 * of its chart, has: colour 3 of tan_colours, point 12, dash 5, size 0.8. */
TEST(marks_in_scripts)
{
    static const struct {
        enum tan_mark mark;
        const char *command; /* without its colour, which stands at @ */
    } rows[] = {
        {TAN_LINE, "$d3 using 1:2 with lines lw 2 dt 1 lc rgb '@' title"},
        {TAN_DASHES, "$d3 using 1:2 with lines lw 1.5 dt 5 lc rgb '@' title"},
        {TAN_RULER, "$d3 using 1:2 with lines lw 0.7 dt 1 lc rgb '#777777' title"},
        {TAN_STEPS, "$d3 using 1:2 with steps lw 2 lc rgb '@' title"},
        {TAN_POINTS, "$d3 using 1:2 with points pt 12 ps 0.8 lw 1.5 lc rgb '@' title"},
        {TAN_INTERVALS, "$d3 using 1:2:3:4 with yerrorbars pt 7 ps 0.8 lw 1.5 lc rgb '@' title"},
        {TAN_BAND,
         "$d3 using 1:2:3 with filledcurves lc rgb '@' fs transparent solid 0.2 noborder title"},
        {TAN_BOX, "$d3 using 4:1:3:5:($1-0.3):($1+0.3) with boxxyerror lc rgb '@' fs transparent "
                  "solid 0.15 border title"},
        {TAN_STACK, "$d3 using 1:3:4:5:2:3 with boxxyerror lc rgb '@' fs solid 0.75 border title"},
        {TAN_SPAN, "$d3 using 2:1:2:3:($1-0.3):($1+0.3) with boxxyerror lc rgb '@' fs solid 0.6 "
                   "border title"},
    };
    assert_int_equal(sizeof rows / sizeof *rows, TAN_MARKS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_chart c;
        tan_chart_init(&c, "x", "t", "c");
        for (int k = 0; k < 4; k++) {
            tan_chart_add(&c, k < 3 ? TAN_LINE : rows[i].mark, "s");
            tan_chart_row(&c, (const double[TAN_CHART_COLUMNS]){1, 2, 3, 4, 5, 6, 7, 8});
        }
        char wanted[256];
        const char *at = strchr(rows[i].command, '@');
        snprintf(wanted, sizeof wanted, "%.*s%s%s",
                 at == NULL ? (int)strlen(rows[i].command) : (int)(at - rows[i].command),
                 rows[i].command, at == NULL ? "" : tan_colours[3], at == NULL ? "" : at + 1);
        char *script = script_of(&c);
        assert_non_null(strstr(script, wanted));
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
    tan_chart_point(&c, 1.0, 1.0); /* of no series */
    tan_chart_add(&c, TAN_POINTS, "s");
    assert_false(tan_chart_has_data(&c));
    tan_chart_point(&c, 1.0, 0.0);
    tan_chart_point(&c, 1.0, -1.0);
    tan_chart_point(&c, NAN, 1.0);
    tan_chart_point(&c, 1.0, INFINITY);
    assert_false(tan_chart_has_data(&c));
    tan_chart_point(&c, -1.0, 1.0); /* that axis is linear */
    assert_true(tan_chart_has_data(&c));
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
    tan_chart_point(&c, 1.0, 300.0);
    tan_chart_point(&c, 9e6, 4000.0);
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
    tan_chart_point(&c, 1e308, 1e308);
    tan_chart_point(&c, 1e-308, 1.0);
    tan_chart_note(&c, 1e308, 1.0, "far");
    assert_int_equal(c.series[0].n, 2);
    assert_int_equal(c.notes, 0);
    tan_chart_clear(&c);
}

/* Texts near one place stand above each other: 15 of 359 pixels are a line. */
TEST(notes_keep_apart)
{
    enum { NOTES = 4 };
    struct tan_chart c;
    double across[NOTES];
    double up[NOTES];
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_POINTS, "s");
    tan_chart_point(&c, 0.0, 0.0);
    tan_chart_point(&c, 2.0, 2.0);
    for (int i = 0; i < NOTES; i++) {
        tan_chart_note(&c, 1.0, 1.0 + 1e-6 * i, "text");
    }
    char *script = script_of(&c);
    const char *at = script;
    for (int i = 0; i < NOTES; i++) {
        at = strstr(at, " offset ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, " offset screen %lf, screen %lf", &across[i], &up[i]), 2);
        at++;
        for (int k = 0; k < i; k++) {
            assert_true(across[i] * across[k] < 0.0 || fabs(up[i] - up[k]) > 0.99 * 15 / 359);
        }
    }
    free(script);
    tan_chart_clear(&c);
}

/* Where one axis alone is logarithmic, a text of 80 pixels beside 0.87 of the other 365 has no room
 * on the right of its place; on a linear axis the place would be 0.3. */
TEST(notes_on_axes_of_two_kinds)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    c.x.log = true;
    tan_chart_add(&c, TAN_POINTS, "s");
    tan_chart_point(&c, 1.0, 1.0);
    tan_chart_point(&c, 10000.0, 9.0);
    tan_chart_note(&c, 3000.0, 5.0, "ten words.");
    char *script = script_of(&c);
    assert_non_null(
        strstr(script, "set label 1 'ten words.' at first 3000, first 5 right offset screen -"));
    free(script);
    tan_chart_clear(&c);
}

/* Of 80 pixels there is no room on the right of 345 of 365, and beside it on the left, above, is
 * the mark of another, 292 to 304: the text from 259 to 339 goes below, 10.5 of the chart's 359
 * pixels to its middle, and 6 of 520 aside. */
TEST(notes_left_of_their_places)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_POINTS, "s");
    tan_chart_point(&c, 0.0, 0.0);
    tan_chart_point(&c, 365.0, 220.0);
    tan_chart_note(&c, 345.0, 100.0, "ten words.");
    tan_chart_note(&c, 298.0, 110.5, "s");
    char *script = script_of(&c);
    assert_non_null(strstr(script, "set label 1 'ten words.' at first 345, first 100 right offset "
                                   "screen -0.0115, screen -0.0292 "));
    free(script);
    tan_chart_clear(&c);
}

/* Above its place a text of 8 by 15 pixels would cover a line, 10 pixels above, from the left end
 * to 20 pixels right of the place; so it goes below. */
TEST(notes_beside_lines)
{
    struct tan_chart c;
    for (int steps = 0; steps < 2; steps++) {
        tan_chart_init(&c, "x", "t", "c");
        tan_chart_add(&c, steps ? TAN_STEPS : TAN_LINE, "s");
        tan_chart_point(&c, 0.0, 110.0);
        tan_chart_point(&c, 120.0, 110.0);
        tan_chart_point(&c, 120.0, 220.0);
        tan_chart_add(&c, TAN_LINE, "p");
        tan_chart_point(&c, 365.0, 0.0);
        tan_chart_note(&c, 100.0, 100.0, "a");
        tan_chart_note(&c, 120.0, 100.0, "b");
        char *script = script_of(&c);
        assert_non_null(strstr(script, "'a' at first 100, first 100 left offset screen 0.0115, "
                                       "screen -0.0"));
        assert_non_null(strstr(script, "'b' at first 120, first 100 left offset screen 0.0115, "
                                       "screen "));
        free(script);
        tan_chart_clear(&c);
    }
}

/* A text of 408 pixels fits nowhere beside the middle of 365, and takes the last of twelve places:
 * on the left, 2.7 lines of 15 pixels below. */
TEST(notes_without_room)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_POINTS, "s");
    tan_chart_point(&c, 0.0, 0.0);
    tan_chart_point(&c, 2.0, 2.0);
    tan_chart_note(&c, 1.0, 1.0, "a text of fifty-one letters, which is very long....");
    char *script = script_of(&c);
    assert_non_null(
        strstr(script, "' at first 1, first 1 right offset screen -0.0115, screen -0.1128 "));
    free(script);
    tan_chart_clear(&c);
}

/* A bar begins where those of its place before it end: 1 to 3 on 0 to 1, at places 0.65 to 1.35. */
TEST(stacks_add_up)
{
    struct tan_chart c;
    tan_chart_init(&c, "x", "t", "c");
    tan_chart_add(&c, TAN_STACK, "below");
    tan_chart_point(&c, 1.0, 1.0);
    tan_chart_point(&c, 2.0, 5.0);
    tan_chart_add(&c, TAN_STACK, "above");
    tan_chart_point(&c, 1.0, 2.0);
    char *script = script_of(&c);
    assert_non_null(strstr(script, "$d0 << EOD\n1 0 1 0.65 1.35\n2 0 5 1.65 2.35\nEOD\n"));
    assert_non_null(strstr(script, "$d1 << EOD\n1 1 3 0.65 1.35\nEOD\n"));
    free(script);
    tan_chart_clear(&c);
}

/* The header goes, names get the chart's in front, and definitions that nothing uses go. */
TEST(element_of_a_plot)
{
    static const char svg[] =
        "<?xml version=\"1.0\"?>\n<svg width=\"6\" viewBox=\"0 0 6 4\" xmlns=\"x\">\n"
        "<title>Gnuplot</title><desc>Produced</desc>\n<g id=\"canvas\"><defs>\n"
        "<path id='used' d='M0'/>\n<path id='idle' d='M1'/>\n"
        "<filter id='box'>\n<feFlood/>\n</filter>\n</defs>\n"
        "<g stroke=\"none\" stroke-linecap=\"butt\">\n</g>\n"
        "<use xlink:href='#used' stroke-width=\"1.00\" stroke-linejoin=\"miter\"/>\n</g></svg>\n";
    char *text = tan_svg_element(svg, "n", "a<b", "c&d");
    assert_non_null(text);
    assert_null(strstr(text, "Gnuplot"));
    assert_non_null(strstr(text, "viewBox=\"0 0 6 4\""));
    assert_null(strstr(text, "width="));
    assert_non_null(strstr(text, "aria-labelledby=\"n-t n-d\""));
    assert_non_null(strstr(text, "<title id=\"n-t\">a&lt;b</title>"));
    assert_non_null(strstr(text, "<desc id=\"n-d\">c&amp;d</desc>"));
    assert_non_null(strstr(text, "<g id=\"n-canvas\">"));
    assert_non_null(strstr(text, "id='n-used'"));
    assert_non_null(strstr(text, "href='#n-used'"));
    assert_null(strstr(text, "idle"));
    assert_null(strstr(text, "filter"));
    assert_null(strstr(text, "stroke")); /* defaults, and a group without content */
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
        {"{n} takes {t:us}, {t:ns}, {e.k abs:share}", "N takes 2500 us, 2.5 us, 50 %", true},
        {"{t - 500 / 4 max 600 min 700:%.1f} {e.k:%+.0f} {#}", "600.0 -0 2", true},
        {"{none|t} {e.k|7} {none}", "2500 7 ", false},
        {"[a {none}][b {n:%.0f}][{?ok}c][{?!ok}d][{?n=N}e][{?n=M}f][{?!n=M}g]", "b ceg", true},
        {"{?none}x", "x", false},
        {"[*l:[{?# - 1},]{}]", "u,v", true},
        {"{l} {/list.-1.n} {/values} {.v} {@} {e.@}", "2 last 20 5 k -0.5", true},
        {"{s:name} {s * 2} {$}", "w 6 3", true},
        {"[{?s=w}a][{?s~.s}b][{?n~.s}c][{?t~/t}d][{?#~t}e][{?ok & n=N}f][{?ok & n=M}g]", "abdf",
         true},
        {"{}", "", false},
    };
    json_t *document = json_loads("{\"t\": 2500, \"values\": [10, 20], \"list\": [{}, {\"t\": "
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
