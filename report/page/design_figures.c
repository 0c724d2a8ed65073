/* design_figures.c - figures of recommendations: fanouts, numbers of leaves, levels, sureness
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "design/choice/fanouts.h"
#include "design/search/baselines.h"
#include "design/targets/least_tree.h"
#include "model/machine/machine.h"
#include "model/wave/wave.h"
#include "report/page/kinds.h"
#include "topo/place.h"
#include "topo/spec.h"

enum { LEVELS = TAN_DRAWN_LEVELS, LISTED = 4000 };

/* What curves of a design are computed with. */
struct basis {
    struct tan_machine *machine;
    const struct tan_model *model;
};

/* What was given in place of the file's parameters. */
static void apply_given(struct tan_params *params, const json_t *machine)
{
    static const struct {
        const char *key;
        enum tan_param param;
    } rows[] = {{"L_us", TAN_L}, {"a_us", TAN_A}, {"b_us", TAN_B}, {"c_us", TAN_C2}};
    const json_t *given = json_object_get(machine, "given");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double us = tan_number_of(given, rows[i].key);
        params->value[rows[i].param] = isfinite(us) ? us / 1e6 : params->value[rows[i].param];
    }
    const double work = tan_number_of(machine, "work_us");
    params->work = isfinite(work) ? work / 1e6 : params->work;
}

/* NULL for what cannot be read here. */
static struct basis basis_of(const json_t *design)
{
    const json_t *named = json_object_get(design, "machine");
    const json_t *model = json_object_get(design, "model");
    const double bytes = tan_number_of(design, "bytes");
    struct tan_error e = TAN_ERROR_INIT;
    struct basis b = {.model =
                          tan_model_find(model == NULL ? "tan" : tan_text_of(design, "model"), &e)};
    struct stat file; /* a device or a pipe might never end */
    if (b.model == NULL || stat(tan_text_of(named, "file"), &file) < 0 || !S_ISREG(file.st_mode)) {
        return b;
    }
    b.machine = tan_machine_load(tan_text_of(named, "file"), &e);
    if (b.machine != NULL &&
        (strcmp(b.machine->name, tan_text_of(named, "name")) != 0 || !b.machine->tan_known ||
         tan_machine_choose(b.machine, b.model->node != NULL, NULL, &e) < 0 ||
         (isfinite(bytes) && bytes != (double)b.machine->tan.bytes))) {
        tan_machine_destroy(b.machine);
        b.machine = NULL;
    }
    if (b.machine != NULL) {
        apply_given(&b.machine->tan, named);
    }
    return b;
}

static void tell_missing(struct page *p, const struct basis *b)
{
    if (b->model == NULL) {
        tan_page_remark(
            p, "Curves over fanouts and leaves are left out: they are of a model of levels, "
               "and this design is of another.");
    } else if (b->machine == NULL) {
        tan_page_remark(p, "Curves over fanouts and leaves are left out: the machine file of this "
                           "design, for messages of its size, cannot be read here.");
    }
}

/* The processes on the path that a wave over this tree waits for, by its model; NULL: not known.
 * malloc'd. */
static bool *critical_of(const struct basis *b, const struct tan_tree *tree)
{
    struct tan_prediction prediction;
    struct tan_error e = TAN_ERROR_INIT;
    bool *critical = calloc((size_t)tan_tree_size(tree), sizeof *critical);
    if (b->machine == NULL || critical == NULL ||
        tan_predict(b->model, &b->machine->tan, tree, &prediction, &e) < 0) {
        free(critical);
        return NULL;
    }
    for (int32_t i = 1; i < prediction.levels; i++) {
        critical[prediction.level[i].node] = true;
    }
    if (prediction.levels > 0) { /* all leaves below the last parent are alike */
        critical[tan_tree_children(tree, prediction.level[prediction.levels - 1].node)[0]] = true;
    }
    tan_prediction_clear(&prediction);
    return critical;
}

/* A tree of TAN_DRAWN_NODES at most; `host` may be NULL. */
static void draw_tree(struct page *p, const struct basis *b, const struct tan_tree *tree,
                      const char *name, const char *title, const char *what, const int32_t *host)
{
    const int32_t n = tan_tree_size(tree);
    bool *critical = critical_of(b, tree);
    const struct tan_tree_marks marks = {critical, host};
    int32_t parents[TAN_DRAWN_NODES];
    char caption[320];
    for (int32_t i = 0; i < n; i++) {
        parents[i] = tan_tree_parent(tree, i);
    }
    snprintf(caption, sizeof caption, "%s, the root above.%s%s", what,
             critical != NULL ? " Bold: a path that a wave has to wait for." : "",
             host != NULL
                 ? " Each number is a host, that of the processes around it; colours recur after 7 "
                   "hosts, colours with shapes after 21. The table has all hosts."
                 : "");
    tan_page_tree(p, name, title, caption, parents, n, &marks);
    free(critical);
}

static void add_uniform(struct tan_chart *c, const struct basis *b, int64_t leaves)
{
    tan_chart_add(c, TAN_STEPS, "at most so many children, spread evenly");
    for (double k = 2.0; k <= (double)leaves; k = fmax(k * 1.07, k + 1.0)) {
        struct tan_plan plan;
        char spec[TAN_THUMB_SPEC];
        tan_baseline_kary((int64_t)k, leaves, &plan, spec, sizeof spec);
        tan_plan_price(&plan, b->model, &b->machine->tan);
        tan_chart_point(c, floor(k), plan.wave * 1e6);
    }
}

/* Rules by number, since they come close to one another; those of one tree share a place. Their
 * names go to `names`. */
static void add_rules(struct tan_chart *c, const json_t *design, char *names, size_t size)
{
    const json_t *rules = tan_array_of(design, "baselines");
    const size_t n = json_array_size(rules);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *rule = json_array_get(rules, i);
        const double x = tan_number_of(rule, "max_fanout");
        const double y = tan_number_of(rule, "wave_us");
        char numbers[64] = "";
        bool first = true;
        for (size_t k = 0; k < n && strlen(numbers) + 8 < sizeof numbers; k++) {
            const json_t *other = json_array_get(rules, k);
            if (tan_number_of(other, "max_fanout") == x && tan_number_of(other, "wave_us") == y) {
                first = first && k >= i;
                const size_t length = strlen(numbers);
                snprintf(numbers + length, sizeof numbers - length, "%s%zu", length > 0 ? ", " : "",
                         k + 1);
            }
        }
        if (first) {
            tan_chart_note(c, x, y, numbers);
        }
        const int written = snprintf(names + used, size - used, "%s%zu %.40s", i > 0 ? ", " : "",
                                     i + 1, tan_text_of(rule, "name"));
        used += written > 0 && used + (size_t)written < size ? (size_t)written : 0;
    }
}

/* The range of fanouts and times of the trees that tie with the best one. */
static void add_ties(struct tan_chart *c, const json_t *candidates)
{
    double from = INFINITY;
    double to = 0.0;
    double low = INFINITY;
    double high = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(candidates); i++) {
        const json_t *tree = json_array_get(candidates, i);
        const double x = tan_number_of(tree, "max_fanout");
        const double y = tan_number_of(tree, "wave_us");
        if (json_is_true(json_object_get(tree, "tied")) && isfinite(x) && isfinite(y)) {
            from = fmin(from, x);
            to = fmax(to, x);
            low = fmin(low, y);
            high = fmax(high, y);
            n++;
        }
    }
    if (n > 1) {
        tan_chart_add(c, TAN_BAND, "ties");
        tan_chart_row(c, (const double[TAN_CHART_COLUMNS]){from, low, high});
        tan_chart_row(c, (const double[TAN_CHART_COLUMNS]){to, low, high});
    }
}

static void show_fanouts(struct page *p, const json_t *design, const struct basis *b,
                         int64_t leaves)
{
    const json_t *best = json_object_get(design, "best");
    char rules_by_number[1024] = "";
    char caption[1280];
    struct tan_chart c;
    tan_chart_init(&c, "fanout", "Wave time, by largest fanout",
                   "The recommended tree, trees whose processes have at most so many children, and "
                   "what rules of thumb and the defaults of systems build:");
    c.x.title = "children of a process, at most";
    c.y.title = "wave, us";
    c.x.log = true;
    c.y.log = true;
    if (b->machine != NULL) {
        add_uniform(&c, b, leaves);
    }
    const json_t *others = tan_array_of(design, "candidates");
    add_ties(&c, others);
    tan_chart_add(&c, TAN_POINTS, "recommended");
    tan_chart_point(&c, tan_number_of(best, "max_fanout"), tan_number_of(best, "wave_us"));
    tan_chart_add(&c, TAN_POINTS, "ties with it");
    for (size_t i = 1; i < json_array_size(others); i++) {
        const json_t *tree = json_array_get(others, i);
        if (json_is_true(json_object_get(tree, "tied"))) {
            tan_chart_point(&c, tan_number_of(tree, "max_fanout"), tan_number_of(tree, "wave_us"));
        }
    }
    tan_chart_add(&c, TAN_POINTS, "rules of thumb");
    const json_t *rules = tan_array_of(design, "baselines");
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i);
        tan_chart_point(&c, tan_number_of(rule, "max_fanout"), tan_number_of(rule, "wave_us"));
    }
    add_rules(&c, design, rules_by_number, sizeof rules_by_number);
    snprintf(caption, sizeof caption, "%s %s.", c.caption, rules_by_number);
    c.caption = caption;
    tan_page_chart(p, &c);
}

static double least_us(const struct basis *b, int64_t leaves)
{
    struct tan_least_tree tree;
    return tan_least_tree(TAN_LEAVES_APART, leaves, b->model, &b->machine->tan, &tree) < 0
               ? NAN
               : tree.wave * 1e6;
}

/* A tree for so many leaves; width 0: not used. */
struct rule {
    const char *title;
    tan_baseline *tree;
    int64_t width;
};

static double rule_us(const struct rule *rule, const struct basis *b, int64_t leaves)
{
    struct tan_plan plan;
    char spec[TAN_THUMB_SPEC];
    rule->tree(rule->width, leaves, &plan, spec, sizeof spec);
    tan_plan_price(&plan, b->model, &b->machine->tan);
    return plan.wave * 1e6;
}

/* Leaves up to which curves go: best trees take a second there, and a binomial one is a plan. */
#define FAR 1e10

static double next_leaves(double n)
{
    return floor(fmax(floor(n) + 1.0, n * 1.25));
}

