build-san/obj/model/machine/loggp.o: model/machine/loggp.c \
  model/machine/loggp.h

model/machine/loggp.h:
