# tan.bash - bash completion of tanbench, tan-design, tan-fit, tan-otf2, tan-report, tan-sim and tan-trace
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Commands and options are those of the programs' help texts, which the shell keeps.

declare -gA _tan_helps=()

# Leaves the help text of PROGRAM [COMMAND] in _tan_help.
_tan_read_help()
{
    [[ -n ${_tan_helps["$*"]-} ]] ||
        _tan_helps["$*"]=$("${1/#\~\//$HOME/}" "${@:2}" --help 2>/dev/null </dev/null)
    _tan_help=${_tan_helps["$*"]}
}

# One name a line, "run" or "p2p validate".
_tan_commands()
{
    sed -n '/^Commands:/,/^$/ { /^  [^ ]/ { s/^  //; s/  .*//; p; }; }' <<<"$_tan_help"
}

# One option a line, "-t --topo=" or "--quiet".
_tan_options()
{
    sed -n -E 's/^  (-.), (--[^ =]+=?).*/\1 \2/p; s/^      (--[^ =]+=?).*/\1/p' <<<"$_tan_help"
}

_tan_shapes='chain: nto1: flat: binary: binomial: twolevel: kary: knomial: levels: random: file:'

# The values of an option that takes certain words; fails where it takes none.
_tan_values() # PROGRAM --OPTION=
{
    case $1,$2 in
    tanbench,--topo=) echo "$_tan_shapes mpi: pingpong" ;;
    *,--topo= | *,--compare= | tan-design,--tree=) echo "$_tan_shapes" ;;
    *,--method=) echo 'joint paper' ;;
    *,--filter=) echo 'null sum min max avg concat' ;;
    *,--pattern=)
        echo 'gather: scatter: linear-barrier: binomial-broadcast: binomial-reduce:
            binary-broadcast: binary-reduce: dissemination: nway-dissemination: recursive-doubling:
            halving-doubling: ring-allreduce: pipelined-ring: linear-alltoall:
            allreduce: alltoall: barrier: bcast: reduce:'
        ;;
    *,--noise=|*,--compute-noise=) echo 'constant: uniform: exponential: normal: lognormal: pareto: trace:' ;;
    *,--sweep=) echo 'up down round' ;;
    *,--handshake=) echo 'none rat rta fetch' ;;
    tan-sim,--format=) echo 'goal binary simgrid' ;;
    tan-sim,--model=) echo 'auto loggops tan loggp loggpo fitted no-overlap independent' ;;
    *,--model=) echo 'tan logp logp-serial tan-overlap' ;;
    *,--progress=) echo 'line json' ;;
    *,--sync=) echo 'all timeout: none' ;;
    *,--growth=) echo 'constant concat' ;;
    tan-design,--message-model=) echo 'logp loggp loggp-smp loggps loggops loggpo fitted plogp' ;;
    tan-design,--objective=) echo 'latency period processes' ;;
    tan-design,--pareto=) echo 'latency,processes' ;;
    tan-design,--target=)
        echo 'clustershell csv dask dot flux goal graphml json mpich mrnet openmpi openmpi-rules orte prrte
            slurm slurm-24.11 spark stat ucc'
        ;;
    *,--type=) echo 'int64 double' ;;
    *,--wait=) echo 'auto poll yield park block' ;;
    *,--bind=) echo 'auto block none one' ;;
    tanbench,--map=) echo 'block cyclic apart' ;;
    tanbench,--platform=) echo 'backbone crossbar dahu dragonfly fattree twosites' ;;
    tan-design,--machine= | tan-sim,--machine=) echo 'cab cab-joint cab-two-modes now t3d' ;;
    *,--awake=) echo 'auto yes no' ;;
    *,--format=) echo 'mrnet json dot graphml csv flux clustershell goal' ;;
    *) return 1 ;;
    esac
}

_tan()
{
    local IFS=$' \t\n' program=${1##*/} word=$2 option=$3 command='' words='' files=false
    local _tan_help names=() name before options
    # "=" separates words here: --option=value comes as three.
    if [[ $word == = ]]; then
        word=''
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    # The command, and what may follow to make it another one.
    _tan_read_help "$1"
    mapfile -t names < <(_tan_commands)
    before=${COMP_WORDS[*]:1:COMP_CWORD - 1}
    for name in "${names[@]}"; do
        [[ "$before " != "$name "* || ${#name} -lt ${#command} ]] || command=$name
        if [[ $name == "${before:+$before }"* ]]; then
            name=${name#"${before:+$before }"}
            [[ " $words " == *" ${name%% *} "* ]] || words+=" ${name%% *}"
        fi
    done
    # shellcheck disable=SC2086  # two words at times
    [[ -z $command ]] || _tan_read_help "$1" $command
    options=$(_tan_options)
    if [[ -z $options ]]; then # the first command is meant
        _tan_read_help "$1" "${names[0]-}"
        options=$(_tan_options)
    fi

    [[ $option != -? ]] || option=$(sed -n "s/^$option //p" <<<"$options")
    option=${option%=}=
    if [[ $option == --* && " ${options//$'\n'/ } " == *" $option "* ]]; then
        words=$(_tan_values "$program" "$option") || files=true
        [[ $option != --map= && $option != --machine= ]] || files=true
    elif [[ $word == -* ]]; then
        words=$(grep -o -e '--.*' <<<"$options")
    else
        case $program,$command in
        tanbench, | tanbench,run | tanbench,stream | tanbench,oneway)
            words+=" $(_tan_values tanbench --topo=)"
            ;;
        tan-design,predict) words=$_tan_shapes ;;
        tan-design,) [[ $before != *--compare* ]] || words+=" $_tan_shapes" ;;
        tan-design,* | tanbench,p2p) ;;
        *) files=true ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if $files; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
    fi
    [[ ${COMPREPLY[0]-} != *[:=] ]] || compopt -o nospace 2>/dev/null
}

# Its options, and then a program and whatever that takes.
_tan_trace()
{
    local word=$2 i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -o | -m) i=$((i + 1)) ;;
        -*) ;;
        *) break ;;
        esac
    done
    compopt -o filenames 2>/dev/null
    if ((i < COMP_CWORD)); then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    elif [[ $3 == -o && i -gt COMP_CWORD ]]; then
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
    elif [[ $3 == -m && i -gt COMP_CWORD ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'mpich openmpi' -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-o -m -h --help' -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

complete -F _tan_trace tan-trace
complete -F _tan tanbench tan-design tan-fit tan-otf2 tan-report tan-sim
