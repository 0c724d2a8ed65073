build-san/obj/base/output.o: base/output.c base/output.h base/error.h

base/output.h:

base/error.h:
