build-san/obj/page/page.o: page/page.c page/page.h base/error.h \
  page/chart.h base/array.h base/output.h base/reply.h base/json.h \
  base/text.h base/units.h page/gnuplot.h page/program.h

page/page.h:

base/error.h:

page/chart.h:

base/array.h:

base/output.h:

base/reply.h:

base/json.h:

base/text.h:

base/units.h:

page/gnuplot.h:

page/program.h:
