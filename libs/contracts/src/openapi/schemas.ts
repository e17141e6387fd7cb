import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Removes bounds and patterns that are already implied by `integer` and `format: uuid`. */
const tidy = ({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void => {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['format'] === 'uuid' || jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
};

/** Converts zod schemas to OpenAPI schemas and collects the named ones (`.meta({ id })`). */
export class SchemaCollector {
  private readonly named = new Map<string, string>();

  /** The schema as the client sends or receives it; named parts become references. */
  add(schema: z.ZodType): JsonSchema {
    // Wrapped, so that a named schema at the top level becomes a reference too.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      // JSON Schema cannot express these; the schema's own metadata describes them.
      unrepresentable: 'any',
      override: tidy as (context: unknown) => void,
    }) as unknown as { properties: { it: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs ?? {})) this.name(name, definition);
    return referring(properties.it);
  }

  /** Every named schema, by name. */
  components(): Record<string, JsonSchema> {
    const names = [...this.named.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, JSON.parse(this.named.get(name) ?? '{}') as JsonSchema]));
  }

  private name(name: string, definition: JsonSchema): void {
    const text = JSON.stringify(referring({ ...definition, id: undefined }));
    const known = this.named.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two schemas are called ${name}.`);
    this.named.set(name, text);
  }
}

const referring = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
