# late.py - the share of waves' way up that is the last leaf's late start, medians, by leaves and bytes
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: python3 late.py paper-sizes.json
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = {(cell["bytes"], cell["leaves"]): cell for cell in json.load(file)["cells"]}
leaves = sorted({key[1] for key in cells})
print(f"{'leaves':>8}" + "".join(f"{n:7}" for n in leaves))
for size in sorted({key[0] for key in cells}):
    shares = (cells[size, n]["late_us"]["median"] / cells[size, n]["up_us"]["median"] for n in leaves)
    print(f"{size // 1024:4} KiB" + "".join(f"{share:7.0%}" for share in shares))
