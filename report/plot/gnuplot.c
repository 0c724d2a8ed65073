/* gnuplot.c - charts drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "report/plot/program.h"

/* Colours that people with any colour vision tell apart (Okabe and Ito), dark enough for white
 * paper; each series has a point and a dash of its own besides. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#007a5a", "#a3488a",
                                      "#8a6000", "#1f7fb8", "#555555"};
static const int points[] = {7, 5, 9, 13, 11, 6, 4};
enum { COLOURS = sizeof colours / sizeof colours[0] };

enum { WIDTH = 640, HEIGHT = 400, HEIGHT_OF_NAME = 26 };

/* In single quotes gnuplot takes everything as it is, but for the quote. */
static void write_text(const char *text, FILE *to)
{
    fputc('\'', to);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("''", to);
        } else {
            fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, to);
        }
    }
    fputc('\'', to);
}

static void write_names(const struct tan_axis *axis, char letter, FILE *to)
{
    if (axis->names == 0) {
        return;
    }
    fprintf(to, "set %ctics (", letter);
    for (size_t i = 0; i < axis->names; i++) {
        fputs(i > 0 ? ", " : "", to);
        write_text(axis->name[i], to);
        fprintf(to, " %zu", i + 1);
    }
    fputs(")\n", to);
    if (letter == 'y') {
        fprintf(to, "set yrange [%zu.6:0.4]\n", axis->names);
    } else {
        fprintf(to, "set xrange [0.4:%zu.6]\nset xtics rotate by 30 right\n", axis->names);
    }
}

