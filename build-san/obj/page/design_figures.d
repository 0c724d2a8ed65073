build-san/obj/page/design_figures.o: page/design_figures.c page/kinds.h \
  page/page.h base/error.h page/chart.h page/rows.h

page/kinds.h:

page/page.h:

base/error.h:

page/chart.h:

page/rows.h:
