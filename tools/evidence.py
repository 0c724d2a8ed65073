# evidence.py - what tools/evidence-* share: programs of ours, recorded rows, command lines
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import fcntl
import json
import os
import statistics
import subprocess
import sys

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))


def tan(program, *words):
    """What a program of ours prints; status 3, a doubt, is part of the answer."""
    done = subprocess.run([os.path.join(BUILD, "bin", program), *words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{program} {' '.join(words)[:500]}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def ask(*words):
    """What tan-design says."""
    return json.loads(tan("tan-design", *words, "-j", "-"))


def read_rows(root, name):
    """Of a file that need not be there yet."""
    path = os.path.join(root, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def add_rows(root, name, rows):
    """At once, beside other runs."""
    with open(os.path.join(root, name + ".csv"), "a", encoding="utf-8", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        out = csv.DictWriter(file, rows[0], lineterminator="\n")
        if os.fstat(file.fileno()).st_size == 0:
            out.writeheader()
        out.writerows(rows)


SURE_AND_DOUBTED = f"{'sure':>6}{'mean':>9}{'worst':>9}{'doubted':>8}{'mean':>7}{'worst':>9}{'slowest':>9}"


def sure_and_doubted(what, sure, doubted, slowest):
    """A line below these headings: of answers, how much slower in percent; the slowest tree as a multiple."""
    line = f"{what:30}"
    for some in (sure, doubted):
        line += f"{len(some):6}" + (f"{statistics.mean(some):7.1f} %{max(some):7.1f} %" if some
                                    else f"{'-':>9}{'-':>9}")
    return line + f"{slowest:8.1f}x"


def main(usage, what, parts, tables, record):
    """DIR [PART...]: record(DIR, parts, by default all) says whether nothing is left out. --tables DIR [TABLE...]:
    print what `tables` makes of the files in DIR."""
    words = sys.argv[1:]
    if words[:1] == ["--tables"] and len(words) > 1 and set(words[2:]) <= set(tables):
        print("\n\n".join("\n".join(tables[name](words[1])) for name in words[2:] or tables))
    elif words and not words[0].startswith("-") and set(words[1:]) <= set(parts):
        os.makedirs(words[0], exist_ok=True)
        if not record(words[0], words[1:] or list(parts)):
            raise SystemExit(3)
    else:
        raise SystemExit(f"{usage}\n{what}: {', '.join(parts)}\nTABLE: {' '.join(tables)}")
