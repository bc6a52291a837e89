# SPDX-License-Identifier: Apache-2.0
#
# Targets only; the work is in sim/ and synth/. Every target sets up what it needs (sim/setup.sh) first.

.DEFAULT_GOAL := help
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
# $(call given,CONFIG CYCLES): options --config and --cycles, each if its variable is set. Scripts have the defaults.
given = $(foreach name,$(1),$(if $($(name)),--$(shell echo $(name) | tr A-Z a-z) '$($(name))'))

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-14s %s\n", $$1, $$2 }'

setup: ## install what is missing (Debian packages, .venv) and nothing else
	@sim/setup.sh

run: ## lockstep of model and RTL on a workload [WORKLOAD=name|file CYCLES= SEED= CONFIG= ENGINE=both|model|rtl]
	@sim/setup.sh $(if $(filter model,$(ENGINE)),--tool)
	@sim/run/run.sh $(call given,WORKLOAD CONFIG CYCLES SEED ENGINE)

framework: ## tinygrad on the machine, results against its CPU device [CONFIG= ENGINE=model|both]
	@sim/setup.sh rv32 framework
	@sim/run/framework.sh

block: setup ## one block, C and RTL [BLOCK= CONFIG= SEEDS= SEED= CYCLES= SET="NAME=value" STIMULI= DUMP= RECORD=1]
	@$(PYTHON) sim/run/block.py $(call given,CONFIG SEEDS SEED CYCLES SET STIMULI DUMP) $(if $(RECORD),--record) \
		$(BLOCK)

test: setup ## every test; ends with "N passed, N failed"; sim/test.sh STEP runs one step
	@sim/test.sh

streams: setup ## graphics rings in lockstep, the captured ones too, all in full as well (minutes; TOTEM_STREAMS=)
	@LONG=1 sim/test.sh 76-frames

lint: ## Verilator, Icarus and Yosys on every module, clang-tidy and clang-format on the C [BLOCK=: only that one]
	@sim/setup.sh lint
	@sim/lint.sh $(if $(BLOCK),block $(BLOCK))

ports: setup ## ports and state in contract, RTL and C agree [BLOCK=]
	@$(PYTHON) sim/ports.py $(BLOCK)

unit: setup ## C unit tests under the address and undefined-behaviour sanitizers [BLOCK=]
	@sim/unit.sh $(BLOCK)

formal: setup ## prove the properties that stand in the RTL files [BLOCK= CONFIG=]
	@synth/formal.sh $(call given,CONFIG) $(BLOCK)

equiv: setup ## prove that one clock of the RTL is one step of the C model [BLOCK= CONFIG=]
	@synth/equiv.sh $(call given,CONFIG) $(BLOCK)

tool: ## build/totem, the command-line tool (seconds; the RTL is Verilated when a run first wants it)
	@sim/setup.sh --tool
	@$(MAKE) -s -f tb/totem/rules.mk

waves: ## run a workload into an FST file and open GTKWave if there is a display [WORKLOAD= CYCLES= SEED= CONFIG=]
	@sim/setup.sh waves
	@sim/run/waves.sh $(call given,WORKLOAD CONFIG CYCLES SEED)

pictures: setup ## the pictures of docs/images, from real runs
	@sim/setup.sh waves docs
	@sim/pictures/make.sh

demo-mismatch: setup ## plant a fault in a copy of the RTL and see the lockstep find it [FAULT= CONFIG= WORKLOAD=]
	@sim/run/demo_mismatch.sh $(call given,FAULT CONFIG WORKLOAD)

cover: setup ## functional coverage of the rules, lines and branches of model and RTL [SEEDS= SEED= RECORD=1]
	@$(PYTHON) sim/run/cover.py $(call given,SEEDS) $(if $(SEED),--from $(SEED)) $(if $(RECORD),--record)

faults: setup ## plant every fault of faults.txt and netlist_faults.txt; what notices it [SEEDS= RECORD=1]
	@$(PYTHON) sim/faults/netlist_faults.py $(call given,SEEDS) $(if $(RECORD),--record)
	@$(PYTHON) sim/faults/faults.py $(call given,SEEDS) $(if $(RECORD),--record)

assumptions: setup ## what the proofs assume of neighbours, checked in the whole machine [SEEDS= SEED= CONFIG=mini]
	@$(PYTHON) sim/run/assumptions.py $(call given,SEEDS CONFIG) $(if $(SEED),--from $(SEED))

regress: setup ## random lockstep over many seeds on all cores [SEEDS= SEED= CONFIG= RECORD=1]
	@$(PYTHON) sim/run/regress.py $(call given,SEEDS CONFIG) $(if $(SEED),--from $(SEED)) $(if $(RECORD),--record)

regress-list: setup ## random work of the run list in lockstep [CLOCKS= SEED= CONFIG=duo RECORD=1]
	@$(PYTHON) sim/run/regress_run_list.py $(call given,CLOCKS CONFIG) $(if $(SEED),--from $(SEED)) \
	    $(if $(RECORD),--record)

same: setup ## pins equal those of an older revision, clock by clock [BASE=revision CONFIG= CYCLES= SEEDS= SEED=]
	@sim/run/same.sh $(call given,BASE CONFIG CYCLES SEEDS SEED WORK)

bench: ## measure the figures of the README into docs/results.md; BASE=accd237: speeds against that revision too
	@sim/setup.sh bench docs
	@$(PYTHON) sim/bench/bench.py $(call given,BASE)
	@$(PYTHON) sim/bench/waits_bench.py --record
	@$(PYTHON) sim/bench/context_bench.py --png build/bench/contexts.png --page build/bench/contexts.md
	@$(PYTHON) sim/bench/throttle_bench.py --png docs/images/throttle-sweep.png --page build/bench/throttle.md
	@$(PYTHON) sim/bench/task_bench.py --page build/bench/tasks.md
	@$(PYTHON) sim/bench/run_list_bench.py --png docs/images/run-list-cliff.png --record

generate: setup ## rewrite the headers and tables that are generated from one source
	@sim/generate.sh

docs: generate ## the generated pages, and check of all links
	@$(PYTHON) sim/links.py

format: ## clang-format on all C files
	@sim/setup.sh lint
	@sim/lint.sh format

synth: setup ## Yosys: gates of every block, mini on iCE40, sums into docs/results.md [BLOCK=: only that one, printed]
	@synth/synth.sh $(BLOCK)

fpga: ## the machine, or a self-checking block, to the bitstream [BOARD=ulx3s TOP=mini FAULT=1 CLOCKS=; make fpga lists]
	@fpga/build.sh --check $(call given,CLOCKS) $(if $(filter-out 0,$(FAULT)),--fault) "$(BOARD)" "$(TOP)"
	@sim/setup.sh fpga $(if $(filter %-rv32,$(TOP)),rv32)
	@fpga/build.sh $(call given,CLOCKS) $(if $(filter-out 0,$(FAULT)),--fault) "$(BOARD)" "$(TOP)"

bring-up: ## docs/bring-up.md without a board: Verilator, a pseudo-terminal, `totem host` (minutes)
	@sim/setup.sh
	@fpga/bring_up.sh

fpga-netlist: ## what synthesis makes of a board's machine, in Verilator, with totem host [BOARD=ulx3s TOP=mini] (long)
	@fpga/build.sh --check "$(or $(BOARD),ulx3s)" "$(or $(TOP),mini)"
	@sim/setup.sh fpga
	@fpga/netlist.sh "$(or $(BOARD),ulx3s)" "$(or $(TOP),mini)"

fpga-record: ## area and clock of the machine and all tops into docs/results.md (two hours)
	@fpga/build.sh --check record
	@sim/setup.sh fpga rv32
	@fpga/build.sh record

dist: setup ## build/totem-<version>.tar.gz: with everything that is generated; tool and library build without Python
	@sim/dist.sh

weight: ## lines of the tracked files: hand-written, generated, records [BASE=revision]
	@python3 sim/weight.py $(BASE)

# What a tarball brought along stays.
clean: ## remove build/ (.venv stays)
	@if [ -f VERSION ]; then find build -type f -newer VERSION -delete; else rm -rf build; fi

.PHONY: help setup run framework block test streams lint ports unit formal equiv tool waves pictures demo-mismatch \
	cover faults assumptions regress same bench generate docs format synth fpga bring-up \
	fpga-netlist fpga-record weight dist clean
