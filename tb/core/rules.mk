# SPDX-License-Identifier: Apache-2.0
#
# The cores behind the wave interface (docs/core.md), Verilated, and their kernels. Include it, or:
#
#   make -f tb/core/rules.mk [CONFIG=CONFIGURATION] [COUNT=cores of an engine]
#                                                              build/core/<config>[-<count>]/libcores.a (cores.h)
#   make -f tb/core/rules.mk kernels                           build/core/kernels/<name>.bin and .hex
#
# A program links $(CORES_LIB), and $(CORES_RUNTIME) if it has no other Verilated part; with g++, -pthread -latomic.
# sim/setup.sh rv32 installs what is needed. CORES_RTL= takes another folder of the Verilog (a planted fault),
# CORES_NAME= another build folder.

CORES_TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
CONFIG ?= full
CONFIG := $(or $(strip $(CONFIG)),full)
CORES_RTL ?= $(CORES_TOP)/tb/core
COUNT ?=
CORES_NAME ?= $(CONFIG)$(addprefix -,$(COUNT))
CORES_OUT := $(CORES_TOP)/build/core/$(CORES_NAME)
CORES_KERNELS := $(CORES_TOP)/build/core/kernels
CORES_LIB := $(CORES_OUT)/libcores.a
CORES_RUNTIME := $(addprefix $(CORES_OUT)/verilated/,verilated.o verilated_threads.o)
CORES_DEFINE := TOTEM_CONFIG_$(shell echo $(CONFIG) | tr a-z A-Z)
CORES_FILES := $(sort $(wildcard $(CORES_RTL)/*.v))
CORES_FAST ?= -O2
CORES_PICORV32 = $(or $(firstword $(wildcard $(CORES_TOP)/.venv/lib/*/site-packages/*/verilog/picorv32.v)),$(error \
	PicoRV32 is missing: run sim/setup.sh rv32))
CORES_SEARCH := -I$(CORES_TOP)/rtl/lib -I$(CORES_TOP)/rtl/packet -y $(CORES_TOP)/rtl/lib -y $(CORES_RTL)
CORES_VERILATOR_ROOT ?= $(shell verilator --getenv VERILATOR_ROOT)

# For Verilator: a board with a core.
.PHONY: print-board
print-board:
	@echo -DTOTEM_RV32 -y $(CORES_RTL) $(CORES_RTL)/totem_rv32.vlt $(CORES_PICORV32)

.PHONY: cores kernels
# Two makes may want the same at once (steps of the tests): one waits for the other. The empty recipe lets make look at
# the files' times again.
ifndef CORES_LOCKED
$(CORES_LIB) $(CORES_RUNTIME): cores
	@:
cores kernels:
	@mkdir -p $(CORES_TOP)/build/core
	@flock $(CORES_TOP)/build/core/.lock $(MAKE) -s -f $(CORES_TOP)/tb/core/rules.mk CORES_LOCKED=1 CONFIG=$(CONFIG) \
		COUNT=$(COUNT) CORES_RTL=$(CORES_RTL) CORES_NAME=$(CORES_NAME) CORES_FAST=$(CORES_FAST) $@
else
cores: $(CORES_LIB)

$(CORES_OUT)/verilated/Vtotem_rv32.mk: $(CORES_FILES) $(CORES_TOP)/rtl/lib/totem_ram.v
	@mkdir -p $(@D)
	@verilator --cc -O3 --inline-mult 1 --x-assign fast --x-initial fast --noassert --default-language 1364-2005 \
		-Wno-fatal -Wno-lint -Wno-style -D$(CORES_DEFINE) $(CORES_SEARCH) --top-module totem_rv32 --Mdir $(@D) \
		$(addprefix -GCORES=,$(COUNT)) $(CORES_RTL)/totem_rv32.vlt $(CORES_PICORV32) $(CORES_RTL)/totem_rv32.v

$(CORES_OUT)/verilated/Vtotem_rv32__ALL.a $(CORES_RUNTIME) &: $(CORES_OUT)/verilated/Vtotem_rv32.mk
	@$(CORES_TOP)/sim/run/compile_verilated.sh $(CORES_OUT)/verilated Vtotem_rv32 "$(CORES_FAST)" Vtotem_rv32__ALL.a \
		$(notdir $(CORES_RUNTIME))

$(CORES_OUT)/cores.o: $(CORES_TOP)/tb/core/cores.cpp $(CORES_TOP)/tb/core/cores.h $(CORES_TOP)/cmodel/totem.h \
		$(CORES_OUT)/verilated/Vtotem_rv32.mk
	@g++ -std=c++17 -O2 -g -Wall -Wextra -Werror -isystem $(CORES_OUT)/verilated \
		-isystem $(CORES_VERILATOR_ROOT)/include -isystem $(CORES_VERILATOR_ROOT)/include/vltstd -c $< -o $@

$(CORES_LIB): $(CORES_OUT)/cores.o $(CORES_OUT)/verilated/Vtotem_rv32__ALL.a
	@cp $(CORES_OUT)/verilated/Vtotem_rv32__ALL.a $@.new
	@ar rs $@.new $< 2>/dev/null
	@mv $@.new $@

# A kernel is linked at two addresses: if both programs are equal, it may lie anywhere.
CORES_GCC = $(or $(shell command -v riscv64-unknown-elf-gcc),$(error the RISC-V compiler is missing: run sim/setup.sh \
	rv32)) -march=rv32im -mabi=ilp32 -mcmodel=medany -mno-relax -O2 -std=c11 -Wall -Wextra -Werror -ffreestanding \
	-fno-jump-tables -fno-tree-loop-distribute-patterns -nostdlib
CORES_PARTS := $(addprefix $(CORES_TOP)/tb/core/kernels/,kernel.ld start.S totem_kernel.h)
# Those that are made once more to run as tasks: task_<name>.
CORES_TASKS := scale add reduce
CORES_NAMES := $(basename $(notdir $(wildcard $(CORES_TOP)/tb/core/kernels/*.c)))
CORES_NAMES += $(addprefix task_,$(filter $(CORES_TASKS),$(CORES_NAMES)))

kernels: $(foreach name,$(CORES_NAMES),$(CORES_KERNELS)/$(name).bin $(CORES_KERNELS)/$(name).hex)

define CORES_COMPILE
@mkdir -p $(@D)
	@for base in 0x10000 0x40000800; do \
		$(CORES_GCC) -Wl,--build-id=none,--no-relax,--defsym=BASE=$$base -T $(word 2,$^) $(word 3,$^) $< \
			-o $(basename $@)-$$base.elf || exit 1; \
		riscv64-unknown-elf-objcopy -O binary $(basename $@)-$$base.elf $(basename $@)-$$base.out || exit 1; done
	@cmp $(basename $@)-0x10000.out $(basename $@)-0x40000800.out >/dev/null || { \
		echo "$<: the program depends on its address; does it hold a pointer?" >&2; exit 1; }
	@mv $(basename $@)-0x10000.elf $(basename $@).elf && mv $(basename $@)-0x10000.out $@
	@rm $(basename $@)-0x40000800.*
endef

$(CORES_KERNELS)/task_%.bin: CORES_GCC += -DTASK
$(CORES_KERNELS)/task_%.bin: $(CORES_TOP)/tb/core/kernels/%.c $(CORES_PARTS) $(CORES_TOP)/tb/core/rules.mk
	$(CORES_COMPILE)

$(CORES_KERNELS)/%.bin: $(CORES_TOP)/tb/core/kernels/%.c $(CORES_PARTS) $(CORES_TOP)/tb/core/rules.mk
	$(CORES_COMPILE)

$(CORES_KERNELS)/%.hex: $(CORES_KERNELS)/%.bin
	@od -An -v -tx4 -w4 $< | tr -d ' ' >$@
endif
