/* machine.h - parameters of a machine: the tan-machine/1 file, and trees held out of its fits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_MACHINE_H
#define TAN_MODEL_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "model/machine/doubt.h"
#include "model/machine/params.h"
#include "model/stats/stats.h"

/* The checked models, a subset of tan_models. */
enum { TAN_CHECK_TAN, TAN_CHECK_LOGP, TAN_CHECK_OVERLAP, TAN_CHECK_MODELS };
extern const char *const tan_check_models[TAN_CHECK_MODELS];

struct tan_check {
    char topo[64];                  /* spec of the tree, truncated */
    double wave;                    /* median, seconds */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not predicted */
};

enum { TAN_MAX_CHECKS = 64 };
/* Zero-initialised: empty. */
struct tan_checks {
    int n;
    struct tan_check row[TAN_MAX_CHECKS]; /* trees that no fit used */
    struct tan_check uneven; /* tan-overlap alone is fitted to it; "": none. Not written to files */
    /* Trees that tell the models apart, those of the fits included, as fits without them predict
     * them; 0: not judged. */
    int trees;
    int64_t processes;              /* of the largest of them; 0: unknown */
    double error[TAN_CHECK_MODELS]; /* mean absolute error on these; NaN: not predicted */
    int best;                       /* the model that answers use by default */
    /* Mean absolute error on the waves that the model is fitted to; not written to files. */
    double own_error[TAN_CHECK_MODELS];
};

/* Errors above which a model's answers are doubted, whatever it was fitted to; those of check trees
 * are compared as they are printed, with one decimal of a per cent. */
#define TAN_CHECKS_MOST 0.05

/* checks->error of a model (TAN_CHECK_TAN...); NaN if none was judged. */
double tan_checks_error(const struct tan_checks *checks, int model);
/* The same of the model of that name. */
double tan_checks_mean(const struct tan_checks *checks, const char *model);
/* The gain of one prediction over another that is certain if each may be wrong by a share of
 * `error`: (1 + error) / (1 - error) - 1, infinite from 1 on, and 0 for NaN, unknown. */
double tan_checks_margin(double error);
/* How far the model of that name may err: its largest absolute error on the rows, and without rows
 * the mean one; NaN if it does not predict all rows, or was not checked. */
double tan_checks_may_err(const struct tan_checks *checks, const char *model);
/* Set checks->best to the model with the smallest error, of equals the first one. But tan-overlap,
 * which also holds where requests and answers overlap, is kept unless it is refuted: off by more
 * than TAN_CHECKS_MOST, or by more than twice the smallest error and 0.01 percentage points. None:
 * checks->trees becomes 0. */
void tan_checks_choose(struct tan_checks *checks);
/* Judge by the rows alone: for files that say nothing of other trees. */
void tan_checks_average(struct tan_checks *checks);
/* checks->best; -1 if none was judged. */
int tan_checks_best(const struct tan_checks *checks);
/* "tan, 2 % off on 18 trees of up to 17 processes left out of its fit (logp 40 %)"; "" if the error
 * of the model of that name is unknown. */
struct tan_text tan_checks_text(const struct tan_checks *checks, const char *model);
/* Print a line "Model: ..." about the best one; nothing if none was judged. */
void tan_checks_print(const struct tan_checks *checks, FILE *to);
/* Doubt the best model if it is further than TAN_CHECKS_MOST off its own waves, and the tree that
 * it mispredicts most of those that it was not fitted to, if by more. `hosts` on which they were
 * measured; 0: unknown. `racks`: whether their racks were known. */
void tan_checks_doubt(const struct tan_checks *checks, int64_t hosts, bool racks,
                      struct tan_doubts *doubts);

struct json_t;
struct tan_p2p;

#define TAN_TIER_HOST "host" /* the tier of processes on one host */

/* Parameters for processes that are closer to each other than those that `tan` describes, such as
 * on one host. */
