// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs are closed, are done, and make room; their meetings (docs/contract/epoch.md).

#include "fence_bench.h"
