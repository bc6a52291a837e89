// SPDX-License-Identifier: Apache-2.0
//
// Descriptors in the text that the Linux driver amdkfd shows of its queues (debugfs, file mqds): a line for the
// process, a line for the queue, below it lines of eight dwords behind their offset in bytes.
#ifndef TOTEM_MQD_DUMP_H
#define TOTEM_MQD_DUMP_H

#include "../../cmodel/tool/pm4_decode.h"

// A descriptor: its process and queue, the line where it begins, its dwords.
typedef struct {
    char      title[200];
    uint32_t  line;
    totem_hex hex;
} totem_mqd_dumped;

typedef struct {
    totem_mqd_dumped *descriptors;
    size_t            count; // 0: the file is no such text
} totem_mqd_dump;

// False: `message` names file, line and remedy. Free with totem_mqd_dump_free() in any case.
bool totem_mqd_dump_read(const char *path, totem_mqd_dump *dump, char *message, size_t size);
void totem_mqd_dump_free(totem_mqd_dump *dump);

#endif
