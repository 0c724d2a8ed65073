# symbols.sh - the names that the tracer shows to programs
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
bad=0
for library in "$BUILD"/mpi/mpicc.*/libtantrace.so; do
    names=$(nm -D -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
    others=$(echo "$names" | grep -v -E '^(MPI|mpi)_')
    [ -n "$names" ] && [ -z "$others" ] && continue
    # shellcheck disable=SC2086  # a list of words
    echo "$library shows these names besides those of MPI:" $others
    bad=1
done
exit $bad