struct tan_tier {
    char *name; /* "host"; owned */
    int level;  /* as in struct tan_tiers, rising */
    struct tan_params params;
    struct tan_params overlap; /* for tan-overlap; swapped along with the machine's */
    bool overlap_known;
    bool alike;    /* a class of distance: only the way of a message differs from the machine's, */
    double nearer; /* by so many seconds less */
};

struct tan_machine {
    char *name;             /* owned */
    char *source;           /* origin of the numbers in one sentence; owned, may be NULL */
    int64_t hosts;          /* 0 if unknown */
    int64_t cores_per_host; /* 0 if unknown */
    bool oversubscribed; /* measured with more ranks than cores: software of one host, no network */
    bool network_real;   /* the file says that it describes a network all the same: no doubt */
    struct tan_params tan;
    /* The same for the model tan-overlap, method TAN_METHOD_OVERLAP; tan_machine_choose swaps the
     * two. */
    struct tan_params overlap;
    bool overlap_known; /* false: neither in the file nor derived from single messages */
    struct tan_checks checks;
    struct tan_doubts doubts; /* about tan, and notes: from the file, and raised by its numbers */
    bool tan_known;           /* false: only p2p is known, and not enough of it for tan */
    const struct tan_p2p_model *message_model; /* by which parameters are derived; NULL: none */
    bool stand_in; /* Cab, which tan_machine_find loads if there is no other machine file */
    int n_tiers;   /* usually 0 */
    struct tan_tier tier[TAN_INNER_TIERS]; /* nearest first; `tan` is farther than all of them */
    struct tan_latency latency;
    /* The block of single messages, as it was read and will be written, including unknown keys, and
     * its parsed form. Both are NULL if absent, owned, and changed by tan_machine_set_p2p only. */
    struct json_t *p2p;
    struct tan_p2p *messages;
    struct json_t *environment; /* unparsed, NULL if absent; owned */
};

/* Hosts between which the messages of its p2p block were measured, and the cores of each; 0:
 * unknown. */
int64_t tan_machine_message_hosts(const struct tan_machine *machine);
int64_t tan_machine_message_cores(const struct tan_machine *machine);
/* Name of the simulated platform that was measured, borrowed; NULL: a real machine. */
const char *tan_machine_simulated(const struct tan_machine *machine);

/* Read a machine file ("-": stdin); NULL with an error. Missing required keys (schema, name, tan or
 * p2p, tan.a_us), wrong types, negative or infinite numbers, an unknown method or schema are errors
 * that name the key and what is allowed. Missing parameters are unidentified, except g and C, which
 * are 0. If the file has intervals but no draws, draws are made from the intervals. */
struct tan_machine *tan_machine_load(const char *path, struct tan_error *e);
/* Write a machine file; an existing one is kept with "~" appended to its name, unless that would
 * replace a trustworthy file by an untrustworthy one. Unknown values are left out. Numbers have 15
 * significant digits, which survive loading and saving again; draws have 6. */
int tan_machine_save(const struct tan_machine *machine, const char *path, struct tan_error *e);
/* The same as a JSON value; the caller owns the reference. NULL if memory is short. */
struct json_t *tan_machine_to_json(const struct tan_machine *machine);
void tan_machine_destroy(struct tan_machine *machine);
/* A machine with parameters of 0 and unknown intervals, to be filled in. */
struct tan_machine *tan_machine_create(const char *name, struct tan_error *e);
/* Add the doubts raised by the machine's numbers, as loading does. */
void tan_machine_raise_doubts(struct tan_machine *machine);
/* Replace tan by a copy of `params`, including draws, owned by the machine. */
int tan_machine_set_tan(struct tan_machine *machine, const struct tan_params *params,
                        struct tan_error *e);
/* The same for overlap, which is then known. */
int tan_machine_set_overlap(struct tan_machine *machine, const struct tan_params *params,
                            struct tan_error *e);
/* Choose the parameters in `tan`, which designs and predictions use: those of tan-overlap, or of
 * TAN. Fails if there are none, naming the `file` and the command that measures them. The same is
 * done in each tier; all tiers are dropped if one of them lacks the chosen parameters, which a note
 * says, or if those of tan-overlap are derived from single messages. */
int tan_machine_choose(struct tan_machine *machine, bool overlap, const char *file,
                       struct tan_error *e);
/* Add a tier farther than the existing ones, of which there must be fewer than TAN_INNER_TIERS:
 * copies `name` and `params`, including draws. */
int tan_machine_add_tier(struct tan_machine *machine, const char *name, int level,
                         const struct tan_params *params, struct tan_error *e);
/* The same for a class of distance: the parameters of the machine, with a message that takes
 * `nearer` seconds less: of L and, if that is less, of the overheads, but nothing below 0. After
 * those were set. */
int tan_machine_add_class(struct tan_machine *machine, const char *name, int level, double nearer,
                          struct tan_error *e);
/* Note that a tier, if there is one, has no parameters of tan-overlap, and the consequence. */
void tan_machine_note_tier(struct tan_machine *machine, const char *consequence);
/* Set a tier's parameters of tan-overlap: copies `params`, including draws. */
int tan_machine_set_tier_overlap(struct tan_machine *machine, int tier,
                                 const struct tan_params *params, struct tan_error *e);
/* All tiers, tan last; borrowed. */
struct tan_tiers tan_machine_tiers(const struct tan_machine *machine);
/* Set L, a and b of `params` from single messages of params->bytes by `model`, as in LogGP: a level
 * costs one message, L + 2a, and an additional child, b, the time that its message occupies the
 * parent's processor or link. Also sets intervals of a and b if messages of that size were
 * measured. Under TAN_METHOD_OVERLAP: L, o_s, o_r and g, the parts of the message. false, with
 * nothing set, without `model` or if one of its parameters is missing. */
bool tan_params_from_messages(const struct tan_p2p *p, const struct tan_p2p_model *model,
                              struct tan_params *params);
/* Append a doubt if the file's single messages were measured while others used the cores. */
void tan_doubt_messages(const struct tan_machine *machine, struct tan_doubts *doubts);

/* Replace the p2p block by a JSON value, whose reference is consumed, and its parsed form. -1 if
 * the value is wrong, or NULL because memory was short. */
int tan_machine_set_p2p(struct tan_machine *machine, struct json_t *p2p, struct tan_error *e);
/* Fail unless the parameters of trees are known, naming the `file` they were loaded from. */
int tan_machine_require_tan(const struct tan_machine *machine, const char *file,
                            struct tan_error *e);

/* The default path of `tanbench calibrate`: $XDG_CONFIG_HOME/tan/machine.json or
 * ~/.config/tan/machine.json; untrustworthy results go next to it, to machine.untrusted.json.
 * malloc'd. */
char *tan_machine_user_path(bool trusted, struct tan_error *e);
/* Whether the user's machine file exists, which a calibration of this machine has written. */
bool tan_machine_is_calibrated(void);
/* Create the missing directories that lead to the file `path`. */
int tan_machine_make_folders(const char *path, struct tan_error *e);
/* Save to `path`, creating the directories that lead to it. */
int tan_machine_save_user(const struct tan_machine *machine, const char *path, struct tan_error *e);
/* Load `path`. A word without '/' or '.' that is not a file names a shipped machine, such as
 * "cab": its file as installed, or in configs/ of the source tree of the program; unknown words
 * fail with a list of names. NULL: the user's machine file if it exists, else Cab's as a stand-in.
 * *used (malloc'd, freed by the caller) is the path of the file; NULL on failure. */
struct tan_machine *tan_machine_find(const char *path, char **used, struct tan_error *e);
/* What to print about a stand-in. */
#define TAN_STAND_IN "No machine file: these are Cab's parameters, a cluster of 2011"

#endif
