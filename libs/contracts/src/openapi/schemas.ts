import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Bounds and patterns that say no more than `integer` and `format: uuid` do. */
const tidy = ({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void => {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['format'] === 'uuid' || jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
};

/** Turns zod schemas into OpenAPI's, and collects those that have a name (`.meta({ id })`). */
export class SchemaCollector {
  private readonly named = new Map<string, string>();

  /** The schema as the client sends or sees it; named parts are references. */
  add(schema: z.ZodType): JsonSchema {
    // Wrapped, so that a named schema at the top becomes a reference as well.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      // The schema's own metadata describes what JSON Schema has no word for.
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
