# Makefile - builds libtan, the programs tan-* and tanbench, and sim/; `make help` lists what it can do
# SPDX-License-Identifier: GPL-3.0-or-later
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:

VERSION := 0.1.0

# Settings, to be given on the command line or in the environment: make CC=clang MPICC=mpicc.mpich
ifeq ($(origin CC),default)
CC = gcc
endif
# (the last command's status must not be 127: make 4.3 would take it for a shell that cannot run)
installed_mpis := $(notdir $(shell command -v mpicc.openmpi; command -v mpicc.mpich; true))
MPICC ?= $(firstword $(installed_mpis) mpicc)
# Those that tanbench is built and tested for, all that are installed unless told otherwise. Tests that
# need one only take the first.
MPIS ?=
CFLAGS ?= -O2 -g
WARNINGS ?= -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wformat=2
SANITIZE ?=
WERROR ?=
BUILD ?= build$(if $(SANITIZE),/sanitized)
PREFIX ?= /usr/local
DESTDIR ?=

# Run a program once, and only when a recipe needs what it prints: the libraries that pkg-config is
# asked for may have been installed by this very make.
once = $(eval $(1) := $$(shell $(2)))$($(1))
# Headers of libraries count as the system's, so that warnings are about this project only.
system = $(patsubst -I%,-isystem%,$(1))
# What one test solves linear programs with, where it is installed; it has no file for pkg-config.
GLPK ?= $(shell echo '\#include <glpk.h>' | $(CC) -E - >/dev/null 2>&1 && echo -lglpk)
# SimGrid runs the ranks of tanbench --platform; SIMGRID= builds without them, and so does SANITIZE.
SIMGRID ?= $(if $(SANITIZE),,$(shell pkg-config --exists simgrid 2>/dev/null && echo simgrid))
libraries := jansson gsl hwloc igraph zlib libzstd
library_cflags = $(call once,library_cflags,pkg-config --cflags $(libraries))
library_libs = $(call once,library_libs,pkg-config --libs $(libraries))
cmocka_cflags = $(call once,cmocka_cflags,pkg-config --cflags cmocka)
cmocka_libs = $(call once,cmocka_libs,pkg-config --libs cmocka)

# As distributions build. Sanitizers do not see what goes through fortified functions.
hardening_taken = $(call once,hardening_taken,CC='$(CC)' tools/hardening $(CPPFLAGS) $(CFLAGS) $(LDFLAGS))
hardening = $(filter-out $(if $(SANITIZE),-D_FORTIFY_SOURCE=%),$(hardening_taken))
hardening_link = $(filter -pie -Wl%,$(hardening))
hardening_compile = $(filter-out $(hardening_link),$(hardening))

# smpirun loads shared objects; in programs it costs nothing.
pic = $(if $(SIMGRID),-fPIC -fno-semantic-interposition)
sanitize_flags = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
compile_flags = -std=c17 -D_GNU_SOURCE -I. -DTAN_VERSION='"$(VERSION)"' $(WARNINGS) \
    $(if $(WERROR),-Werror) $(sanitize_flags) $(call system,$(library_cflags)) $(own_flags) \
    $(hardening_compile) $(pic) $(CPPFLAGS) $(CFLAGS)
link_flags = $(sanitize_flags) $(hardening_link) $(CFLAGS) -Wl,--as-needed $(LDFLAGS)
link_libs = $(library_libs) -lm

# Folders may include those to their left (tools/lint-includes).
library_dirs := base topo model/stats model/machine model/wave model/fit \
    design/search design/systems design/systems/rows design/choice design/measured answer tanbench/plan tanbench/sampling tanbench/results \
    page
program_dirs := cmd/tan-fit cmd/tan-design cmd/tan-report
tanbench_dirs := $(addprefix tanbench/,host launch ranks overlay heal measure p2p) cmd/tanbench
program_sources := $(wildcard $(program_dirs:=/*.c))
program_mains := $(wildcard $(program_dirs:=/tan-*.c))
library_sources := $(wildcard $(library_dirs:=/*.c))
# The machine that runs the ranks has two variants (tanbench/ranks/machine.h).
simulated_only := tanbench/ranks/machine_simulated.c
real_only := tanbench/ranks/machine_real.c tanbench/ranks/watch.c tanbench/ranks/mpi_end.c
tanbench_sources := $(filter-out $(simulated_only),$(wildcard $(tanbench_dirs:=/*.c))) \
    $(if $(SANITIZE),tests/mpi/sanitize.c)
simulated_sources := $(filter-out $(real_only),$(wildcard $(tanbench_dirs:=/*.c)))
test_sources := $(wildcard tests/unit/*/test_*.c)
objects = $(patsubst %.c,$(1)/obj/%.o,$(2))

library := $(BUILD)/lib/libtan.a
programs := $(addprefix $(BUILD)/bin/,$(basename $(notdir $(program_mains))))
tests := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(test_sources))))

# One tanbench for each MPI, in a folder named after the MPI's compiler wrapper.
mpi_dir = $(BUILD)/mpi/$(notdir $(1))
mpis = $(or $(MPIS),$(MPICC) $(filter-out $(notdir $(MPICC)),$(installed_mpis)))

# $(call say,WHAT,FILE): one short line per file in place of the command; V=1 shows the commands.
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))
quiet = $(if $(V),,@)
# $(call remember,TEXT): rewrite the target only when TEXT is not what it holds, so that whatever
# depends on the target is made anew when TEXT changes.
remember = @mkdir -p $(@D) && printf '%s\n' '$(subst ','\'',$(1))' >$@.$$$$ && \
    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# tanbench for simulated ranks, which smpirun loads, so it is no program of its own.
simulated_dir = $(BUILD)/mpi/smpicc
simulated = $(if $(SIMGRID),$(simulated_dir)/tanbench-simulated)

# The wrappers of Open MPI and MPICH call the compiler named by these variables. A wrapper's
# description tells one MPI from another that has taken its name.
mpi_compiler = $(if $(filter file,$(origin CC)),,OMPI_CC='$(CC)' MPICH_CC='$(CC)') $(1)

include sim/sim.mk

.PHONY: all
all: $(library) $(programs) $(BUILD)/bin/tanbench $(simulated) sim ## build everything (settings: CC, MPICC=mpicc.mpich, CFLAGS, SANITIZE=address,undefined, WERROR=1)

deps = CC='$(CC)' MPICC='$(MPICC)' tools/deps

# Everything that compiles waits for this: one line when something is missing.
.PHONY: found FORCE
FORCE:
found:
	@$(deps) check build

$(BUILD)/flags: FORCE | found
	$(call remember,$(CC) $(compile_flags) / $(link_flags) $(link_libs))

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(quiet)$(CC) $(compile_flags) -MMD -MP -c $< -o $@

# Another PREFIX changes only the objects that know it.
prefixed := $(call objects,$(BUILD),$(shell grep -ls TAN_DATADIR $(library_sources)))
$(prefixed): private own_flags = -DTAN_DATADIR='"$(PREFIX)/share/tan"'
$(prefixed): $(BUILD)/prefix
# A target's row is found by its line; a new file of rows changes the table and nothing else.
target_rows := $(sort $(shell sed -n 's/^const struct tan_target tan_target_\([a-z0-9_]*\) = {$$/ROW(\1)/p' \
    design/systems/rows/*.c))
$(BUILD)/obj/design/systems/rows/table.o: private own_flags = -DTAN_TARGET_ROWS='$(target_rows)'
$(BUILD)/obj/design/systems/rows/table.o: $(BUILD)/target-rows
$(BUILD)/target-rows: FORCE
	$(call remember,$(target_rows))

$(BUILD)/prefix: FORCE
	$(call remember,$(PREFIX))

$(BUILD)/lib/members: FORCE
	$(call remember,$(library_sources))

define archive
$(call say,AR,$@)
$(quiet)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
endef

define link
$(call say,LINK,$@)
$(quiet)$(CC) $(link_flags) $^ $(link_libs) -o $@
endef

$(library): $(call objects,$(BUILD),$(library_sources)) $(BUILD)/lib/members
	$(archive)

define program_rule
$(BUILD)/bin/$(basename $(notdir $(1))): $(call objects,$(BUILD),$(wildcard $(dir $(1))*.c)) $(library)
	@mkdir -p $$(@D)
	$$(link)
endef
$(foreach source,$(program_mains),$(eval $(call program_rule,$(source))))

# cmocka is missed by the unit tests alone.
.PHONY: found-cmocka
found-cmocka: | found
	@$(deps) check unit
all_test_objects = $(call objects,$(BUILD),$(test_sources) $(sim_test_sources))
$(all_test_objects): | found-cmocka
$(all_test_objects): private own_flags = $(call system,$(cmocka_cflags))
$(foreach source,$(test_sources) $(sim_test_sources),$(eval $(BUILD)/tests/$(basename $(notdir $(source))): $(call objects,$(BUILD),$(source))))
# The simulator is a witness of models, so it is linked with the mission's tests, too.
$(tests) $(sim_tests): $(sim_library) $(library)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(link_flags) $(filter %.o,$^) $(sim_library) $(library) $(cmocka_libs) $(link_libs) -o $@

define mpi_rules
$(mpi_dir)/flags: FORCE | found
	$$(call remember,$$(shell $(mpi_compiler) -show 2>&1) $$(compile_flags) / $$(link_flags) $$(link_libs))

$(mpi_dir)/obj/%.o: %.c $(mpi_dir)/flags
	@mkdir -p $$(@D)
	$$(call say,MPICC,$$<)
	$$(quiet)$(mpi_compiler) $$(compile_flags) -MMD -MP -c $$< -o $$@

$(mpi_dir)/tanbench: $(call objects,$(mpi_dir),$(tanbench_sources)) $(library)
	$$(call say,LINK,$$@)
	$$(quiet)$(mpi_compiler) $$(link_flags) $$^ $$(link_libs) -o $$@
endef
$(foreach mpi,$(mpis),$(eval $(call mpi_rules,$(mpi))))

simulated_flags = $(compile_flags) -isystem $(shell pkg-config --variable=includedir simgrid)/smpi
$(simulated_dir)/flags: FORCE | found
	$(call remember,$(CC) $(simulated_flags) / $(link_flags) $(link_libs))

$(simulated_dir)/obj/%.o: %.c $(simulated_dir)/flags
	@mkdir -p $(@D)
	$(call say,SMPI,$<)
	$(quiet)$(CC) $(simulated_flags) -MMD -MP -c $< -o $@

$(simulated_dir)/tanbench-simulated: $(call objects,$(simulated_dir),$(simulated_sources)) $(library)
	$(call say,LINK,$@)
	$(quiet)$(CC) -shared -Wl,-Bsymbolic -Wl,-z,defs $(filter-out -pie,$(link_flags)) $^ $(link_libs) -lsimgrid -o $@

$(BUILD)/bin/tanbench: $(call mpi_dir,$(MPICC))/tanbench FORCE
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp -f $< $@

-include $(patsubst %.o,%.d,$(call objects,$(BUILD),$(library_sources) $(program_sources) $(test_sources) $(wildcard tests/hosts/*.c) tools/bare-waves.c) \
    $(foreach mpi,$(mpis),$(call objects,$(call mpi_dir,$(mpi)),$(tanbench_sources))) \
    $(call objects,$(simulated_dir),$(simulated_sources)))

# The targets that install what is missing start a second make, which then finds it.
# Without -j from the user it uses all cores.
again = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: demo
demo: ## the main job, after installing what is missing: a setting for a simulated cluster, measured
	@$(deps) install demo
	@mkdir -p $(BUILD) && echo "Building, which may take half a minute."
	+@$(again) demo-programs >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
	@BUILD=$(BUILD) tools/demo

.PHONY: demo-programs
demo-programs: $(programs) $(BUILD)/bin/tanbench $(simulated)

.PHONY: check
check: ## install what is missing, build, and run the tests (ONLY=fit: those with "fit" in their names)
	@$(deps) install check
	+@$(again) needed
	@$(MAKE) --no-print-directory test

.PHONY: check-full
check-full: ## the same with nothing left out or cut short: also packages, other systems, every MPI
	+@$(MAKE) --no-print-directory check TEST_FULL=1

tanbenches = $(foreach mpi,$(mpis),$(call mpi_dir,$(mpi))/tanbench)
mpi_tests = $(foreach mpi,$(mpis),$(addprefix $(mpi):,$(wildcard tests/hosts/*.sh tests/mpi/*.sh)))

# What plays several hosts on this one.
host_program := $(BUILD)/tests/hosts/hosts
$(host_program): $(call objects,$(BUILD),$(wildcard tests/hosts/*.c) base/text.c base/error.c base/units.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(link_flags) $^ -lm -o $@

.PHONY: tested
tested: all $(if $(HOUSE),$(sim_tests),$(tests) $(host_program)) $(tanbenches)

# The longest first, scripts with a line "# long", so that none is left to run alone at the end.
long_scripts := $(addprefix %,$(shell grep -lx '# long' tests/*/*.sh sim/tests/*/*.sh))
mission_tests = $(mpi_tests) $(wildcard tests/scripts/*.sh tests/cli/*.test) $(tests)
# With HOUSE=sim the simulator's (sim/sim.mk); ONLY selects from both.
any_tests = $(if $(HOUSE),,$(mission_tests)) $(if $(HOUSE)$(ONLY),$(sim_any_tests))
all_tests = $(filter $(long_scripts),$(any_tests)) $(filter-out $(long_scripts),$(any_tests))
# What the tests that ONLY selects need.
selected := $(if $(ONLY),$(shell ONLY='$(ONLY)' tools/run-tests --list $(all_tests)))
.PHONY: needed
needed: $(if $(ONLY),$(filter $(tests) $(sim_tests),$(selected)) $(if $(filter-out $(tests) $(sim_tests),$(selected)),all) \
    $(if $(filter-out $(tests) $(sim_tests) tests/cli/% sim/tests/cli/%,$(selected)),$(tanbenches) $(host_program)),tested)

.PHONY: test
test: needed ## like check, installing nothing
	@BUILD=$(BUILD) VERSION=$(VERSION) CC='$(CC)' SANITIZE='$(SANITIZE)' MPIS='$(mpis)' TEST_FULL='$(TEST_FULL)' \
	    tools/run-tests $(all_tests)

.PHONY: unit
unit: $(tests) $(sim_tests) ## the unit tests only, of the simulator, too
	@BUILD=$(BUILD) tools/run-tests $(tests) $(sim_tests)

# Half a minute and more each under valgrind, with nothing in them that others have not: statistics,
# random schedules, lists of millions of names, and searches of all trees.
long_tests := $(addprefix $(BUILD)/tests/test_,any_shape baselines cross design design_doubts even failures fit fitting \
    hostfile hostlist json_writer loss odd_numbers overlap overlap_fit pareto rack_list response rules search \
    simulate_random targets timeline tree_fit)

.PHONY: memcheck
memcheck: $(tests) $(sim_tests) ## the unit tests under valgrind, without the longest
	@BUILD=$(BUILD) TEST_TIMEOUT='$(TEST_TIMEOUT)' \
	    UNDER='valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite' \
	    tools/run-tests $(filter-out $(long_tests),$(tests) $(sim_tests))

.PHONY: claims
claims: $(programs) ## whether pages follow from the files beside them
	@BUILD=$(BUILD) tools/claims

.PHONY: witness
witness: all ## whether tan-design's answers for systems are those of an independent simulation, and of SimGrid
	@mkdir -p results/witness
	@BIN=$(BUILD)/bin tests/witness/witness --simgrid --output results/witness --sums $(BUILD)/witness-sums

# What the overlay's waves are compared with.
bare_waves := $(BUILD)/tools/bare-waves
$(bare_waves): $(call objects,$(BUILD),tools/bare-waves.c) $(library)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(link_flags) $^ $(link_libs) -o $@

.PHONY: bench
bench: all $(bare_waves) ## compare the overlay's waves with MPI's collectives on the same ranks, and with bare wake-ups; time tan-design
	@BUILD=$(BUILD) tools/bench
	@BUILD=$(BUILD) tools/bench-design

.PHONY: fuzz
fuzz: ## look for inputs and command lines that break the programs (clang; SECONDS=60, TARGETS=, NEW=1)
	@$(deps) install fuzz
	+@BUILD=$(BUILD) MAKE='$(MAKE)' tools/fuzz $(or $(SECONDS),60) $(TARGETS)

c_files = $(wildcard $(foreach dir,$(library_dirs) $(program_dirs) $(tanbench_dirs) $(sim_c_dirs) tests/unit tests/unit/* tests/mpi tests/hosts tests/fuzz tests/scripts tests/witness,$(dir)/*.c $(dir)/*.h))

.PHONY: lint
lint: ## check the formatting (clang-format), the code (cppcheck, clang-query) and the includes
	@$(deps) install lint
	@BUILD=$(BUILD) MPICC='$(MPICC)' tools/lint $(c_files)

.PHONY: format
format: ## format every C file
	clang-format -i $(c_files)

.PHONY: deps
deps: ## install what the build needs (apt), or name the packages
	@$(deps) install build

.PHONY: install
install: all ## install programs, man pages, completion; install-sim: the simulator (PREFIX=/usr/local, DESTDIR=)
	@BUILD=$(BUILD) PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install

.PHONY: dist
dist: ## what git has of this commit as build/tan-VERSION.tar.gz, the same bytes wherever it is made
	@mkdir -p $(BUILD)
	git archive --prefix=tan-$(VERSION)/ HEAD | gzip -n9 >$(BUILD)/tan-$(VERSION).tar.gz

.PHONY: uninstall
uninstall: ## remove what install and install-sim have put there
	@BUILD=$(BUILD) PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install --remove

.PHONY: clean
clean: ## remove everything built
	rm -rf $(BUILD)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile sim/sim.mk | expand -t 12
