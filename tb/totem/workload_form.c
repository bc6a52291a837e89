// SPDX-License-Identifier: Apache-2.0
//
// The document and the schema are walked side by side.
#include "workload_form.h"

#include "../../cmodel/tool/nearest.h"
#include "number.h"
#include "workload_schema.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct {
    const char      *file;
    yaml_document_t *document;
    char            *message;
    size_t           size;
} reader;

// Where a node stands: for the value of a key, the line of the key.
typedef struct {
    size_t line;
    char   path[160]; // "" for the whole file
} place;

static bool fail(const reader *r, const place *p, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(const reader *r, const place *p, const char *format, ...)
{
    va_list list;
    int     used = snprintf(r->message, r->size, "%s:%zu: %s%s", r->file, p->line + 1, p->path, p->path[0] ? ": " : "");
    va_start(list, format);
    if (used > 0 && (size_t)used < r->size)
        vsnprintf(r->message + used, r->size - (size_t)used, format, list);
    va_end(list);
    return false;
}

static const char *text_of(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *key)
{
    while (fields->key && strcmp(fields->key, key) != 0)
        fields++;
    return fields->key ? fields : NULL;
}

// "latency: ..., latency_spread: ..." of the keys that must stand, or of all of them.
static const char *keys_text(const cyaml_schema_field_t *fields, bool required, char *text, size_t size)
{
    size_t used = 0;
    text[0]     = 0;
    for (; fields->key && used < size; fields++)
        if (!required || !(fields->value.flags & CYAML_FLAG_OPTIONAL))
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? ", " : "", fields->key,
                                     required ? ": ..." : "");
    return text;
}

static bool refuse_key(const reader *r, const place *p, const cyaml_schema_field_t *fields, const char *key)
{
    totem_nearest near = {0};
    char          text[400];
    for (const cyaml_schema_field_t *f = fields; f->key; f++)
        totem_nearest_see(&near, key, strlen(key), f->key);
    if (near.count && near.far[0] <= 1 + strlen(key) / 4)
        return fail(r, p, "no such key; did you mean %s?", near.name[0]);
    return fail(r, p, "no such key; take one of %s", keys_text(fields, false, text, sizeof text));
}

static bool check_scalar(const reader *r, const place *p, const cyaml_schema_value_t *schema, const char *text)
{
    uint64_t   value;
    const bool whole = schema->type == CYAML_UINT && totem_number(text, UINT64_MAX, &value);
    if (schema->type == CYAML_UINT && !whole)
        return fail(r, p, "'%s' is no number; " TOTEM_NUMBER_TEXT, text);
    if (whole && schema->data_size < sizeof value && value >> 8 * schema->data_size)
        return fail(r, p, "%s is too large; the most is 0x%" PRIx64, text, (UINT64_C(1) << 8 * schema->data_size) - 1);
    if (schema->type == CYAML_BOOL && strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return fail(r, p, "'%s' is neither true nor false", text);
    if (schema->type != CYAML_ENUM)
        return true;
    totem_nearest near = {0};
    char          nearest[200];
    for (uint32_t n = 0; n < schema->enumeration.count; n++)
        totem_nearest_see(&near, text, strlen(text), schema->enumeration.strings[n].str);
    return near.far[0] == 0 ? true
                            : fail(r, p, "'%s' is no value here; the nearest are %s", text,
                                   totem_nearest_text(&near, nearest, sizeof nearest));
}

static bool check(const reader *r, int number, const cyaml_schema_value_t *schema, const place *p);

static bool check_mapping(const reader *r, const yaml_node_t *node, const cyaml_schema_field_t *fields, const place *p)
{
    const yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    place                   inner;
    for (int pass = 0; pass < 2; pass++) {
        for (const yaml_node_pair_t *pair = first; pair < end; pair++) {
            const yaml_node_t          *key   = yaml_document_get_node(r->document, pair->key);
            const cyaml_schema_field_t *field = find_field(fields, text_of(key));
            inner.line                        = key->start_mark.line;
            // A path that is too long is cut.
            if (snprintf(inner.path, sizeof inner.path, "%s%s%s", p->path, p->path[0] ? "." : "", text_of(key)) < 0)
                inner.path[0] = 0;
            if (!field)
                return refuse_key(r, &inner, fields, text_of(key));
            for (const yaml_node_pair_t *other = first; pass == 0 && other < pair; other++)
                if (strcmp(text_of(yaml_document_get_node(r->document, other->key)), text_of(key)) == 0)
                    return fail(r, &inner, "stands twice; remove one");
            if (pass == 1 && !check(r, pair->value, &field->value, &inner))
                return false;
        }
        for (const cyaml_schema_field_t *f = fields; pass == 0 && f->key; f++) {
            const yaml_node_pair_t *pair = first;
            while (pair < end && strcmp(text_of(yaml_document_get_node(r->document, pair->key)), f->key) != 0)
                pair++;
            if (pair == end && !(f->value.flags & CYAML_FLAG_OPTIONAL))
                return fail(r, p, "%s is missing", f->key);
        }
    }
    return true;
}

static bool check(const reader *r, int number, const cyaml_schema_value_t *schema, const place *p)
{
    const yaml_node_t *node = yaml_document_get_node(r->document, number);
    char               text[400];
    if (schema->type == CYAML_MAPPING && node->type != YAML_MAPPING_NODE)
        return fail(r, p, "expects keys (%s)", keys_text(schema->mapping.fields, true, text, sizeof text));
    if (schema->type == CYAML_MAPPING)
        return check_mapping(r, node, schema->mapping.fields, p);
    if (schema->type != CYAML_SEQUENCE)
        return node->type == YAML_SCALAR_NODE ? check_scalar(r, p, schema, text_of(node))
                                              : fail(r, p, "expects one value, not several");
    if (node->type != YAML_SEQUENCE_NODE)
        return fail(r, p, "expects a list; write each entry behind a -, or [..., ...]");
    const int *first = node->data.sequence.items.start, *end = node->data.sequence.items.top;
    if (end - first < (ptrdiff_t)schema->sequence.min)
        return fail(r, p, "has no entries; give some, or remove the key");
    for (const int *item = first; item < end; item++) {
        place inner = {.line = yaml_document_get_node(r->document, *item)->start_mark.line};
        if (snprintf(inner.path, sizeof inner.path, "%s[%td]", p->path, item - first) < 0)
            return false;
        if (!check(r, *item, schema->sequence.entry, &inner))
            return false;
    }
    return true;
}

bool totem_workload_form(const char *file, char *message, size_t size)
{
    yaml_parser_t   parser;
    yaml_document_t document;
    FILE           *input = fopen(file, "rb");
    bool            good  = false;
    snprintf(message, size, "%s: cannot be read; check the name and the rights", file);
    if (!input)
        return false;
    if (yaml_parser_initialize(&parser)) {
        reader r = {file, &document, message, size};
        place  p = {.line = 0};
        yaml_parser_set_input_file(&parser, input);
        if (yaml_parser_load(&parser, &document)) {
            good = !yaml_document_get_root_node(&document) || check(&r, 1, &totem_workload_schema, &p); // the root: 1
            yaml_document_delete(&document);
        } else if (parser.error != YAML_MEMORY_ERROR && parser.problem) {
            p.line = parser.problem_mark.line;
            fail(&r, &p, "%s%s%s; correct the YAML", parser.context ? parser.context : "", parser.context ? ", " : "",
                 parser.problem);
        }
        yaml_parser_delete(&parser);
    }
    fclose(input);
    return good;
}
