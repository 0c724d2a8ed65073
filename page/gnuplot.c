/* gnuplot.c - charts drawn by gnuplot, and its SVG as an element of a page
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "page/chart.h"
#include "page/program.h"

/* Point of each series, which has its own besides its colour; first open ones, which stay visible
 * where they overlap. Where colours recur, points differ. */
static const int points[] = {6, 4, 8, 12, 10, 7, 5, 14, 2, 1};
enum { TYPES = sizeof points / sizeof points[0] };

/* Pixels: width and height of a chart, small enough for a phone; height of a name on the y axis and
 * of a row of the legend; and estimates, since only gnuplot knows them, of a letter's width, and
 * of the width inside the axes. */
enum { WIDTH = 520, HEIGHT = 340, NAME = 24, ENTRY = 19, LETTER = 8, INSIDE = 365 };

/* gnuplot takes strings in single quotes literally, except for the quote. A code point that was cut
 * would make its drawing invalid. */
static void write_text(const char *text, FILE *to)
{
    fputc('\'', to);
    for (const char *c = text; *c != '\0';) {
        const size_t length = tan_text_code_point(c);
        if (*c == '\'') {
            fputs("''", to);
        } else if (length == 0 || tan_control_length(c) > 0) {
            fputc('?', to);
        } else {
            fwrite(c, 1, length, to);
        }
        c += length > 0 ? length : 1;
    }
    fputc('\'', to);
}

/* Microseconds in a unit of an axis with times, "wave, us", whose tics have units; 0 for others. */
static double microseconds_of(const struct tan_axis *axis)
{
    const size_t length = axis->title == NULL ? 0 : strlen(axis->title);
    const char *unit = length > 4 ? axis->title + length - 4 : "";
    return strcmp(unit, ", us") == 0 ? 1.0 : strcmp(unit, ", ns") == 0 ? 1e-3 : 0.0;
}

/* At most: names on the x axis, and decades of an axis that all have labels. */
enum { NAMES_ACROSS = 24, DECADES = 5 };

static void write_names(const struct tan_axis *axis, char letter, FILE *to)
{
    const size_t step = letter == 'x' ? 1 + (axis->names - 1) / NAMES_ACROSS : 1;
    size_t letters = 0;
    fprintf(to, "set %ctics (", letter);
    for (size_t i = 0; i < axis->names; i += step) {
        fputs(i > 0 ? ", " : "", to);
        write_text(axis->name[i], to);
        fprintf(to, " %zu", i + 1);
        letters += strlen(axis->name[i]) + 2;
    }
    fputs(")\n", to);
    if (letter == 'y') {
        fprintf(to, "set yrange [%zu.6:0.4]\n", axis->names);
    } else {
        fprintf(to, "set xrange [0.4:%zu.6]\n", axis->names);
        fputs(letters * LETTER > INSIDE ? "set xtics rotate by 30 right\n" : "", to);
    }
}

/* Label and position of a tic on a logarithmic axis: "10 ms" for 1e4 us, "10k" for 1e4. */
static void write_place(double at, double microseconds, FILE *to)
{
    const bool is_time = microseconds > 0.0;
    const double value = is_time ? at * microseconds : at;
    static const struct {
        double from;
        const char *of_times, *of_numbers;
    } units[] = {{1e9, NULL, "G"}, {1e6, " s", "M"}, {1e3, " ms", "k"}, {1.0, " us", ""}};
    size_t i = is_time;
    for (; i < 3 && value < units[i].from * 0.999; i++) {
    }
    if (is_time && value < 0.999) {
        fprintf(to, "'%.3g ns' %.9g", value * 1e3, at);
    } else {
        fprintf(to, "'%.4g%s' %.9g", value / units[i].from,
                is_time ? units[i].of_times : units[i].of_numbers, at);
    }
}

/* The nearest of 1, 2, 5, 10, 20 etc. that is not above the value; `up`: not below it. */
static double round_place(double value, bool up)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double decade = pow(10.0, floor(log10(value)));
    int i = up ? 0 : 3;
    while (up ? i < 3 && steps[i] * decade < value * 0.999999
              : i > 0 && steps[i] * decade > value * 1.000001) {
        i += up ? 1 : -1;
    }
    return steps[i] * decade;
}

/* Tics at 1, 2 and 5 in each decade if there are few, otherwise at decades, some without labels. */
static void write_logarithmic(const struct tan_chart *c, char letter, double low, double high,
                              FILE *to)
{
    const struct tan_axis *axis = letter == 'x' ? &c->x : &c->y;
    const int few = letter == 'x' && c->y.names > 0 ? 1 : 2; /* names take up space */
    const double microseconds = microseconds_of(axis);
    const double from = round_place(low, false);
    const double end = round_place(low < high ? high : 2.0 * low, true);
    const int decades = (int)ceil(log10(end / from) - 1e-6);
    const int step = 1 + (decades - 1) / DECADES;
    const char *separator = "";
    /* slightly larger range, since gnuplot drops tics at the ends due to rounding */
    fprintf(to, "set logscale %c\nset %crange [%.9g:%.9g]\nset %ctics (", letter, letter,
            from * 0.9999, end * 1.0001, letter);
    for (int d = (int)floor(log10(from) + 1e-6); pow(10.0, d) <= end * 1.000001; d++) {
        for (int k = 1; k < 10; k++) {
            const double at = k * pow(10.0, d);
            const bool outer = k == 2 ? at < from * 1.000001 : at > end * 0.999999;
            const bool named =
                k == 1 ? d % step == 0 : decades <= (outer ? 3 : few) && (k == 2 || k == 5);
            if (at < from * 0.999999 || at > end * 1.000001 || (!named && decades > DECADES)) {
                continue;
            }
            fputs(separator, to);
            separator = ", ";
            if (named) {
                write_place(at, microseconds, to);
            } else {
                fprintf(to, "'' %.9g 1", at);
            }
        }
    }
    fputs(")\n", to);
}

/* Tics of a linear axis, of times with units, and few beside names, which leave little space. */
static void write_linear(const struct tan_chart *c, char letter, double low, double high, FILE *to)
{
    enum { MARGINS = 70, LABEL = 7 * LETTER, UP = 9, MOST = 20 };
    const double microseconds = microseconds_of(letter == 'x' ? &c->x : &c->y);
    size_t longest = 0;
    for (size_t i = 0; i < c->y.names; i++) {
        const size_t length = strlen(c->y.name[i]);
        longest = length > longest ? length : longest;
    }
    const double across = fmax(2.0, (WIDTH - MARGINS - LETTER * (double)longest) / LABEL);
    const double step = round_place((high - low) / ((letter == 'x' ? across : UP) - 1.0), true);
    const double first = floor(low / step);
    const double last = ceil(high / step);
    /* points at the ends are drawn whole */
    const double margin = letter == 'x' && c->y.names == 0 ? 0.2 : 0.0;
    fprintf(to, "set %crange [%.9g:%.9g]\nset %ctics (", letter, (first - margin) * step,
            (last + margin) * step, letter);
    for (int i = 0; i <= last - first && i < MOST; i++) {
        const double at = (first + i) * step;
        fputs(i > 0 ? ", " : "", to);
        if (microseconds > 0.0 && at != 0.0) {
            write_place(at, microseconds, to);
        } else {
            fprintf(to, "'%.6g' %.9g", at, at);
        }
    }
    fputs(")\n", to);
}

/* Of charts with a diagonal both axes have the range of both. */
static void range_of(const struct tan_chart *c, char letter, double *low, double *high)
{
    tan_chart_range(c, letter, low, high);
    if (c->diagonal) {
        double other[2];
        tan_chart_range(c, letter == 'x' ? 'y' : 'x', &other[0], &other[1]);
        *low = fmin(*low, other[0]);
        *high = fmax(*high, other[1]);
    }
}

static void write_axis(const struct tan_chart *c, char letter, FILE *to)
{
    const struct tan_axis *axis = letter == 'x' ? &c->x : &c->y;
    double low;
    double high;
    range_of(c, letter, &low, &high);
    if (axis->title != NULL) {
        const size_t length = strlen(axis->title) - (microseconds_of(axis) > 0.0 ? 4 : 0);
        fprintf(to, "set %clabel ", letter);
        write_text(tan_printed("%.*s", (int)length, axis->title).text, to);
        fputc('\n', to);
    }
    if (axis->names > 0) {
        write_names(axis, letter, to);
    } else if (axis->log && low <= high) {
        write_logarithmic(c, letter, low, high, to);
    } else if (low < high || (letter == 'y' && low > 0.0 && low <= high)) {
        write_linear(c, letter, letter == 'y' ? fmin(low, 0.0) : low, high, to);
    } else if (letter == 'y') {
        fputs("set yrange [0:*]\n", to);
    }
}

static void write_data(const struct tan_series *s, size_t number, FILE *to)
{
    fprintf(to, "$d%zu << EOD\n", number);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < tan_marks[s->mark].columns; k++) {
            fprintf(to, "%s%.9g", k > 0 ? " " : "", s->row[i][k]);
        }
        fputc('\n', to);
    }
    fputs("EOD\n", to);
}

/* What gnuplot is told of each mark: columns, style, and what differs from the line type. */
static const struct {
    const char *columns, *style, *more;
} marks[TAN_MARKS] = {
    [TAN_LINE] = {"1:2", "lines", "lw 2"},
    [TAN_DASHES] = {"1:2", "lines", "dt 2"},
    [TAN_STEPS] = {"1:2", "steps", "lw 2"},
    [TAN_POINTS] = {"1:2", "points", ""},
    [TAN_INTERVALS] = {"1:2:3:4", "yerrorbars", "pt 7"},
    [TAN_BOX] = {"4:1:3:5:($1-0.3):($1+0.3)", "boxxyerror", "fs transparent solid 0.15 border"},
    [TAN_SPAN] = {"2:1:2:3:($1-0.3):($1+0.3)", "boxxyerror", "fs solid 0.6 border"},
    [TAN_HISTOGRAM] = {"1 bins=40", "boxes", "fs solid 0.6"},
};

/* Colours and points, and their size, which is less where there are many. */
static void write_types(const struct tan_chart *c, FILE *to)
{
    enum { MANY = 30, CROWD = 100 };
    size_t most = 0;
    for (size_t i = 0; i < c->n; i++) {
        const enum tan_mark mark = c->series[i].mark;
        const bool counts = mark == TAN_POINTS || mark == TAN_INTERVALS;
        most = counts && c->series[i].n > most ? c->series[i].n : most;
    }
    for (size_t i = 0; i < TYPES; i++) {
        fprintf(to, "set linetype %zu lc rgb '%s' pt %d lw 1.5 dt 1\n", i + 1,
                tan_colours[i % TAN_COLOURS], points[i]);
    }
    fprintf(to, "set pointsize %g\n", most > CROWD ? 0.35 : most > MANY ? 0.6 : 1.0);
}

static void write_plot(const struct tan_chart *c, FILE *to)
{
    static const char diagonals[] =
        ", \\\n    x with lines lc rgb '#777777' lw 0.7 dt 1 title 'as measured'"
        ", \\\n    x*1.1 with lines lc rgb '#777777' lw 0.7 dt 2 title '10 % off'"
        ", \\\n    x/1.1 with lines lc rgb '#777777' lw 0.7 dt 2 notitle"
        ", \\\n    x*1.25 with lines lc rgb '#777777' lw 0.7 dt 3 title '25 % off'"
        ", \\\n    x/1.25 with lines lc rgb '#777777' lw 0.7 dt 3 notitle";
    size_t next = 0;
    fputs("plot ", to);
    for (size_t i = 0, drawn = 0; i < c->n; i++) {
        const struct tan_series *s = &c->series[i];
        if (s->n == 0) {
            continue;
        }
        const size_t type = (s->style > 0 ? (size_t)s->style - 1 : next++) % TYPES + 1;
        fprintf(to, "%s$d%zu using %s with %s lt %zu %s %s", drawn++ > 0 ? ", \\\n    " : "", i,
                marks[s->mark].columns, marks[s->mark].style, type, marks[s->mark].more,
                s->title[0] == '\0' ? "notitle" : "title ");
        if (s->title[0] != '\0') {
            write_text(s->title, to);
        }
        if (s->mark == TAN_BOX) { /* whiskers and the median's interval */
            fprintf(to,
                    ", \\\n    $d%zu using 4:1:2:6 with xerrorbars lt %zu pt -1 notitle"
                    ", \\\n    $d%zu using 4:1:7:8 with xerrorbars lt %zu pt 7 lw 3 notitle",
                    i, type, i, type + 1);
        }
    }
    fprintf(to, "%s\n", c->diagonal ? diagonals : "");
}

/* Rows of the legend, which has two columns if there is enough space. */
static int legend_rows(const struct tan_chart *c)
{
    enum { MARK = 75 }; /* pixels of the sample beside a title */
    size_t longest = 0;
    int entries = c->diagonal ? 3 : 0;
    for (size_t i = 0; i < c->n; i++) {
        const size_t length = c->series[i].n > 0 ? strlen(c->series[i].title) : 0;
        entries += length > 0;
        longest = length > longest ? length : longest;
    }
    return MARK + LETTER * longest < WIDTH / 2 ? (entries + 1) / 2 : entries;
}

static int height_of(const struct tan_chart *c)
{
    const int of_names = 140 + NAME * (int)(c->y.names < 60 ? c->y.names : 60);
    return (c->y.names > 0 ? of_names : HEIGHT) + ENTRY * legend_rows(c);
}

void tan_gnuplot_script(const struct tan_chart *c, FILE *to)
{
    fprintf(to,
            "set terminal svg size %d,%d fixed noenhanced font 'sans-serif,15'\n"
            "# %s: ",
            WIDTH, height_of(c), c->name);
    write_text(c->title, to);
    fputs("\nset encoding utf8\nset border 3\nset tics nomirror out\nset grid ytics lc rgb "
          "'#bbbbbb' lw 0.5\nset key at screen 0.02, screen 0.98 left top vertical Left reverse "
          "samplen 2\n"
          "set datafile missing 'NaN'\nset pointintervalbox 0\n",
          to);
    const int rows = legend_rows(c);
    fprintf(to, "set key maxrows %d\nset tmargin %d\n", rows > 0 ? rows : 1, rows + 1);
    write_axis(c, 'x', to);
    write_axis(c, 'y', to);
    write_types(c, to);
    for (size_t i = 0; i < c->n; i++) {
        write_data(&c->series[i], i, to);
    }
    write_plot(c, to);
}

/* What precedes ids and references to them; the chart's name is inserted after it. */
static const char *const before_ids[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

/* Length of such a text at `at`; 0 if there is none. */
static size_t id_starts(const char *at)
{
    for (size_t i = 0; i < sizeof before_ids / sizeof before_ids[0]; i++) {
        const size_t length = strlen(before_ids[i]);
        if (strncmp(at, before_ids[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Length of a white disc at `at`, 0 if there is none. gnuplot draws it below the point of an
 * interval, where it would hide its surroundings, and show on dark backgrounds. */
static size_t white_disc(const char *at)
{
    static const char close[] = "color='white'/>";
    const size_t length = strncmp(at, "<use ", 5) == 0 ? strcspn(at, ">") + 1 : 0;
    return length >= sizeof close && at[length - 1] == '>' &&
                   strncmp(at + length - (sizeof close - 1), close, sizeof close - 1) == 0
               ? length
               : 0;
}

static void write_body(const char *at, const char *end, const char *name, FILE *to)
{
    /* gnuplot's points are thin */
    static const char thin[] = "stroke-width='0.222'";
    while (at < end) {
        const size_t id = id_starts(at);
        const size_t disc = white_disc(at);
        if (disc > 0) {
            at += disc;
        } else if (strncmp(at, thin, sizeof thin - 1) == 0) {
            fputs("stroke-width='0.45'", to);
            at += sizeof thin - 1;
        } else if (id > 0) {
            fprintf(to, "%.*s%s-", (int)id, at, name);
            at += id;
        } else {
            fputc(*at++, to);
        }
    }
}

char *tan_svg_element(const char *svg, const char *name, const char *title, const char *caption)
{
    const char *box = strstr(svg, "viewBox=\"");
    const char *head_end = box == NULL ? NULL : strchr(box, '>');
    const char *body = head_end == NULL ? NULL : strstr(head_end, "</desc>");
    const char *end = body == NULL ? NULL : strstr(body, "</svg>");
    char *text = NULL;
    size_t length;
    if (end == NULL) {
        return NULL;
    }
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        return NULL;
    }
    const int box_length = (int)(strchr(box + strlen("viewBox=\""), '"') + 1 - box);
    fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "class=\"chart\" role=\"img\" aria-labelledby=\"%s-t %s-d\" %.*s>\n<title id=\"%s-t\">",
        name, name, box_length, box, name);
    tan_text_markup(title, SIZE_MAX, to);
    fprintf(to, "</title>\n<desc id=\"%s-d\">", name);
    tan_text_markup(caption, SIZE_MAX, to);
    fputs("</desc>", to);
    write_body(body + strlen("</desc>"), end, name, to);
    fputs("</svg>\n", to);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static char *read_drawing(FILE *from, struct tan_error *e)
{
    const long length = fseek(from, 0, SEEK_END) < 0 ? -1 : ftell(from);
    char *text = length < 0 ? NULL : calloc((size_t)length + 1, 1);
    rewind(from);
    if (text == NULL || fread(text, 1, (size_t)length, from) != (size_t)length) {
        tan_fail_errno(e, "cannot read a temporary file");
        free(text);
        return NULL;
    }
    return text;
}

/* Run the script, with `drawing` as a file for gnuplot's output. Returns the element; malloc'd. */
static char *run_gnuplot(const struct tan_chart *c, FILE *script, FILE *drawing,
                         struct tan_error *e)
{
    const char *const argv[] = {"gnuplot", "-d", "-", NULL};
    rewind(script);
    if (tan_program_run(argv, c->name, fileno(script), fileno(drawing), e) < 0) {
        return NULL;
    }
    char *text = read_drawing(drawing, e);
    char *element = text == NULL ? NULL : tan_svg_element(text, c->name, c->title, c->caption);
    if (text != NULL && element == NULL) {
        tan_fail(e, "gnuplot wrote no SVG for %s", c->name);
    }
    free(text);
    return element;
}

/* The temporary files have no names, so that an interrupted program leaves none behind. */
char *tan_gnuplot_svg(const struct tan_chart *c, struct tan_error *e)
{
    FILE *script = tmpfile();
    FILE *drawing = script == NULL ? NULL : tmpfile();
    char *element = NULL;
    if (drawing != NULL) {
        tan_gnuplot_script(c, script);
    }
    if (drawing == NULL || !tan_output_flush(script)) {
        tan_fail_errno(e, "cannot write a temporary file");
    } else {
        element = run_gnuplot(c, script, drawing, e);
    }
    if (drawing != NULL) {
        fclose(drawing);
    }
    if (script != NULL) {
        fclose(script);
    }
    return element;
}
