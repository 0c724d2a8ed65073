build-san/obj/page/chart.o: page/chart.c page/chart.h base/array.h

page/chart.h:

base/array.h:
