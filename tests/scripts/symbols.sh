# symbols.sh - the names that the libraries show to programs
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
bad=0

# only LIBRARY PATTERN NM-OPTION...: its names match the pattern
only()
{
    library=$1 pattern=$2
    shift 2
    names=$(nm -g --defined-only "$@" "$library" | awk 'NF == 3 { print $3 }')
    others=$(echo "$names" | grep -v -E "$pattern")
    [ -n "$names" ] && [ -z "$others" ] && return
    # shellcheck disable=SC2086  # a list of words
    echo "$library shows these names besides $pattern:" $others
    bad=1
}

only "$BUILD/lib/libtan.a" '^tan_'
for library in "$BUILD"/mpi/mpicc.*/libtantrace.so; do
    only "$library" '^(MPI|mpi)_' -D
done
exit $bad
