# evidence_tables.py - tables of recorded runs in the pages that show them
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re


def write_tables(tables, root, *more):
    """Write tables, functions of the folder `root` by name, anew in root/README.md and in `more` pages,
    each between lines <!-- NAME --> and <!-- end -->; print them where root has no page."""
    page = os.path.join(root, "README.md")
    if not os.path.exists(page):
        for table in tables.values():
            print("\n".join(table(root)), end="\n\n")
        return
    for page in (page, *more):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for name, table in tables.items():
            lines = "".join(f"    {line}".rstrip() + "\n" for line in table(root))
            text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                          lambda found, lines=lines: f"{found[1]}\n{lines}\n{found[2]}", text, flags=re.S)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
