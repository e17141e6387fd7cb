import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_LIMIT, type RouteSpec } from '@turnkeeper/contracts';
import { OUR_ROUTES } from '@turnkeeper/vendors';

/** Paths under `/memory` follow AgentBase's conventions, and callbacks under `/connectors` those of the vendors. */
const OWN = OUR_ROUTES.filter(({ path }) => path.startsWith('/v1/'));

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly default?: unknown }>>;
}
const schemaOf = (schema: z.ZodType | null | undefined): Schema =>
  schema === null || schema === undefined
    ? {}
    : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);

const titled = (routes: readonly RouteSpec[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const lists = OWN.filter(
  ({ method, id, response }) => method === 'GET' && (/^list/.test(id) || schemaOf(response).type === 'array'),
);

describe("lists of Turnkeeper's own routes", () => {
  it.each(titled(lists.filter(({ id }) => id !== 'listErasureKeys')))('%s: one envelope, one limit', (_, route) => {
    expect(Object.keys(schemaOf(route.response).properties ?? {})).toEqual(['items', 'next']);
    const query = schemaOf(route.query).properties ?? {};
    expect(query['limit']).toMatchObject({ type: 'integer', default: DEFAULT_LIMIT });
    expect(query).toHaveProperty('after');
    for (const other of ['page', 'size', 'offset']) expect(query).not.toHaveProperty(other);
  });
});

describe("changes through Turnkeeper's own routes", () => {
  it.each(titled(OWN.filter(({ id }) => /^(create|start)/.test(id))))('%s: 201', (_, route) => {
    expect(route.status).toBe(201);
  });

  it.each(titled(OUR_ROUTES.filter(({ location }) => location !== undefined)))(
    '%s: Location is a route',
    (_, route) => {
      const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
      const found = OUR_ROUTES.find(
        ({ method, path }) => method === 'GET' && shape(path) === shape(route.location ?? ''),
      );
      expect(found, route.location).toBeDefined();
    },
  );

  /** Erasures of people's data return a signed receipt. */
  const RECEIPTS = ['deleteActorEverywhere', 'deleteTenant'];

  it.each(titled(OWN.filter(({ method, id }) => method === 'DELETE' && !RECEIPTS.includes(id))))(
    '%s: 204',
    (_, route) => expect(route.status).toBe(204),
  );

  it.each(titled(OWN.filter(({ id }) => /^(replay|retry)/.test(id))))('%s: 202', (_, route) => {
    expect(route.status).toBe(202);
  });
});

interface Field {
  readonly where: string;
  readonly name: string;
  readonly schema: { readonly type?: string; readonly format?: string; readonly enum?: readonly unknown[] };
}
type Node = Readonly<Record<string, unknown>>;

/** Every named field of a schema, and every value that it lists; through lists, choices and definitions. */
const fieldsIn = (node: unknown, where: string): Field[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {}, ...rest } = node as Node & { readonly properties?: Readonly<Record<string, Node>> };
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { where, name, schema },
      ...fieldsIn(schema, `${where}.${name}`),
    ]),
    ...Object.entries(rest).flatMap(([key, inner]) => (key === 'enum' ? [] : fieldsIn(inner, where))),
  ];
};

/** Of messages, which our routes take and return with the field names of voice platforms (ADR 0065). */
const OF_PLATFORMS = ['turn_id', 'tool_calls', 'tool_call_id', 'timestamp'];

describe("spelling in Turnkeeper's own routes", () => {
  const fields = OWN.flatMap(({ id, query, body, response }) =>
    [query, body, response].flatMap((schema) => fieldsIn(schemaOf(schema), id)),
  ).filter(({ name }) => !OF_PLATFORMS.includes(name));

  it('is camelCase', () => {
    expect(fields.length).toBeGreaterThan(300);
    expect(fields.filter(({ name }) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  it('says with At that a field is a date, and dates are RFC 3339', () => {
    const dates = fields.filter(({ name }) => /[a-z]At$/.test(name));
    expect(dates.length).toBeGreaterThan(30);
    const isDate = (schema: unknown): boolean => /"format":"date-time"/.test(JSON.stringify(schema));
    expect(dates.filter(({ schema }) => !isDate(schema))).toEqual([]);
    expect(fields.filter(({ name }) => /timestamp$/.test(name))).toEqual([]);
  });

  it('has lower-case values', () => {
    const listed = fields.flatMap(({ where, name, schema }) =>
      (schema.enum ?? []).map((value) => ({ where, name, value: String(value) })),
    );
    expect(listed.length).toBeGreaterThan(50);
    const isOdd = ({ where, name, value }: (typeof listed)[number]): boolean =>
      value !== value.toLowerCase() && `${where}.${name}` !== NAMES_OF_FIELDS;
    expect(listed.filter(isOdd)).toEqual([]);
  });

  it('calls the id of a resource id', () => {
    for (const { location } of OUR_ROUTES) if (location !== undefined) expect(location).toMatch(/\/\{id\}$/);
    const rows = lists.map(({ id, response }) => [id, rowOf(schemaOf(response))] as const);
    const named = rows.filter(([id]) => !KEYED_OTHERWISE.includes(id));
    expect(named.filter(([, row]) => !Object.hasOwn(row, 'id')).map(([id]) => id)).toEqual([]);
  });
});

const rowOf = (page: Schema): object => {
  const { items } = (page.properties ?? {}) as { items?: { items?: { properties?: object; $ref?: string } } };
  const name = items?.items?.$ref?.split('/').at(-1) ?? '';
  const { $defs = {} } = page as { $defs?: Readonly<Record<string, { properties?: object }>> };
  return items?.items?.properties ?? $defs[name]?.properties ?? {};
};

/** Its values are the names of fields: a tenant's `limits`. */
const NAMES_OF_FIELDS = 'getLimits.name';

/** Rows without an id: they are found by their subject. */
const KEYED_OTHERWISE = [
  ...['listRecentSessions', 'listParkedWindows', 'listVendorApps', 'listConnectorNotices', 'listAuditLog'],
  ...['listErasureKeys', 'searchCheckpoints', 'listInstanceMappings'],
];
