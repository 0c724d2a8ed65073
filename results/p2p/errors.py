#!/usr/bin/env python3
"""errors.py - absolute errors of the models' one-way times in validations, mean / worst, in %
SPDX-License-Identifier: GPL-3.0-or-later

usage: errors.py MPI-TRANSPORT/validation.txt MPI-TRANSPORT/validation-again.txt ...

The last column is how many sizes plogp is more than 20 % off. Measured times are those of the file, predictions those of tan-design with the machine file beside it."""
import json
import os
import re
import subprocess
import sys

MODELS = ["logp", "loggp", "loggpo", "loggps", "loggops", "fitted", "plogp"]


def measured(file):
    """Microseconds by size."""
    with open(file, encoding="utf-8") as lines:
        text = lines.read()
    table = text.split("one-way us", 1)[1].split("mean", 1)[0]
    return {int(size): float(time) for size, time in re.findall(r"^ *(\d+) +([0-9.]+) ", table, re.M)}


def predicted(machine, sizes):
    done = subprocess.run(["tan-design", "messages", *map(str, sizes), "--machine", machine, "--json", "-"],
                          check=True, capture_output=True, text=True)
    return {row["bytes"]: row["predicted_us"] for row in json.loads(done.stdout)["sizes"]}


print(f"{'':32}" + "".join(f"{model:>14}" for model in MODELS) + "   sizes")
for file in sys.argv[1:]:
    folder = os.path.dirname(file)
    times = measured(file)
    models = predicted(os.path.join(folder, "machine.json"), times)
    print(f"{os.path.basename(folder)}/{os.path.basename(file)}".ljust(32), end="")
    for model in MODELS:
        errors = [abs(models[size][model] / time - 1) * 100 for size, time in times.items()]
        print(f"{sum(errors) / len(errors):6.1f} /{max(errors):6.1f}", end="")
    print(f"{sum(error > 20 for error in errors):5} of {len(errors)}")
