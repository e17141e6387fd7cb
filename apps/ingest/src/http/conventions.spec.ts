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