static void write_axis(const struct tan_axis *axis, char letter, FILE *to)
{
    if (axis->title != NULL) {
        fprintf(to, "set %clabel ", letter);
        write_text(axis->title, to);
        fputc('\n', to);
    }
    if (axis->log) {
        fprintf(to, "set logscale %c\nset format %c '%%g'\n", letter, letter);
    }
    write_names(axis, letter, to);
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

/* Where each bar of a stack begins is what the bars below it add up to. */
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

/* How gnuplot draws a mark: %1$zu is the number of the data, %2$s the colour, %3$d the point, %4$d
 * the dash. A title follows. */
static const char *const commands[TAN_MARKS] = {
    [TAN_LINE] = "$d%1$zu using 1:2 with lines lw 2 dt 1 lc rgb '%2$s'",
    [TAN_DASHES] = "$d%1$zu using 1:2 with lines lw 1.5 dt %4$d lc rgb '%2$s'",
    [TAN_RULER] = "$d%1$zu using 1:2 with lines lw 1 dt 2 lc rgb '#777777'",
    [TAN_STEPS] = "$d%1$zu using 1:2 with steps lw 2 lc rgb '%2$s'",
    [TAN_POINTS] = "$d%1$zu using 1:2 with points pt %3$d ps 0.8 lc rgb '%2$s'",
    [TAN_INTERVALS] = "$d%1$zu using 1:2:3:4 with yerrorbars pt %3$d ps 0.8 lw 1.5 lc rgb '%2$s'",
    [TAN_BAND] = "$d%1$zu using 1:2:3 with filledcurves lc rgb '%2$s' fs transparent solid 0.2 "
                 "noborder",
    [TAN_BOX] = "$d%1$zu using 4:1:3:5:($1-0.3):($1+0.3) with boxxyerror lc rgb '%2$s' fs "
                "transparent solid 0.15 border",
    [TAN_STACK] = "$d%1$zu using 1:3:4:5:2:3 with boxxyerror lc rgb '%2$s' fs solid 0.75 border",
    [TAN_SPAN] = "$d%1$zu using 2:1:2:3:($1-0.3):($1+0.3) with boxxyerror lc rgb '%2$s' fs solid "
                 "0.6 border",
};

static void write_plot(const struct tan_chart *c, FILE *to)
{
    size_t colour = 0;
    fputs("plot ", to);
    for (size_t i = 0, drawn = 0; i < c->n; i++) {
        const struct tan_series *s = &c->series[i];
        if (s->n == 0) {
            continue;
        }
        /* A band has the colour of the line that follows. */
        const size_t k = colour % COLOURS;
        colour += s->mark != TAN_BAND && s->mark != TAN_RULER;
        fputs(drawn++ > 0 ? ", \\\n    " : "", to);
        fprintf(to, commands[s->mark], i, colours[k], points[k], 2 + (int)k);
        fputs(s->title[0] == '\0' ? " notitle" : " title ", to);
        if (s->title[0] != '\0') {
            write_text(s->title, to);
        }
        if (s->mark == TAN_BOX) { /* whiskers and the median's interval */
            fprintf(to,
                    ", \\\n    $d%zu using 4:1:2:6 with xerrorbars pt -1 lc rgb '%s' notitle"
                    ", \\\n    $d%zu using 4:1:7:8 with xerrorbars pt 7 ps 0.6 lw 3 lc rgb '%s' "
                    "notitle",
                    i, colours[k], i, colours[(k + 1) % COLOURS]);
        }
    }
    fputc('\n', to);
}

void tan_gnuplot_script(const struct tan_chart *c, FILE *to)
{
    fprintf(to, "# %s.gp - gnuplot: ", c->name);
    write_text(c->title, to);
    fputs("\nset encoding utf8\nset border 3\nset tics nomirror out\nset grid ytics lc rgb "
          "'#bbbbbb' lw 0.5\nset key outside top left horizontal Left reverse samplen 2\n"
          "set datafile missing 'NaN'\n",
          to);
    write_axis(&c->x, 'x', to);
    write_axis(&c->y, 'y', to);
    for (size_t i = 0; i < c->notes; i++) {
        fprintf(to, "set label %zu ", i + 1);
        write_text(c->note[i].text, to);
        fprintf(to, " at first %.9g, first %.9g rotate by 35 offset 0.4,0.5 point pt 1 ps 0.7\n",
                c->note[i].x, c->note[i].y);
    }
    for (size_t i = 0; i < c->n; i++) {
        if (c->series[i].mark == TAN_STACK) {
            write_stack(c, i, to);
        } else {
            write_data(&c->series[i], i, to);
        }
    }
    write_plot(c, to);
}

static int height_of(const struct tan_chart *c)
{
    const int of_names = 120 + HEIGHT_OF_NAME * (int)(c->y.names < 60 ? c->y.names : 60);
    return c->y.names > 0 && of_names > HEIGHT / 2 ? of_names : HEIGHT;
}

static int write_script(const struct tan_chart *c, const char *script, const char *svg,
                        struct tan_error *e)
{
    FILE *to = fopen(script, "w");
    if (to == NULL) {
        return tan_fail_errno(e, "cannot write %s", script);
    }
    fprintf(to,
            "set terminal svg size %d,%d fixed noenhanced font 'sans-serif,15'\nset output '%s'\n",
            WIDTH, height_of(c), svg);
    tan_gnuplot_script(c, to);
    const bool written = tan_output_flush(to);
    return fclose(to) != 0 || !written ? tan_fail_errno(e, "cannot write %s", script) : 0;
}

static int run(const char *script, struct tan_error *e)
{
    const char *const argv[] = {"gnuplot", "-d", script, NULL};
    return tan_program_run(argv, script, e);
}

char *tan_gnuplot_svg(const struct tan_chart *c, struct tan_error *e)
{
    char folder[] = "/tmp/tan-report-XXXXXX";
    char script[sizeof folder + 16];
    char svg[sizeof folder + 16];
    char *element = NULL;
    if (mkdtemp(folder) == NULL) {
        tan_fail_errno(e, "cannot make a folder for gnuplot in /tmp");
        return NULL;
    }
    snprintf(script, sizeof script, "%s/chart.gp", folder);
    snprintf(svg, sizeof svg, "%s/chart.svg", folder);
    if (write_script(c, script, svg, e) == 0 && run(script, e) == 0) {
        char *text = tan_read_file(svg, NULL, e);
        element = text == NULL ? NULL : tan_svg_element(text, c->name, c->title, c->caption);
        if (text != NULL && element == NULL) {
            tan_fail(e, "gnuplot wrote no SVG for %s", c->name);
        }
        free(text);
    }
    unlink(script);
    unlink(svg);
    rmdir(folder);
    return element;
}
