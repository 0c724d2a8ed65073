build-san/obj/tanbench/plan/sync_policy.o: tanbench/plan/sync_policy.c \
  tanbench/plan/sync_policy.h base/error.h base/text.h base/units.h

tanbench/plan/sync_policy.h:

base/error.h:

base/text.h:

base/units.h:
