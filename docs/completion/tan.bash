# tan.bash - bash completion of tanbench, tan-design and tan-fit
# SPDX-License-Identifier: GPL-3.0-or-later

_tan_options()
{
    case $1 in
    tanbench)
        echo '--topo= --experiment= --calibrate --max-leaves= --method= --name= --machine= --bytes=
            --request-bytes= --filter= --type= --wait= --bind= --waves= --max-waves= --max-time=
            --precision= --warmup= --seed= --launches= --json= --raw= --journal= --resume= --quiet --ranks= --launcher= --dry-run
            --help --version'
        ;;
    tan-design)
        echo '--leaves= --max-fanout= --max-height= --max-processes= --top= --output= --format=
            --predict --machine= --model= --json= --help --version'
        ;;
    tan-fit)
        echo '--output= --json= --name= --method= --latency= --bytes= --oversubscribed --bootstrap=
            --seed= --help --version'
        ;;
    esac
}

_tan()
{
    local program=${1##*/} word=$2 option=$3 words
    # "=" separates words here: --option=value comes as three.
    if [[ $word == = ]]; then
        word=''
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $program,$option in
    tanbench,-t | *,--topo | tan-design,-p | *,--predict)
        words='chain: nto1: flat: binary: binomial: twolevel: kary: knomial: levels: random: file:'
        ;;
    *,--method) words='joint paper' ;;
    tanbench,-f | *,--filter) words='null sum min max avg concat' ;;
    *,--model) words='tan logp logp-recursion logp-serial' ;;
    *,--type) words='int64 double' ;;
    tanbench,-w | *,--wait) words='auto poll yield park' ;;
    *,--bind) words='auto block none' ;;
    tan-design,-f | *,--format) words='mrnet json dot graphml' ;;
    *)
        if [[ $word != -* ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
        fi
        words=$(_tan_options "$program")
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ ${COMPREPLY[0]-} != *[:=] ]] || compopt -o nospace 2>/dev/null
}

complete -F _tan tanbench tan-design tan-fit
