build-san/obj/base/json.o: base/json.c base/json.h base/error.h \
  base/output.h base/text.h

base/json.h:

base/error.h:

base/output.h:

base/text.h:
