build-san/obj/page/gnuplot.o: page/gnuplot.c page/gnuplot.h base/error.h \
  page/chart.h base/output.h base/text.h page/program.h

page/gnuplot.h:

base/error.h:

page/chart.h:

base/output.h:

base/text.h:

page/program.h:
