# options.sh - options and shapes in the programs' help, man pages and completion are the same
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0

# Both give one line per option: "-l --leaves=N", "--help".
help_options()
{
    "$BUILD/bin/$1" --help |
        sed -n -E 's/^  (-[A-Za-z0-9]), (--[^ ]+)( .*)?$/\1 \2/p; s/^      (--[^ ]+)( .*)?$/\1/p' | sort
}

# An option is an item ".It Fl l , Fl -leaves Ns = Ns Ar N" of the man page's lists.
man_options()
{
    sed -n -E '/^\.It Fl/ { s/^\.It //; s/Fl -/--/g; s/Fl /-/g; s/ ,//; s/ Ns = Ns Ar /=/; p; }' \
        "docs/man/$1.1" | sort
}

# What the shell offers after "PROGRAM --".
completed_options()
{
    bash -c '. docs/completion/tan.bash
        COMP_WORDS=("$1" --) COMP_CWORD=1 COMPREPLY=()
        "$(complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/")" "$1" -- "$1"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1" | sed 's/[= ]*$//' | sort
}

for program in tanbench tan-sim tan-design tan-fit; do
    help_options "$program" >"$dir/help"
    man_options "$program" >"$dir/man"
    sed -E 's/^-. //; s/=.*//' "$dir/help" | sort >"$dir/long"
    completed_options "$program" >"$dir/completion"
    if [ "$(wc -l <"$dir/help")" -lt 4 ]; then
        echo "$program --help lists too few options to be true"
        bad=1
    fi
    diff -u --label "$program --help" --label "docs/man/$program.1" "$dir/help" "$dir/man" || bad=1
    diff -u --label "$program --help" --label "completion of $program" "$dir/long" "$dir/completion" ||
        bad=1
done

# Every shape of a tree is in the man page of the trees, and offered by the shell.
shapes=$("$BUILD/bin/tan-design" --help | sed -n -E 's/^  ([a-z0-9]+):[A-Z0-9].*/\1/p')
[ "$(echo "$shapes" | wc -l)" -ge 11 ] || { echo "only these shapes in the help: $shapes"; bad=1; }
for shape in $shapes; do
    grep -q "Cm $shape *:" docs/man/tan.7 || { echo "docs/man/tan.7 lacks $shape"; bad=1; }
    grep -q "[' ]$shape:[' ]" docs/completion/tan.bash || { echo "tan.bash lacks $shape"; bad=1; }
done
exit $bad
