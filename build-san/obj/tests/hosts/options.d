build-san/obj/tests/hosts/options.o: tests/hosts/options.c \
  tests/hosts/options.h base/error.h tests/hosts/switch.h base/text.h \
  base/units.h

tests/hosts/options.h:

base/error.h:

tests/hosts/switch.h:

base/text.h:

base/units.h:
