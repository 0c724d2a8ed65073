"""systems - what each system does with its tree: operation, order of service, trees of its settings
SPDX-License-Identifier: GPL-3.0-or-later

Written from the sources of the systems, and independent of the programs that it is asked about."""
from collections.abc import Callable
from dataclasses import dataclass, field

import simulation as sim

ALL = 1 << 30  # more than all processes are the same as all


@dataclass(eq=False)
class Answer:
    """What a setting stands for, in one direction or in both."""

    operation: str
    order: str  # in which a process serves its children
    time: Callable  # of a tree and the cost of a message
    trees: dict  # by setting: a function; its least and greatest number, where the setting has one
    default: Callable = None  # the tree of the default, where it is always the same

    def any_tree(self):
        """Given in a file, instead of by a setting."""
        return any(function is sim.by_parents for function, *_ in self.trees.values())


@dataclass
class System:
    answers: dict  # by direction, as tan-design names it
    counts: str = "--members"
    above: int = 0  # processes above those that are counted: a controller
    shares_hosts: bool = False  # several processes on a host, which the tree ignores
    defaults: dict = field(default_factory=dict)  # by direction and members
    launch: Callable = None  # time of a launch message, which goes down the first answer's tree


def half_round_trip(tree, cost):
    return sim.half_round_trip_tan(tree, cost) if cost.name == "TAN" else sim.half_round_trip(tree, cost)


def down_at_once(threads):
    return lambda tree, cost: sim.down(tree, cost, threads=threads)


def fence(tree, cost):
    return sim.up(tree, cost) + sim.down(tree, cost)


def all_of(text, function, least=2, greatest=ALL):
    return {text: (function, least, greatest)}


def plain(operation):
    """Of coll/tuned's algorithms those that MPI_Reduce and MPI_Bcast have in common."""
    return {f"{operation}=linear": (sim.flat,), **all_of(f"{operation}=chain:", sim.chains, 1, 32),
            f"{operation}=pipeline": (sim.chains,), f"{operation}=binary": (sim.binary,)}


def tsp(operation):
    """MPICH's trees."""
    return {**all_of(f"{operation}=kary:", sim.kary, 1), **all_of(f"{operation}=knomial_1:", sim.knomial_ranges),
            **all_of(f"{operation}=knomial_2:", sim.knomial_descending)}


def greedy(operation):
    return all_of(f"{operation}=topology_wave:", sim.greedy, 1, 256)


ARRIVAL = "as they come"
LIST = "as listed"
RANKS = "ranks rising"
RANGES = "ranges in order"

reduce = {**plain("reduce"), "reduce=binomial": (sim.binomial_by_low_bit,)}
bcast = {**plain("bcast"), "bcast=binomial": (sim.binomial_by_high_bit,),
         **all_of("bcast=knomial:", sim.knomial_ascending)}
tuned = {"down": Answer("MPI_Bcast", "far first, rising", sim.down, bcast)}
tuned_defaults = {"up": {60: "reduce=binomial", 512: "reduce=binomial"},
                  "down": {60: "bcast=binomial", 512: "bcast=knomial:4"}}
radix = "rml_base_radix"

SYSTEMS = {
    "openmpi": System({"up": Answer("MPI_Reduce", ARRIVAL, sim.up, reduce), **tuned}, shares_hosts=True,
                      defaults=tuned_defaults),
    "openmpi-6": System({"up": Answer("MPI_Reduce", ARRIVAL, sim.up,
                                      {**reduce, **all_of("reduce=knomial:", sim.knomial_ascending)}), **tuned},
                        shares_hosts=True, defaults=tuned_defaults),
    # MPI_Ireduce takes the smallest subtree first by default, and its trees the largest.
    "mpich": System({"up": Answer("MPI_Reduce, MPI_Ireduce", ARRIVAL, sim.up, {**tsp("ireduce"), **greedy("ireduce")},
                                  sim.binomial_by_low_bit),
                     "down": Answer("MPI_Bcast, MPI_Ibcast", LIST, sim.down,
                                    {**tsp("bcast"), **greedy("bcast"), **tsp("ibcast")},
                                    lambda n: sim.knomial_descending(n, 2))}, shares_hosts=True),
    "ucc": System({"up": Answer("reduce, fanin", ARRIVAL, sim.up,
                                {**all_of("REDUCE_KN_RADIX=", sim.knomial_descending),
                                 **all_of("FANIN_KN_RADIX=", sim.knomial_descending)},
                                lambda n: sim.knomial_descending(n, 4)),
                   "down": Answer("bcast, fanout", "far first, falling", sim.down,
                                  {**all_of("BCAST_KN_RADIX=", sim.knomial_descending),
                                   **all_of("FANOUT_KN_RADIX=", sim.knomial_descending)},
                                  lambda n: sim.knomial_descending(n, 4))}, shares_hosts=True),
    "prrte": System({"up": Answer("fence, up", ARRIVAL, sim.up, all_of(f"{radix}=", sim.strided),
                                  lambda n: sim.strided(n, 64)),
                     "down": Answer("fence, release", "ranks rising, 8 at once", down_at_once(8),
                                    all_of(f"{radix}2=", sim.strided), lambda n: sim.strided(n, 4))},
                    launch=down_at_once(8)),
    "prrte@4.1": System({"both": Answer("fence, up and down", RANKS, fence, all_of(f"{radix}=", sim.strided, 1),
                                        lambda n: sim.strided(n, 64))}, launch=sim.down),
    "orte": System({"both": Answer("fence, up and down", RANKS, fence, all_of("routed_radix=", sim.strided, 1),
                                   lambda n: sim.strided(n, 64))}, launch=sim.down),
    "flux": System({"down": Answer("events", RANKS, sim.down,
                                   {**all_of("kary:", sim.kary, 0), **all_of("mincrit:", sim.routers, 0),
                                    "mincrit": (sim.few_routers,), "binomial": (sim.binomial_by_low_bit,)},
                                   lambda n: sim.kary(n, 32))}),
    "slurm": System({"both": Answer("messages to nodes", RANGES, half_round_trip,
                                    all_of("TreeWidth=", sim.ranges, 1, 65533), lambda n: sim.ranges(n, 16))}, above=1),
    "slurm-sbcast": System({"down": Answer("blocks of a file", RANGES, half_round_trip,
                                           all_of("treewidth=", sim.ranges, 1, 64), lambda n: sim.ranges(n, 8))},
                           above=1),
    "clustershell": System({"both": Answer("a command's outputs", RANKS, half_round_trip,
                                           {"topology.conf": (sim.by_parents,)})}, above=1),
    "mrnet": System({"both": Answer("waves", RANKS, half_round_trip, {"topology file": (sim.by_parents,)})},
                    counts="--leaves"),
}
