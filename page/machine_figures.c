/* machine_figures.c - tables and figures of machine files, fits, and single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/rows.h"

/* Fitted parameters of a model, and those that answers use first; TAN's gap is never fitted. */
#define PARAMETERS(model, block, if_any)                                                           \
    {                                                                                              \
        "Parameters of " model, block, .only = if_any, .column = {                                 \
            {"parameter", "[{?@=L_us}L][{?@=a_us}a][{?@=b_us}b][{?@=o_s_us}o_s][{?@=o_r_us}o_r]"   \
                          "[{?@=c_us}c][{?@=g_us}{?/" block ".o_s_us + 1}g][{?@=C_us}C]"},         \
            {"us", "{:%.4g}"},                                                                     \
            {"95 % interval", "{/" block ".ci95.@.-2:%.4g} to {/" block ".ci95.@.-1:%.4g}"},       \
            {"what it is", "[{?@=L_us}{?/" block ".o_s_us + 1}time that a message is in flight]"   \
                           "[{?@=L_us}{?/" block ".b_us + 1}latency of a message, with the "       \
                           "overheads of both ends][{?@=a_us}overhead of a message]"               \
                           "[{?@=b_us}for each further child][{?@=o_s_us}overhead of a sender]"    \
                           "[{?@=o_r_us}overhead of a receiver][{?@=c_us}growth of that]"          \
                           "[{?@=g_us}gap between messages][{?@=g_us}{?! - /" block ".o_s_us & "   \
                           "! - /" block ".o_r_us}, not identifiable below the overheads]"         \
                           "[{?@=C_us}once for a wave]"},                                          \
        }                                                                                          \
    }
#define USES_OVERLAP(machine) machine "model.name=tan-overlap"
#define USED_PARAMETERS(machine)                                                                   \
    PARAMETERS("tan-overlap", machine "overlap", USES_OVERLAP(machine)),                           \
        PARAMETERS("TAN", machine "tan", "!" USES_OVERLAP(machine))
#define OTHER_PARAMETERS(machine)                                                                  \
    PARAMETERS("tan-overlap", machine "overlap", "!" USES_OVERLAP(machine)),                       \
        PARAMETERS("TAN", machine "tan", USES_OVERLAP(machine))

const struct tan_listing tan_machine_tables[] = {
    {"Mean errors on {model.trees:%.0f} tree[{?model.trees - 1}s] left out of the fits",
     "model.error",
     .column = {{"model", "{@}[{?@~/model.name & /model.name~@}, which answers use]"},
                {"off by", "{:share}"}}},
    USED_PARAMETERS(""),
    {"Single messages[, of which those of more than {/p2p.eager_bytes:%.0f} B wait for their "
     "receiver]",
     "p2p.sizes",
     .column = {{"bytes", "[{?bytes~8}8][{?bytes~1024}1024][{?bytes~65536}65536]"
                          "[{?bytes~1048576}1048576]"},
                {"one way, us", "{half_us:%.4g}"},
                {"sender, us", "{o_s_us:%.4g}"},
                {"receiver, us", "{o_r_us:%.4g}"},
                {"gap, us", "{gap_us:%.4g}"}}},
    {.title = NULL}};

const struct tan_listing tan_machine_folded[] = {
    {"Check trees, which no fit used, and the models' errors", "check",
     .column = {{"check tree", "{topo:%.39s}"},
                {"wave us", "{wave_us:%.4g}"},
                {"tan-overlap", "{error.tan-overlap * 100:%+.1f} %"},
                {"tan", "{error.tan * 100:%+.1f} %"},
                {"logp", "{error.logp * 100:%+.1f} %"}}},
    OTHER_PARAMETERS(""),
    {.title = NULL}};

const struct tan_figure tan_message_figures[] = {
    {"messages", "Single messages, by size", NULL, "bytes", "time, us", "xy",
     "One-way time with its 95 % interval, overheads and gap, as measured.",
     /* intervals for one series only, since four would hide each other */
     .rows = {{TAN_INTERVALS, "one-way time", "p2p.sizes",
               .value = {"bytes", "half_us", "ci95.half_us.0|half_us", "ci95.half_us.1|half_us"}},
              {TAN_LINE, "overhead of the sender", "p2p.sizes", .value = {"bytes", "o_s_us"}},
              {TAN_LINE, "overhead of the receiver", "p2p.sizes", .value = {"bytes", "o_r_us"}},
              {TAN_LINE, "gap between messages", "p2p.sizes", .value = {"bytes", "gap_us"}}}},
    {.name = NULL}};

#define NOT_FITTED(model, number)                                                                  \
    {                                                                                              \
        TAN_POINTS, model ", not fitted", "held_out",                                              \
            .value = {"median_us", "predicted_us." model}, .style = number                         \
    }

const struct tan_figure tan_fit_figures[] = {
    {"fit", "Fitted and predicted against measured waves", NULL, "measured, us", "predicted, us",
     "xy",
     "A mark for each tree and model. On the diagonal predictions are exact; below it waves took "
     "longer than predicted.",
     .rows = {{TAN_POINTS, "tan, fitted", "fitted", .value = {"median_us", "predicted_us.tan"},
               .style = 1},
              {TAN_POINTS, "tan-overlap, fitted", "fitted",
               .value = {"median_us", "predicted_us.tan-overlap"}, .style = 4},
              NOT_FITTED("tan", 2), /* as in results_figures.c */
              NOT_FITTED("logp", 3),
              NOT_FITTED("tan-overlap", 5)},
     .most = 500, .diagonal = true},
    {.name = NULL}};

const struct tan_listing tan_fit_tables[] = {USED_PARAMETERS("machine."), {.title = NULL}};

const struct tan_listing tan_fit_folded[] = {
    {"Errors of the models on trees that were not fitted", "models",
     .column = {{"model", "{@}"},
                {"mean |error|", "{waves.mean_abs_error * 100:%.1f} %"},
                {"worst", "{waves.worst_abs_error * 100:%.1f} %"},
                {"bias", "{waves.mean_error * 100:%+.1f} %"},
                {"tau", "{waves.kendall_tau:%.2f}"}}},
    OTHER_PARAMETERS("machine."),
    {.title = NULL}};

/* Validations of single messages */

const struct tan_listing tan_validation_tables[] = {
    {"Errors of one-way times, by model", "models",
     .column = {{"model", "{@}"},
                {"mean |error|", "{mean_abs_error * 100:%.1f} %"},
                {"worst", "{worst_abs_error * 100:%.1f} %"}}},
    {.title = NULL}};

#define OVERLAP(title, kind)                                                                       \
    {                                                                                              \
        TAN_POINTS, title, "exchanges",                                                            \
            .value = {"overlap_ratio", "overlap_ratio + overlap_ratio_error"},                     \
            .only = "kind=" kind                                                                   \
    }

const struct tan_figure tan_validation_figures[] = {
    {"message-errors", "Errors of the models, by message size", NULL, "bytes", "absolute error, %",
     "xy",
     "How far each model's one-way time is off, up or down: the lower the better. Errors below "
     "0.1 % are drawn at 0.1 %.",
     .rows = {{TAN_POINTS, "{@}", "sizes", .value = {"bytes", "error.@ abs * 100 max 0.1"},
               .each = "models"}}},
    {"overlap", "Overlap of computation and communication", NULL, "measured", "predicted", "",
     "Measured overlap ratios, which are the share of the communication that computation hides, "
     "against the predicted ones.",
     .rows = {OVERLAP("the sender computes", "sender_computes"),
              OVERLAP("the receiver computes", "receiver_computes")},
     .diagonal = true},
    {.name = NULL}};
