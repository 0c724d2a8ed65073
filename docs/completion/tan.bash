# tan.bash - bash completion of tanbench, tan-design, tan-fit, tan-report, tan-sim and tan-trace
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Commands and options are those of the programs' help texts, which the shell keeps. Run as a program,
# `bash tan.bash PROGRAM WORD...`, it prints what the last word may become, for other shells.

declare -gA _tan_helps=()

# Leaves the help text of PROGRAM [COMMAND] in _tan_help; of COMMAND all: that of all commands.
_tan_read_help()
{
    [[ -n ${_tan_helps["$*"]-} ]] ||
        _tan_helps["$*"]=$("${1/#\~\//$HOME/}" help "${@:2}" 2>/dev/null </dev/null)
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
    sed -n -E 's/^  (-.), (--[^ =]+=?).*/\1 \2/p; s/^      (--[^ =]+=?).*/\1/p' <<<"$_tan_help" | sort -u
}

# The words of a list in the help text that was read, which begins with HEADING and ends with an empty
# line: "sum", or "chain:" of "chain:H".
_tan_list() # HEADING
{
    sed -n "/^$1/,/^\$/p" <<<"$_tan_help" | grep -o -E '(^  |P, )[a-z][a-z0-9@.-]*:?' | sed 's/.* //'
}

# The same of another command's help text.
_tan_list_of() # HEADING PROGRAM COMMAND
{
    local _tan_help
    _tan_read_help "${@:2}"
    _tan_list "$1"
}

# The words of an option that takes certain ones: the program lists them when it refuses another. The
# unknown option behind it ends the run in any case.
_tan_allowed() # PROGRAM COMMAND --OPTION=
{
    # shellcheck disable=SC2086  # two words at times
    "${1/#\~\//$HOME/}" $2 "$3?" --? 2>&1 </dev/null |
        sed -n '1 { s/.* is not one of //; T; s/ ([^)]*)//g; s/:[A-Z]*/:/g; s/,//g; p; }' | grep .
}

# The values of an option that takes certain words; fails where it takes none.
_tan_values() # PROGRAM COMMAND --OPTION=
{
    case ${1##*/},$3 in
    tanbench,--topo=) _tan_list Topologies: ;;
    tan-sim,--topo=) _tan_list Trees: ;;
    tan-design,--compare= | tan-design,--tree=) _tan_list_of SPECs: "$1" predict ;;
    *,--pattern=) _tan_list Patterns ;;
    *,--noise=) _tan_list Noise ;;
    tan-design,--target=) _tan_list_of Systems "$1" target ;;
    tan-fit,--target=) _tan_list_of Systems "${1%tan-fit}tan-design" target ;;
    tan-sim,--collectives=) echo 'usual schedgen' ;;
    tan-design,--pareto=) echo 'latency,processes latency,loss' ;;
    tanbench,--map=) echo 'block cyclic apart' ;;
    tanbench,--platform=) echo 'backbone crossbar dahu dragonfly fattree no-costs twosites' ;;
    tan-design,--machine= | tan-sim,--machine=) echo 'cab cab-joint cab-two-modes now t3d' ;;
    *) _tan_allowed "$@" ;;
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
    if [[ -z $command && -n $(_tan_options) ]]; then
        _tan_read_help "$1" all
    elif [[ -z $command ]]; then # the first command is meant
        _tan_read_help "$1" "${names[0]-}"
    fi
    options=$(_tan_options)

    [[ $option != -? ]] || option=$(sed -n "s/^$option //p" <<<"$options")
    option=${option%=}=
    if [[ $option == --* && " ${options//$'\n'/ } " == *" $option "* ]]; then
        words=$(_tan_values "$1" "$command" "$option") || files=true
        [[ $option != --map= && $option != --machine= ]] || files=true
    elif [[ $word == -* ]]; then
        words=$(grep -o -e '--.*' <<<"$options")
    else
        case $program,$command in
        tanbench, | tanbench,run | tanbench,stream | tanbench,oneway)
            words+=" $(_tan_list Topologies:)"
            ;;
        tan-design,predict | tan-design,compare | tan-design,convert) words=$(_tan_list_of SPECs: "$1" predict) ;;
        tan-design,target) words=$(_tan_list Systems) ;;
        tan-design,) [[ $before != *--compare* ]] || words+=" $(_tan_values "$1" "" --compare=)" ;;
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
        mapfile -t COMPREPLY < <(compgen -W '-o -m -q -h --help' -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

# Its arguments are the words of a command line up to the cursor, as shells pass them that do not separate
# words at "=".
_tan_print()
{
    local word before='' found
    COMP_WORDS=()
    for word in "$@"; do
        if [[ $word == --*=* ]]; then
            COMP_WORDS+=("${word%%=*}" = "${word#*=}")
        else
            COMP_WORDS+=("$word")
        fi
    done
    [[ $word != --*=* ]] || before=${word%%=*}=
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    local function=_tan
    [[ ${1##*/} != tan-trace ]] || function=_tan_trace
    "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    for found in "${COMPREPLY[@]}"; do
        [[ $found != */* && $found != . && $found != .. || ! -d $found ]] || found+=/
        printf '%s\n' "$before$found"
    done
}

if ! (return 0 2>/dev/null); then # not sourced
    _tan_print "$@"
else
    complete -F _tan_trace tan-trace
    complete -F _tan tanbench tan-design tan-fit tan-report tan-sim
fi
