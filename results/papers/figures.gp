# figures.gp - the figures of this folder: gnuplot results/papers/figures.gp, at the top of the tree
# SPDX-License-Identifier: GPL-3.0-or-later
folder = 'results/papers/'
table(name) = '< tools/evidence-papers --tables results/papers '.name
names = 'openmpi-shm mpich-shm openmpi-tcp mpich-tcp'
array colour[4] = ['#0072b2', '#d55e00', '#007a5a', '#a3488a']
size(columns, rows) = sprintf('size %d,%d', 40 + 290 * columns, 60 + 270 * rows)
set encoding utf8
set border 3
set tics nomirror out
set grid ytics lc rgb '#bbbbbb' lw 0.5
set key left reverse Left samplen 2
set style data linespoints
set pointsize 0.7
set format y '%g'

# Send modes: colours by mode, dotted where nonblocking
terminal = 'set terminal svg background "white" noenhanced font "sans-serif,12" '
eval terminal.size(4, 2)
set output folder.'modes.svg'
set datafile separator comma
set logscale xy
set xtics (1, '1k' 1024, '1M' 1048576)
set xlabel 'bytes'
set key bottom right maxrows 4
set yrange [0.03:1e4]
set multiplot layout 2,4
modes = 'Send Ssend Rsend Bsend Isend Issend Irsend Ibsend'
do for [cost in 'call receive'] {
    set ylabel cost eq 'call' ? 'until the send returns, us' : 'until received, us'
    do for [name in names] {
        set title name
        plot for [k = 1:8] folder.name.'-modes.csv' \
            using 'bytes':(strcol('mode') eq word(modes, k) ? column(cost.'_us') : NaN) \
            lc rgb colour[1 + (k - 1) % 4] dt 1 + 2 * (k > 4) lw 1.5 pt (k > 4 ? 6 : 7) ps (k > 4 ? 0.5 : 0.2) \
            title name eq 'openmpi-tcp' && cost eq 'call' ? word(modes, k) : ''
    }
}
unset multiplot
unset title
unset logscale x
set datafile separator whitespace
set key top left maxrows auto

# Vectors
eval terminal.size(3, 1)
set output folder.'vectors.svg'
set xtics rotate by 60 right autofreq
set xlabel 'blocks, floats, stride'
set key maxrows 2
set multiplot layout 1,2
do for [side = 0:1] {
    set ylabel (side ? 'receiving' : 'sending').' a byte : contiguous'
    plot [-0.5:15.5] [0.3:100] for [k = 1:4] table('vectors') every ::2 \
        using 0:(column(1 + 4 * side + k)):xtic(1) lc rgb colour[k] pt 7 title word(names, k)
}
unset multiplot

# Streams
set yrange [*:*]
set xtics norotate (1, 2, 4, 8, 16, 32, 64)
set logscale x
eval terminal.size(2, 1)
set output folder.'streams.svg'
set key right maxrows auto
set xlabel 'fanout'
set ylabel 'waves a second'
set format y '%.0s%c'
plot [0.8:80] table('streams') every ::1::7 using 2:4 with lines lw 2 lc rgb colour[2] title 'equation 2, N-to-1', \
    '' every ::1::7 using 2:7 with lines lw 2 lc rgb colour[3] title 'largest work, N-to-1', \
    '' every ::1::7 using 2:3 with points pt 7 lc rgb colour[1] title 'N-to-1, measured', \
    '' every ::8 using 2:3 with points pt 6 lc rgb colour[4] title 'several levels, measured'
unset logscale x
set format y '%g'

# Noise
eval terminal.size(3, 1)
set output folder.'noise.svg'
set xtics rotate by 60 right autofreq
unset xlabel
set ylabel 'interquartile range : median, %'
set multiplot layout 1,2
set xrange [-0.5:12.5]
do for [mpi in 'openmpi mpich'] {
    set title mpi
    plot [] [1:2000] table('noise').' | grep ^'.mpi.'.*:[1-9]' using 0:4:xtic(3) lc rgb colour[1] pt 7 title 'round trip', \
        '' using 0:5 lc rgb colour[2] pt 7 title 'one way'
}
unset multiplot
unset title

# Jitter
eval terminal.size(2, 1)
set output folder.'jitter.svg'
set xtics norotate (1, 2, 4, 8, 16, 32, 64)
set logscale x
set xlabel 'fanout'
set ylabel 'half the interquartile range, %'
plot [0.8:80] [0.1:300] table('jitter').' | grep ^MRNet' using 2:4 lc rgb colour[1] pt 7 title 'MRNet, of the wave', \
    '' using 2:7 lc rgb colour[3] pt 7 title 'MRNet, of the wave less the latency', \
    table('jitter').' | grep ^one' using 3:5 lc rgb colour[2] pt 7 title 'ranks of one host'
