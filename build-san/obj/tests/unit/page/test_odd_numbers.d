build-san/obj/tests/unit/page/test_odd_numbers.o: \
  tests/unit/page/test_odd_numbers.c tests/unit/check.h base/error.h \
  page/report.h tests/unit/scratch_file.h

tests/unit/check.h:

base/error.h:

page/report.h:

tests/unit/scratch_file.h:
