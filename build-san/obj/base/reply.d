build-san/obj/base/reply.o: base/reply.c base/reply.h base/json.h \
  base/error.h base/text.h base/units.h

base/reply.h:

base/json.h:

base/error.h:

base/text.h:

base/units.h:
