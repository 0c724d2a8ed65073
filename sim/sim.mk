# sim.mk - the simulator: tan-sim, tan-trace and its tracer; included by the Makefile
# SPDX-License-Identifier: GPL-3.0-or-later

# Folders may include those to their left (tools/lint-includes).
sim_library_dirs := $(addprefix sim/,schedule goal engine loggopsim view sensitivity trace)
sim_library_sources := $(wildcard $(sim_library_dirs:=/*.c))
sim_program_sources := $(wildcard sim/cmd/*.c)
sim_test_sources := $(filter-out $(if $(GLPK),,sim/tests/unit/test_response_lp.c),$(wildcard sim/tests/unit/test_*.c))
sim_c_dirs := $(sim_library_dirs) sim/cmd sim/tracer sim/tests/unit sim/tests/mpi sim/tests/mpi/programs sim/tests/scripts

sim_library := $(BUILD)/lib/libtan-sim.a
sim_tests := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(sim_test_sources))))
tracers = $(foreach mpi,$(mpis),$(call mpi_dir,$(mpi))/libtantrace.so)

.PHONY: sim
sim: $(BUILD)/bin/tan-sim $(BUILD)/bin/tan-trace $(BUILD)/lib/libtantrace.so $(tracers) $(if $(SIMGRID),$(simulated_dir)/libtantrace.a) ## build the simulator only: tan-sim, tan-trace and its tracer

# Where long simulations spend their time: 6 % less of it.
$(BUILD)/obj/sim/engine/%.o: private CFLAGS := $(CFLAGS:-O2=-O3)

$(BUILD)/lib/sim-members: FORCE
	$(call remember,$(sim_library_sources))

$(sim_library): $(call objects,$(BUILD),$(sim_library_sources)) $(BUILD)/lib/sim-members
	$(archive)

$(BUILD)/bin/tan-sim: $(call objects,$(BUILD),$(sim_program_sources)) $(sim_library) $(library)
	@mkdir -p $(@D)
	$(link)

# The tracer: loaded into programs of others, so nothing but MPI and zstd; no sanitizer, which would
# have to be in the program. Its functions are short and in several files: inlining makes calls cheaper.

tracer_base := base/array.c base/error.c base/map.c
tracer_sources := $(filter-out sim/tracer/host_simulated.c,$(wildcard sim/tracer/*.c)) $(tracer_base)
simulated_tracer_sources := $(filter-out sim/tracer/host.c,$(wildcard sim/tracer/*.c)) $(tracer_base)

# For the files of one shared object; $(1) is its compiler. In one part, since for several the compiler calls a make
# that cannot read a TMPDIR with blanks.
one_lto := -flto -flto-partition=one
lto = $(shell echo 'int tan;' | $(1) $(one_lto) -shared -fPIC -x c - -o /dev/null 2>/dev/null && echo $(one_lto))

define tracer_rule
$(mpi_dir)/libtantrace.so: $(tracer_sources) sim/tracer/libtantrace.map $(wildcard sim/tracer/*.h) $(tracer_base:.c=.h) $(mpi_dir)/flags
	$$(call say,LINK,$$@)
	$$(quiet)$(mpi_compiler) $$(filter-out -fsanitize=% -fno-sanitize-recover=%,$$(compile_flags)) -fPIC -shared $$(call lto,$(mpi_compiler)) \
	    -Wl,--version-script=sim/tracer/libtantrace.map $$(filter %.c,$$^) $$(filter-out -pie,$$(hardening_link)) $$(LDFLAGS) -lzstd -ldl -o $$@
endef
$(foreach mpi,$(mpis),$(eval $(call tracer_rule,$(mpi))))

# To be linked into programs that smpirun is to load.
$(call objects,$(simulated_dir),$(simulated_tracer_sources)): private own_flags = -DTRACE_SIMULATED
$(simulated_dir)/libtantrace.a: $(call objects,$(simulated_dir),$(simulated_tracer_sources))
	$(archive)

$(BUILD)/lib/libtantrace.so: $(call mpi_dir,$(MPICC))/libtantrace.so FORCE
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp -f $< $@

# Finds the library of a program's MPI by where it stands itself.
$(BUILD)/bin/tan-trace: sim/tools/tan-trace
	@mkdir -p $(@D)
	@cp -f $< $@

# Tests

$(BUILD)/tests/test_response_lp: private link_libs += $(GLPK)

sim_any_tests = $(foreach mpi,$(mpis),$(addprefix $(mpi):,$(wildcard sim/tests/mpi/*.sh))) \
    $(wildcard sim/tests/scripts/*.sh sim/tests/cli/*.test) $(sim_tests)

.PHONY: check-sim
check-sim: ## the tests of the simulator, like check
	+@$(MAKE) --no-print-directory check HOUSE=sim

.PHONY: bench-sim
bench-sim: all ## time the simulator, next to LogGOPSim's figures, and traced MPI calls
	@BUILD=$(BUILD) sim/tools/bench-sim
	@BUILD=$(BUILD) sim/tools/bench-trace

.PHONY: install-sim
install-sim: sim ## install the simulator
	@BUILD=$(BUILD) VERSION=$(VERSION) PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install sim

-include $(patsubst %.o,%.d,$(call objects,$(BUILD),$(sim_library_sources) $(sim_program_sources) $(sim_test_sources)) \
    $(call objects,$(simulated_dir),$(simulated_tracer_sources)))
