build-san/obj/base/clock.o: base/clock.c base/clock.h

base/clock.h:
