build-san/obj/sim/schedule/params.o: sim/schedule/params.c \
  sim/schedule/params.h base/error.h model/machine/doubt.h base/output.h \
  topo/hostfile.h topo/hostlist.h topo/names.h

sim/schedule/params.h:

base/error.h:

model/machine/doubt.h:

base/output.h:

topo/hostfile.h:

topo/hostlist.h:

topo/names.h:
