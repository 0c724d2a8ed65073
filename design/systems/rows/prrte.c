/* prrte.c - PRRTE: the daemons of Open MPI 5 and of PMIx's reference runtime
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>

#include "design/systems/knomial.h"
#include "design/systems/setting_answer.h"
#include "model/wave/payload.h"

enum { RADIX, RADIX2 };

static const struct tan_knob knobs[] = {
    [RADIX] = {"rml_base_radix=", "children in the tree that fences go up and launch messages down",
               2, TAN_RADIX_MOST, TAN_UP,
               "2 is used below it, with a warning, and beyond it the arithmetic of the daemons "
               "overflows",
               tan_radix_tree_split, tan_radix_tree_parents},
    [RADIX2] = {"rml_base_radix2=",
                "children in the separate tree that a fence's result goes down; since September "
                "2026",
                2, TAN_RADIX_MOST, TAN_DOWN, NULL, tan_radix_tree_split, tan_radix_tree_parents},
    {.name = NULL},
};

/* src/rml/rml.c of 3.0.14 and 4.1.0 takes every value. */
static const struct tan_knob knobs_4_1[] = {
    {"rml_base_radix=", "children of a daemon", 1, TAN_RADIX_MOST, TAN_UP | TAN_DOWN,
     "0 lets the daemons hang, and beyond it their arithmetic overflows", tan_radix_tree_split,
     tan_radix_tree_parents},
    {.name = NULL},
};

static const struct tan_default defaults_4_1[] = {{"default", RADIX, 64, NULL, NULL, NULL},
                                                  {.name = NULL}};

static const struct tan_default defaults[] = {
    {"default", RADIX, 64, NULL, "PRRTE, radix 64", tan_baseline_kary},
    {"default since September 2026", RADIX2, 4, NULL, NULL, NULL},
    {.name = NULL},
};

#define TRAPS                                                                                      \
    TAN_TABLE_ROW("prte_rml_radix", "PRRTE ignores it silently: the name is rml_base_radix"),      \
        TAN_TABLE_ROW("routed_radix", "that is a deprecated name of rml_base_radix")
static const struct tan_trap traps_4_1[] = {
    TRAPS,
    {"DVMRadix", "PRRTE ignores it silently up to 4.1: the name is rml_base_radix"},
    {"rml_base_radix2", "PRRTE ignores it silently up to 4.1: everything goes down one tree"},
    {.start = NULL},
};
static const struct tan_trap traps[] = {
    TRAPS,
    {"DVMRadix", "only a DVM that boots from prte.conf reads it; it sets rml_base_radix"},
    {"grpcomm_low_radix_release",
     "it only switches the second tree on: its radix is rml_base_radix2, and if that equals "
     "rml_base_radix it is the same tree"},
    {.start = NULL},
};

static double child_us(const struct tan_model *model, const struct tan_params *params,
                       int64_t radix)
{
    struct tan_params short_messages = *params;
    short_messages.payload = NULL;
    if (params->rate > 0.0) {
        return 1e6 * params->child;
    }
    return 1e6 * tan_term_child(model, &short_messages, radix);
}

static double alpha_us(const struct tan_model *model, const struct tan_params *params,
                       int64_t radix)
{
    struct tan_params short_messages = *params;
    short_messages.payload = NULL;
    const double transfer = params->rate > 0.0 ? (double)params->bytes / params->rate : 0.0;
    const double level = 1e6 * (tan_flat_level(model, &short_messages, 1) - transfer);
    return fmax(level - child_us(model, params, radix), 0.0);
}

/* If it is not given, from the marginal cost of a child with the larger messages and without. */
static double megabytes_per_second(const struct tan_model *model, const struct tan_params *params,
                                   int64_t radix)
{
    const int64_t more =
        params->payload == NULL ? 0 : tan_payload_bytes(params->payload) - params->bytes;
    if (params->rate > 0.0) {
        return params->rate / 1e6;
    }
    const double us = 1e6 * tan_term_child(model, params, radix) - child_us(model, params, radix);
    return more > 0 && us > 0.0 ? (double)more / us : NAN;
}

/* prte_num_worker_threads, to which connections are bound; before, one thread does it all. */
enum { WORKERS = 8 };

static double messages_at_once(const struct tan_model *model, const struct tan_params *params,
                               int64_t radix)
{
    (void)model;
    (void)params;
    (void)radix;
    return WORKERS;
}

static double one_at_a_time(const struct tan_model *model, const struct tan_params *params,
                            int64_t radix)
{
    (void)model;
    (void)params;
    (void)radix;
    return 1.0;
}

#define TERMS(AT_ONCE)                                                                             \
    TAN_TABLE_ROW("alpha", "us", "a level without its children", alpha_us),                        \
        TAN_TABLE_ROW("c", "us", "a child's message, averaged over r", child_us),                  \
        TAN_TABLE_ROW("B", "MB/s", "bytes that a daemon takes from its children",                  \
                      megabytes_per_second),                                                       \
        TAN_TABLE_ROW("t", "", "messages handled at a time", AT_ONCE), TAN_TABLE_ROW(.name = NULL)
static const struct tan_term terms[] = {TERMS(messages_at_once)};
static const struct tan_term terms_4_1[] = {TERMS(one_at_a_time)};

static void write_heading(int64_t members, int64_t radix, FILE *to)
{
    fprintf(
        to,
        "# PRRTE and Open MPI 5: etc/prte-mca-params.conf of PRRTE's installation on every\n"
        "# host, or ~/.prte/mca-params.conf where all hosts share it: all must have the same.\n"
        "# The daemons take it when they start.\n"
        "# For one run: prterun --prtemca rml_base_radix %" PRId64 " ... (mpirun the same), or\n"
        "# PRTE_MCA_rml_base_radix=%" PRId64 " in the environment.\n"
        "# Daemons: %" PRId64 ", one for each host and the launcher, unless it runs on one.\n"
        "# See the tree: prterun --prtemca routed_base_verbose 1 --leave-session-attached ...\n",
        radix, radix, members);
}

static int write_prrte(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const struct tan_setting *up = &answer->up;
    const struct tan_setting *down = &answer->down;
    const int64_t radix = up->knob == &knobs[RADIX]     ? up->value
                          : down->knob == &knobs[RADIX] ? down->value
                                                        : defaults[0].value;
    const int64_t radix2 = down->knob != NULL ? down->value : radix;
    if (tan_radix_tree_check(knobs[RADIX].name, radix, answer->members, e) < 0 ||
        tan_radix_tree_check(knobs[RADIX2].name, radix2, answer->members, e) < 0) {
        return -1;
    }
    write_heading(answer->members, radix, to);
    fprintf(to,
            "# A DVM that its hosts boot takes DVMRadix=%" PRId64 " of prte.conf before this.\n"
            "rml_base_radix = %" PRId64 "\n",
            radix, radix);
    if (radix2 == radix) {
        fprintf(to,
                "# The result of a fence goes down the same tree, too (since September 2026 it\n"
                "# has one of its own by default).\n"
                "grpcomm_low_radix_release = false\n");
    } else {
        fprintf(
            to,
            "# The tree that the result of a fence goes down, since September 2026: PRRTE before\n"
            "# ignores these two lines and sends it down the first tree.\n"
            "grpcomm_low_radix_release = true\n"
            "rml_base_radix2 = %" PRId64 "\n",
            radix2);
    }
    return 0;
}

static int write_prrte_4_1(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    const int64_t radix = answer->up.knob != NULL ? answer->up.value : answer->down.value;
    if (tan_radix_tree_check(knobs_4_1[RADIX].name, radix, answer->members, e) < 0) {
        return -1;
    }
    write_heading(answer->members, radix, to);
    fprintf(to, "rml_base_radix = %" PRId64 "\n", radix);
    return 0;
}

#define PRRTE_ROW                                                                                  \
    .counts.population = TAN_ALL_MEMBERS, .counts.member = "daemons, the launcher's included",     \
    .own.formula = "ceil(log_r N) (alpha + ceil(r / t) c + r M / B), M bytes a message",           \
    .operation = {"a fence's way up", "a fence's release"}, .also_down = "a launch message",       \
    .comment = "#"

extern const struct tan_target tan_target_prrte_4_1;
const struct tan_target tan_target_prrte_4_1 = {
    .name = "prrte@4.1",
    .title = "PRRTE 3 to 4.1",
    .help = "rml_base_radix: the daemons' radix tree, up and down",
    .knobs = knobs_4_1,
    .own.terms = terms_4_1,
    .defaults = defaults_4_1,
    .traps = traps_4_1,
    .write = write_prrte_4_1,
    .fails.how = "A daemon that loses its parent aborts, and so do those below it. Others do not "
                 "wait for a process that dies; for a host that falls silent TCP keepalive, 300 s "
                 "and 9 probes 20 s apart. (src/rml/routed_radix.c and oob_tcp.c of PRRTE 3.0 to "
                 "4.1)",
    .fails.timeout = 480.0,
    .read_back = "prterun --prtemca routed_base_verbose 1 --leave-session-attached prints each "
                 "daemon's parent and children.",
    PRRTE_ROW,
};

extern const struct tan_target tan_target_prrte;
const struct tan_target tan_target_prrte = {
    .name = "prrte",
    .title = "PRRTE since September 2026",
    .versions.newest = "5.0",
    .help = "rml_base_radix and rml_base_radix2: the daemons' radix trees",
    .knobs = knobs,
    .own.terms = terms,
    .senders = WORKERS,
    .defaults = defaults,
    .traps = traps,
    .write = write_prrte,
    .fails.how =
        "The tree heals: a child of a daemon that dies is promoted to its place, and messages on "
        "their way are repeated. Others do not wait for a process that dies; for a host that falls "
        "silent TCP keepalive, 300 s and 9 probes 20 s apart; for a parent that does not start "
        "DVMConnectMaxTime (30 s). (how-things-work/rml, configuration and src/rml of PRRTE, "
        "August 2026)",
    .fails.timeout = 480.0,
    .read_back = "prterun --prtemca routed_base_verbose 1 --leave-session-attached prints each "
                 "daemon's parent and children. The tree of rml_base_radix2 is not printed; "
                 "--prtemca rml_base_verbose 2 names each of its messages "
                 "RML-SEND-PAYLOAD-DIRECT-CB.",
    PRRTE_ROW,
};
