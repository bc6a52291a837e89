// SPDX-License-Identifier: Apache-2.0
#include "yaml_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

// One step down: the value of a key, or the entry of a sequence. NULL if there is none; *line is set if there is.
static yaml_node_t *step(yaml_document_t *document, const yaml_node_t *node, const char *name, size_t length,
                         unsigned *line)
{
    if (node->type == YAML_SEQUENCE_NODE && name[0] == '[') {
        size_t index = strtoul(name + 1, NULL, 10);
        size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
        if (index >= count)
            return NULL;
        yaml_node_t *entry = yaml_document_get_node(document, node->data.sequence.items.start[index]);
        *line              = (unsigned)entry->start_mark.line + 1;
        return entry;
    }
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        if (key->type != YAML_SCALAR_NODE || key->data.scalar.length != length ||
            memcmp(key->data.scalar.value, name, length) != 0)
            continue;
        *line = (unsigned)key->start_mark.line + 1;
        return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

static unsigned find(yaml_document_t *document, const char *path)
{
    const yaml_node_t *node = yaml_document_get_root_node(document);
    if (!node)
        return 0;
    unsigned line = (unsigned)node->start_mark.line + 1;
    while (node && *path) {
        if (*path == '.')
            path++;
        size_t length = *path == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[");
        node          = step(document, node, path, length, &line);
        path += length;
    }
    return line;
}

unsigned totem_yaml_line(const char *file, const char *path)
{
    FILE *input = fopen(file, "rb");
    if (!input)
        return 0;
    yaml_parser_t   parser;
    yaml_document_t document;
    unsigned        line = 0;
    if (yaml_parser_initialize(&parser)) {
        yaml_parser_set_input_file(&parser, input);
        if (yaml_parser_load(&parser, &document)) {
            line = find(&document, path);
            yaml_document_delete(&document);
        }
        yaml_parser_delete(&parser);
    }
    fclose(input);
    return line;
}
