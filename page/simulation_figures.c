/* simulation_figures.c - tables and figures of simulations: algorithms, sensitivities, programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/rows.h"

const struct tan_listing tan_collective_tables[] = {
    {"Algorithms", "algorithms",
     .column = {{"algorithm", "{pattern}"},
                {"finish", "{finish_ns:ns}"},
                {"slower", "[{?slower}{slower:slower}]"},
                {"operations", "{operations:%.0f}"}}},
    {.title = NULL}};

/* Of --set the simulations with and without it are compared. */
const struct tan_listing tan_simulation_tables[] = {
    {"Simulated time, by model of the messages", "program.models",
     .column =
         {
             {"model", "{model:%.20s}"},
             {"without, ms", "{unchanged_us / 1000:%.4g}"},
             {"error, %", "{unchanged_us * 1000 / /change.traced_ns - 1 * 100:%+.1f}"},
             {"simulated, ms", "{simulated_us / 1000:%.4g}"},
             {"times as long", "{simulated_us / unchanged_us:factor}"},
             {"from traced, ms", "{from_traced_us / 1000:%.4g}"},
         }},
    {.title = NULL}};

const struct tan_listing tan_simulation_folded[] = {
    {"What is added to the critical path, by call", "change.added", .most = 8,
     .column = {{"call", "{name}"}, {"added", "{added_ns / 1000:%+.4g} us"}}},
    {"Critical path by call", "path_shares.calls", .most = 8,
     .column = {{"on the critical path", "{name}"},
                {"time", "{time_ns:ns}"},
                {"share", "{share * 100:%.1f} %"}}},
    {"Critical path by pair of ranks", "path_shares.pairs", .most = 8,
     .column = {{"ranks", "{from:%.0f} to {to:%.0f}"},
                {"messages", "{messages:%.0f}"},
                {"bytes", "{bytes:%.0f}"},
                {"latencies", "{latency_share * 100:%.1f} %"},
                {"time", "{time_ns:ns}"},
                {"share", "{share * 100:%.1f} %"}}},
    {.title = NULL}};

#define SIMULATED "simulated[{?/change} with the change]"
#define UNCHANGED "simulated without the change"

const struct tan_figure tan_simulation_figures[] = {
    /* the ends of the pieces of the function of a cost */
    {"sensitivity-{cost}", "Finish time by what is added to {cost}[{?beyond_set}, beyond --set]",
     "sensitivity", "added to {cost}[{?beyond_set}, beyond --set], ns[{?cost=G} per byte]",
     "finish, us", "",
     "The slope is how often the cost is on the critical path. It grows where another path becomes "
     "the longest; the time falls or jumps where an operation overtakes another one.",
     .rows = {{TAN_LINE, "finish", "pieces", .value = {"to_ns", "finish_to_ns / 1000"}},
              {.list = "pieces", .value = {"from_ns", "finish_from_ns / 1000"}},
              {TAN_POINTS, "1, 2 and 5 % longer", "tolerances",
               .value = {"added_ns", "share + 1 * /pieces.0.finish_from_ns / 1000"}}}},
    {"calls", "Time in MPI calls", NULL, "ms", NULL, "x",
     "Of all ranks together, waiting included. In the simulation, what a nonblocking call costs is "
     "part of the time after it.",
     .names = {'y', "program.calls", "{name}"},
     .rows = {{TAN_POINTS, "as traced", "program.calls", .value = {"traced_us / 1000", "#"}},
              {TAN_POINTS, SIMULATED, "program.calls", .value = {"simulated_us / 1000", "#"}},
              {TAN_POINTS, UNCHANGED, "program.calls", .value = {"unchanged_us / 1000", "#"}}},
     .most = 16},
    {"program", "Run time of the program, by rank", NULL, "rank", "ms", "",
     "From MPI_Init on, as it was traced and as it is simulated; the time in MPI is what other "
     "messages, or another network, can change.",
     .rows = {{TAN_POINTS, "as traced", "program.ranks", .value = {"# - 1", "traced_us / 1000"}},
              {TAN_POINTS, SIMULATED, "program.ranks", .value = {"# - 1", "simulated_us / 1000"}},
              {TAN_POINTS, "in MPI, as traced", "program.ranks",
               .value = {"# - 1", "mpi_us / 1000"}},
              {TAN_POINTS, UNCHANGED, "program.ranks", .value = {"# - 1", "unchanged_us / 1000"}}}},
    {"finish", "Ends of the ranks", NULL, "rank", "time, us", "",
     "When each rank finished, in simulated time. The rank that is highest ends the run; ranks far "
     "below it had nothing more to do.",
     .rows = {{TAN_POINTS, "", "host_finish_ns", .value = {"# - 1", " / 1000"},
               .only = "!/program"}},
     .most = 2000},
    {.name = NULL}};
