build-san/obj/base/table.o: base/table.c base/table.h base/error.h \
  base/array.h base/text.h base/units.h

base/table.h:

base/error.h:

base/array.h:

base/text.h:

base/units.h:
