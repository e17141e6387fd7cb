import { cleanText, MAX_RECORD_LENGTH } from '../records/clean-text.js';

/** A JSON schema of an object, in the subset that `flawOf` accepts: what models can be held to. */
export type OutputSchema = Readonly<Record<string, unknown>>;

/** What a fact gives for a schema. */
export type OutputData = Readonly<Record<string, unknown>>;

const SCALARS = ['string', 'number', 'integer', 'boolean'] as const;
const KEYWORDS = [
  ...['type', 'title', 'description', 'enum', 'properties', 'required', 'additionalProperties', 'items'],
] as const;
const MAX_CHARACTERS = 8_192;
const MAX_LEVELS = 5;
const MAX_PROPERTIES = 50;
const MAX_CHOICES = 100;

export interface Flaw {
  readonly path: readonly string[];
  readonly rule: string;
}

/** The first thing that is wrong with a schema; null if it can be used. */
export const flawOf = (schema: unknown): Flaw | null => {
  if (JSON.stringify(schema).length > MAX_CHARACTERS)
    return { path: [], rule: `must have at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters as JSON` };
  const count = { properties: 0 };
  return nodeOf(schema).types.includes('object')
    ? flawIn(schema, [], count)
    : { path: ['type'], rule: 'must be object' };
};

const flawIn = (schema: unknown, path: readonly string[], count: { properties: number }, level = 1): Flaw | null => {
  const flaw = (rule: string, ...more: readonly string[]): Flaw => ({ path: [...path, ...more], rule });
  if (!isObject(schema)) return flaw('must be a schema');
  if (Object.keys(schema).some((key) => !(KEYWORDS as readonly string[]).includes(key)))
    return flaw(`must have only the keywords ${KEYWORDS.join(', ')}`);
  const { type, types, properties, required, items, choices } = nodeOf(schema);
  if (!['object', 'array', ...SCALARS].includes(type) || types.length > (types.includes('null') ? 2 : 1))
    return flaw(`must be object, array, ${SCALARS.join(', ')}, or one of them and null`, 'type');
  for (const key of ['title', 'description'])
    if (schema[key] !== undefined && typeof schema[key] !== 'string') return flaw('must be a text', key);
  if (choices !== undefined && !areChoices(choices, type))
    return flaw(`must be a list of 1 to ${MAX_CHOICES} values of the type`, 'enum');
  if (type !== 'object' && (schema['properties'] ?? schema['required'] ?? schema['additionalProperties']) !== undefined)
    return flaw('must be object, if there are properties', 'type');
  if (type !== 'array' && schema['items'] !== undefined) return flaw('must be array, if there are items', 'type');
  if (type !== 'object' && type !== 'array') return null;
  if (level >= MAX_LEVELS) return flaw(`must have at most ${MAX_LEVELS} levels`);
  if (type === 'array') return flawIn(items, [...path, 'items'], count, level + 1);
  if (!isObject(schema['properties']) || Object.keys(properties).length === 0)
    return flaw('must have at least one property', 'properties');
  if ((schema['additionalProperties'] ?? false) !== false) return flaw('must be false', 'additionalProperties');
  if (!Array.isArray(required) || required.some((name) => !Object.hasOwn(properties, String(name))))
    return flaw('must list names of properties', 'required');
  for (const [name, property] of Object.entries(properties)) {
    count.properties += 1;
    if (count.properties > MAX_PROPERTIES) return flaw(`must be at most ${MAX_PROPERTIES} in all`, 'properties');
    if (!/^[\w-]{1,64}$/.test(name)) return flaw('must have names of letters, digits, _ and -', 'properties');
    const inner = flawIn(property, [...path, 'properties', name], count, level + 1);
    if (inner !== null) return inner;
  }
  return null;
};

/** The schema for a model that must give every property: null stands for one that is absent. */
export const strictSchema = (schema: OutputSchema, isOptional = false): OutputSchema => {
  const { type, types, properties, required, items, choices } = nodeOf(schema);
  const orNull = isOptional || types.includes('null');
  return {
    ...schema,
    type: orNull ? [type, 'null'] : type,
    ...(choices === undefined || !orNull ? {} : { enum: [...choices, null] }),
    ...(type === 'array' ? { items: strictSchema(items) } : {}),
    ...(type === 'object'
      ? {
          additionalProperties: false,
          required: Object.keys(properties),
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, of]) => [name, strictSchema(of, !required.includes(name))]),
          ),
        }
      : {}),
  };
};

/** The part of a model's value that the schema describes, without absent properties; undefined if it does not fit. */
export const outputOf = (schema: OutputSchema, value: unknown): OutputData | undefined => {
  const read = readOutput(schema, value);
  return isObject(read) && JSON.stringify(read).length <= MAX_RECORD_LENGTH ? read : undefined;
};

const readOutput = (schema: OutputSchema, value: unknown): unknown => {
  const { type, types, properties, required, items, choices } = nodeOf(schema);
  if (value === null) return types.includes('null') ? null : undefined;
  if (type === 'array') {
    const read = Array.isArray(value) ? value.map((item) => readOutput(items, item)) : undefined;
    return read?.includes(undefined) === true ? undefined : read;
  }
  if (type === 'object') {
    if (!isObject(value)) return undefined;
    const given = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (Object.hasOwn(value, name) && value[name] !== null),
    );
    const read = given.map(([name, of]) => [
      name,
      Object.hasOwn(value, name) ? readOutput(of, value[name]) : undefined,
    ]);
    return read.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(read);
  }
  if (!isOf(type, value) || choices?.includes(value) === false) return undefined;
  if (typeof value !== 'string') return value;
  // A NUL or a lone surrogate, which cannot be stored.
  return /[\0\p{Cs}]/u.test(value) ? undefined : (cleanText(value) ?? undefined);
};

/** Each value of structured data as a line with its name, as it is checked for secrets. */
export const linesOf = (value: unknown, name = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, name));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) => linesOf(part, key.replaceAll(/[_-]/g, ' ')));
  return value == null ? [] : [`${name}: ${String(value)}`];
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOf = (type: string, value: unknown): boolean =>
  type === 'integer' ? Number.isSafeInteger(value) : type === 'number' ? Number.isFinite(value) : typeof value === type;

const areChoices = (choices: unknown, type: string): boolean =>
  Array.isArray(choices) &&
  choices.length > 0 &&
  choices.length <= MAX_CHOICES &&
  choices.every((choice) => type !== 'boolean' && isOf(type, choice));

/** The keywords of one level, as those of a valid schema are. */
const nodeOf = (schema: unknown) => {
  const node = isObject(schema) ? schema : {};
  const types = [node['type']].flat().map(String);
  return {
    types,
    type: types.find((type) => type !== 'null') ?? '',
    properties: (isObject(node['properties']) ? node['properties'] : {}) as Readonly<Record<string, OutputSchema>>,
    required: (node['required'] ?? []) as readonly string[],
    items: (node['items'] ?? {}) as OutputSchema,
    choices: node['enum'] as readonly unknown[] | undefined,
  };
};
