build-san/obj/page/svg_element.o: page/svg_element.c base/text.h \
  base/error.h page/gnuplot.h page/chart.h

base/text.h:

base/error.h:

page/gnuplot.h:

page/chart.h:
