build-san/obj/tests/hosts/network.o: tests/hosts/network.c \
  tests/hosts/network.h tests/hosts/switch.h

tests/hosts/network.h:

tests/hosts/switch.h:
