import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { PATH_PARAMETERS, pathParameters, type RouteSpec, scopesEnoughFor } from '@turnkeeper/contracts';
import { DOCUMENTED_ROUTES, OUR_ROUTES, VENDOR_API_ROUTES } from '@turnkeeper/vendors';
import { createLogger, loadSettings, newApiKeyToken, systemClock } from '@turnkeeper/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose } from '../composition.js';
import { BodyBudget } from '../edge/body-budget.js';
import { registerEdge } from '../edge/register-edge.js';
import { IngestModule } from '../ingest.module.js';
import type { IngestResources } from '../resources.js';
import { nestPath } from './route.js';

const UUID = '00000000-0000-4000-8000-000000000000';
const { token, keyId, secretHash } = newApiKeyToken();

/** A minimal process that registers every route and accepts a key without scopes. */
const resources = {
  settings: {
    RATE_LIMIT_PER_SECOND: 0,
    RATE_LIMIT_BYTES_PER_SECOND: 0,
    RUNTIME_HEADERS: 'checked',
    OIDC_TENANT_CLAIM: 'tenant_id',
    OIDC_SCOPE_MAP: [],
    PUBLIC_URL: 'http://localhost:8080',
    CORS_ORIGINS: [],
    MCP_ALLOWED_HOSTS: [],
  },
  logger: createLogger('ingest', 'silent'),
  clock: systemClock,
  relay: { notify: () => undefined },
  eventStore: {},
  dataSource: {
    manager: {
      findOneBy: async () => ({
        keyId,
        tenantId: UUID,
        secretHash,
        scopes: [],
        createdAt: new Date(),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
        memoryId: null,
        actorId: null,
      }),
    },
    query: async () => [],
  },
} as unknown as IngestResources;

const sampleUrl = (route: RouteSpec): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS].safeParse(UUID).success ? UUID : 'x',
  );

describe('the route table', () => {
  const served = new Set<string>();
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const adapter = new FastifyAdapter({ routerOptions: { maxParamLength: 2_048 } });
    adapter.getInstance().addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) if (name !== 'HEAD' && name !== 'OPTIONS') served.add(`${name} ${url}`);
    });
    const parts = compose(resources);
    app = await NestFactory.create<NestFastifyApplication>(IngestModule.with(parts), adapter, {
      logger: false,
      bodyParser: false,
    });
    const settings = loadSettings({ DATABASE_URL: 'postgres://unused' });
    registerEdge(adapter.getInstance(), settings, parts.admission, new BodyBudget(0, 0));
    await app.init();
    await adapter.getInstance().ready();
  });
  afterAll(() => app.close());

  it('lists every route that is served, and no other', () => {
    const listed = DOCUMENTED_ROUTES.map((route) => `${route.method} ${nestPath(route.path)}`);
    expect([...served].filter((name) => !UNLISTED.has(name)).sort()).toEqual([...listed].sort());
  });

  it('tells any valid key what it may do', async () => {
    const url = '/v1/auth/caller';
    expect((await app.inject({ url })).statusCode).toBe(401);
    const { statusCode, body } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({ tenantId: UUID, keyId, scopes: [], allows: [], memoryId: null, actorId: null });
  });

  it('gives each route a unique id and known path parameters', () => {
    expect(new Set(OUR_ROUTES.map((route) => route.id)).size).toBe(OUR_ROUTES.length);
    for (const route of OUR_ROUTES) {
      for (const name of pathParameters(route)) expect(Object.keys(PATH_PARAMETERS), route.path).toContain(name);
    }
  });

  describe.each(DOCUMENTED_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    (_, route) => {
      it('requires the scope that the table names', async () => {
        const call = (authorization?: string) =>
          app.inject({
            method: route.method,
            url: sampleUrl(route),
            headers: authorization === undefined ? {} : { authorization },
          });
        if (route.scope === null) {
          const { statusCode, body } = await call();
          expect(JSON.parse(body)).not.toMatchObject({ code: 'auth.missing_scope' });
          if (route.credential === 'any') expect(statusCode).toBe(401);
          return;
        }
        expect((await call()).statusCode).toBe(401);
        expect((await call(`Bearer ${token}`)).statusCode).toBe(403);
        // Vendor routes report it in the vendor's format.
        if (VENDOR_API_ROUTES.includes(route)) return;
        expect((await call()).json()).toMatchObject({ status: 401, code: 'auth.unauthenticated' });
        expect((await call(`Bearer ${token}`)).json()).toMatchObject({
          status: 403,
          code: 'auth.missing_scope',
          rule: `must be a key or token with the scope ${scopesEnoughFor(route.scope).join(' or ')}`,
        });
      });
    },
  );
});

/** Served but not in the table: our documents, the console's files, and the second path of all ZEGOCLOUD actions. */
const UNLISTED = new Set([
  ...['GET /', 'GET /openapi.json', 'GET /docs', 'GET /docs/plain', 'GET /docs/errors', 'GET /docs/assets/:name'],
  ...['GET /console', 'GET /console/assets/:name', 'GET /console/*'],
  ...['POST /', 'GET /.well-known/oauth-protected-resource/mcp/:memoryId'],
]);
