/* options.c - the command line of tanbench
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/cmd/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "bench/plan/mode.h"
#include "tanbench/ranks/wait.h"
#include "topo/spec.h"

static int set_topology(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    (void)e;
    o->topologies[o->n_topologies++] = value;
    return 0;
}

static int set_experiment(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->experiment = value;
    return 0;
}

static int set_calibrate(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->calibrate = true;
    return 0;
}

static int set_validate(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    (void)e;
    o->validate = true;
    o->machine = value;
    return 0;
}

static int set_shapes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->validation_given = true;
    return tan_parse_count("--shapes", value, 1, 10000, &o->validation.shapes, e);
}

static int set_processes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    struct validation *v = &o->validation;
    const char *dots = strstr(value, "..");
    char low[32];

    o->validation_given = true;
    snprintf(low, sizeof low, "%.*s", dots ? (int)(dots - value < 31 ? dots - value : 31) : 0,
             value);
    if (!dots || tan_parse_count("--processes", low, 3, 1 << 20, &v->least_ranks, NULL) ||
        tan_parse_count("--processes", dots + 2, v->least_ranks, 1 << 20, &v->ranks, NULL)) {
        return tan_fail_usage(e,
                              "--processes must be LOW..HIGH with 3 <= LOW <= HIGH <= %d, such as "
                              "33..64, not \"%s\"",
                              1 << 20, value);
    }
    return 0;
}

static int set_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->operand = value;
    return 0;
}

static int set_p2p(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->p2p = true;
    return 0;
}

static int set_send_kinds(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->send_kinds = true;
    return 0;
}

static int set_datatypes(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->datatypes = true;
    return 0;
}

static int set_pairs(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--pairs", value, 1, P2P_MAX_PAIRS, &((struct options *)config)->pairs,
                           e);
}

static int set_p2p_validate(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->p2p_validate = value;
    return 0;
}

/* Sizes with commas between them. */
static int set_sizes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    const size_t most = sizeof o->sizes / sizeof o->sizes[0];

    o->n_sizes = 0;
    for (const char *item = value;; item++) {
        char text[64];
        size_t length = strcspn(item, ",");
        snprintf(text, sizeof text, "%.*s", (int)(length < 63 ? length : 63), item);
        if (o->n_sizes == most) {
            return tan_fail_usage(e, "--sizes takes at most %zu sizes", most);
        }
        if (tan_parse_size("--sizes", text, 1, 1 << 30, &o->sizes[o->n_sizes++], e)) {
            return -1;
        }
        item += length;
        if (!*item) {
            return 0;
        }
    }
}

static int set_max_leaves(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--max-leaves", value, 4, 1 << 20,
                           &((struct options *)config)->max_leaves, e);
}

static int set_method(void *config, const char *value, struct tan_error *e)
{
    return tan_method_parse(value, &((struct options *)config)->method, e);
}

static int set_name(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->name = value;
    return 0;
}

static int set_machine(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->machine = value;
    return 0;
}

static int set_emulate(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->emulate = value;
    return 0;
}

static int set_dilate(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_real("--dilate", value, 1, 1e6, &((struct options *)config)->dilation, e);
}

/* A word that must fit into `to`, checked against the list that it is for once all is parsed. */
static int set_word(const char *what, char *to, size_t size, const char *value, struct tan_error *e)
{
    if (strlen(value) >= size) {
        return tan_fail_usage(e, "%s: '%s' is not known", what, value);
    }
    strcpy(to, value);
    return 0;
}

static int set_filter(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.filter = true;
    return set_word("--filter", o->settings.filter, sizeof o->settings.filter, value, e) ||
                   !tan_filter_find(value, e)
               ? -1
               : 0;
}

static int set_type(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.element = true;
    return tan_element_find(value, &o->settings.element, e);
}

static int set_wait(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.wait = true;
    return wait_policy_known(value, e) ||
                   set_word("--wait", o->settings.wait, sizeof o->settings.wait, value, e)
               ? -1
               : 0;
}

/* One entry of --bytes: a size, or LOW..HIGH, which doubles from LOW on and ends with HIGH. */
static int add_sizes(struct settings *s, char *text, struct tan_error *e)
{
    char *dots = strstr(text, "..");
    int64_t low;
    int64_t high;

    if (dots) {
        *dots = '\0';
    }
    if (tan_parse_size("--bytes", text, 0, INT32_MAX, &low, e)) {
        return -1;
    }
    high = low;
    if (dots && tan_parse_size("--bytes", dots + 2, 0, INT32_MAX, &high, e)) {
        return -1;
    }
    if (dots && (low < 1 || high < low)) {
        return tan_fail_usage(e,
                              "--bytes: in LOW..HIGH, LOW is at least 1 and HIGH no less: '%s..%s'",
                              text, dots + 2);
    }
    for (int64_t size = low;; size = 2 * size < high ? 2 * size : high) {
        if (s->n_sizes == MAX_SIZES) {
            return tan_fail_usage(e, "--bytes: more than %d sizes", MAX_SIZES);
        }
        s->sizes[s->n_sizes++] = size;
        if (size >= high) {
            return 0;
        }
    }
}

static int set_bytes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    char text[512];
    char *rest = text;

    if (strlen(value) >= sizeof text) {
        return tan_fail_usage(e, "--bytes: the list is too long");
    }
    strcpy(text, value);
    o->given.bytes = true;
    o->settings.n_sizes = 0;
    for (char *entry; (entry = strsep(&rest, ","));) {
        if (add_sizes(&o->settings, entry, e)) {
            return -1;
        }
    }
    o->settings.bytes = o->settings.sizes[0];
    return 0;
}

static int set_mode(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.mode = true;
    return tan_mode_find(value, &o->settings.mode, e);
}

static int set_sync(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.sync = true;
    return tan_sync_policy_parse("--sync", value, &o->settings.sync, e);
}

static int set_work(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.work = true;
    return tan_parse_duration("--work", value, &o->settings.work, e);
}

static int set_frequency(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.frequency = true;
    if (!strcmp(value, "max")) {
        o->settings.frequency = 0;
        return 0;
    }
    if (tan_parse_real("--frequency", value, 0, 1e9, &o->settings.frequency, NULL)) {
        return tan_fail_usage(
            e, "--frequency must be waves per second from 0 to 1e9, or max (as 0), not \"%s\"",
            value);
    }
    return 0;
}

static int set_duration(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.duration = true;
    if (tan_parse_duration("--duration", value, &o->settings.duration, e)) {
        return -1;
    }
    return o->settings.duration >= 0.001
               ? 0
               : tan_fail_usage(e, "--duration must be at least 1ms, not \"%s\"", value);
}

static int set_request_bytes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.request_bytes = true;
    return tan_parse_size("--request-bytes", value, 0, INT32_MAX, &o->settings.request_bytes, e);
}

static int set_waves(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.min_waves = true;
    return tan_parse_count("--waves", value, 1, 10000000, &o->settings.min_waves, e);
}

static int set_max_waves(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.max_waves = true;
    return tan_parse_count("--max-waves", value, 1, 10000000, &o->settings.max_waves, e);
}

static int set_max_time(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.max_seconds = true;
    return tan_parse_duration("--max-time", value, &o->settings.max_seconds, e);
}

static int set_warmup(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.warmup = true;
    return tan_parse_count("--warmup", value, 0, 1000000, &o->settings.warmup, e);
}

static int set_precision(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    char number[32];
    double percent;
    size_t length = strcspn(value, "%");

    o->given.precision = true;
    snprintf(number, sizeof number, "%.*s", (int)(length < 31 ? length : 31), value);
    if ((value[length] && value[length + 1]) ||
        tan_parse_real("--precision", number, 0.01, 100, &percent, e)) {
        return tan_fail_usage(e, "--precision: '%s' is not a percentage from 0.01 to 100", value);
    }
    o->settings.precision = percent / 100;
    return 0;
}

static int set_seed(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;
    int64_t seed;

    if (tan_parse_count("--seed", value, 0, INT64_MAX, &seed, e)) {
        return -1;
    }
    o->given.seed = true;
    o->settings.seed = (uint64_t)seed;
    return 0;
}

static int set_json(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->json = value;
    return 0;
}

static int set_raw(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->raw = value;
    return 0;
}

static int set_journal(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->journal = value;
    return 0;
}

static int set_resume(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->resume = value;
    return 0;
}

static int set_passes(void *config, const char *value, struct tan_error *e)
{
    struct options *o = config;

    o->given.passes = true;
    return tan_parse_count("--passes", value, 1, MAX_PASSES, &o->settings.passes, e);
}

static int set_launches(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--launches", value, 1, 1000, &((struct options *)config)->launches, e);
}

static int set_launcher(void *config, const char *value, struct tan_error *e)
{
    if (!strstr(value, "{n}")) {
        return tan_fail_usage(e, "--launcher: '%s' has no {n} where the number of ranks goes",
                              value);
    }
    ((struct options *)config)->launcher = value;
    return 0;
}

static int set_ranks(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--ranks", value, 2, 1 << 20, &((struct options *)config)->ranks, e);
}

static int set_bind(void *config, const char *value, struct tan_error *e)
{
    static const char *const names[] = {
        [BIND_AUTO] = "auto", [BIND_NONE] = "none", [BIND_BLOCK] = "block"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(value, names[i])) {
            ((struct options *)config)->binding = (enum binding)i;
            return 0;
        }
    }
    return tan_fail_usage(e, "--bind: '%s' is not one of auto, none, block", value);
}

static int set_map(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct options *)config)->map = value;
    return 0;
}

static int set_awake(void *config, const char *value, struct tan_error *e)
{
    return awake_parse(value, &((struct options *)config)->awake, e);
}

static int set_dry_run(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->dry_run = true;
    return 0;
}

static int set_quiet(void *config, const char *value, struct tan_error *e)
{
    (void)value;
    (void)e;
    ((struct options *)config)->quiet = true;
    return 0;
}

static const struct tan_option rows[] = {
    {"", 0, NULL, "What to measure:", NULL},
    {"topo", 't', "SPEC", "a topology of the list below; may be repeated", set_topology},
    {"experiment", 'e', "FILE", "topologies and settings of a tan-experiment/1 file",
     set_experiment},
    {"calibrate", 'c', NULL,
     "latency, chains and N-to-1 trees; fit this machine's parameters and write them to FILE "
     "(default: the machine file that tan-design and tanbench look for)",
     set_calibrate},
    {"validate", 0, "FILE",
     "random trees, and one of every other shape, that the fit of machine file FILE has not seen: "
     "how well each model predicts and ranks them",
     set_validate},
    {"shapes", 0, "N", "so many random trees in --validate (default 20)", set_shapes},
    {"processes", 0, "LOW..HIGH", "how large the trees of --validate are (default 33..64)",
     set_processes},
    {"max-leaves", 0, "N", "largest N-to-1 tree of --calibrate (default: 32 per core, at most 128)",
     set_max_leaves},
    {"method", 0, "METHOD", "how --calibrate fits: joint (default) or paper", set_method},
    {"name", 0, "NAME", "what --calibrate calls the machine (default: its host name)", set_name},
    {"machine", 'm', "FILE", "machine file to predict with", set_machine},
    {"emulate", 0, "FILE",
     "play the time that this machine file says: processes sleep for as long as they and their "
     "messages would take there",
     set_emulate},
    {"dilate", 0, "N",
     "of --emulate: stretch all times by N and divide what is measured by it (default 20), so that "
     "waking late counts for little",
     set_dilate},
    {"", 0, NULL, "Single messages:", NULL},
    {"p2p", 0, NULL,
     "what messages of 1 B to 4 MiB cost two ranks; with --calibrate put it into the machine FILE",
     set_p2p},
    {"p2p-validate", 0, "FILE", "measure messages and compare them with what FILE predicts",
     set_p2p_validate},
    {"send-kinds", 0, NULL, "of --p2p: also what each of MPI's ways to send costs", set_send_kinds},
    {"datatypes", 0, NULL, "of --p2p: also what vectors of floats that do not lie in a row cost",
     set_datatypes},
    {"pairs", 0, "K", "of --p2p: K random pairs of ranks, one after the other, and how they differ",
     set_pairs},
    {"sizes", 0, "SIZES", "messages of these sizes, as in 1,1k,64KiB (default: 1 B to 4 MiB)",
     set_sizes},
    {"", 0, NULL, "Waves:", NULL},
    {"mode", 0, "MODE", "what makes waves: waves (default), oneway or stream (list below)",
     set_mode},
    {"bytes", 'b', "SIZES",
     "payload of each leaf (default 1KiB): a size, several (1KiB,16KiB), or a range by powers of "
     "two (64..1MiB); each is measured by itself",
     set_bytes},
    {"request-bytes", 0, "SIZE", "payload of the root's request (default: as --bytes)",
     set_request_bytes},
    {"filter", 'f', "FILTER", "what internal processes do (default sum; list below)", set_filter},
    {"work", 0, "TIME", "time of a core that each filter takes (default 0)", set_work},
    {"sync", 0, "WHOM",
     "for whom internal processes wait: all (default), timeout:TIME or none (list below)",
     set_sync},
    {"type", 0, "TYPE", "elements: int64 (default) or double", set_type},
    {"wait", 'w', "POLICY", "how ranks wait: auto (default), poll, yield or park", set_wait},
    {"bind", 0, "HOW",
     "tie ranks to cores: block (neighbouring ranks share a core), none, or auto (default): block "
     "when ranks outnumber cores and the launcher has not bound them",
     set_bind},
    {"map", 0, "HOW",
     "which host each process of a tree is on: block (host by host), cyclic (by turns), or a file "
     "with one host a line (default: as the launcher numbers the ranks)",
     set_map},
    {"awake", 0, "HOW",
     "keep cores without work awake (needs root): yes, no, or auto (default): where ranks "
     "outnumber "
     "cores, if allowed",
     set_awake},
    {"", 0, NULL, "How often:", NULL},
    {"waves", 'n', "N", "waves kept at least (default 10)", set_waves},
    {"max-waves", 0, "N", "waves kept at most (default 1000)", set_max_waves},
    {"max-time", 0, "TIME", "longest time for one topology (default 2s)", set_max_time},
    {"precision", 0, "PERCENT", "stop once the median's 95 % interval is within this (default 5%)",
     set_precision},
    {"warmup", 0, "N", "first waves that are discarded (default 5)", set_warmup},
    {"frequency", 0, "N",
     "of --mode stream: waves per second; max or 0 (default): as many as the tree takes",
     set_frequency},
    {"duration", 0, "TIME", "of --mode stream: how long leaves push (default 2s)", set_duration},
    {"seed", 0, "N", "seed of the order of the topologies (default 1)", set_seed},
    {"passes", 0, "K",
     "go round all topologies so often, so that a disturbance spoils a part of each and not all of "
     "one (default 1; 7 with --calibrate and --validate)",
     set_passes},
    {"launches", 0, "K",
     "start the job so often; intervals then hold for a next launch (default 1)", set_launches},
    {"", 0, NULL, "Output:", NULL},
    {"json", 'j', "FILE", "results with environment and every sample (-: stdout, no table)",
     set_json},
    {"raw", 0, "FILE", "every sample as CSV (-: stdout)", set_raw},
    {"journal", 0, "FILE",
     "every finished cell at once, as a line that survives whatever happens later (default: beside "
     "--json, while it is needed)",
     set_journal},
    {"resume", 0, "FILE", "finish the run whose journal this is; give the same options again",
     set_resume},
    {"quiet", 'q', NULL, "no progress on stderr", set_quiet},
    {"", 0, NULL, "Starting the ranks:", NULL},
    {"ranks", 0, "N", "start so many (default: as the largest topology needs)", set_ranks},
    {"launcher", 0, "COMMAND", "start them so: 'srun -n {n}' (default: this MPI's mpiexec)",
     set_launcher},
    {"dry-run", 0, NULL, "show the plan and the command that would be run", set_dry_run},
    {NULL, 0, NULL, NULL, NULL},
};

static void more_help(FILE *to)
{
    fprintf(to, "\nTopologies:\n");
    tan_spec_help(to);
    tan_plan_help(to);
    fprintf(to, "\nModes:\n");
    for (int i = 0; i < MODES; i++) {
        tan_text_item(to, tan_modes[i].name, tan_modes[i].help, 22);
    }
    fprintf(to, "\nFilters:\n");
    tan_filter_help(to);
    fprintf(to, "\nFor whom to wait (--sync):\n");
    tan_sync_policy_help(to);
    fprintf(to, "\nHow to wait (--wait):\n");
    tan_text_item(to, "auto", "poll when every rank has a core, else park", 22);
    for (const struct wait_policy *p = wait_policies; p->name; p++) {
        tan_text_item(to, p->name, p->help, 22);
    }
    fprintf(to, "\nExamples:\n"
                "  tanbench --topo chain:32 --topo nto1:32\n"
                "  tanbench --mode stream --duration 60s --topo twolevel:32\n"
                "  tanbench --calibrate\n"
                "  mpiexec -n 33 tanbench --topo levels:4x7\n"
                "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 measured but not "
                "trustworthy.\n");
}

const struct tan_cli tanbench_cli = {
    .program = "tanbench",
    .usage = "[OPTION]... --topo SPEC...\n"
             "[OPTION]... --experiment FILE\n"
             "[OPTION]... --calibrate [FILE]\n"
             "[OPTION]... --validate FILE\n"
             "[OPTION]... --p2p [--calibrate [FILE]]\n"
             "[OPTION]... --p2p-validate FILE",
    .purpose =
        "Measure round-trip waves on reduction trees of real MPI processes, next to what the "
        "LogP and TAN models predict; or fit those models' parameters to this machine.",
    .options = rows,
    .max_operands = 1,
    .more_help = more_help,
    .operand = set_operand,
};

int options_init(struct options *o, int argc, struct tan_error *e)
{
    *o = (struct options){.method = TAN_METHOD_JOINT,
                          .launches = 1,
                          .validation = {.shapes = 20, .least_ranks = 33, .ranks = 64}};
    tan_settings_default(&o->settings);
    o->topologies = calloc((size_t)argc + 1, sizeof *o->topologies);
    return o->topologies ? 0 : tan_fail_nomem(e);
}

void options_clear(struct options *o)
{
    free(o->topologies);
}

static int check_modes(const struct options *o, struct tan_error *e)
{
    const struct settings *s = &o->settings;
    const char *mode = tan_modes[s->mode].name;

    if ((o->calibrate || o->validate) &&
        (s->mode != 0 || s->sync.kind != SYNC_ALL || s->n_sizes > 1)) {
        return tan_fail_usage(e, "--%s needs waves of one size that wait for all: drop %s",
                              o->calibrate ? "calibrate" : "validate",
                              s->mode != 0     ? "--mode"
                              : s->n_sizes > 1 ? "the sizes but one"
                                               : "--sync");
    }
    if (!o->experiment && !tan_modes[s->mode].pushes && (o->given.frequency || o->given.duration)) {
        return tan_fail_usage(e, "%s needs --mode stream, not --mode %s",
                              o->given.frequency ? "--frequency" : "--duration", mode);
    }
    return 0;
}

int options_check(const struct options *o, struct tan_error *e)
{
    const bool messages = options_messages(o);
    int kinds = (o->n_topologies > 0) + (o->experiment != NULL) + o->calibrate + o->validate;

    if (o->operand && !o->calibrate) {
        return tan_fail_usage(e, "unexpected argument '%s' (a topology is named with --topo)",
                              o->operand);
    }
    if (o->n_sizes > 0 && !messages) {
        return tan_fail_usage(e, "--sizes is for --p2p and --p2p-validate");
    }
    if (!o->p2p && (o->send_kinds || o->datatypes || o->pairs > 0)) {
        return tan_fail_usage(e, "%s is for --p2p",
                              o->send_kinds  ? "--send-kinds"
                              : o->datatypes ? "--datatypes"
                                             : "--pairs");
    }
    if (o->p2p && o->p2p_validate) {
        return tan_fail_usage(e, "--p2p and --p2p-validate are two jobs: give one of them");
    }
    if (messages) {
        if (o->n_topologies > 0 || o->experiment || (o->p2p_validate && o->calibrate)) {
            return tan_fail_usage(e, "%s measures single messages: drop %s",
                                  o->p2p ? "--p2p" : "--p2p-validate",
                                  o->calibrate    ? "--calibrate"
                                  : o->experiment ? "--experiment"
                                                  : "--topo");
        }
        if (o->launches > 1 || o->journal || o->resume || o->emulate) {
            return tan_fail_usage(e, "%s is for waves",
                                  o->launches > 1 ? "--launches"
                                  : o->emulate    ? "--emulate"
                                  : o->journal    ? "--journal"
                                                  : "--resume");
        }
        return o->raw ? tan_fail_usage(e, "--raw is for waves: use --json") : 0;
    }
    if (kinds == 0) {
        return tan_fail_usage(e, "nothing to measure: give --topo, --experiment, --calibrate, "
                                 "--validate, --p2p or --p2p-validate");
    }
    if ((o->calibrate || o->validate) && kinds > 1) {
        return tan_fail_usage(e, "--%s chooses its own topologies: drop %s",
                              o->calibrate ? "calibrate" : "validate",
                              o->calibrate && o->validate ? "--validate"
                              : o->experiment             ? "--experiment"
                                                          : "--topo");
    }
    if (o->validation_given && !o->validate) {
        return tan_fail_usage(e, "--shapes and --processes are for --validate");
    }
    if (options_stdin_uses(o) > 1) {
        return tan_fail_usage(e, "standard input (-) can be only one of --experiment, --machine, "
                                 "--emulate and --topo file:-");
    }
    const char *journal = o->resume ? o->resume : o->journal;
    if (journal && !strcmp(journal, "-")) {
        return tan_fail_usage(e,
                              "a journal is a file: standard input and output (-) cannot be one");
    }
    if (o->journal && o->resume) {
        return tan_fail_usage(e, "--resume goes on in the journal that it names: drop --journal");
    }
    if (o->dilation > 0 && !o->emulate) {
        return tan_fail_usage(e, "--dilate needs --emulate");
    }
    if (o->emulate && o->calibrate && !o->operand) {
        return tan_fail_usage(e, "--calibrate --emulate needs a FILE to write: the user's machine "
                                 "file is for what was measured");
    }
    return check_modes(o, e);
}

static bool is_input(const char *path)
{
    return path && !strcmp(path, "-");
}

int options_stdin_uses(const struct options *o)
{
    int uses = is_input(o->experiment) + is_input(o->machine) + is_input(o->emulate);

    for (int i = 0; i < o->n_topologies; i++) {
        uses += !strcmp(o->topologies[i], "file:-");
    }
    return uses;
}

bool options_messages(const struct options *o)
{
    return o->p2p || o->p2p_validate;
}

struct p2p_request options_p2p(const struct options *o)
{
    struct p2p_request request = {
        .calibrate = o->calibrate,
        .machine = o->operand,
        .validate = o->p2p_validate,
        .name = o->name,
        .json = o->json,
        .n_sizes = o->n_sizes,
        .pairs = o->pairs,
        .send_modes = o->send_kinds,
        .datatypes = o->datatypes,
        .max_seconds = o->given.max_seconds ? o->settings.max_seconds : 0,
        .seed = o->settings.seed,
        .quiet = o->quiet,
    };

    memcpy(request.sizes, o->sizes, sizeof o->sizes);
    return request;
}

void options_override(const struct options *o, struct settings *s)
{
    const struct settings *from = &o->settings;
    const struct settings_given *given = &o->given;

    if (given->filter) {
        strcpy(s->filter, from->filter);
    }
    if (given->wait) {
        strcpy(s->wait, from->wait);
    }
    s->element = given->element ? from->element : s->element;
    if (given->bytes) {
        s->bytes = from->bytes;
        s->n_sizes = from->n_sizes;
        memcpy(s->sizes, from->sizes, sizeof s->sizes);
    }
    s->mode = given->mode ? from->mode : s->mode;
    s->work = given->work ? from->work : s->work;
    s->sync = given->sync ? from->sync : s->sync;
    s->frequency = given->frequency ? from->frequency : s->frequency;
    s->duration = given->duration ? from->duration : s->duration;
    s->request_bytes = given->request_bytes ? from->request_bytes : s->request_bytes;
    s->warmup = given->warmup ? from->warmup : s->warmup;
    s->min_waves = given->min_waves ? from->min_waves : s->min_waves;
    s->max_waves = given->max_waves ? from->max_waves : s->max_waves;
    s->max_seconds = given->max_seconds ? from->max_seconds : s->max_seconds;
    s->precision = given->precision ? from->precision : s->precision;
    s->passes = given->passes ? from->passes : s->passes;
    s->seed = given->seed ? from->seed : s->seed;
}
