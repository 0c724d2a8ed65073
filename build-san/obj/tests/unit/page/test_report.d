build-san/obj/tests/unit/page/test_report.o: \
  tests/unit/page/test_report.c tests/unit/check.h base/error.h \
  base/text.h page/chart.h page/gnuplot.h page/rows.h page/page.h

tests/unit/check.h:

base/error.h:

base/text.h:

page/chart.h:

page/gnuplot.h:

page/rows.h:

page/page.h:
