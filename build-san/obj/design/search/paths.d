build-san/obj/design/search/paths.o: design/search/paths.c \
  design/search/paths.h base/error.h

design/search/paths.h:

base/error.h:
