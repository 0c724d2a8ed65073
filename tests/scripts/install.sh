# install.sh - installed files work from their new location, and uninstalling removes all of them
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -eu
grep -q "^version: $VERSION\$" CITATION.cff || { echo "CITATION.cff has another version"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export DESTDIR="$dir/stage" PREFIX=/opt/tan
at=$DESTDIR$PREFIX

tools/install
[ ! -e "$at/bin/tan-sim" ] || { echo 'the simulator is installed, too'; exit 1; }
tools/install sim
(cd "$at" && find . -type f | sort)

# The installed program finds the machine file installed with it.
mkdir "$dir/home"
HOME=$dir/home XDG_CONFIG_HOME='' "$at/bin/tan-design" --leaves 64 --json - >"$dir/output"
grep -q "$at/share/tan/cab.json" "$dir/output" || { head -n 3 "$dir/output"; exit 1; }

"$at/bin/tan-sim" --topo nto1:4 --machine cab >"$dir/output"
grep -q "$at/share/tan/cab.json" "$dir/output" || { head -n 3 "$dir/output"; exit 1; }

# Pages are whole: man(1) would look for fragments elsewhere.
! grep -r '^\.so' "$at/share/man" || exit 1

# uninstall, as a user calls it: nothing of this test's environment helps
mkdir "$at/lib/mine"
env -u BUILD -u PREFIX -u DESTDIR -u MAKEFLAGS \
    make --no-print-directory uninstall BUILD="$BUILD" DESTDIR="$DESTDIR" PREFIX="$PREFIX"
left=$(cd "$at" && find . | sort | tr '\n' ' ')
[ "$left" = '. ./lib ./lib/mine ' ] || { echo "left behind: $left"; exit 1; }
rmdir "$at/lib/mine" "$at/lib" "$at"
tools/install sim
tools/install --remove
[ ! -e "$at" ] || { echo "$at is left behind"; exit 1; }

# Folders that were there before stay.
mkdir -p "$at/bin" "$at/share/man"
tools/install
tools/install sim
tools/install # a second time
tools/install --remove
left=$(cd "$at" && find . | sort | tr '\n' ' ')
[ "$left" = '. ./bin ./share ./share/man ' ] || { echo "left behind: $left"; exit 1; }
