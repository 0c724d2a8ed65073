build-san/obj/sim/goal/source.o: sim/goal/source.c sim/goal/source.h \
  base/error.h base/output.h

sim/goal/source.h:

base/error.h:

base/output.h:
