/* gnuplot.c - charts drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "page/chart.h"
#include "page/program.h"

/* Point of each series, which has its own besides its colour; open ones, which stay visible where
 * they overlap. */
static const int points[TAN_COLOURS] = {6, 4, 8, 12, 10, 7, 5};

/* Pixels: width and height of a chart, small enough for a phone; height of a name on the y axis and
 * of a row of the legend; and estimates, since only gnuplot knows them, of a letter's width, and of
 * width and height of the area inside the axes. */
enum { WIDTH = 520, HEIGHT = 340, NAME = 24, ENTRY = 19, LETTER = 8, INSIDE = 365, TOP = 220 };

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

/* Whether an axis has times, "wave, us": if it is logarithmic, its tics have units. */
static bool is_microseconds(const struct tan_axis *axis)
{
    const size_t length = axis->title == NULL ? 0 : strlen(axis->title);
    return length > 4 && strcmp(axis->title + length - 4, ", us") == 0;
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
static void write_place(double value, bool microseconds, FILE *to)
{
    static const struct {
        double from;
        const char *of_times, *of_numbers;
    } units[] = {{1e9, NULL, "G"}, {1e6, " s", "M"}, {1e3, " ms", "k"}, {1.0, " us", ""}};
    size_t i = microseconds;
    for (; i < 3 && value < units[i].from * 0.999; i++) {
    }
    if (microseconds && value < 0.999) {
        fprintf(to, "'%.3g ns' %.9g", value * 1e3, value);
    } else {
        fprintf(to, "'%.3g%s' %.9g", value / units[i].from,
                microseconds ? units[i].of_times : units[i].of_numbers, value);
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
    const bool microseconds = is_microseconds(axis);
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

/* Tics of the x axis beside names, which leave gnuplot less space than it assumes. */
static void write_few_tics(const struct tan_chart *c, double low, double high, FILE *to)
{
    enum { MARGINS = 70, LABEL = 7 * LETTER };
    size_t longest = 0;
    for (size_t i = 0; i < c->y.names; i++) {
        const size_t length = strlen(c->y.name[i]);
        longest = length > longest ? length : longest;
    }
    const double labels = fmax(2.0, (WIDTH - MARGINS - LETTER * (double)longest) / LABEL);
    if (high > low) {
        fprintf(to, "set xtics %.9g\n", round_place((high - low) / (labels - 1.0), true));
    }
}

/* Share of a linear x axis that is left free on either side of points. */
#define MARGIN 0.04

static bool has_points(const struct tan_chart *c)
{
    bool found = false;
    for (size_t i = 0; i < c->n; i++) {
        const enum tan_mark mark = c->series[i].mark;
        found = found || (c->series[i].n > 0 && (mark == TAN_POINTS || mark == TAN_INTERVALS));
    }
    return found;
}

static void write_axis(const struct tan_chart *c, char letter, FILE *to)
{
    const struct tan_axis *axis = letter == 'x' ? &c->x : &c->y;
    double low;
    double high;
    tan_chart_range(c, letter, &low, &high);
    if (axis->title != NULL) {
        char title[160];
        const size_t length = strlen(axis->title) - (axis->log && is_microseconds(axis) ? 4 : 0);
        snprintf(title, sizeof title, "%.*s", (int)length, axis->title);
        fprintf(to, "set %clabel ", letter);
        write_text(title, to);
        fputc('\n', to);
    }
    if (axis->names > 0) {
        write_names(axis, letter, to);
    } else if (axis->log && low <= high) {
        write_logarithmic(c, letter, low, high, to);
    } else if (letter == 'x' && c->y.names > 0) {
        write_few_tics(c, low, high, to);
    } else if (letter == 'x' && low < high && has_points(c)) {
        const double margin = MARGIN * (high - low);
        fprintf(to, "set xrange [%.9g:%.9g]\n", low - margin, high + margin);
    } else if (letter == 'y' && low >= 0.0) {
        fputs("set yrange [0:*]\n", to);
    }
}

static void write_data(const struct tan_series *s, size_t number, FILE *to)
{
    fprintf(to, "$d%zu << EOD\n", number);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < tan_mark_columns(s->mark); k++) {
            fprintf(to, "%s%.9g", k > 0 ? " " : "", s->row[i][k]);
        }
        fputc('\n', to);
    }
    fputs("EOD\n", to);
}

/* Each bar of a stack starts at the sum of the bars below. */
static void write_stack(const struct tan_chart *c, size_t number, FILE *to)
{
    const struct tan_series *s = &c->series[number];
    fprintf(to, "$d%zu << EOD\n", number);
    for (size_t i = 0; i < s->n; i++) {
        double from = 0.0;
        for (size_t k = 0; k < number; k++) {
            const struct tan_series *below = &c->series[k];
            for (size_t j = 0; below->mark == TAN_STACK && j < below->n; j++) {
                from += below->row[j][0] == s->row[i][0] ? below->row[j][1] : 0.0;
            }
        }
        fprintf(to, "%.9g %.9g %.9g %.9g %.9g\n", s->row[i][0], from, from + s->row[i][1],
                s->row[i][0] - 0.35, s->row[i][0] + 0.35);
    }
    fputs("EOD\n", to);
}

/* gnuplot commands by mark: %n is the number of the data, %c the colour, %p the point, %d the dash,
 * %s the point size. A title follows. */
static const char *const commands[TAN_MARKS] = {
    [TAN_LINE] = "$d%n using 1:2 with lines lw 2 dt 1 lc rgb '%c'",
    [TAN_DASHES] = "$d%n using 1:2 with lines lw 1.5 dt %d lc rgb '%c'",
    [TAN_RULER] = "$d%n using 1:2 with lines lw 0.7 dt %d lc rgb '#777777'",
    [TAN_STEPS] = "$d%n using 1:2 with steps lw 2 lc rgb '%c'",
    [TAN_POINTS] = "$d%n using 1:2 with points pt %p ps %s lw 1.5 lc rgb '%c'",
    [TAN_INTERVALS] = "$d%n using 1:2:3:4 with yerrorbars pt 7 ps %s lw 1.5 lc rgb '%c'",
    [TAN_BAND] = "$d%n using 1:2:3 with filledcurves lc rgb '%c' fs transparent solid 0.2 "
                 "noborder",
    [TAN_BOX] = "$d%n using 4:1:3:5:($1-0.3):($1+0.3) with boxxyerror lc rgb '%c' fs "
                "transparent solid 0.15 border",
    [TAN_STACK] = "$d%n using 1:3:4:5:2:3 with boxxyerror lc rgb '%c' fs solid 0.75 border",
    [TAN_SPAN] = "$d%n using 2:1:2:3:($1-0.3):($1+0.3) with boxxyerror lc rgb '%c' fs solid "
                 "0.6 border",
};

/* What replaces the placeholders in a command. */
struct style {
    size_t data;
    const char *colour;
    int point, dash;
    double size;
};

static void write_command(const char *command, const struct style *style, FILE *to)
{
    for (const char *c = command; *c != '\0'; c++) {
        if (*c != '%') {
            fputc(*c, to);
            continue;
        }
        switch (*++c) {
        case 'n':
            fprintf(to, "%zu", style->data);
            break;
        case 'c':
            fputs(style->colour, to);
            break;
        case 'p':
            fprintf(to, "%d", style->point);
            break;
        case 'd':
            fprintf(to, "%d", style->dash);
            break;
        default:
            fprintf(to, "%g", style->size);
        }
    }
}

/* Numbers of points above which they are drawn small, and smaller. */
enum { MANY = 30, CROWD = 60 };

static double size_of(const struct tan_series *s)
{
    return s->n > CROWD && s->mark == TAN_INTERVALS ? 0.35 : s->n > MANY ? 0.6 : 0.8;
}

static void write_plot(const struct tan_chart *c, FILE *to)
{
    size_t colour = 0;
    int ruler = 0;
    fputs("plot ", to);
    for (size_t i = 0, drawn = 0; i < c->n; i++) {
        const struct tan_series *s = &c->series[i];
        if (s->n == 0) {
            continue;
        }
        /* a band has the colour of the following line */
        const size_t k = (s->style > 0 ? (size_t)s->style - 1 : colour) % TAN_COLOURS;
        colour += s->mark != TAN_BAND && s->mark != TAN_RULER;
        fputs(drawn++ > 0 ? ", \\\n    " : "", to);
        /* rulers of a kind are adjacent, and the first one has the title */
        ruler += s->mark == TAN_RULER && s->title[0] != '\0';
        const struct style style = {i, tan_colours[k], points[k],
                                    s->mark == TAN_RULER ? ruler : 2 + (int)k, size_of(s)};
        write_command(commands[s->mark], &style, to);
        fputs(s->title[0] == '\0' ? " notitle" : " title ", to);
        if (s->title[0] != '\0') {
            write_text(s->title, to);
        }
        if (s->mark == TAN_BOX) { /* whiskers and the median's interval */
            fprintf(to,
                    ", \\\n    $d%zu using 4:1:2:6 with xerrorbars pt -1 lc rgb '%s' notitle"
                    ", \\\n    $d%zu using 4:1:7:8 with xerrorbars pt 7 ps 0.6 lw 3 lc rgb '%s' "
                    "notitle",
                    i, tan_colours[k], i, tan_colours[(k + 1) % TAN_COLOURS]);
        }
    }
    fputc('\n', to);
}

/* An axis from `low` to `high`, logarithms of a logarithmic one; roughly, for linear axes, whose
 * ends gnuplot rounds. */
struct scale {
    double low, high;
    bool log;
};

static struct scale scale_of(const struct tan_chart *c, char letter)
{
    struct scale s = {.log = (letter == 'x' ? &c->x : &c->y)->log};
    tan_chart_range(c, letter, &s.low, &s.high);
    if (s.log) {
        s.low = log(round_place(s.low, false));
        s.high = log(round_place(s.high, true));
    } else if (letter == 'y' && s.low > 0.0) {
        s.low = 0.0;
    } else if (letter == 'x' && c->x.names == 0 && c->y.names == 0 && has_points(c)) {
        const double margin = MARGIN * (s.high - s.low);
        s.low -= margin;
        s.high += margin;
    }
    return s;
}

/* Position of a value on an axis of `length` pixels. */
static double pixel_of(const struct scale *s, double value, double length)
{
    value = s->log ? log(value) : value;
    return length * (s->low < s->high ? (value - s->low) / (s->high - s->low) : 0.5);
}

/* Rows of the legend, which has two columns if there is enough space. */
static int legend_rows(const struct tan_chart *c)
{
    enum { MARK = 75 }; /* pixels of the sample beside a title */
    size_t longest = 0;
    int entries = 0;
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

/* A text's box in the chart, in pixels from the lower left corner. */
struct box {
    double left, low, right, high;
};

static bool is_apart(const struct box *box, const struct box *other, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (box->left < other[i].right && other[i].left < box->right && box->low < other[i].high &&
            other[i].low < box->high) {
            return false;
        }
    }
    return true;
}

/* Whether the segment from (x, y) to (to_x, to_y) passes through a box (Liang and Barsky). */
static bool passes_through(const struct box *box, double x, double y, double to_x, double to_y)
{
    const double step[] = {x - to_x, to_x - x, y - to_y, to_y - y};
    const double room[] = {x - box->left, box->right - x, y - box->low, box->high - y};
    double enter = 0.0;
    double leave = 1.0;
    for (int i = 0; i < 4; i++) {
        if (step[i] == 0.0 && room[i] < 0.0) {
            return false;
        }
        if (step[i] < 0.0) {
            enter = fmax(enter, room[i] / step[i]);
        } else if (step[i] > 0.0) {
            leave = fmin(leave, room[i] / step[i]);
        }
    }
    return enter <= leave;
}

/* Where notes may be: the axes and the lines of the chart. */
struct ground {
    const struct tan_chart *chart;
    struct scale x, y;
};

static bool covers_line(const struct box *box, const struct ground *g)
{
    for (size_t i = 0; i < g->chart->n; i++) {
        const struct tan_series *s = &g->chart->series[i];
        const bool steps = s->mark == TAN_STEPS;
        for (size_t k = 1; k < s->n && (steps || s->mark == TAN_LINE || s->mark == TAN_DASHES);
             k++) {
            const double x[] = {pixel_of(&g->x, s->row[k - 1][0], INSIDE),
                                pixel_of(&g->x, s->row[k][0], INSIDE)};
            const double y[] = {pixel_of(&g->y, s->row[k - 1][1], TOP),
                                pixel_of(&g->y, s->row[k][1], TOP)};
            if (passes_through(box, x[0], y[0], x[1], steps ? y[0] : y[1]) ||
                (steps && passes_through(box, x[1], y[0], x[1], y[1]))) {
                return true;
            }
        }
    }
    return false;
}

/* Notes at most; pixels of a line, between a note's mark and its text, and between two texts. */
enum { NOTES = 32, LINE = 15, ASIDE = 6, GAP = 4 };

/* The box of a text near its mark `place`: right or left, above or below, at increasing distance
 * until it covers none of the `n` boxes `taken` and no line; if there is no such place, the first
 * one that covers no box. *left: whether it is on the left. */
static struct box place_note(const struct ground *g, const struct box *place, double width,
                             const struct box *taken, size_t n, bool *left)
{
    enum { TRIES = 12 };
    const double x = (place->left + place->right) / 2.0;
    const double y = (place->low + place->high) / 2.0;
    struct box best = *place;
    bool found = false;
    for (int i = 0; i < TRIES; i++) {
        const double middle = y + (i % 4 < 2 ? 1 : -1) * LINE * (0.7 + (double)(i / 4));
        const bool before = i % 2 == 1;
        const struct box box = {before ? x - ASIDE - width : x + ASIDE, middle - LINE / 2.0,
                                before ? x - ASIDE : x + ASIDE + width, middle + LINE / 2.0};
        const bool inside = box.low >= 0 && box.high <= TOP + LINE / 2.0 && box.left >= 0 &&
                            box.right <= INSIDE + LINE && is_apart(&box, taken, n);
        const bool free_of_lines = inside && !covers_line(&box, g);
        if (free_of_lines || (inside && !found) || (i == TRIES - 1 && !found)) {
            best = box;
            *left = before;
            found = true;
        }
        if (free_of_lines) {
            break;
        }
    }
    return best;
}

static void write_notes(const struct tan_chart *c, FILE *to)
{
    const struct ground ground = {c, scale_of(c, 'x'), scale_of(c, 'y')};
    struct box taken[2 * NOTES];
    size_t n = 0;
    for (; n < c->notes && n < NOTES; n++) {
        const double x = pixel_of(&ground.x, c->note[n].x, INSIDE);
        const double y = pixel_of(&ground.y, c->note[n].y, TOP);
        taken[n] = (struct box){x - 6, y - 6, x + 6, y + 6};
    }
    for (size_t i = 0; i < n; i++) {
        const struct tan_note *note = &c->note[i];
        bool left = false;
        const struct box box = place_note(&ground, &taken[i], LETTER * (double)strlen(note->text),
                                          taken, n + i, &left);
        const double up = (box.low + box.high - taken[i].low - taken[i].high) / 2.0;
        taken[n + i] = (struct box){box.left - GAP, box.low, box.right + GAP, box.high};
        fprintf(to, "set label %zu ", i + 1);
        write_text(note->text, to);
        fprintf(to,
                " at first %.9g, first %.9g %s offset screen %.4f, screen %.4f point pt 1 ps 0.7\n",
                note->x, note->y, left ? "right" : "left", (left ? -ASIDE : ASIDE) / (double)WIDTH,
                up / height_of(c));
    }
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
    write_notes(c, to);
    for (size_t i = 0; i < c->n; i++) {
        if (c->series[i].mark == TAN_STACK) {
            write_stack(c, i, to);
        } else {
            write_data(&c->series[i], i, to);
        }
    }
    write_plot(c, to);
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
