#!/usr/bin/env python3
"""sweep.py - growth of waves with latency and slot, and the rest of each, us, by medians
SPDX-License-Identifier: GPL-3.0-or-later

usage: sweep.py sweep.csv
Known of a wave are the height times L, and half a slot for each leaf but one. Slopes by least squares."""
import csv
import statistics
import sys

TREES = [("chain:2", 2, 1), ("chain:4", 4, 1), ("nto1:4", 1, 4), ("nto1:8", 1, 8), ("levels:4x2", 2, 8),
         ("levels:2x2x2", 3, 8)]
RUNS = [(350, 1200), (700, 1200), (1400, 1200), (350, 2400)]


def slope(x, y):
    return statistics.linear_regression(x, y).slope


waves = {}
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        waves.setdefault((row["topology"], int(row["L_us"]), int(row["slot_us"])), []).append(float(row["wave_us"]))
print(f"{'L':>37}" + "".join(f"{latency:8}" for latency, _ in RUNS))
print(f"{'':13}height   dT/dL  dT/dslot slot" + "".join(f"{slot:8}" for _, slot in RUNS))
for tree, height, leaves in TREES:
    rest = [statistics.median(waves[(tree, *run)]) - height * run[0] - (leaves - 1) / 2 * run[1] for run in RUNS]
    latency = height + slope([run[0] for run in RUNS[:3]], rest[:3])
    slot = (leaves - 1) / 2 + slope([RUNS[0][1], RUNS[3][1]], [rest[0], rest[3]])
    print(f"{tree:13}{height:6}{latency:8.3f}{slot:10.3f}     " + "".join(f"{value:8.0f}" for value in rest))
