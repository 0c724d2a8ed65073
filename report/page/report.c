/* report.c - a page with figures from the files that the programs write
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "report/page/kinds.h"

/* What can be shown, in the order in which sections stand on the page. */
static const struct kind {
    const char *schema;
    show *show;
    const char *help;
} kinds[] = {
    {"tan-design/1", show_design, "the recommended tree, its levels, fanouts, numbers of leaves"},
    {"tan-target/1", show_target, "the setting of a system and the tree that it builds"},
    {"tan-targets/1", show_targets, "systems that build the tree"},
    {"tan-pareto/1", show_pareto, "wave time against processes"},
    {"tan-predict/1", show_predict, "predicted waves of trees"},
    {"tan-results/1", show_results, "measured waves: distributions, predictions, latency"},
    {"tan-machine/1", show_machine, "overhead of a node, single messages"},
    {"tan-p2p-validation/1", show_messages, "single messages, predicted and measured; overlap"},
    {"tan-collective/1", show_collective, "algorithms of a collective"},
    {"tan-sim/1", show_simulation, "ends of the simulated ranks"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void tan_report_help(FILE *to)
{
    enum { COLUMN = 24 };
    for (size_t i = 0; i < KINDS; i++) {
        tan_text_item(to, kinds[i].schema, kinds[i].help, COLUMN);
    }
}

static const struct kind *kind_of(const json_t *document)
{
    const char *schema = text_of(document, "schema");
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(schema, kinds[i].schema) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* The same name with another number behind the slash. */
static bool is_other_version(const char *schema)
{
    const size_t name = strcspn(schema, "/");
    for (size_t i = 0; i < KINDS; i++) {
        if (strcspn(kinds[i].schema, "/") == name && strncmp(schema, kinds[i].schema, name) == 0) {
            return true;
        }
    }
    return false;
}

const json_t *page_find(const struct page *p, const char *schema, const char *machine)
{
    for (size_t i = 0; i < p->n_sources; i++) {
        const json_t *document = p->sources[i].document;
        if (strcmp(text_of(document, "schema"), schema) == 0 &&
            strcmp(text_of(document, "machine"), machine) == 0) {
            return document;
        }
    }
    return NULL;
}

/* One file; NULL, and why in `e`: it cannot be shown. */
static json_t *load(const char *path, struct tan_error *e)
{
    json_t *document = tan_json_load(path, e);
    if (document == NULL || kind_of(document) != NULL) {
        return document;
    }
    const char *schema = text_of(document, "schema");
    if (schema[0] == '\0') {
        tan_fail(e, "%s: there is no schema in it that says what it is", path);
    } else if (is_other_version(schema)) {
        tan_fail(e, "%s: its version %.60s is not one that this program knows", path, schema);
    } else {
        tan_fail(e, "%s: nothing can be shown of %.60s", path, schema);
    }
    json_decref(document);
    return NULL;
}

static void tell_environment(struct page *p, const struct source *s)
{
    static const struct {
        const char *key, *what;
    } rows[] = {{"date", "date"},
                {"version", "version"},
                {"mpi", "MPI"},
                {"processor", "processor"},
                {"kernel", "kernel"},
                {"governor", "governor"},
                {"clocksource", "clock source"}};
    const json_t *environment = json_object_get(s->document, "environment");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        page_fact(p, s->name, rows[i].what, text_of(environment, rows[i].key));
    }
    const json_t *job = json_object_get(environment, "job");
    if (json_is_true(json_object_get(job, "oversubscribed"))) {
        page_doubt(p, s->name, "it was measured with more ranks than cores");
    }
    page_fact(p, s->name, "machine", text_of(s->document, "machine"));
    page_fact(p, s->name, "machine", text_of(json_object_get(s->document, "machine"), "name"));
}

/* Files of different machines stand side by side on one page, but are not one story. */
static void compare_machines(struct page *p)
{
    const char *first = "";
    for (size_t i = 0; i < p->n_sources; i++) {
        const json_t *document = p->sources[i].document;
        const char *name = strcmp(text_of(document, "schema"), "tan-machine/1") == 0
                               ? text_of(document, "name")
                               : text_of(document, "machine");
        name = name[0] != '\0' ? name : text_of(json_object_get(document, "machine"), "name");
        if (first[0] == '\0') {
            first = name;
        } else if (name[0] != '\0' && strcmp(name, first) != 0) {
            page_doubt(p, p->sources[i].name,
                       "the files are of different machines: do not compare their times");
            return;
        }
    }
}

static void show_all(struct page *p)
{
    compare_machines(p);
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < p->n_sources; i++) {
            if (kind_of(p->sources[i].document) == &kinds[k]) {
                tell_environment(p, &p->sources[i]);
                kinds[k].show(p, &p->sources[i]);
            }
        }
    }
}

static int write_page(struct page *p, const char *path, struct tan_error *e)
{
    struct tan_output *output = tan_output_open(path, e);
    if (output == NULL) {
        return -1;
    }
    if (page_write(p, tan_output_stream(output)) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

int tan_report_write(const struct tan_report *report, const char *const *files, size_t n,
                     FILE *problems, struct tan_error *e)
{
    struct page p = {.plot_data = report->plot_data, .figures_dir = report->figures};
    struct source *sources = calloc(n + 1, sizeof *sources);
    size_t lost = 0;
    int result = sources == NULL ? tan_fail_nomem(e) : page_begin(&p, e);
    p.sources = sources;
    for (size_t i = 0; i < n && result == 0; i++) {
        struct tan_error problem = TAN_ERROR_INIT;
        json_t *document = load(files[i], &problem);
        if (document == NULL) {
            tan_error_print(&problem, "tan-report", problems);
            page_doubt(&p, files[i], problem.text);
            lost++;
        } else {
            sources[p.n_sources++] = (struct source){files[i], document};
        }
    }
    if (result == 0 && p.n_sources == 0) {
        result = tan_fail(e, "none of the files can be shown");
    }
    if (result == 0) {
        show_all(&p);
        result = write_page(&p, report->output, e);
    }
    if (result == 0 && lost > 0) {
        result = tan_fail(e, "%zu of %zu files could not be shown", lost, n);
    }
    for (size_t i = 0; i < p.n_sources; i++) {
        json_decref(sources[i].document);
    }
    free(sources);
    page_clear(&p);
    return result;
}

/* A page of one document, which is in memory only. */
static int write_one(const char *path, json_t *document, struct tan_error *e)
{
    const struct source source = {"this run", document};
    struct page p = {.sources = &source, .n_sources = 1};
    const struct kind *kind = kind_of(document);
    int result = kind == NULL ? tan_fail(e, "there are no figures of %s: leave out --report",
                                         text_of(document, "schema"))
                              : page_begin(&p, e);
    if (result == 0) {
        show_all(&p);
        result = write_page(&p, path, e);
    }
    page_clear(&p);
    return result;
}

int tan_report_deliver(const char *json, const char *report, json_t *document, struct tan_error *e)
{
    if (document == NULL) {
        return tan_fail_nomem(e);
    }
    int result = json == NULL ? 0 : tan_json_save(json, document, e);
    if (report != NULL && write_one(report, document, e) < 0) {
        result = -1;
    }
    json_decref(document);
    return result;
}
