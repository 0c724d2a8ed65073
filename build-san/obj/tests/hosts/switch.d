build-san/obj/tests/hosts/switch.o: tests/hosts/switch.c \
  tests/hosts/switch.h

tests/hosts/switch.h:
