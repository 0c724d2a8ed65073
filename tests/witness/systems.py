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
    file: str = ""  # the setting beside others with which the tree is given in a file

    def any_tree(self):
        """Given in a file, instead of by a setting."""
        return any(function is sim.by_parents for function, *_ in self.trees.values())


@dataclass
class System:
    answers: dict  # by direction, as tan-design names it
    counts: str = "--members"
    above: int = 0  # processes above those that are counted: a controller
    shares_hosts: bool = False  # several processes on a host, which the tree ignores
    by_host: Callable = lambda n, each: False  # whether n on hosts of so many have a default by host
    defaults: dict = field(default_factory=dict)  # by direction and members
    launch: Callable = None  # time of a launch message, which goes down the first answer's tree


def half_round_trip(tree, cost):
    return sim.half_round_trip_tan(tree, cost) if cost.name == "TAN" else sim.half_round_trip(tree, cost)


def down_at_once(threads):
    return lambda tree, cost: sim.down(tree, cost, threads=threads)


def fence(tree, cost):
    return sim.up(tree, cost) + sim.down(tree, cost)


def with_number(function, number):
    return lambda n: function(n, number)


def numbered(function, *texts, least=2, greatest=ALL):
    return {text: (function, least, greatest) for text in texts}


AS_THEY_COME = "as they come"
RANKS = "ranks rising"
RANGES = "ranges in order"


def tuned(reductions):
    """Open MPI's coll/tuned."""
    def both(operation):
        return {f"{operation}=linear": (sim.flat,), f"{operation}=chain:": (sim.chains, 1, 32),
                f"{operation}=pipeline": (sim.chains,), f"{operation}=binary": (sim.binary,)}

    up = {**both("reduce"), "reduce=binomial": (sim.binomial_by_low_bit,), **reductions}
    down = {**both("bcast"), "bcast=binomial": (sim.binomial_by_high_bit,),
            "bcast=knomial:": (sim.knomial_ascending, 2, ALL)}
    return System(
        {"up": Answer("MPI_Reduce", AS_THEY_COME, sim.up, up),
         "down": Answer("MPI_Bcast", "far first, rising", sim.down, down)},
        shares_hosts=True, by_host=lambda n, each: n > each and n % each == 0,  # coll/han wants them even
        defaults={"up": {60: "reduce=binomial", 512: "reduce=binomial"},
                  "down": {60: "bcast=binomial", 512: "bcast=knomial:4"}})


def mpich():
    """By default MPI_Ireduce takes the smallest subtree first, but in its trees the largest."""
    def trees(operation):
        return {f"{operation}=kary:": (sim.kary, 1, ALL), f"{operation}=knomial_1:": (sim.knomial_ranges, 2, ALL),
                f"{operation}=knomial_2:": (sim.knomial_descending, 2, ALL)}

    up = {**trees("ireduce"), "ireduce=topology_wave:": (sim.greedy, 1, 256)}
    down = {**trees("bcast"), "bcast=topology_wave:": (sim.greedy, 1, 256), **trees("ibcast")}
    return System(
        {"up": Answer("MPI_Reduce, MPI_Ireduce", AS_THEY_COME, sim.up, up, sim.binomial_by_low_bit),
         "down": Answer("MPI_Bcast, MPI_Ibcast", "as listed", sim.down, down, with_number(sim.knomial_descending, 2))},
        shares_hosts=True, by_host=lambda n, each: n > each)


def ucc():
    up = numbered(sim.knomial_descending, "REDUCE_KN_RADIX=", "FANIN_KN_RADIX=")
    down = numbered(sim.knomial_descending, "BCAST_KN_RADIX=", "FANOUT_KN_RADIX=")
    default = with_number(sim.knomial_descending, 4)
    return System(
        {"up": Answer("reduce, fanin", AS_THEY_COME, sim.up, up, default),
         "down": Answer("bcast, fanout", "far first, falling", sim.down, down, default)},
        shares_hosts=True)


def prrte():
    """A fence's release has a tree of its own; a launch goes down that of the way up."""
    up = numbered(sim.strided, "rml_base_radix=")
    down = numbered(sim.strided, "rml_base_radix2=")
    return System(
        {"up": Answer("fence, up", AS_THEY_COME, sim.up, up, with_number(sim.strided, 64)),
         "down": Answer("fence, release", f"{RANKS}, 8 at once", down_at_once(8), down, with_number(sim.strided, 4))},
        launch=down_at_once(8))


def daemons(setting):
    """One tree for all: a fence goes up, and then down."""
    trees = numbered(sim.strided, setting, least=1)
    return System({"both": Answer("fence, up and down", RANKS, fence, trees, with_number(sim.strided, 64))},
                  launch=sim.down)


def flux():
    trees = {**numbered(sim.kary, "kary:", least=0), **numbered(sim.routers, "mincrit:", least=0),
             "mincrit": (sim.few_routers,), "binomial": (sim.binomial_by_low_bit,)}
    return System({"down": Answer("events", RANKS, sim.down, trees, with_number(sim.kary, 32), "custom")})


def slurm(direction, operation, setting, greatest, default, others):
    trees = {**numbered(sim.ranges, setting, least=1, greatest=greatest), **others}
    answer = Answer(operation, RANGES, half_round_trip, trees, with_number(sim.ranges, default))
    return System({direction: answer}, above=1)


def any_tree(operation, setting, **how):
    return System({"both": Answer(operation, RANKS, half_round_trip, {setting: (sim.by_parents,)})}, **how)


SYSTEMS = {
    "openmpi": tuned({}),
    "openmpi@6.0": tuned({"reduce=knomial:": (sim.knomial_ascending, 2, ALL)}),
    "mpich": mpich(),
    "ucc": ucc(),
    "prrte": prrte(),
    "prrte@4.1": daemons("rml_base_radix="),
    "orte": daemons("routed_radix="),
    "flux": flux(),
    "slurm": slurm("both", "messages to nodes", "TreeWidth=", 65533, 16, {}),
    "slurm-sbcast": slurm("down", "blocks of a file", "treewidth=", 64, 8, {"treewidth=off": (sim.flat,)}),
    "clustershell": any_tree("a command's outputs", "topology.conf", above=1),
    "mrnet": any_tree("waves", "topology file", counts="--leaves"),
}
