build-san/obj/base/csv.o: base/csv.c base/csv.h base/error.h base/array.h

base/csv.h:

base/error.h:

base/array.h:
