build-san/obj/page/simulation_figures.o: page/simulation_figures.c \
  page/kinds.h page/page.h base/error.h page/chart.h page/rows.h

page/kinds.h:

page/page.h:

base/error.h:

page/chart.h:

page/rows.h:
