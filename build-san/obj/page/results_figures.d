build-san/obj/page/results_figures.o: page/results_figures.c base/reply.h \
  base/json.h base/error.h page/kinds.h page/page.h page/chart.h \
  page/rows.h

base/reply.h:

base/json.h:

base/error.h:

page/kinds.h:

page/page.h:

page/chart.h:

page/rows.h:
