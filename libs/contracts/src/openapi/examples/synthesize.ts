import type { JsonSchema } from '../schemas.js';
import { VALUES } from './values.js';

type Components = Readonly<Record<string, JsonSchema>>;

/** Location of a value: its field, the field that contains its object, and the named schema around both. */
interface Place {
  readonly schema: string;
  readonly parent: string;
  readonly field: string;
}

const NOWHERE: Place = { schema: '', parent: '', field: '' };
/** Placeholder where `VALUES` has no entry; no example of the document may contain it. */
export const PLACEHOLDER = 'text';

const REFERENCE = '#/components/schemas/';

/**
 * An example of a schema, with every field: taken from `VALUES` by the field's name where one fits its type, otherwise
 * the smallest valid value. Rules that a schema cannot express are not known here. Deterministic.
 *
 * @param only of an object, its required fields only (if it has any)
 */
export const synthesize = (
  schema: JsonSchema,
  components: Components,
  { only = false, place = NOWHERE }: { readonly only?: boolean; readonly place?: Place } = {},
): unknown => {
  const inner = (part: unknown, where: Place = place): unknown =>
    synthesize(part as JsonSchema, components, { only, place: where });
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice(REFERENCE.length);
    return inner(components[name] ?? {}, { ...place, schema: name });
  }
  const known = valuesAt(place).find((value) => fits(value, schema, components));
  if (known !== undefined) return known;
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices !== undefined) return inner(choices.find(({ type }) => type !== 'null') ?? choices[0]);
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, only, (field, part) => inner(part, { ...place, parent: place.field, field }));
    case 'array':
      return [inner(schema['items'] ?? {})];
    case 'integer':
    case 'number':
      return schema['default'] ?? schema['minimum'] ?? 1;
    case 'boolean':
      return schema['default'] ?? false;
    default:
      return schema['default'] ?? (schema['format'] === undefined ? PLACEHOLDER : VALUES[String(schema['format'])]);
  }
};

const objectOf = (
  { properties = {}, required = [] }: { properties?: Record<string, JsonSchema>; required?: string[] },
  only: boolean,
  valueOf: (field: string, part: JsonSchema) => unknown,
): unknown =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([field]) => !only || required.length === 0 || required.includes(field))
      .map(([field, part]) => [field, valueOf(field, part)]),
  );

const valuesAt = ({ schema, parent, field }: Place): unknown[] =>
  [`${parent}.${field}`, `${schema}.${field}`, field]
    .map((name) => VALUES[name])
    .filter((value) => value !== undefined);

const typeOf = ({ type, properties }: JsonSchema): unknown => {
  const types = [type].flat().filter((one) => one !== 'null');
  return types[0] ?? (properties === undefined ? undefined : 'object');
};

/** Whether a value can stand where the schema is: its type, and its values if they are listed. */
const fits = (value: unknown, schema: JsonSchema, components: Components): boolean => {
  const reference = schema['$ref'];
  if (typeof reference === 'string')
    return fits(value, components[reference.slice(REFERENCE.length)] ?? {}, components);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.some((choice) => fits(value, choice, components));
  if (schema['const'] !== undefined) return value === schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (schema['format'] === 'uuid') return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
  if (schema['format'] === 'date-time') return typeof value === 'string' && /^\d{4}-.*Z$/.test(value);
  const types = [schema['type']].flat();
  if (types[0] === undefined) return true;
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined;
    return types.includes('array') && (items === undefined || value.every((item) => fits(item, items, components)));
  }
  if (typeof value === 'object') {
    const { properties, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
    return (
      types.includes('object') &&
      required.every((field) => Object.hasOwn(value, field)) &&
      Object.entries(properties ?? {}).every(
        ([field, part]) => !Object.hasOwn(value, field) || fits((value as JsonSchema)[field], part, components),
      )
    );
  }
  if (typeof value === 'number') {
    const least = (schema['minimum'] as number | undefined) ?? -Infinity;
    const most = (schema['maximum'] as number | undefined) ?? Infinity;
    const isKind = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
    return isKind && value >= least && value <= most;
  }
  return types.includes(typeof value);
};
