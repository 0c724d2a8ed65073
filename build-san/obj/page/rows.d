build-san/obj/page/rows.o: page/rows.c page/rows.h page/page.h \
  base/error.h page/chart.h base/reply.h base/json.h base/units.h

page/rows.h:

page/page.h:

base/error.h:

page/chart.h:

base/reply.h:

base/json.h:

base/units.h:
