build-san/obj/tests/hosts/ssh.o: tests/hosts/ssh.c tests/hosts/ssh.h

tests/hosts/ssh.h:
