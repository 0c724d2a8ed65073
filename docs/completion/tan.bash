# tan.bash - bash completion of tanbench, tan-design, tan-fit and tan-sim
# SPDX-License-Identifier: GPL-3.0-or-later

_tan_options()
{
    case $1 in
    tanbench)
        echo '--topo= --experiment= --calibrate --p2p --p2p-validate= --send-kinds --datatypes --pairs= --sizes= --validate= --shapes= --processes= --max-leaves= --method= --name= --machine= --emulate= --dilate= --mode= --bytes=
            --request-bytes= --filter= --work= --sync= --frequency= --duration= --type= --wait= --bind= --map= --awake= --waves= --max-waves= --max-time=
            --precision= --warmup= --seed= --passes= --launches= --json= --raw= --journal= --resume= --quiet --ranks= --launcher= --dry-run
            --help --version'
        ;;
    tan-design)
        echo '--leaves= --max-fanout= --max-height= --max-processes= --top= --output= --format=
            --predict --p2p= --bytes= --growth= --machine= --model= --json= --help --version'
        ;;
    tan-fit)
        echo '--output= --json= --name= --method= --latency= --bytes= --oversubscribed --bootstrap=
            --seed= --help --version'
        ;;
    tan-sim)
        echo '--pattern= --topo= --bytes= --sweep= --waves= --file= --latency= --overhead= --gap=
            --gap-per-byte= --overhead-per-byte= --eager= --handshake= --control= --growth=
            --ranks-per-host= --map= --cores= --within= --between= --noise= --seed= --machine=
            --model= --critical-path --json= --svg= --trace= --timing --compatible --goal= --to=
            --help --version'
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
    tanbench,-t | tan-sim,-t | *,--topo | tan-design,-p | *,--predict)
        words='chain: nto1: flat: binary: binomial: twolevel: kary: knomial: levels: random: file:'
        ;;
    *,--method) words='joint paper' ;;
    tanbench,-f | *,--filter) words='null sum min max avg concat' ;;
    tan-sim,-p | *,--pattern)
        words='gather: scatter: linear-barrier: binomial-broadcast: binomial-reduce:
            binary-broadcast: binary-reduce: dissemination: nway-dissemination: recursive-doubling:
            halving-doubling: ring-allreduce: pipelined-ring: linear-alltoall:'
        ;;
    *,--noise)
        words='constant: uniform: exponential: normal: lognormal: pareto: trace:'
        ;;
    *,--sweep) words='up down round' ;;
    *,--handshake) words='none rat rta' ;;
    *,--to) words='goal binary' ;;
    tan-sim,--model) words='loggops tan' ;;
    *,--model) words='tan logp logp-recursion logp-serial' ;;
    *,--mode) words='waves sync timed' ;;
    *,--sync) words='all timeout: none' ;;
    *,--growth) words='constant concat' ;;
    *,--type) words='int64 double' ;;
    tanbench,-w | *,--wait) words='auto poll yield park' ;;
    *,--bind) words='auto block none' ;;
    tanbench,--map)
        words='block cyclic'
        compopt -o filenames 2>/dev/null
        words+=" $(compgen -f -- "$word")"
        ;;
    *,--awake) words='auto yes no' ;;
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

complete -F _tan tanbench tan-design tan-fit tan-sim
