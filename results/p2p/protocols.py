#!/usr/bin/env python3
"""protocols.py - how messages are passed by machine files, and what was quiet
SPDX-License-Identifier: GPL-3.0-or-later

usage: protocols.py MPI-TRANSPORT/machine.json ..."""
import json
import os
import sys

print(f"{'':12}{'alone':>8}{'up to S':>9}  beyond S  progress   quiet")
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as text:
        p2p = json.load(text)["p2p"]
    folder = os.path.basename(os.path.dirname(file))
    print(f"{folder:12}{p2p['alone_bytes']:8}{p2p['eager_bytes']:9}  {p2p['transfer']:8}  {p2p['progress']:9}"
          f"{p2p['quiet'] * 100:5.0f} %")
