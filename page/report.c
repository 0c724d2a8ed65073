/* report.c - page with figures from files of the programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "page/rows.h"

/* What is shown of a file beside its "answer" (base/reply.h). Arrays end with a row without name or
 * title; NULL: none. */
struct kind {
    const char *schema;
    const char *title; /* of a page of it */
    const char *help;
    const struct tan_figure *figures; /* the first with numbers is the page's, others are folded */
    const struct tan_listing *tables; /* after the answer's */
    const struct tan_listing *folded;
    bool answered; /* has an answer, unless an earlier version wrote it */
};

/* In the order in which the help lists them. */
static const struct kind kinds[] = {
    {"tan-design/1", "Recommended tree", "the recommended tree by fanouts and numbers of leaves",
     .figures = tan_design_figures, .answered = true},
    {"tan-hosted/1", "Tree on hosts", "the recommended tree and its placement", .answered = true},
    {"tan-fanouts/1", "Costs of fanouts", "what fanouts cost", .answered = true},
    {"tan-target/1", "Setting of a system", "the setting of a system",
     .figures = tan_target_figures, .answered = true},
    {"tan-targets/1", "Systems that build the tree", "systems that build the tree",
     .answered = true},
    {"tan-pareto/1", "Choice of a tree", "wave time against processes",
     .figures = tan_pareto_figures, .answered = true},
    {"tan-predict/1", "Predicted waves", "predicted waves of trees", .answered = true},
    {"tan-rules/1", "Rules of a system", "rules for ranges of members and sizes", .answered = true},
    {"tan-p2p/1", "Predicted messages", "single messages by every model", .answered = true},
    {"tan-results/1", "Measured waves", "measured waves: predictions, distributions",
     .figures = tan_results_figures, .tables = tan_results_tables, .folded = tan_results_folded,
     .answered = true},
    {"tan-fit/1", "Fitted parameters",
     "waves measured by other means, and parameters fitted to them", .figures = tan_fit_figures,
     .tables = tan_fit_tables, .folded = tan_fit_folded, .answered = true},
    {"tan-machine/1", "Machine", "parameters, check trees, single messages",
     .figures = tan_message_figures, .tables = tan_machine_tables, .folded = tan_machine_folded},
    {"tan-p2p-results/1", "Measured messages", "single messages", .figures = tan_message_figures,
     .tables = tan_machine_tables},
    {"tan-p2p-validation/1", "Messages, predicted and measured",
     "single messages, predicted and measured; overlap", .figures = tan_validation_figures,
     .tables = tan_validation_tables},
    {"tan-collective/1", "Algorithms of a collective", "algorithms of a collective",
     .tables = tan_collective_tables},
    {"tan-sim/1", "Simulation",
     "critical path and sensitivities of a simulation, ends of its ranks",
     .figures = tan_simulation_figures, .tables = tan_simulation_tables,
     .folded = tan_simulation_folded},
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
    const char *schema = tan_text_of(document, "schema");
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(schema, kinds[i].schema) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* The machine of a file; "" if it names none. */
static const char *machine_of(const json_t *document)
{
    if (strcmp(tan_text_of(document, "schema"), "tan-machine/1") == 0) {
        return tan_text_of(document, "name");
    }
    const char *name = tan_text_of(document, "machine");
    return name[0] != '\0' ? name : tan_text_of(json_object_get(document, "machine"), "name");
}

/* Load one file; -1 with the reason in `e` if it cannot be shown. */
static int load_source(struct source *s, struct tan_error *e)
{
    const char *dot = strrchr(s->name, '.');
    if (dot != NULL && strcmp(dot, ".csv") == 0) {
        return tan_fail(e, "%s: a table of waves is shown by tan-fit --report", s->name);
    }
    json_t *document = tan_json_load(s->name, e);
    s->document = document;
    if (document == NULL) {
        return -1;
    }
    if (kind_of(document) != NULL) {
        return 0;
    }
    const char *name = tan_input_name(s->name);
    const char *schema = tan_text_of(document, "schema");
    return schema[0] == '\0'
               ? tan_fail(e, "%s: there is no schema in it that says what it is", name)
               : tan_fail(e, "%s: nothing can be shown of %.60s; tan-report --help lists what can",
                          name, schema);
}

/* Doubts and notes of a document without an answer. */
static void tell_doubts(struct page *p, const struct source *s)
{
    const json_t *const lists[] = {
        json_object_get(s->document, "doubts"),
        json_object_get(s->document, "machine_doubts"),
        json_object_get(json_object_get(s->document, "machine"), "doubts"),
        json_object_get(s->document, "notes"),
        json_object_get(s->document, "violations"),
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (size_t k = 0; k < json_array_size(lists[i]); k++) {
            const json_t *doubt = json_array_get(lists[i], k);
            tan_page_fact(p, s->name, "",
                          json_is_string(doubt) ? json_string_value(doubt)
                                                : tan_text_of(doubt, "text"));
        }
    }
}

/* Facts about the environment. */
static const struct {
    const char *what, *text;
} facts[] = {
    {"date", "{environment.date}"},
    {"version", "{environment.version}"},
    {"MPI", "{environment.mpi}"},
    {"processor", "{environment.processor}"},
    {"kernel", "{environment.kernel}"},
    {"governor", "{environment.governor}"},
    {"clock source", "{environment.clocksource}"},
    {"command", "[*environment.command:[{?# - 1} ]{}]"},
    {"ranks", "{environment.job.ranks:%.15g}[{?environment.job.hosts} on {environment.job.hosts} "
              "host[{?environment.job.hosts - 1}s][ with {environment.job.cores_per_host:%.15g} "
              "core[{?environment.job.cores_per_host - 1}s][{?environment.job.hosts - 1} each]]]"},
    {"network", "{?environment.job.network=real}said to be real"},
    {"network", "{?network=real}said to be real"},
    {"network", "{?machine.network=real}said to be real"},
    {"machine", "{machine}"},
    {"machine", "{machine.name}"},
};

#define SIMULATED(platform)                                                                        \
    "Simulated: the times are of SimGrid's platform {" platform ":%.200s}, not of a real machine."

/* Doubts of files without an answer, which has its own. */
static const char *const doubts[] = {
    "{?environment.emulation}The times are emulated: they are those of the machine file of "
    "\"[{machine:%.80s}][{machine.name:%.80s}][{name:%.80s}]\".",
    "{?!environment.emulation}" SIMULATED("environment.simulated.platform"),
    "{?!environment.emulation}{?!environment.simulated}" SIMULATED("machine.simulated"),
    "{?!environment.emulation}{?!environment.simulated}{?!machine.simulated}"
    "{?environment.job.oversubscribed}{?!environment.job.network}Measured with more ranks than "
    "cores: the times are of this host's software and wake-ups, not of a network.",
    "{?schema=tan-p2p-validation/1}{?disturbed}Other programs used the cores in this run: the "
    "errors are not the models'.",
    "{?1 - repeats}One-way times are not those that the machine file has measured: nothing follows "
    "for any model.",
    "{?p2p.disturbed}Other programs used the cores while the messages were measured.",
};

static void tell_environment(struct page *p, const struct source *s)
{
    const struct tan_place at = {.document = s->document, .entry = s->document};
    const bool answered = json_object_get(s->document, "answer") != NULL;
    const bool measured = json_object_get(s->document, "environment") != NULL;
    char text[4096];
    for (size_t i = 0; i < sizeof facts / sizeof facts[0] && (measured || !answered); i++) {
        if (tan_place_text(&at, facts[i].text, text, sizeof text)) {
            tan_page_fact(p, s->name, facts[i].what, text);
        }
    }
    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0] && !answered; i++) {
        if (tan_place_text(&at, doubts[i], text, sizeof text)) {
            tan_page_fact(p, s->name, "", text);
        }
    }
    if (!answered) {
        tell_doubts(p, s);
    }
}

/* Warn about files of different machines, which should not be compared. */
static void compare_machines(struct page *p)
{
    const char *first = "";
    for (size_t i = 0; i < p->n_sources; i++) {
        const char *name = machine_of(p->sources[i].document);
        name = strcmp(name, "none") == 0 ? "" : name; /* measured without predictions */
        if (first[0] == '\0') {
            first = name;
        } else if (name[0] != '\0' && strcmp(name, first) != 0) {
            tan_page_fact(p, p->sources[i].name, "",
                          "The files are of different machines: do not compare their times.");
            return;
        }
    }
}

/* What a file is about: a system, a program, a number of leaves; "" if it is about a machine. */
static const char *subject_of(const json_t *document, char *text, size_t size)
{
    static const char *const subjects[] = {
        (": [{target.asked:%.60s}][{?!target.asked}{target.name:%.60s}], "
         "{target.members|target.leaves:%.0f} {target.counts:%.60s}"),
        ": {leaves:%.0f} leaves",
        ": {target.asked:%.80s}",
        ": {target.name:%.80s}",
        ": {source:%.80s}",
        ": {collective:%.80s}",
    };
    const struct tan_place at = {.document = document, .entry = document};
    const bool is_machine = strcmp(tan_text_of(document, "schema"), "tan-machine/1") == 0;
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0] && !is_machine; i++) {
        if (tan_place_text(&at, subjects[i], text, size)) {
            return text;
        }
    }
    return "";
}

/* Name the page after its first files: what they show, of what, and their machine. */
static void name_page(struct page *p)
{
    enum { NAMED = 2 };
    size_t used = 0;
    for (size_t i = 0; i < p->n_sources && i < NAMED && used < sizeof p->title; i++) {
        const json_t *document = p->sources[i].document;
        const char *machine = machine_of(document);
        const bool known = machine[0] != '\0' && strcmp(machine, "none") != 0;
        char subject[200];
        used += (size_t)snprintf(p->title + used, sizeof p->title - used, "%s%s%s%s%.60s%s",
                                 i > 0 ? "; " : "", kind_of(document)->title,
                                 subject_of(document, subject, sizeof subject), known ? " (" : "",
                                 known ? machine : "", known ? ")" : "");
    }
    if (p->n_sources > NAMED && used < sizeof p->title) {
        snprintf(p->title + used, sizeof p->title - used, "; and %zu more file%s",
                 p->n_sources - NAMED, p->n_sources - NAMED > 1 ? "s" : "");
    }
}

/* Only the figures of the TAN paper, and what is to be known about the waves in them. */
static int show_papers(struct page *p, struct tan_error *e)
{
    static const char title[] = "Figures of the TAN paper";
    snprintf(p->title, sizeof p->title, "%s", title);
    if (tan_page_section(p, title, "") < 0) {
        return -1;
    }
    for (size_t i = 0; i < p->n_sources; i++) {
        tell_environment(p, &p->sources[i]);
    }
    p->now = PART_FIGURE;
    for (const struct tan_figure *f = tan_paper_figures; f->name != NULL; f++) {
        const struct tan_figure one[] = {*f, {.name = NULL}};
        for (size_t i = 0; i < p->n_sources; i++) {
            tan_show_figures(p, p->sources[i].document, one);
        }
    }
    return p->n_names > 0
               ? 0
               : tan_fail(e, "the files have none of the paper's figures: see 'man tan-report' for "
                             "the runs that record them");
}

static void show_source(struct page *p, const struct source *s, const struct kind *kind)
{
    if (tan_page_section(p, kind->title, s->name) < 0) {
        return;
    }
    tell_environment(p, s);
    if (!tan_page_reply(p, s->document) && kind->answered) {
        tan_page_say(p,
                     "An earlier version wrote this file: run its command again for the answer.");
    }
    tan_show_listings(p, s->document, kind->tables);
    tan_show_figures(p, s->document, kind->figures);
    p->now = PART_MORE;
    tan_show_listings(p, s->document, kind->folded);
}

static void show_all(struct page *p)
{
    name_page(p);
    compare_machines(p);
    for (size_t i = 0; i < p->n_sources; i++) {
        show_source(p, &p->sources[i], kind_of(p->sources[i].document));
    }
}

static int write_page(struct page *p, const char *path, struct tan_error *e)
{
    struct tan_output *output =
        path == NULL ? tan_output_open_named(TAN_REPORT_PAGE, e) : tan_output_open(path, e);
    if (output == NULL) {
        return -1;
    }
    if (tan_page_write(p, tan_output_stream(output)) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

/* Load the files into `sources`, which has room for all, and print and show the reasons for those
 * that cannot be shown. Returns their number. */
static size_t load_files(struct page *p, struct source *sources, const char *const *files, size_t n,
                         FILE *problems)
{
    size_t lost = 0;
    for (size_t i = 0; i < n; i++) {
        struct tan_error problem = TAN_ERROR_INIT;
        struct source *s = &sources[p->n_sources];
        *s = (struct source){.name = files[i]};
        if (load_source(s, &problem) < 0) {
            problem.status = TAN_FAILED; /* else "Try --help" is printed for each such file */
            tan_error_print(&problem, "tan-report", problems);
            tan_page_fact(p, files[i], "", problem.text);
            json_decref(s->document);
            lost++;
        } else {
            p->n_sources++;
        }
    }
    return lost;
}

/* Show the sources of a page, write it, and release both. */
static int end_page(struct page *p, struct source *sources, bool paper, const char *output,
                    struct tan_error *e)
{
    int result = e->status == TAN_DONE ? 0 : -1;
    if (result == 0 && paper) {
        result = show_papers(p, e);
    } else if (result == 0) {
        show_all(p);
    }
    result = result == 0 ? write_page(p, output, e) : -1;
    for (size_t i = 0; i < p->n_sources; i++) {
        json_decref(sources[i].document);
    }
    tan_page_clear(p);
    return result;
}

int tan_report_write(const struct tan_report *report, const char *const *files, size_t n,
                     FILE *problems, struct tan_error *e)
{
    struct page p = {.figures_dir = report->figures};
    struct source *sources = calloc(n + 1, sizeof *sources);
    if (sources == NULL) {
        return tan_fail_nomem(e);
    }
    p.sources = sources;
    tan_page_begin(&p, e);
    const size_t lost = load_files(&p, sources, files, n, problems);
    if (p.n_sources == 0) {
        tan_fail(e, "none of the files can be shown");
    }
    int result = end_page(&p, sources, report->paper, report->output, e);
    if (result == 0 && lost > 0) {
        result = tan_fail(e, "%zu of %zu files could not be shown", lost, n);
    }
    free(sources);
    return result;
}

/* A page of at most two documents in memory. */
static int write_documents(const char *path, json_t *const *documents, size_t n,
                           struct tan_error *e)
{
    struct source sources[2];
    struct page p = {.sources = sources};
    tan_page_begin(&p, e);
    for (; p.n_sources < n; p.n_sources++) {
        json_t *document = documents[p.n_sources];
        sources[p.n_sources] = (struct source){"this run", json_incref(document)};
        if (kind_of(document) == NULL) {
            tan_fail(e, "there are no figures of %s: leave out --report",
                     tan_text_of(document, "schema"));
        }
    }
    return end_page(&p, sources, false, path, e);
}

int tan_report_deliver(const char *json, const char *report, json_t *document, struct tan_error *e)
{
    if (document == NULL) {
        return tan_fail_nomem(e);
    }
    struct tan_error of_page = TAN_ERROR_INIT;
    int result = json == NULL ? 0 : tan_json_save(json, document, e);
    if (report != NULL && write_documents(report, &document, 1, &of_page) < 0) {
        *e = result == 0 ? of_page : *e;
        result = -1;
    }
    json_decref(document);
    return result;
}

int tan_report_calibration(const char *report, json_t *waves, json_t *machine, struct tan_error *e)
{
    json_t *const documents[] = {machine, waves};
    const int result = waves == NULL || machine == NULL ? tan_fail_nomem(e)
                                                        : write_documents(report, documents, 2, e);
    json_decref(waves);
    json_decref(machine);
    return result;
}
