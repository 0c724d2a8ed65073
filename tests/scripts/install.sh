# install.sh - what is installed can be used from there, and uninstalling leaves nothing behind
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
grep -q "^version: $VERSION\$" CITATION.cff || { echo "CITATION.cff has another version"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export DESTDIR="$dir/stage" PREFIX=/opt/tan VERSION=1.2.3
at=$DESTDIR$PREFIX

tools/install
(cd "$at" && find . -type f | sort)
PKG_CONFIG_PATH=$at/lib/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion tan)" = 1.2.3 ]
[ "$(pkg-config --variable=prefix tan)" = /opt/tan ]

# A program in a folder that has nothing of ours includes every header and predicts a wave.
(cd "$at/include" && find tan -name '*.h' | sed 's/.*/#include <&>/') >"$dir/program.c"
cat >>"$dir/program.c" <<'EOF_PROGRAM'
#include <math.h>

int main(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("nto1:4", &e);
    struct tan_params params = {.method = TAN_METHOD_PAPER, .value = {[TAN_L] = 1, [TAN_A] = 2}};
    double wave = tree == NULL ? 0 : tan_wave_time(&tan_models[0], &params, tree);
    tan_tree_destroy(tree);
    return fabs(wave - 3) < 1e-12 ? 0 : 1;
}
EOF_PROGRAM
(
    cd "$dir"
    # shellcheck disable=SC2046  # lists of words
    ${CC:-gcc} -std=c17 -Wall -Wextra -Werror ${SANITIZE:+-fsanitize="$SANITIZE"} program.c \
        $(pkg-config --define-variable=prefix="$at" --cflags --libs tan) -o program
    ./program
)

# The installed program finds the machine file installed with it.
mkdir "$dir/home"
HOME=$dir/home XDG_CONFIG_HOME='' "$at/bin/tan-design" --leaves 64 >"$dir/output"
grep -q "$at/share/tan/cab.json" "$dir/output" || { head -n 3 "$dir/output"; exit 1; }

tools/install --remove
left=$(find "$DESTDIR" -type f)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
[ ! -d "$at/include/tan" ] && [ ! -d "$at/share/tan" ]
