/* message_models.c - message models as simulation parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/message_models.h"

#include <stdlib.h>
#include <string.h>

#include "model/machine/p2p.h"
#include "sim/schedule/machine_links.h"

const struct tan_message_model tan_message_models[] = {
    {.name = "loggp",
     .title = "LogGP",
     .help = "as published: one overhead for all sizes, every message eager",
     .messages = "loggp",
     .eager = true},
    {.name = "loggops",
     .title = "LogGOPS",
     .help = "as published: overheads by size, long messages wait for their receiver",
     .messages = "loggops"},
    {.name = "loggpo",
     .title = "LogGPO",
     .help = "as published: by size, protocol and progress",
     .messages = "loggpo",
     .handshake = true,
     .in_calls = true},
    {.name = "fitted",
     .title = "fitted",
     .help = "by size, protocol and progress, each message as long as measured",
     .messages = "fitted",
     .handshake = true,
     .in_calls = true},
    {.name = "no-overlap",
     .title = "no overlap",
     .help = "a message keeps its sender from computing until it is there",
     .handshake = true,
     .in_calls = true,
     .no_overlap = true},
    {.name = "independent",
     .title = "independent",
     .help = "long messages move while ranks compute",
     .handshake = true,
     .independent = true},
    {.name = NULL},
};

const struct tan_message_model *tan_message_model_find(const char *name)
{
    const struct tan_message_model *row = tan_message_models;
    while (row->name != NULL && strcmp(row->name, name) != 0) {
        row++;
    }
    return row->name != NULL ? row : NULL;
}

/* The machine with long messages that progress independently; its p2p block is `p`, with malloc'd
 * sections. NULL when memory is short. */
static struct tan_p2p_section *assume_independent(const struct tan_machine *machine,
                                                  struct tan_machine *copy, struct tan_p2p *p)
{
    const size_t size = machine->messages->n_sections * sizeof(struct tan_p2p_section);
    struct tan_p2p_section *sections = malloc(size);
    if (sections != NULL) {
        memcpy(sections, machine->messages->section, size);
        *copy = *machine;
        *p = *machine->messages;
        p->section = sections;
        if (!tan_p2p_assume_independent(p)) {
            p->progress = TAN_PROGRESS_INDEPENDENT; /* sufficient for the papers' formulas */
        }
        copy->messages = p;
    }
    return sections;
}

const struct tan_message_model *tan_message_model_best(const struct tan_machine *machine,
                                                       const char *otherwise)
{
    const bool complete = machine->messages != NULL && tan_p2p_complete(machine->messages);
    return tan_message_model_find(complete ? "fitted" : otherwise);
}

static int model_link(const struct tan_message_model *model, const struct tan_machine *machine,
                      const char *file, uint64_t bytes, struct tan_link *link, struct tan_error *e)
{
    const char *messages = model->messages != NULL
                               ? model->messages
                               : tan_message_model_best(machine, "loggpo")->messages;
    const int result = tan_machine_link(machine, file, messages, bytes, link, e);
    if (result == 0) {
        link->held = model->no_overlap;
    }
    return result;
}

static int costs_of(const struct tan_message_model *model, const struct tan_machine *machine,
                    const char *file, uint64_t bytes, const struct tan_schedule *schedule,
                    struct tan_sim_params *params, struct tan_sized_link **links,
                    struct tan_error *e)
{
    const struct tan_p2p *p = machine->messages;
    *links = NULL;
    if (model_link(model, machine, file, bytes, &params->between, e) < 0) {
        return -1;
    }
    const bool waits = p->eager >= 0 && tan_p2p_transfer_of(p, p->eager + 1) != TAN_TRANSFER_T;
    params->S = waits && !model->eager ? (uint64_t)p->eager : TAN_SCHEDULE_MAX_BYTES;
    params->handshake =
        model->handshake ? tan_machine_handshake(p, &params->control) : TAN_HANDSHAKE_NONE;
    params->in_calls = model->in_calls && p->progress != TAN_PROGRESS_INDEPENDENT;
    if (schedule == NULL) {
        return 0;
    }
    *links = tan_sized_links(schedule, &params->n_sizes, e);
    for (size_t i = 0; *links != NULL && i < params->n_sizes; i++) {
        struct tan_sized_link *one = &(*links)[i];
        if (model_link(model, machine, file, one->bytes, &one->link, e) < 0) {
            free(*links);
            *links = NULL;
        } else {
            one->within = one->link;
        }
    }
    params->sizes = *links;
    return *links == NULL ? -1 : 0;
}

int tan_message_model_params(const struct tan_message_model *model,
                             const struct tan_machine *machine, const char *file, uint64_t bytes,
                             const struct tan_schedule *schedule, struct tan_sim_params *params,
                             struct tan_sized_link **links, struct tan_error *e)
{
    struct tan_machine copy;
    struct tan_p2p messages;
    struct tan_p2p_section *sections = NULL;
    if (model->independent && machine->messages != NULL && machine->messages->eager < 0) {
        return tan_fail_at(
            e, file, 0, 0,
            "the p2p block lacks eager_bytes, beyond which the model %s lets messages "
            "move by themselves: tanbench p2p calibrate measures it",
            model->name);
    }
    if (model->independent && machine->messages != NULL &&
        (sections = assume_independent(machine, &copy, &messages)) == NULL) {
        return tan_fail_nomem(e);
    }
    const int result = costs_of(model, sections != NULL ? &copy : machine, file, bytes, schedule,
                                params, links, e);
    free(sections);
    return result;
}
