build-san/obj/design/measured/measured.o: design/measured/measured.c \
  design/measured/measured.h model/fit/waves.h base/map.h \
  model/fit/fit.h model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h base/csv.h base/output.h base/text.h base/units.h \
  design/measured/named_tree.h

design/measured/measured.h:

model/fit/waves.h:

base/map.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/csv.h:

base/output.h:

base/text.h:

base/units.h:

design/measured/named_tree.h:
