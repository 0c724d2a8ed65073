# otf2.sh - the command line of tan-otf2
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bin=$(cd "$BUILD/bin" && pwd) || exit 1
if [ ! -x "$bin/tan-otf2" ]; then
    echo "needs tan-otf2 (libopen-trace-format2-dev)"
    exit 77
fi
cd "$dir" || exit 1
bad=0

# refused STATUS SENTENCE WORD...
refused()
{
    wanted=$1 sentence=$2
    shift 2
    "$bin/tan-otf2" "$@" >out 2>&1
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "^tan-otf2: $sentence" out; then
        echo "tan-otf2 $*: exit status $status"
        cat out
        bad=1
    fi
}

mkdir empty
touch none.otf2
refused 2 'name an archive'
refused 2 '"b.otf2" is one argument too many' a.otf2 b.otf2
refused 1 'missing.otf2: this is not an anchor file of an OTF2 archive, or its files are missing' missing.otf2
refused 1 'none.otf2: this is not an anchor file of an OTF2 archive' none.otf2
refused 1 'empty: there is no anchor file of an OTF2 archive in this folder' empty -o trace
[ ! -e trace ] || { echo 'a folder was made for nothing'; bad=1; }

# No other program needs the library.
for program in "$bin"/tan*; do
    if ldd "$program" 2>/dev/null | grep -q open-trace-format; then
        [ "${program##*/}" = tan-otf2 ] || { echo "$program is linked with the library of OTF2"; bad=1; }
    fi
done
exit $bad
