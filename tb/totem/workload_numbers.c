// SPDX-License-Identifier: Apache-2.0
//
// The document and the schema are walked side by side; the schema says where a number stands.
#include "workload_numbers.h"

#include "number.h"
#include "workload_schema.h"

#include <stdio.h>
#include <yaml.h>

typedef struct {
    const char      *file;
    yaml_document_t *document;
    char            *message;
    size_t           size;
} reader;

static const char *text_of(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static const cyaml_schema_value_t *value_of(const cyaml_schema_field_t *fields, const yaml_node_t *key)
{
    while (fields->key && strcmp(fields->key, text_of(key)) != 0)
        fields++;
    return fields->key ? &fields->value : NULL;
}

static bool check(const reader *r, int number, const cyaml_schema_value_t *schema, const char *path)
{
    const yaml_node_t *node = yaml_document_get_node(r->document, number);
    char               inner[160];
    uint64_t           value;
    if (schema->type == CYAML_UINT && node->type == YAML_SCALAR_NODE &&
        !totem_number(text_of(node), UINT64_MAX, &value)) {
        snprintf(r->message, r->size, "%s:%zu: %s: '%s' is no number; " TOTEM_NUMBER_TEXT, r->file,
                 node->start_mark.line + 1, path, text_of(node));
        return false;
    }
    if (schema->type == CYAML_SEQUENCE && node->type == YAML_SEQUENCE_NODE)
        for (const int *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
            snprintf(inner, sizeof inner, "%s[%d]", path, (int)(item - node->data.sequence.items.start));
            if (!check(r, *item, schema->sequence.entry, inner))
                return false;
        }
    if (schema->type == CYAML_MAPPING && node->type == YAML_MAPPING_NODE)
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
             pair++) {
            const yaml_node_t          *key   = yaml_document_get_node(r->document, pair->key);
            const cyaml_schema_value_t *field = value_of(schema->mapping.fields, key);
            snprintf(inner, sizeof inner, "%s%s%s", path, path[0] ? "." : "", text_of(key));
            if (field && !check(r, pair->value, field, inner))
                return false;
        }
    return true;
}

bool totem_workload_numbers(const char *file, char *message, size_t size)
{
    yaml_parser_t   parser;
    yaml_document_t document;
    FILE           *input = fopen(file, "rb");
    bool            good  = false;
    snprintf(message, size, "%s: cannot be read again; check the name and the rights", file);
    if (!input)
        return false;
    if (yaml_parser_initialize(&parser)) {
        yaml_parser_set_input_file(&parser, input);
        if (yaml_parser_load(&parser, &document)) {
            const reader       r    = {file, &document, message, size};
            const yaml_node_t *root = yaml_document_get_root_node(&document);
            good                    = !root || check(&r, 1, &totem_workload_schema, ""); // the root is node 1
            yaml_document_delete(&document);
        }
        yaml_parser_delete(&parser);
    }
    fclose(input);
    return good;
}
