// SPDX-License-Identifier: Apache-2.0
//
// Where something stands in a YAML file, for messages about values that are well-formed but wrong.
#ifndef TOTEM_YAML_LINE_H
#define TOTEM_YAML_LINE_H

// Line, from 1, of the node `path` such as "queues[2].stream.packets[5]"; of the innermost enclosing node that exists
// if the path leads nowhere; 0 if the file cannot be read as YAML.
unsigned totem_yaml_line(const char *file, const char *path);

#endif
