"""simgrid - what SimGrid says of trees of the witness
SPDX-License-Identifier: GPL-3.0-or-later

SimGrid's copies of the algorithms of Open MPI, MPICH and MVAPICH2, and trees of tan-design's systems
under `tanbench oneway`, on a platform whose messages cost what the witness says. Messages have 8 bytes:
none is divided, and none waits for its receiver."""
import json
import os
import shutil
import subprocess
import sys
from itertools import combinations

import simulation as sim

HERE = os.path.dirname(os.path.abspath(__file__))
L, O_S, O_R = 2.09, 1.82, 1.52
COST = sim.loggops(L, O_S, O_R)
PLATFORM = f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/os" value="0:{O_S}e-6:0"/>
    <prop id="smpi/ois" value="0:{O_S}e-6:0"/>
    <prop id="smpi/or" value="0:{O_R}e-6:0"/>
  </config>
  <cluster id="c" prefix="n" suffix="" radical="0-511" speed="10Gf" bw="1e9GBps" lat="{L / 2}us"/>
</platform>
"""
SETTINGS = ["smpi/simulate-computation:no", "smpi/host-speed:10Gf", "smpi/lat-factor:0:1", "smpi/bw-factor:0:1",
            "smpi/async-small-thresh:65536"]
IN_ORDER, AS_THEY_COME = "in order", ""
BOTH, SMALL = (60, 512), (60,)  # those that first create communicators for the hosts take long

# Operation, SimGrid's name of its algorithm, tree, order of receiving, processes. Open MPI's reductions wait for
# one child after the other, except its k-nomial one, which is not here, but MVAPICH2's is.
ALGORITHMS = [
    ("reduce", "binomial", sim.binomial_by_low_bit, AS_THEY_COME, BOTH),
    ("reduce", "ompi_binomial", sim.binomial_by_low_bit, IN_ORDER, BOTH),
    ("reduce", "ompi_binary", sim.binary, IN_ORDER, BOTH),
    ("reduce", "ompi_chain", lambda n: sim.chains(n, min(n // 2, 32)), IN_ORDER, BOTH),
    ("reduce", "ompi_pipeline", sim.chains, IN_ORDER, BOTH),
    ("reduce", "ompi_basic_linear", sim.flat, IN_ORDER, BOTH),
    ("reduce", "mvapich2_knomial", lambda n: sim.knomial_ascending(n, 4), AS_THEY_COME, BOTH),
    ("bcast", "binomial_tree", lambda n: sim.knomial_descending(n, 2), AS_THEY_COME, BOTH),
    ("bcast", "mpich", lambda n: sim.knomial_descending(n, 2), AS_THEY_COME, SMALL),
    ("bcast", "SMP_binary", sim.binary, AS_THEY_COME, SMALL),
    ("bcast", "mvapich2_knomial_intra_node", lambda n: sim.knomial_ascending(n, 4), AS_THEY_COME, SMALL),
    ("bcast", "ompi_pipeline", sim.chains, AS_THEY_COME, BOTH),
    ("bcast", "flattree", sim.flat, AS_THEY_COME, BOTH),
    # Open MPI's own choice: binomial for few ranks, k-nomial for many.
    ("bcast", "ompi", sim.binomial_by_high_bit, AS_THEY_COME, SMALL),
    ("bcast", "ompi", lambda n: sim.knomial_ascending(n, 4), AS_THEY_COME, (512,)),
]
# tanbench serves children in the order that the system has.
TREES = {
    "openmpi:reduce=binary": sim.binary,
    "openmpi:reduce=binomial": sim.binomial_by_low_bit,
    "openmpi:bcast=binomial": sim.binomial_by_high_bit,
    "openmpi:reduce=chain:8": lambda n: sim.chains(n, 8),
    "openmpi:bcast=knomial:4": lambda n: sim.knomial_ascending(n, 4),
    "mpich:ireduce=knomial_1:4": lambda n: sim.knomial_ranges(n, 4),
    "mpich:bcast=topology_wave:1": lambda n: sim.greedy(n, 1),
    "ucc:BCAST_KN_RADIX=5": lambda n: sim.knomial_descending(n, 5),
    "prrte:rml_base_radix=6": lambda n: sim.strided(n, 6),
    "flux:mincrit:6": lambda n: sim.routers(n, 6),
}
HEADS = ["operation", "algorithm or setting", "receives", "processes", "SimGrid", "witness", "as they come"]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"witness: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def collectives(folder):
    run(["smpicc", "-O1", os.path.join(HERE, "collective_time.c"), "-o", "collective_time"], folder)
    for operation, algorithm, function, order, sizes in ALGORITHMS:
        for n in sizes:
            settings = [f"--cfg={setting}" for setting in [*SETTINGS, f"smpi/{operation}:{algorithm}"]]
            took = run(["smpirun", "-np", str(n), "-platform", "platform.xml", "--log=root.thresh:critical", *settings,
                        "./collective_time", operation], folder)
            tree = sim.Tree(function(n))
            time = sim.up(tree, COST) if operation == "reduce" else sim.down(tree, COST)
            waits = sim.up(tree, COST, in_order=True) if order == IN_ORDER else time
            yield operation, algorithm, order, n, float(took), waits, time


def oneway(folder, tanbench):
    n = 60
    run([tanbench, "oneway", "--platform", "platform.xml", "--bytes", "8", "--json", "oneway.json",
         *(f"{tree}:{n}" for tree in TREES)], folder)
    with open(os.path.join(folder, "oneway.json"), encoding="utf-8") as file:
        cells = {cell["topo"]: cell for cell in json.load(file)["cells"]}
    for name, function in TREES.items():
        tree = sim.Tree(function(n))
        for way, time in ("up", sim.up(tree, COST)), ("down", sim.down(tree, COST)):
            yield f"oneway, {way}", name, AS_THEY_COME, n, cells[f"{name}:{n}"][f"{way}_us"]["median"], time, time


def is_installed():
    return shutil.which("smpirun") and shutil.which("smpicc")


def compared(folder, tanbench, close, count):
    """The lines of a table. Open MPI's reductions are in the order that they have as messages come, too."""
    with open(os.path.join(folder, "platform.xml"), "w", encoding="utf-8") as file:
        file.write(PLATFORM)
    rows = [*collectives(folder), *oneway(folder, tanbench)]
    for operation, name, _, n, took, mine, _ in rows:
        count(abs(took / mine - 1) <= close,
              f"SimGrid, {operation}, {name}, {n} processes: {took:.2f} us, not {mine:.2f}")
    for a, b in combinations(rows, 2):
        if (a[0], a[3]) == (b[0], b[3]) and abs(a[4] / b[4] - 1) > close:
            count((a[4] < b[4]) == (a[6] < b[6]),
                  f"SimGrid, {a[0]}, {a[3]} processes: {a[1]} and {b[1]} in another order")
    return [HEADS, *([*map(str, row[:4]), *(f"{us:.2f} us" for us in row[4:])] for row in rows)]