/* Where a rule that was the faster one becomes the slower one: the first number of leaves beyond
 * which a flat tree loses against each of the others. */
static void add_crossovers(struct tan_chart *c, const struct rule *flat, size_t n,
                           const struct basis *b, double most)
{
    tan_chart_add(c, TAN_POINTS, "flat tree overtaken");
    for (size_t i = 1; i < n; i++) {
        double low = 2.0;
        double high = 2.0;
        while (high <= most &&
               rule_us(flat, b, (int64_t)high) <= rule_us(&flat[i], b, (int64_t)high)) {
            low = high;
            high = next_leaves(high);
        }
        while (high <= most && low + 1.0 < high) {
            const double middle = floor((low + high) / 2.0);
            const bool before =
                rule_us(flat, b, (int64_t)middle) <= rule_us(&flat[i], b, (int64_t)middle);
            low = before ? middle : low;
            high = before ? high : middle;
        }
        if (high <= most) {
            char text[24];
            const double y = rule_us(flat, b, (int64_t)high);
            snprintf(text, sizeof text, "%.0f", high);
            tan_chart_point(c, high, y);
            tan_chart_note(c, high, y, text);
        }
    }
}

static void show_leaves(struct page *p, const json_t *design, const struct basis *b, int64_t leaves)
{
    static const struct rule rows[] = {{"flat", tan_baseline_flat, 0},
                                       {"at most 16 children", tan_baseline_kary, 16},
                                       {"at most 50 children", tan_baseline_kary, 50},
                                       {"binomial", tan_baseline_binomial, 0}};
    const double most = fmin(fmax(64.0, 8.0 * (double)leaves), FAR);
    struct tan_chart c;
    tan_chart_init(&c, "leaves", "Wave time, by number of leaves",
                   "The best tree for each number of leaves, and what simple rules build. Where "
                   "the flat tree leaves the lowest line, trees begin to pay; from the marked "
                   "numbers of leaves on each rule beats it. +: these leaves.");
    c.x.title = "leaves";
    c.y.title = "wave, us";
    c.x.log = true;
    c.y.log = true;
    const double flat = tan_number_of(design, "flat_until");
    if (flat >= 2.0 && flat <= most) {
        char text[48];
        snprintf(text, sizeof text, "flat up to %.0f", flat);
        tan_chart_note(&c, flat, least_us(b, (int64_t)flat), text);
    }
    if ((double)leaves <= most) {
        char here[32];
        snprintf(here, sizeof here, "%" PRId64 " leaves", leaves);
        tan_chart_note(&c, (double)leaves, least_us(b, leaves), here);
    }
    tan_chart_add(&c, TAN_LINE, "best tree");
    for (double n = 2.0; n <= most; n = next_leaves(n)) {
        tan_chart_point(&c, n, least_us(b, (int64_t)n));
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tan_chart_add(&c, TAN_DASHES, rows[i].title);
        for (double n = 2.0; n <= most; n = next_leaves(n)) {
            tan_chart_point(&c, n, rule_us(&rows[i], b, (int64_t)n));
        }
    }
    add_crossovers(&c, rows, sizeof rows / sizeof rows[0], b, most);
    tan_page_chart(p, &c);
}

/* What a wave over this tree is made of. */
static void show_parts(struct page *p, const json_t *tree)
{
    static const struct {
        const char *key, *title;
    } parts[] = {{"latency_us", "latency"},
                 {"overhead_us", "overhead of messages"},
                 {"work_us", "filter"},
                 {"gap_us", "gap"}};
    const json_t *levels = tan_array_of(tree, "levels");
    struct tan_chart c;
    tan_chart_init(&c, "levels", "What a wave is made of, level by level",
                   "Time on the way, overhead and filter of each level from the root, added up. A "
                   "tree is balanced where none is much larger than the others.");
    c.x.title = "level and its fanout";
    c.y.title = "us";
    for (size_t i = 0; i < json_array_size(levels) && i < LEVELS; i++) {
        char name[48];
        snprintf(name, sizeof name, "%zu: %.0f", i + 1,
                 tan_number_of(json_array_get(levels, i), "fanout"));
        tan_chart_name(&c, &c.x, name);
    }
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        tan_chart_add(&c, TAN_STACK, parts[k].title);
        for (size_t i = 0; i < json_array_size(levels) && i < LEVELS; i++) {
            const json_t *level = json_array_get(levels, i);
            const double work = tan_number_of(level, "work_us");
            const bool within = strcmp(parts[k].key, "overhead_us") == 0 && isfinite(work);
            const double value = tan_number_of(level, parts[k].key) - (within ? work : 0.0);
            if (value > 0.0) {
                tan_chart_point(&c, (double)i + 1.0, value);
            }
        }
    }
    tan_page_chart(p, &c);
}

/* How far each parameter may move, in terms of its value. */
static void show_stays(struct page *p, const json_t *design, const struct tan_machine *m)
{
    static const int rows[] = {TAN_L, TAN_A, TAN_B, TAN_C2}; /* of enum tan_param */
    enum { MOST = 100 };
    const json_t *stays = json_object_get(design, "stays_fastest");
    struct tan_chart c;
    tan_chart_init(&c, "stays-fastest", "How far parameters may move",
                   "The range of each parameter, as a multiple of its value, in which no other "
                   "tree is faster; ranges beyond a hundredth and a hundredfold are cut.");
    c.x.title = "multiple of the value";
    c.x.log = true;
    tan_chart_add(&c, TAN_SPAN, "stays the fastest");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *key = tan_param_key(m->tan.method, rows[i]); /* "a_us" */
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)strlen(key) - (int)strlen("_us"), key);
        const json_t *range = tan_array_of(stays, key);
        const double value = m->tan.value[rows[i]] * 1e6;
        double low = tan_number_at(range, 0) / value;
        double high = tan_number_at(range, 1) / value;
        if (range == NULL || !(value > 0.0)) {
            continue;
        }
        low = isfinite(low) && low > 1.0 / MOST ? low : 1.0 / MOST;
        high = isfinite(high) && high < MOST ? high : MOST;
        const double row[TAN_CHART_COLUMNS] = {(double)c.y.names + 1.0, low, high};
        tan_chart_name(&c, &c.y, name);
        tan_chart_row(&c, row);
    }
    tan_page_chart(p, &c);
}

/* What a tenth more or less of each parameter does to the wave over the recommended tree: the
 * parameter that matters most first. */
static void show_sensitivities(struct page *p, const json_t *best, const struct basis *b,
                               int64_t leaves)
{
    static const struct {
        const char *name, *overlap; /* of TAN, of tan-overlap */
        enum tan_param param;
    } rows[] = {{"L, latency", "L, latency", TAN_L},
                {"a, a message", "o_s, sending", TAN_A},
                {"b, a child", "o_r, receiving", TAN_B},
                {"c, crowding", "c, crowding", TAN_C2}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const json_t *fanouts = tan_array_of(best, "fanouts");
    const size_t height = json_array_size(fanouts);
    int64_t fanout[TAN_PLAN_LEVELS];
    double change[ROWS];
    struct tan_plan plan;
    struct tan_chart c;
    if (height == 0 || height > TAN_PLAN_LEVELS) {
        return;
    }
    for (size_t i = 0; i < height; i++) {
        const double x = tan_number_at(fanouts, i);
        fanout[i] = x >= 1.0 && x < 1e15 ? (int64_t)x : 1;
    }
    tan_plan_levels(&plan, leaves, fanout, (int)height);
    tan_plan_price(&plan, b->model, &b->machine->tan);
    const double wave = plan.wave;
    const double said = tan_number_of(best, "wave_us") / 1e6;
    if (!(fabs(wave - said) <= 1e-3 * said)) { /* another tree than these fanouts say */
        return;
    }
    for (size_t k = 0; k < ROWS; k++) {
        struct tan_params more = b->machine->tan;
        more.value[rows[k].param] *= 1.1;
        change[k] = 100.0 * (tan_plan_wave(&plan, b->model, &more) / wave - 1.0);
    }
    tan_chart_init(&c, "sensitivities", "What moves the wave time",
                   "How much slower or faster a wave over the recommended tree is when one "
                   "parameter is a tenth larger or smaller. The longest bar is what to measure "
                   "well, and to improve first.");
    c.x.title = "change of the wave time, %";
    tan_chart_add(&c, TAN_SPAN, "a tenth more or less");
    for (size_t n = 0; n < ROWS; n++) {
        size_t longest = 0;
        for (size_t k = 1; k < ROWS; k++) {
            longest = change[k] > change[longest] ? k : longest;
        }
        const double place = tan_chart_name(
            &c, &c.y, b->model->node == NULL ? rows[longest].name : rows[longest].overlap);
        const double row[TAN_CHART_COLUMNS] = {place, -change[longest], change[longest]};
        tan_chart_row(&c, row);
        change[longest] = -1.0;
    }
    tan_page_chart(p, &c);
}

/* The recommended tree: process by process, or where they are too many level by level. */
static void draw_best(struct page *p, const json_t *tree, const struct basis *b)
{
    static const char title[] = "The recommended tree";
    struct tan_error e = TAN_ERROR_INIT;
    if (tan_number_of(tree, "processes") <= TAN_DRAWN_NODES) {
        struct tan_tree *built = tan_spec_build(tan_text_of(tree, "topo"), &e);
        const bool same = built != NULL && tan_tree_size(built) == tan_number_of(tree, "processes");
        if (same) {
            draw_tree(p, b, built, "tree", title, "Its processes", NULL);
        }
        tan_tree_destroy(built);
        if (same) {
            return;
        }
    }
    const json_t *levels = tan_array_of(tree, "levels");
    int64_t processes[LEVELS];
    const size_t n = json_array_size(levels);
    double left = tan_number_of(tree, "processes"); /* below the levels so far */
    if (n == 0 || n + 1 > LEVELS) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double nodes = tan_number_of(json_array_get(levels, i), "nodes");
        left -= nodes;
        if (!(nodes >= 1.0 && left >= 1.0 && left < 9e15)) {
            return;
        }
        processes[i] = (int64_t)nodes;
    }
    processes[n] = (int64_t)left; /* the leaves, which may be fewer than the fanouts could hold */
    tan_page_levels(
        p, "tree", title,
        "Processes at each level, the root above, and how many children each has on average; the "
        "widths are logarithmic.",
        processes, (int)n + 1);
}

/* What an answer has to say of itself where its file does not stand for it. */
static const char *untrusted_note(const json_t *document)
{
    return json_is_false(json_object_get(document, "trustworthy"))
               ? ", which is not trustworthy: see the doubts"
               : "";
}

/* How the rules of thumb and defaults compare: the best and the worst of them. */
static void tell_rules(struct page *p, const json_t *design)
{
    const json_t *rules = tan_array_of(design, "baselines");
    const json_t *least = NULL;
    const json_t *most = NULL;
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i);
        const double slower = tan_number_of(rule, "slower");
        if (isfinite(slower)) {
            least = least == NULL || slower < tan_number_of(least, "slower") ? rule : least;
            most = most == NULL || slower > tan_number_of(most, "slower") ? rule : most;
        }
    }
    if (most != NULL && tan_number_of(least, "slower") < 0.001) {
        tan_page_answer(
            p,
            "Of the rules of thumb and defaults, %.60s is as fast, and %.60s is furthest "
            "off: %.4g times the wave time.",
            tan_text_of(least, "name"), tan_text_of(most, "name"),
            1.0 + tan_number_of(most, "slower"));
    } else if (most != NULL) {
        tan_page_answer(
            p,
            "Of the rules of thumb and defaults, %.60s comes closest, %.3g %% slower, and "
            "%.60s is furthest off: %.4g times the wave time.",
            tan_text_of(least, "name"), 100.0 * tan_number_of(least, "slower"),
            tan_text_of(most, "name"), 1.0 + tan_number_of(most, "slower"));
    }
}

/* What another model says of the recommended tree, and what following it would cost; `assumes`: of
 * whom, and in a clause what it takes for granted. */
static void tell_other(struct page *p, const json_t *other, const char *assumes)
{
    const json_t *best = json_object_get(other, "tree");
    const double slower = tan_number_of(best, "slower");
    char times[64] = "is as fast";
    if (best == NULL) {
        return;
    }
    if (slower >= 0.001) {
        snprintf(times, sizeof times, "takes %.4g times as long", 1.0 + slower);
    }
    tan_page_answer(p, "%s, says %.4g us of it, and would build %.80s, which %s.", assumes,
                    tan_number_of(other, "wave_us"), tan_text_of(best, "topo"), times);
}

/* Of a network of which only one way has messages. */
static bool is_one_way(const json_t *machine)
{
    const json_t *given = json_object_get(machine, "given");
    return tan_number_of(given, "up_bytes") == 0.0 || tan_number_of(given, "down_bytes") == 0.0;
}

void tan_show_design(struct page *p, const struct source *s)
{
    const json_t *best = json_object_get(s->document, "best");
    const double leaves = tan_number_of(s->document, "leaves");
    const double sure = tan_number_of(s->document, "probability");
    tan_page_section(p, "Recommended tree", s->name);
    const json_t *machine = json_object_get(s->document, "machine");
    tan_page_answer(
        p, "For %.0f leaves on %s use %.80s: %.4g us a wave, %s%s.", leaves,
        tan_text_of(machine, "name"), tan_text_of(best, "topo"), tan_number_of(best, "wave_us"),
        is_one_way(machine) ? "one way" : "half a round trip", untrusted_note(s->document));
    if (isfinite(sure)) {
        tan_page_answer(p, "It is the best tree with a probability of %.0f %%.", 100.0 * sure);
    }
    tell_rules(p, s->document);
    tell_other(p, json_object_get(s->document, "logp"),
               "LogP, under which further children are free");
    tell_other(p, json_object_get(s->document, "tan"), "TAN, under which nothing overlaps");
    tell_other(p, json_object_get(s->document, "loggpo"), "LogGPO's messages as published");
    const double flat = tan_number_of(s->document, "flat_until");
    const json_t *latency = json_object_get(s->document, "fastest_while_L_us");
    if (isfinite(tan_number_of(latency, "min")) && isfinite(tan_number_of(latency, "max"))) {
        tan_page_answer(p, "It stays the fastest while a message is under way for %.4g to %.4g us.",
                        tan_number_of(latency, "min"), tan_number_of(latency, "max"));
    } else if (flat >= 2.0) {
        tan_page_answer(p, "Up to %.0f leaves no tree is faster than a flat one.", flat);
    }
    const struct basis b = basis_of(s->document);
    tell_missing(p, &b);
    draw_best(p, best, &b);
    show_parts(p, best);
    if (leaves >= 2.0 && leaves <= 1e12) {
        show_fanouts(p, s->document, &b, (int64_t)leaves);
        if (b.machine != NULL) {
            show_leaves(p, s->document, &b, (int64_t)leaves);
            show_sensitivities(p, best, &b, (int64_t)leaves);
            show_stays(p, s->document, b.machine);
        }
    }
    tan_machine_destroy(b.machine);
}

