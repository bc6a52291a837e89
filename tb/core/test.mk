# SPDX-License-Identifier: Apache-2.0
#
# Tests of the cores alone: build/core/<name>/test_<x> from tb/core/test_<x>.c, on the world of world.h.
#
#   make -f tb/core/test.mk [CONFIG=board] [CORES_RTL=] [CORES_NAME=] [TESTS="kernels .."]

CONFIG := $(or $(strip $(CONFIG)),board)
include $(dir $(lastword $(MAKEFILE_LIST)))rules.mk

TESTS ?= kernels kills errors pins
CORES_CC := $(shell command -v ccache) gcc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wconversion -Werror \
	-I$(CORES_TOP)/tb/unit -I$(CORES_TOP)/tb/core

.DEFAULT_GOAL := tests
.PHONY: tests
tests: kernels $(TESTS:%=$(CORES_OUT)/test_%)

$(CORES_OUT)/test_%: $(CORES_OUT)/test_%.o $(CORES_OUT)/world.o $(CORES_OUT)/world_memory.o $(CORES_LIB) $(CORES_RUNTIME)
	@g++ $^ -lcmocka -pthread -latomic -o $@

$(CORES_OUT)/%.o: $(CORES_TOP)/tb/core/%.c $(wildcard $(CORES_TOP)/tb/core/*.h)
	@mkdir -p $(@D)
	@$(CORES_CC) -c $< -o $@

.PRECIOUS: $(CORES_OUT)/%.o
