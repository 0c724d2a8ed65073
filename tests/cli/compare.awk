# compare.awk - comparison of a command's output with a case of tests/cli
# SPDX-License-Identifier: GPL-3.0-or-later
# Variables: block (file with the case), status, out, err (files). Exit status 1: they differ.

# Lines of a file into array a; returns how many.
function slurp(name, a,    n, line) {
    n = 0
    while ((getline line < name) > 0) a[++n] = line
    close(name)
    return n
}

function is_number(x) {
    return x ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/
}

# value~within, value~percent%
function number_matches(want, got,    at, value, within) {
    at = index(want, "~")
    value = substr(want, 1, at - 1)
    within = substr(want, at + 1)
    if (at == 0 || !is_number(value) || !is_number(got)) return 0
    within = sub(/%$/, "", within) ? within * (value < 0 ? -value : value) / 100 : within + 0
    return got - value <= within && value - got <= within
}

function word_matches(want, got) {
    if (want == got || number_matches(want, got)) return 1
    if (index(want, "*") == 0) return 0
    gsub(/[][\\.^$(){}|+?]/, "\\\\&", want)
    gsub(/\*/, ".*", want)
    return got ~ ("^" want "$")
}

function words_match(want, got,    w, g, n, m, i) {
    n = split(want, w)
    m = split(got, g)
    for (i = 1; i <= n; i++) {
        if (i == n && w[i] == "...") return 1
        if (i > m || !word_matches(w[i], g[i])) return 0
    }
    return n == m
}

# Wanted line i of a stream, against one that came.
function line_matches(sign, i, got) {
    return kinds[sign, i] == "~" ? words_match(wants[sign, i], got) : wants[sign, i] == got
}

function differ(what, want, got) {
    printf "  %s\n    wanted: %s\n    got:    %s\n", what, want, got
    bad = 1
}

function compare(name, sign, got, n,    i, j) {
    j = 1
    for (i = 1; i <= wanted[sign]; i++) {
        if (kinds[sign, i] == "*") {
            if (i == wanted[sign]) return
            while (j <= n && !line_matches(sign, i + 1, got[j])) j++
        } else if (j > n || !line_matches(sign, i, got[j])) {
            differ("line " j " of " name, wants[sign, i], (j > n ? "(no more lines)" : got[j]))
            return
        } else {
            j++
        }
    }
    if (j <= n) differ("line " j " of " name, "(no more lines)", got[j])
}

BEGIN {
    n_case = slurp(block, cases)
    want_status = 0
    for (k = 1; k <= n_case; k++) {
        sign = substr(cases[k], 1, 1)
        kind = substr(cases[k], 2, 1)
        if (sign == "?") want_status = substr(cases[k], 3) + 0
        if (sign != ">" && sign != "!") continue
        if (kind != "~" && kind != "*") kind = ""
        i = ++wanted[sign]
        kinds[sign, i] = kind
        wants[sign, i] = substr(cases[k], 3 + length(kind))
    }
    if (status != want_status) differ("exit status", want_status, status)
    n_out = slurp(out, printed)
    compare("standard output", ">", printed, n_out)
    n_err = slurp(err, complained)
    compare("standard error", "!", complained, n_err)
    exit bad
}
