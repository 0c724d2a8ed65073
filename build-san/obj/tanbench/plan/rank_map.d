build-san/obj/tanbench/plan/rank_map.o: tanbench/plan/rank_map.c \
  tanbench/plan/rank_map.h base/error.h base/text.h topo/hostfile.h \
  topo/hostlist.h topo/names.h

tanbench/plan/rank_map.h:

base/error.h:

base/text.h:

topo/hostfile.h:

topo/hostlist.h:

topo/names.h:
