build-san/obj/page/machine_figures.o: page/machine_figures.c page/kinds.h \
  page/page.h base/error.h page/chart.h page/rows.h

page/kinds.h:

page/page.h:

base/error.h:

page/chart.h:

page/rows.h:
