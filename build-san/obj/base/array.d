build-san/obj/base/array.o: base/array.c base/array.h

base/array.h:
