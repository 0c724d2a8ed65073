build-san/obj/cmd/tan-report/tan-report.o: cmd/tan-report/tan-report.c \
  base/cli.h base/error.h base/text.h base/json.h base/output.h \
  page/report.h

base/cli.h:

base/error.h:

base/text.h:

base/json.h:

base/output.h:

page/report.h:
