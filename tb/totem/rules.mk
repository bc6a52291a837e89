# SPDX-License-Identifier: Apache-2.0
#
# Builds build/totem, the command-line tool. Model and RTL are in programs of their own, for each configuration, made
# by tb/lockstep/Makefile when `totem run` first wants them (hand_over.c). Include it, or:
#
#   make -f tb/totem/rules.mk [TOTEM_CC=] [TOTEM_SAN=1]
#
# TOTEM_SAN=1 builds build/totem-san under the address and undefined-behaviour sanitizers.

TOTEM_TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
TOTEM_CC ?= gcc
TOTEM_SAN ?=
TOTEM_PACKAGES := jansson libcyaml yaml-0.1 libxxhash
TOTEM_OUT := $(TOTEM_TOP)/build/totem$(if $(TOTEM_SAN),-san)
TOTEM_OBJ := $(TOTEM_TOP)/build/tool$(if $(TOTEM_SAN),-san)
TOTEM_SOURCES := $(sort $(wildcard $(TOTEM_TOP)/tb/totem/*.c $(TOTEM_TOP)/cmodel/tool/*.c))
TOTEM_OBJECTS := $(TOTEM_SOURCES:$(TOTEM_TOP)/%.c=$(TOTEM_OBJ)/%.o)
TOTEM_SANFLAGS := $(if $(TOTEM_SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)
TOTEM_FLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Werror -O2 -g $(TOTEM_SANFLAGS) \
	$(shell pkg-config --cflags $(TOTEM_PACKAGES))

.PHONY: totem-tool
totem-tool: $(TOTEM_OUT)

$(TOTEM_OUT): $(TOTEM_OBJECTS)
	@$(TOTEM_CC) $(TOTEM_SANFLAGS) $(TOTEM_OBJECTS) $(shell pkg-config --libs $(TOTEM_PACKAGES)) -lm -o $@

$(TOTEM_OBJ)/%.o: $(TOTEM_TOP)/%.c $(TOTEM_TOP)/tb/totem/rules.mk
	@mkdir -p $(@D)
	@$(TOTEM_CC) $(TOTEM_FLAGS) -MMD -MP -c $< -o $@

-include $(TOTEM_OBJECTS:.o=.d)
