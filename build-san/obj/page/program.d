build-san/obj/page/program.o: page/program.c page/program.h \
  base/error.h

page/program.h:

base/error.h:
