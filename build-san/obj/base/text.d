build-san/obj/base/text.o: base/text.c base/text.h base/error.h

base/text.h:

base/error.h:
