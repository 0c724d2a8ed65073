build-san/obj/base/cli.o: base/cli.c base/cli.h base/error.h base/text.h \
  base/output.h base/units.h

base/cli.h:

base/error.h:

base/text.h:

base/output.h:

base/units.h:
