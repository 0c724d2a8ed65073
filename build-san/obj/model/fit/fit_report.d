build-san/obj/model/fit/fit_report.o: model/fit/fit_report.c \
  model/fit/fit.h model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h base/table.h base/text.h base/units.h

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/table.h:

base/text.h:

base/units.h:
