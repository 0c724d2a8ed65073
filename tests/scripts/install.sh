# install.sh - installed files work from their new location, and uninstalling removes all of them
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -eu
grep -q "^version: $VERSION\$" CITATION.cff || { echo "CITATION.cff has another version"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export DESTDIR="$dir/stage" PREFIX=/opt/tan VERSION=1.2.3
at=$DESTDIR$PREFIX

tools/install
(cd "$at" && find . -type f | sort)
pc=$at/lib/pkgconfig/tan.pc
[ "$(pkg-config --modversion "$pc")" = 1.2.3 ]
[ "$(pkg-config --variable=prefix "$pc")" = /opt/tan ]

# Every header stands alone; a program that calls something of each is linked with nothing but what
# tan.pc says, and one in C++ that includes them all.
source=$PWD/tests/scripts/install.c
(cd "$at/include" && find tan -name '*.h' | sort) >"$dir/headers"
sed -n 's/^#include <\(tan.*\)>/\1/p' "$source" | diff "$dir/headers" - || exit 1
(
    cd "$dir"
    sed "s|^prefix=.*|prefix=$at|" "$pc" >tan.pc # where it is staged
    flags="-Wall -Wextra -Werror $(pkg-config --cflags ./tan.pc)"
    libs=$(pkg-config --libs ./tan.pc)
    # shellcheck disable=SC2086  # lists of words
    {
        flags="$flags ${SANITIZE:+-fsanitize=$SANITIZE}"
        while read -r header; do
            grep -q '^TAN_BEGIN_DECLS' "$at/include/$header" || { echo "$header: not for C++"; exit 1; }
            echo "#include <$header>" >header.c
            ${CC:-gcc} -std=c17 $flags -fsyntax-only header.c
        done <headers
        ${CC:-gcc} -std=c17 $flags "$source" $libs -o program
        ./program >output || { cat output; exit 1; }
        if echo '#include <math.h>' | ${CC:-gcc} -x c++ -fsyntax-only - 2>/dev/null; then
            sed 's/.*/#include <&>/' headers >program.cc
            echo 'int main() { tan_tree_destroy(tan_spec_build("kary:2:2", nullptr)); }' >>program.cc
            ${CC:-gcc} -std=c++17 $flags program.cc $libs -o program
            ./program
        fi
    }
)

# The installed program finds the machine file installed with it.
mkdir "$dir/home"
HOME=$dir/home XDG_CONFIG_HOME='' "$at/bin/tan-design" --leaves 64 >"$dir/output"
grep -q "$at/share/tan/cab.json" "$dir/output" || { head -n 3 "$dir/output"; exit 1; }

# Pages are whole: man(1) would look for fragments elsewhere.
! grep -r '^\.so' "$at/share/man" || exit 1

# uninstall, as a user calls it: nothing of this test's environment helps
mkdir "$at/lib/mine"
env -u BUILD -u VERSION -u PREFIX -u DESTDIR -u MAKEFLAGS \
    make --no-print-directory uninstall BUILD="$BUILD" DESTDIR="$DESTDIR" PREFIX="$PREFIX"
left=$(cd "$at" && find . | sort | tr '\n' ' ')
[ "$left" = '. ./lib ./lib/mine ' ] || { echo "left behind: $left"; exit 1; }
rmdir "$at/lib/mine" "$at/lib" "$at"
tools/install
tools/install --remove
[ ! -e "$at" ] || { echo "$at is left behind"; exit 1; }

# Folders that were there before stay.
mkdir -p "$at/bin" "$at/share/man"
tools/install
tools/install # a second time
tools/install --remove
left=$(cd "$at" && find . | sort | tr '\n' ' ')
[ "$left" = '. ./bin ./share ./share/man ' ] || { echo "left behind: $left"; exit 1; }
