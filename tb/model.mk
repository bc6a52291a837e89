# SPDX-License-Identifier: Apache-2.0
#
# The C model of configuration CONFIG, the same for every program that links it: MODEL, kept up to date by target
# `model`. Included by the Makefiles beside it, which set TOP.

# Clang makes a model that is faster by a tenth.
MODEL_CC := $(notdir $(or $(shell command -v clang-14),gcc))
MODEL := $(shell $(MAKE) -s --no-print-directory -C $(TOP)/cmodel CONFIG=$(CONFIG) CC=$(MODEL_CC) print-lib)

.DEFAULT_GOAL := all
.PHONY: model
# The empty recipe lets make look at the library's time again when model has run.
$(MODEL): model
	@:
model:
	@$(MAKE) -s -C $(TOP)/cmodel CONFIG=$(CONFIG) CC=$(MODEL_CC) all
