/* message_models.c - models of messages as parameters of the simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/message_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine/p2p.h"
#include "sim/schedule/machine_links.h"

const struct tan_message_model tan_message_models[] = {
    {.name = "loggp",
     .title = "LogGP",
     .help = "one overhead for all sizes, every message eager",
     .one_overhead = true},
    {.name = "loggpo",
     .title = "LogGPO",
     .help = "by size and protocol; long messages move in calls",
     .in_calls = true},
    {.name = "loggops", .title = "LogGOPS", .help = "by size; long messages move at any time"},
    {.name = "no-overlap",
     .title = "LogGPO, no overlap",
     .help = "a message keeps its sender from computing until it is there",
     .in_calls = true,
     .no_overlap = true},
    {.name = "independent",
     .title = "LogGPO, independent",
     .help = "long messages move while ranks compute",
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

/* A machine whose long messages move by themselves; its p2p block is `p`, whose sections are
 * malloc'd. NULL: memory is short. */
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
            p->progress = TAN_PROGRESS_INDEPENDENT; /* the papers' formulas need no more */
        }
        copy->messages = p;
    }
    return sections;
}

/* LogGP's formula, and what a file without L_us_per_byte says by the papers, but for LogGOPS. */
static bool by_papers(const struct tan_message_model *model, const struct tan_machine *machine)
{
    return machine->messages != NULL &&
           (model->one_overhead ||
            (!tan_p2p_complete(machine->messages) && strcmp(model->name, "loggops") != 0));
}

static int model_link(const struct tan_message_model *model, const struct tan_machine *machine,
                      const char *file, uint64_t bytes, struct tan_link *link, struct tan_error *e)
{
    const int result =
        by_papers(model, machine)
            ? tan_machine_link_by_paper(machine, file, model->one_overhead, bytes, link, e)
            : tan_machine_link(machine, file, bytes, link, e);
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
    params->S = waits && !model->one_overhead ? (uint64_t)p->eager : TAN_SCHEDULE_MAX_BYTES;
    params->handshake =
        model->one_overhead
            ? TAN_HANDSHAKE_NONE
            : tan_machine_handshake(machine, by_papers(model, machine), &params->control);
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

int tan_message_model_link(const struct tan_message_model *model, const struct tan_machine *machine,
                           const char *file, uint64_t bytes, struct tan_link *link,
                           struct tan_error *e)
{
    struct tan_sim_params params = {.S = 0};
    struct tan_sized_link *links;
    const int result =
        tan_message_model_params(model, machine, file, bytes, NULL, &params, &links, e);
    *link = params.between;
    return result;
}
