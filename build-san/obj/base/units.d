build-san/obj/base/units.o: base/units.c base/units.h base/error.h

base/units.h:

base/error.h:
