# targets-orte.sh - ORTE's daemons build the tree that tan-design names
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# sanitized: no
for mpirun in "${MPIEXEC:-}" mpirun.openmpi mpirun none; do
    case $("$mpirun" --version 2>/dev/null) in
    *'(OpenRTE) 4.'* | *'(Open MPI) 4.'*) break ;;
    esac
done
if [ "$mpirun" = none ]; then
    echo "needs Open MPI 4, whose daemons are ORTE's"
    exit 77
fi
hosts=8
. tests/hosts/lib

TAN_DESIGN=${TAN_DESIGN:-${BUILD:-build}/bin/tan-design}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# real N RADIX HOST...: start N daemons, mpirun's included, on these hosts, and print the parents of all.
# Each daemon prints its parent and its children. Number 0, mpirun itself, does so for another component,
# too, which is not used: there its parent is not -1.
# (mpirun called by its path puts its folder first into the daemons' PATH, so ssh is named by its own.)
real()
{
    n=$1 radix=$2
    shift 2
    rm -f "$T/real" # daemons of the run before may still write to theirs
    timeout -k 5 60 "$mpirun" --mca routed_radix "$radix" --mca routed_base_verbose 1 --leave-session-attached \
        --mca plm_rsh_agent /run/hosts/bin/ssh --bind-to none --host "$(echo "$*" | tr ' ' ,)" -n $# hostname >"$T/real" 2>&1 </dev/null ||
        echo "mpirun ended with status $?:"
    awk -v n="$n" '
        function differ(what) { print "daemon " what; failed = 1; exit }
        match($0, /\[\[[0-9]+,0\],[0-9]+\]: /) {
            daemon = substr($0, RSTART, RLENGTH)
            gsub(/.*,|\].*/, "", daemon)
            split(substr($0, RSTART + RLENGTH), word)
            if (word[1] == "parent") {
                listed[daemon] = daemon != 0 || word[2] == -1
                if (listed[daemon]) {
                    if (daemon in parent && parent[daemon] != word[2]) differ(daemon ": two parents")
                    parent[daemon] = word[2]
                }
            } else if (word[1] == "child" && listed[daemon]) {
                if (word[2] in above && above[word[2]] != daemon) differ(word[2] ": a child of two")
                above[word[2]] = daemon
            }
        }
        END {
            if (failed) exit
            for (i = 0; i < n; i++) {
                if (!(i in parent)) differ(i " of " n " is silent")
                if (i > 0 && above[i] != parent[i]) differ(i " is not a child of its parent")
                list = list (i ? "," : "") parent[i]
            }
            if (n in parent) differ(n ": one too many")
            print list
        }' "$T/real"
}
# designed N RADIX: the parents by tan-design.
designed()
{
    "$TAN_DESIGN" --members "$1" --target orte --setting routed_radix="$2" --json - 2>"$T/err" |
        tr -d ' \n' | sed 's/.*"target":{//; s/.*"parents":\[\([^]]*\)\].*/\1/'
    cat "$T/err" >&2
}
# agree N RADIX HOST...
agree()
{
    real=$(real "$@")
    designed=$(designed "$1" "$2")
    if [ "$real" != "$designed" ]; then
        fail "$1 daemons, radix $2: ORTE: $real; tan-design: $designed"
        cat "$T/real"
    fi
}

for n in 4 6 9; do
    for radix in 1 2 3 64; do
        agree $n $radix $(seq -f h%.0f $((n - 1)))
    done
done
# The launcher's host among them: its daemon is mpirun itself.
agree 6 2 login h1 h2 h3 h4 h5
nobody_anywhere
finish