/* The tree with its hosts in colours; those of "given" are in a file of their own. */
static void draw_placed(struct page *p, const json_t *design, const json_t *choice)
{
    const double hosts = tan_number_of(design, "hosts");
    const double per_host = tan_number_of(design, "ranks_per_host");
    const struct tan_place *place = tan_places;
    struct tan_error e = TAN_ERROR_INIT;
    while (place->name != NULL && strcmp(place->name, tan_text_of(choice, "placement")) != 0) {
        place++;
    }
    if (place->name == NULL || strcmp(place->name, "given") == 0 || !(hosts >= 1.0) ||
        !(per_host >= 1.0) || !(hosts * per_host < INT32_MAX) ||
        !(tan_number_of(choice, "processes") <= TAN_DRAWN_NODES)) {
        return;
    }
    const struct basis unknown = {NULL, NULL};
    const struct tan_room room = {.hosts = (int32_t)hosts, .per_host = (int32_t)per_host};
    int32_t host[TAN_DRAWN_NODES];
    struct tan_tree *tree = tan_spec_build(tan_text_of(choice, "topo"), &e);
    if (tree != NULL && tan_tree_size(tree) == tan_number_of(choice, "processes") &&
        place->place(tree, &room, host) == 1) {
        draw_tree(p, &unknown, tree, "placed-tree", "The recommended tree on its hosts",
                  "Its processes", host);
    }
    tan_tree_destroy(tree);
}

/* What a placement is. */
static void tell_placement(struct page *p, const char *name)
{
    for (const struct tan_place *place = tan_places; place->name != NULL; place++) {
        if (strcmp(place->name, name) == 0) {
            tan_page_answer(p, "\"%s\" means: %s.", name, place->help);
        }
    }
}

/* What the placement alone makes of the recommended tree, or what another tree would take. */
static void tell_worst_placement(struct page *p, const json_t *choices, const json_t *best)
{
    const json_t *worst = NULL;
    for (size_t i = 1; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        if (strcmp(tan_text_of(choice, "topo"), tan_text_of(best, "topo")) == 0 &&
            tan_number_of(choice, "wave_us") >
                tan_number_of(worst != NULL ? worst : best, "wave_us")) {
            worst = choice;
        }
    }
    if (worst != NULL) {
        tan_page_answer(p, "With the placement \"%.20s\" the same tree takes %.4g us.",
                        tan_text_of(worst, "placement"), tan_number_of(worst, "wave_us"));
    } else if (json_array_size(choices) > 1) {
        const json_t *last = json_array_get(choices, json_array_size(choices) - 1);
        tan_page_answer(p,
                        "The slowest of %zu trees and placements, %.80s placed \"%.20s\", takes "
                        "%.4g us.",
                        json_array_size(choices), tan_text_of(last, "topo"),
                        tan_text_of(last, "placement"), tan_number_of(last, "wave_us"));
    }
}

void tan_show_hosted(struct page *p, const struct source *s)
{
    enum { CHOICES = 24 };
    const json_t *choices = tan_array_of(s->document, "choices");
    const json_t *best = json_array_get(choices, 0);
    struct tan_chart c;
    tan_page_section(p, "Trees and their places on hosts", s->name);
    tan_page_answer(p, "Use %.80s with the placement \"%.20s\", on %.0f hosts: %.4g us a wave%s.",
                    tan_text_of(best, "topo"), tan_text_of(best, "placement"),
                    tan_number_of(best, "hosts"), tan_number_of(best, "wave_us"),
                    untrusted_note(s->document));
    tell_placement(p, tan_text_of(best, "placement"));
    tell_worst_placement(p, choices, best);
    tan_chart_init(&c, "placements", "Wave time, by tree and placement",
                   "Predicted waves with their 95 % intervals where they are known. What overlaps "
                   "with the first row may be as fast.");
    c.x.title = "wave, us";
    tan_chart_add(&c, TAN_SPAN, "95 % interval");
    for (size_t i = 0; i < json_array_size(choices) && i < CHOICES; i++) {
        const json_t *choice = json_array_get(choices, i);
        const json_t *ci95 = tan_array_of(choice, "ci95");
        const double row[TAN_CHART_COLUMNS] = {(double)i + 1.0, tan_number_at(ci95, 0),
                                               tan_number_at(ci95, 1)};
        char name[80];
        snprintf(name, sizeof name, "%.40s, %.16s", tan_text_of(choice, "topo"),
                 tan_text_of(choice, "placement"));
        tan_chart_name(&c, &c.y, name);
        tan_chart_row(&c, row);
    }
    tan_chart_add(&c, TAN_POINTS, "predicted");
    for (size_t i = 0; i < json_array_size(choices) && i < CHOICES; i++) {
        tan_chart_point(&c, tan_number_of(json_array_get(choices, i), "wave_us"), (double)i + 1.0);
    }
    tan_page_chart(p, &c);
    draw_placed(p, s->document, best);
}

/* The entry whose number is least; NULL: none has it. */
static const json_t *least_of(const json_t *entries, const char *key)
{
    const json_t *least = NULL;
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const double value = tan_number_of(entry, key);
        if (isfinite(value) && (least == NULL || value < tan_number_of(least, key))) {
            least = entry;
        }
    }
    return least;
}

void tan_show_costs(struct page *p, const struct source *s)
{
    static const struct {
        const char *key, *title;
    } rows[] = {{"level_us", "a level"}, {"per_child_us", "each child"}};
    const json_t *fanouts = tan_array_of(s->document, "fanouts");
    struct tan_chart c;
    tan_page_section(p, "Costs of fanouts", s->name);
    tan_chart_init(&c, "costs", "Cost of a level, by fanout",
                   "What a level of the tree takes, with its 95 % interval, and its share for each "
                   "child, which is least where a fanout uses its level best.");
    c.x.title = "children";
    c.y.title = "time, us";
    c.x.log = true;
    c.y.log = true;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        tan_chart_add(&c, k == 0 ? TAN_INTERVALS : TAN_POINTS, rows[k].title);
        for (size_t i = 0; i < json_array_size(fanouts); i++) {
            const json_t *fanout = json_array_get(fanouts, i);
            const json_t *ci95 = tan_array_of(fanout, "ci95_us");
            const double y = tan_number_of(fanout, rows[k].key);
            const bool known = isfinite(tan_number_at(ci95, 0));
            const double row[TAN_CHART_COLUMNS] = {tan_number_of(fanout, "fanout"), y,
                                                   known ? tan_number_at(ci95, 0) : y,
                                                   known ? tan_number_at(ci95, 1) : y};
            tan_chart_row(&c, row);
        }
    }
    tan_page_chart(p, &c);
    const json_t *least = least_of(fanouts, "per_child_us");
    if (least != NULL) {
        tan_page_answer(
            p,
            "A child costs least in a fanout of %.0f: %.4g us of the %.4g us that a level "
            "takes then.",
            tan_number_of(least, "fanout"), tan_number_of(least, "per_child_us"),
            tan_number_of(least, "level_us"));
    }
    const json_t *fast = NULL;
    double shortest = INFINITY;
    for (size_t i = 0; i < json_array_size(fanouts); i++) {
        const json_t *fanout = json_array_get(fanouts, i);
        const double wave = tan_number_of(json_object_get(fanout, "tree"), "wave_us");
        if (wave < shortest) {
            shortest = wave;
            fast = fanout;
        }
    }
    if (fast != NULL) {
        tan_page_answer(
            p,
            "Of these fanouts, the tree of at most %.0f children for each process has the "
            "shortest wave: %.4g us.",
            tan_number_of(fast, "fanout"), shortest);
    }
    tan_chart_init(&c, "fanout-trees", "Wave time, by fanout",
                   "The tree for these leaves whose processes have at most so many children.");
    c.x.title = "children";
    c.y.title = "wave, us";
    c.x.log = true;
    c.y.log = true;
    tan_chart_add(&c, TAN_POINTS, "");
    for (size_t i = 0; i < json_array_size(fanouts); i++) {
        const json_t *fanout = json_array_get(fanouts, i);
        tan_chart_point(&c, tan_number_of(fanout, "fanout"),
                        tan_number_of(json_object_get(fanout, "tree"), "wave_us"));
    }
    tan_page_chart(p, &c);
}

void tan_show_pareto(struct page *p, const struct source *s)
{
    const json_t *trees = tan_array_of(s->document, "trees");
    struct tan_chart c;
    tan_page_section(p, "Wave time against processes", s->name);
    const json_t *small = least_of(trees, "processes");
    const json_t *fast = least_of(trees, "wave_us");
    if (small != NULL && fast != NULL) {
        tan_page_answer(
            p,
            "%zu trees are worth a choice: from %.0f processes with waves of %.6g us to "
            "%.0f processes with waves of %.6g us.",
            json_array_size(trees), tan_number_of(small, "processes"),
            tan_number_of(small, "wave_us"), tan_number_of(fast, "processes"),
            tan_number_of(fast, "wave_us"));
    }
    tan_chart_init(&c, "pareto", "Trees to which no other is preferable",
                   "Each step is a tree: whoever wants a faster one has to start more processes.");
    c.x.title = "processes";
    c.y.title = "wave, us";
    c.y.log = true;
    tan_chart_add(&c, TAN_STEPS, "");
    for (size_t i = json_array_size(trees); i-- > 0;) {
        const json_t *tree = json_array_get(trees, i);
        tan_chart_point(&c, tan_number_of(tree, "processes"), tan_number_of(tree, "wave_us"));
    }
    tan_chart_add(&c, TAN_POINTS, "a tree");
    for (size_t i = json_array_size(trees); i-- > 0;) {
        const json_t *tree = json_array_get(trees, i);
        tan_chart_point(&c, tan_number_of(tree, "processes"), tan_number_of(tree, "wave_us"));
    }
    tan_page_chart(p, &c);
}

static void tell_predicted(struct page *p, const json_t *trees, const char *model)
{
    const json_t *fastest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < json_array_size(trees); i++) {
        const json_t *tree = json_array_get(trees, i);
        const double us = tan_number_of(json_object_get(tree, "wave_us"), model);
        if (us < least) {
            fastest = tree;
            least = us;
        }
    }
    if (fastest != NULL) {
        tan_page_answer(p, "Of these trees %.80s is the fastest by %s: %.4g us.",
                        tan_text_of(fastest, "topo"), model, least);
    }
}

void tan_show_predict(struct page *p, const struct source *s)
{
    static const char *const models[] = {"tan", "logp", "logp-serial", "tan-overlap"};
    enum { TREES = 24 };
    const json_t *trees = tan_array_of(s->document, "trees");
    struct tan_chart c;
    tan_page_section(p, "Predicted waves", s->name);
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        tell_predicted(p, trees, models[m]);
    }
    tan_chart_init(&c, "predicted", "Predicted waves, by tree and model",
                   "A mark for each model. Where they are apart, the fanout of the tree is what "
                   "they disagree about.");
    c.y.title = "wave, us";
    c.y.log = true;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        tan_chart_add(&c, TAN_POINTS, models[m]);
        for (size_t i = 0; i < json_array_size(trees) && i < TREES; i++) {
            const json_t *tree = json_array_get(trees, i);
            char name[48];
            snprintf(name, sizeof name, "%.30s", tan_text_of(tree, "topo"));
            if (m == 0) {
                tan_chart_name(&c, &c.x, name);
            }
            tan_chart_point(&c, (double)i + 1.0,
                            tan_number_of(json_object_get(tree, "wave_us"), models[m]));
        }
    }
    tan_page_chart(p, &c);
}

static void draw_parents(struct page *p, const json_t *target, const char *key,
                         const struct basis *b)
{
    static const char title[] = "Tree of the system";
    const json_t *array = tan_array_of(target, key);
    const size_t n = json_array_size(array);
    struct tan_error e = TAN_ERROR_INIT;
    int32_t *parents = n == 0 || n > INT32_MAX ? NULL : malloc(n * sizeof *parents);
    if (parents == NULL) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double parent = tan_number_at(array, i);
        parents[i] = parent >= -1.0 && parent < (double)n ? (int32_t)parent : -1;
    }
    int64_t processes[LEVELS];
    struct tan_tree *tree =
        n <= TAN_DRAWN_NODES ? tan_tree_create(parents, (int32_t)n, NULL, &e) : NULL;
    const int levels = tree != NULL ? 0 : tan_levels_of(parents, (int32_t)n, processes, LEVELS);
    if (tree != NULL) {
        draw_tree(p, b, tree, "parents", title, "What the system builds", NULL);
    } else if (n <= TAN_DRAWN_NODES) { /* numbered otherwise than models want it */
        tan_page_tree(p, "parents", title, "What the system builds, the root above.", parents,
                      (int32_t)n, NULL);
    } else if (levels > 0) {
        tan_page_levels(p, "parents", title, "What the system builds, the root above.", processes,
                        levels);
    }
    tan_tree_destroy(tree);
    free(parents);
}

void tan_show_target(struct page *p, const struct source *s)
{
    const json_t *target = json_object_get(s->document, "target");
    tan_page_section(p, "Setting of a system", s->name);
    tan_page_answer(p,
                    "Tell %s %s: %.4g us a wave, %.3g %% more than the best tree of all takes%s.",
                    tan_text_of(target, "name"), tan_text_of(target, "setting"),
                    tan_number_of(target, "wave_us"), 100.0 * tan_number_of(target, "slower"),
                    untrusted_note(s->document));
    const struct basis b = basis_of(s->document);
    draw_parents(p, target, "parents", &b);
    draw_parents(p, target, "down_parents", &b);
    tan_machine_destroy(b.machine);
    const char *configuration = tan_text_of(target, "configuration");
    if (strlen(configuration) < LISTED) {
        tan_page_listing(p, configuration);
    }
}

/* What telling each system gains, at most, and what none of its settings reaches. */
static void tell_systems(struct page *p, const json_t *targets)
{
    const json_t *gains = NULL;
    double most = 1.0;
    size_t best = 0;
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *row = json_array_get(targets, i);
        const double gain = tan_number_of(json_object_get(row, "untold"), "wave_us") /
                            tan_number_of(row, "wave_us");
        best += tan_number_of(row, "slower") <= 0.01;
        if (gain > most) {
            gains = row;
            most = gain;
        }
    }
    tan_page_answer(p,
                    "%zu of %zu systems can be told to build a tree within 1 %% of the best one.",
                    best, json_array_size(targets));
    if (gains != NULL) {
        tan_page_answer(p, "%.40s gains most: %.40s makes waves %.3g times as fast as its default.",
                        tan_text_of(gains, "name"), tan_text_of(gains, "setting"), most);
    }
}

void tan_show_targets(struct page *p, const struct source *s)
{
    const json_t *targets = tan_array_of(s->document, "targets");
    struct tan_chart c;
    tan_page_section(p, "Systems that build the tree", s->name);
    tell_systems(p, targets);
    tan_chart_init(
        &c, "targets", "Wave time, by system",
        "The best setting of each system and what it does by default, against the best "
        "tree of all. Marks at one place are equally fast; a system whose default is far "
        "right gains by being told.");
    c.x.title = "wave, us";
    c.x.log = true;
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *row = json_array_get(targets, i);
        char name[64];
        const bool both = strcmp(tan_text_of(row, "direction"), "both") == 0;
        snprintf(name, sizeof name, "%.20s%s%.8s", tan_text_of(row, "name"), both ? "" : ", ",
                 both ? "" : tan_text_of(row, "direction"));
        tan_chart_name(&c, &c.y, name);
    }
    tan_chart_add(&c, TAN_POINTS, "best tree of all");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *least = json_object_get(json_array_get(targets, i), "best_tree");
        tan_chart_point(&c, tan_number_of(least, "wave_us"), (double)i + 1.0);
    }
    tan_chart_add(&c, TAN_POINTS, "best setting");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        tan_chart_point(&c, tan_number_of(json_array_get(targets, i), "wave_us"), (double)i + 1.0);
    }
    tan_chart_add(&c, TAN_POINTS, "default");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *untold = json_object_get(json_array_get(targets, i), "untold");
        tan_chart_point(&c, tan_number_of(untold, "wave_us"), (double)i + 1.0);
    }
    tan_page_chart(p, &c);
}
