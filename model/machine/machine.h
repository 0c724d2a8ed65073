/* machine.h - parameters of a machine: the tan-machine/1 file
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/check.h"
#include "model/machine/doubt.h"
#include "model/machine/params.h"
#include "model/stats/stats.h"

TAN_BEGIN_DECLS

struct json_t;
struct tan_p2p;

#define TAN_TIER_HOST "host" /* the tier of processes on one host */

/* Processes that are nearer to each other than those of tan, such as on one host. */
struct tan_tier {
    char *name; /* "host"; owned */
    struct tan_params params;
    struct tan_params overlap; /* the same of tan-overlap; exchanged with those of the machine */
    bool overlap_known;
};

struct tan_machine {
    char *name;
    char *source;           /* where the numbers come from, one sentence; may be NULL */
    int64_t hosts;          /* 0 when not known */
    int64_t cores_per_host; /* 0 when not known */
    bool oversubscribed; /* measured with more ranks than cores: software of one host, no network */
    bool network_real;   /* but it is said to be a network's, which settles that doubt */
    struct tan_params tan;
    /* The same of the model tan-overlap, method TAN_METHOD_OVERLAP; tan_machine_choose exchanges
     * the two. */
    struct tan_params overlap;
    bool overlap_known;   /* false: the file has none, and no single messages either */
    bool overlap_derived; /* not in the file: made from p2p, and not written */
    struct tan_checks checks;
    struct tan_doubts doubts; /* about tan: those of the file, and those that its numbers raise */
    bool tan_known;           /* false: only p2p is known, and too little of it for tan */
    bool tan_derived;         /* not in the file: made from p2p as LogGP has it, and not written */
    const struct tan_p2p_model *message_model; /* that they were made by; NULL: they were not */
    bool stand_in; /* nobody named it, and there is no calibration: tan_machine_find's Cab */
    int n_tiers;   /* mostly 0 */
    struct tan_tier tier[TAN_INNER_TIERS]; /* `n_tiers` entries, nearest first; tan is the last */
    struct tan_latency latency;
    /* Single messages, NULL when absent; both owned, and only tan_machine_set_p2p changes them. The
     * block is written as it was read, with keys that this version does not know. */
    struct json_t *p2p;
    struct tan_p2p *messages;   /* parsed, for computations */
    struct json_t *environment; /* kept as read, NULL when absent; owned */
};

/* The simulated platform on which its parameters were measured, borrowed; NULL: a real machine. */
const char *tan_machine_simulated(const struct tan_machine *machine);

/* Read a machine file ("-": stdin). Missing required keys (schema, name, tan or p2p, tan.a_us),
 * wrong types, negative or infinite numbers, an unknown method or schema are errors naming the key
 * and what is allowed. Parameters that are left out are unidentified, but g and C, which are 0.
 * Intervals without draws get draws. */
struct tan_machine *tan_machine_load(const char *path, struct tan_error *e);
/* Write a machine file; a file that is there remains as `path` with a "~". Unknown values are left
 * out. Numbers carry 15 significant digits, which a load and a second save reproduce; draws carry
 * 6. */
int tan_machine_save(const struct tan_machine *machine, const char *path, struct tan_error *e);
/* The same as a JSON value; the caller owns the reference. NULL when memory is short. */
struct json_t *tan_machine_to_json(const struct tan_machine *machine);
void tan_machine_destroy(struct tan_machine *machine);
/* A machine with zero parameters and unknown intervals, to be filled in. */
struct tan_machine *tan_machine_create(const char *name, struct tan_error *e);
/* Add the doubts that the machine's numbers raise, as a load does. */
void tan_machine_raise_doubts(struct tan_machine *machine);
/* Replace tan by a copy of `params`, draws included, which the machine owns. */
int tan_machine_set_tan(struct tan_machine *machine, const struct tan_params *params,
                        struct tan_error *e);
/* The same of overlap. */
int tan_machine_set_overlap(struct tan_machine *machine, const struct tan_params *params,
                            struct tan_error *e);
/* Make `tan` what is asked for: the parameters of tan-overlap, or those of TAN. Whoever designs and
 * predicts goes by tan. Fails, naming the `file` and what measures them, where it has none of them.
 * Tiers follow; where one of them has no parameters of the model, the machine has none. */
int tan_machine_choose(struct tan_machine *machine, bool overlap, const char *file,
                       struct tan_error *e);
/* Add a tier, farther than those that are there: copies `name` and `params`, draws included. */
int tan_machine_add_tier(struct tan_machine *machine, const char *name,
                         const struct tan_params *params, struct tan_error *e);
/* Give tier `tier` parameters of tan-overlap: copies `params`, draws included. */
int tan_machine_set_tier_overlap(struct tan_machine *machine, int tier,
                                 const struct tan_params *params, struct tan_error *e);
/* All tiers, tan last; borrowed. */
struct tan_tiers tan_machine_tiers(const struct tan_machine *machine);
/* The parameters of trees from single messages by `model`, as LogGP has them: a level takes one
 * message, L + 2a, and for every further child the time that its message occupies the parent's
 * processor or link; with intervals where the file has those of the messages. false without
 * `model`, or where it lacks parameters. */
bool tan_params_from_messages(const struct tan_p2p *p, const struct tan_p2p_model *model,
                              struct tan_params *params);
/* Make the machine's own ones so. It must have single messages. */
void tan_machine_derive_tan(struct tan_machine *machine, const struct tan_p2p_model *model);

/* Replace the p2p block by a JSON value and its parsed form; takes the reference. */
int tan_machine_set_p2p(struct tan_machine *machine, struct json_t *p2p, struct tan_error *e);
/* Fail, naming the `file` that it was loaded from, unless the parameters of trees are known. */
int tan_machine_require_tan(const struct tan_machine *machine, const char *file,
                            struct tan_error *e);

/* The path that `tanbench calibrate` writes by default: $XDG_CONFIG_HOME/tan/machine.json, else
 * ~/.config/tan/machine.json; what is not trustworthy goes beside it, to machine.untrusted.json.
 * malloc'd. */
char *tan_machine_user_path(bool trusted, struct tan_error *e);
/* Make the directories that lead to such a path. */
int tan_machine_make_folders(const char *path, struct tan_error *e);
/* Save to it, making them. */
int tan_machine_save_user(const struct tan_machine *machine, const char *path, struct tan_error *e);
/* Load `path`. A word without '/' and '.' that is no file names a shipped machine, such as "cab":
 * its file as installed, or in configs/ of the source tree that the program was built in; other
 * words fail with the names that there are. NULL: the user's machine file if it exists, else Cab's
 * as a stand-in. *used (malloc'd, the caller frees) is the path of the file. */
struct tan_machine *tan_machine_find(const char *path, char **used, struct tan_error *e);
/* What to say of a stand-in. */
#define TAN_STAND_IN "No machine file: these are Cab's parameters, a cluster of 2011"

TAN_END_DECLS

#endif
