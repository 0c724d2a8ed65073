build-san/obj/page/report.o: page/report.c page/report.h base/error.h \
  base/json.h base/output.h base/text.h base/units.h page/kinds.h \
  page/page.h page/chart.h page/rows.h

page/report.h:

base/error.h:

base/json.h:

base/output.h:

base/text.h:

base/units.h:

page/kinds.h:

page/page.h:

page/chart.h:

page/rows.h:
