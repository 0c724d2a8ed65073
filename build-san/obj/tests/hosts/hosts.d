build-san/obj/tests/hosts/hosts.o: tests/hosts/hosts.c base/error.h \
  tests/hosts/network.h tests/hosts/options.h tests/hosts/switch.h \
  tests/hosts/ssh.h

base/error.h:

tests/hosts/network.h:

tests/hosts/options.h:

tests/hosts/switch.h:

tests/hosts/ssh.h:
