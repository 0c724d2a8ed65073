/* message_models.h - message models as simulation parameters, and links of a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_MESSAGE_MODELS_H
#define TAN_SIM_SCHEDULE_MESSAGE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* The link for messages of `bytes` (0 is treated as 1) under a model of single messages
 * (model/machine/p2p.h): loggp, loggops, loggpo or fitted, so that a message takes the time the
 * model predicts. Under loggops o and O are means of both sides. Fails naming the `file` and the
 * missing key. */
int tan_machine_link(const struct tan_machine *machine, const char *file, const char *model,
                     uint64_t bytes, struct tan_link *link, struct tan_error *e);

/* A model, and how it interprets a machine file's p2p block. */
struct tan_message_model {
    const char *name;     /* "loggpo" */
    const char *title;    /* "LogGPO" */
    const char *help;     /* its assumption, as a phrase */
    const char *messages; /* model of single messages; NULL: fitted, or loggpo if the file lacks
                             data for that */
    bool eager;           /* senders never wait for receivers */
    bool handshake;       /* above S use the file's protocol with control messages */
    bool in_calls;        /* receivers take messages only while not computing */
    bool no_overlap;      /* the sender's processor is busy until its data arrive */
    bool independent;     /* long messages progress while ranks compute */
};
/* Ended by a NULL name: the papers' models, the one fitted to measurements, and two assumptions
 * about overlap. */
extern const struct tan_message_model tan_message_models[];
/* The row with this name, or NULL. */
const struct tan_message_model *tan_message_model_find(const char *name);
/* The row `fitted`, or `otherwise` if the machine file lacks data for it. */
const struct tan_message_model *tan_message_model_best(const struct tan_machine *machine,
                                                       const char *otherwise);

/* Set the message costs in `params` under the model: `between` for messages of `bytes`, S,
 * handshake, control unless there is no handshake, in_calls, and sizes for the sends in `schedule`,
 * unless NULL; `within` is left as it is. *links: storage of the sizes, malloc'd, freed by the
 * caller; NULL without a schedule. Fails naming the `file` if its
 * block lacks something. */
int tan_message_model_params(const struct tan_message_model *model,
                             const struct tan_machine *machine, const char *file, uint64_t bytes,
                             const struct tan_schedule *schedule, struct tan_sim_params *params,
                             struct tan_sized_link **links, struct tan_error *e);

#endif
