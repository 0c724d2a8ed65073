/* message_models.h - models of messages as parameters of the simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_MESSAGE_MODELS_H
#define SIM_SCHEDULE_MESSAGE_MODELS_H

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* A model: what it makes of the p2p block of a machine file. */
struct tan_message_model {
    const char *name;     /* "loggpo" */
    const char *title;    /* "LogGPO" */
    const char *help;     /* what it assumes, a phrase */
    const char *messages; /* the model of single messages; NULL: fitted, or loggpo where the file
                             has not what that needs */
    bool eager;           /* no sender waits for a receiver */
    bool handshake;       /* beyond S the file's protocol, with control messages */
    bool in_calls;        /* a receiver takes messages only while it computes nothing */
    bool no_overlap;      /* the sender's processor is busy until its data are there */
    bool independent;     /* long messages move while their ranks compute */
};
/* A row with name NULL ends the table: the papers' models, what is fitted to measurements, and two
 * assumptions about overlap. */
extern const struct tan_message_model tan_message_models[];
/* The row of this name, or NULL. */
const struct tan_message_model *tan_message_model_find(const char *name);
/* The row `fitted`, or `otherwise` where the machine's file has not what that needs. */
const struct tan_message_model *tan_message_model_best(const struct tan_machine *machine,
                                                       const char *otherwise);

/* Set in `params` what messages cost under the model: between, S, handshake, control, sizes, which
 * are those of the sends in `schedule` (NULL: only a message of `bytes`, in `between`). *links: the
 * sizes' memory, malloc'd, the caller frees; NULL without a schedule. Fails, naming the `file`,
 * where its block lacks something. */
int tan_message_model_params(const struct tan_message_model *model,
                             const struct tan_machine *machine, const char *file, uint64_t bytes,
                             const struct tan_schedule *schedule, struct tan_sim_params *params,
                             struct tan_sized_link **links, struct tan_error *e);

/* The link of messages of one size under the model. */
int tan_message_model_link(const struct tan_message_model *model, const struct tan_machine *machine,
                           const char *file, uint64_t bytes, struct tan_link *link,
                           struct tan_error *e);

#endif
