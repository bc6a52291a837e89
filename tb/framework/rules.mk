# SPDX-License-Identifier: Apache-2.0
#
# What the device TOTEM of a framework needs (docs/framework.md): the machine as a program, and the parts that every
# kernel is linked with.
#
#   make -f tb/framework/rules.mk [CONFIG=mini|board] [ENGINE=both]

TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
CONFIG ?= mini
ENGINE ?= model
PARTS := $(TOP)/build/framework
RV32 := riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -mcmodel=medany -mno-relax -O2 -std=c11 -Wall -Wextra \
	-Werror -ffreestanding -fno-builtin

.PHONY: all
all: $(addprefix $(PARTS)/,start.o floats.o libgcc.a)
	@$(MAKE) -s -C $(TOP)/tb/lockstep CONFIG=$(CONFIG) CORE=rv32 machine$(if $(filter model,$(ENGINE)),-model)

$(PARTS)/start.o: $(TOP)/tb/core/kernels/start.S
$(PARTS)/floats.o: $(TOP)/tb/framework/floats.c
$(PARTS)/start.o $(PARTS)/floats.o:
	@mkdir -p $(@D)
	@$(RV32) -c $< -o $@

$(PARTS)/libgcc.a:
	@mkdir -p $(@D)
	@cp $$($(RV32) -print-libgcc-file-name) $@
