import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SCOPES, scopesEnoughFor, TOKEN_PATH, type RouteSpec } from '@turnkeeper/contracts';
import { API_ROUTES, VENDOR_API_ROUTES, userDataOf } from '@turnkeeper/vendors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from './harness/api.js';
import { repeats, startChatModel, type ChatModelServer } from './chat/chat-model-server.js';
import { differences } from './harness/conforms.js';
import { containerOf, getWithBody, isRepeatable, namesSomething, OF_THE_TENANT } from './harness/isolation.js';
import { pathOf, sampleOf, wrongFields, wrongPathOf, type Belongings } from './harness/route-samples.js';
import { Stack } from './harness/stack.js';
import { furnish } from './harness/tenant-world.js';

/** Small, so that an oversized body is cheap to build. */
const MAX_BODY_BYTES = 65_536;
/** An imported file is unlimited, its lines are not. Large enough to be rejected before all of it is read. */
const OVERSIZED_LINE = `{"filler":"${'x'.repeat(50_000_000)}"}\n`;
const MARKER = 'Kq7secret';

/** The error: our code, or Agora's reason. */
type Refusal = Answer<{
  readonly code?: string;
  readonly reason?: string;
  readonly error?: { readonly code?: string };
} | null>;
const isAgoras = (route: RouteSpec): boolean => VENDOR_API_ROUTES.includes(route);
/** Errors in OpenAI's format. */
const isChat = ({ id }: RouteSpec): boolean => id === 'createChatCompletion';
/** Callers authenticated by a signature over the request, or by a link. */
const isSigned = (route: RouteSpec): boolean => route.scope === null;
/** Works across tenants; the scope decides who can call it. */
const isOperators = (route: RouteSpec): boolean => route.scope === 'admin';

const refused = (route: RouteSpec, status: number, code: string, agoras: string): object => ({
  status,
  body: isChat(route) ? { error: { code } } : isAgoras(route) ? { reason: agoras } : { code },
});

/** Routes about the caller's own tenant. */
const TENANT_SCOPES = SCOPES.filter((scope) => scope !== 'admin');

/**
 * Required rejections for every route, from the route table, so that new routes are covered. One set of resources is
 * planted, and a hash over every table proves that nothing was changed.
 */
const matrix = (name: string, { start, isStripped }: { start: () => Promise<Stack>; isStripped: boolean }): void => {
  describe(name, () => {
    let stack: Stack;
    /** The tenant whose resources are requested, and the one that requests them. */
    let owner: Api;
    let stranger: Api;
    /** Has the operator scopes. */
    let operator: Api;
    let anonymous: Api;
    let belongings: Belongings;
    /** The stranger's own resources, used to look for the owner's in them. */
    let containers: Belongings;
    let ownersTenant: string;
    let before: Record<string, string>;
    const limited = new Map<string, Api>();
    /** Keys of the owner's tenant, for another memory and for another actor. */
    const restricted: Api[] = [];

    beforeAll(async () => {
      stack = await start();
      anonymous = stack.apiOf(stack.ingests[0]!, null);
      operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'operators', scopes: SCOPES }));
      const [own] = await stack.inspector.rows<{ id: string }>(
        `select tenant_id as id from tenants where name = 'acme'`,
      );
      ownersTenant = own!.id;
      const make = async (path: string, body: object): Promise<{ id: string; apiKey: string }> =>
        (await operator.request<{ id: string; apiKey: string }>('POST', path, { body })).body;
      const keyOf = async (tenantId: string, scopes: readonly string[] = TENANT_SCOPES): Promise<Api> =>
        stack.apiOf(stack.ingests[0]!, (await make(`/v1/admin/tenants/${tenantId}/keys`, { scopes })).apiKey);
      /** One of the two matrices uses tokens: they must grant no more than the keys that they were exchanged for. */
      const callerOf = async (api: Api): Promise<Api> =>
        isStripped ? stack.apiOf(stack.ingests[0]!, String((await exchange(api.apiKey!)).body['access_token'])) : api;
      const strangers = (await make('/v1/admin/tenants', { name: 'stranger' })).id;
      stranger = await callerOf(await keyOf(strangers));
      for (const scope of SCOPES) {
        limited.set(
          scope,
          await callerOf(
            await keyOf(
              strangers,
              SCOPES.filter((other) => !scopesEnoughFor(scope).includes(other)),
            ),
          ),
        );
      }
      owner = await keyOf(ownersTenant);
      const elsewhere = (await owner.createMemory({ name: 'elsewhere' })).id;
      for (const reach of [{ memoryId: elsewhere }, { actorId: 'bob' }, { memoryId: elsewhere, actorId: 'bob' }]) {
        const { apiKey } = await make(`/v1/admin/tenants/${ownersTenant}/keys`, { scopes: TENANT_SCOPES, ...reach });
        restricted.push(await callerOf(stack.apiOf(stack.ingests[0]!, apiKey)));
      }
      const spare = await keyOf(ownersTenant);
      belongings = await furnish(stack, owner, MARKER, {
        tenantId: ownersTenant,
        keyId: spare.apiKey!.split('_')[1]!,
      });
      containers = {
        memoryId: (await stranger.createMemory({ name: 'own' })).id,
        endpointId: (await stranger.createEndpoint('http://127.0.0.1:59999/hook')).id,
        tenantId: strangers,
      };
      before = await stack.inspector.fingerprint(ownersTenant);
    });
    afterAll(() => stack.stop());

    /** A request to the token route with the two parts of a key. */
    const exchange = (key: string, body: object = { grant_type: 'client_credentials' }, query = '') => {
      const [, id, secret] = key.split('_');
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      return anonymous.request<Record<string, unknown>>('POST', `${TOKEN_PATH}${query}`, {
        body,
        headers: { authorization },
      });
    };

    describe(`POST ${TOKEN_PATH}`, () => {
      it('gives a token of its own tenant, with the reach of the key', async () => {
        const seenAs = async (token: string) =>
          (await stack.apiOf(stack.ingests[0]!, token).request<object>('GET', '/v1/auth/caller')).body;
        for (const reach of [{}, { memoryId: containers['memoryId'], actorId: 'bob' }]) {
          const { apiKey } = (
            await operator.request<{ apiKey: string }>('POST', `/v1/admin/tenants/${containers['tenantId']}/keys`, {
              body: { scopes: ['memory:read'], ...reach },
            })
          ).body;
          const { status, body: issued } = await exchange(apiKey);
          expect([status, issued['scope']]).toEqual([200, 'memory:read']);
          const caller = await seenAs(String(issued['access_token']));
          expect(caller).toEqual(await seenAs(apiKey));
          expect(caller).toMatchObject({ tenantId: containers['tenantId'] });
        }
        await nothingChanged();
      });

      it('rejects anything but a key, its own fields and a small body', async () => {
        const key = owner.apiKey!;
        const oversized = { grant_type: 'client_credentials', filler: 'x'.repeat(MAX_BODY_BYTES) };
        const refusals = [
          [401, 'invalid_client', await anonymous.request('POST', TOKEN_PATH, { body: {} })],
          [401, 'invalid_client', await owner.request('POST', TOKEN_PATH, { body: {} })],
          [401, 'invalid_client', await exchange(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)],
          [400, 'invalid_request', await exchange(key, {})],
          [400, 'unsupported_grant_type', await exchange(key, { grant_type: 7 })],
          [400, 'invalid_request', await exchange(key, undefined, '?unheardOf=1')],
          [413, 'invalid_request', await exchange(key, oversized)],
        ] as const;
        expect(refusals.map(([, , { status, body }]) => [status, (body as { error: string }).error])).toEqual(
          refusals.map(([status, error]) => [status, error]),
        );
        await nothingChanged();
      });
    });

    const send = (api: Api, route: RouteSpec, path: string, query: object, body?: unknown): Promise<Refusal> => {
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const url = search.size === 0 ? path : `${path}?${search}`;
      if (route.body === undefined || body === undefined) return api.request(route.method, url);
      if (route.bodyType === undefined || typeof body !== 'string') return api.request(route.method, url, { body });
      return api.request(route.method, url, { raw: body, headers: { 'content-type': route.bodyType } });
    };
    const ask = (api: Api, route: RouteSpec, of: Belongings = belongings): Promise<Refusal> => {
      const sample = sampleOf(route, of);
      return send(api, route, sample.path, sample.query, sample.body);
    };
    const entitled = (route: RouteSpec): Api => (isSigned(route) ? anonymous : isOperators(route) ? operator : owner);
    const nothingChanged = async (): Promise<void> =>
      expect(await stack.inspector.fingerprint(ownersTenant)).toEqual(before);
    const expectNothingOf = ({ status, body }: Refusal, allowed: (status: number) => boolean): void => {
      expect(allowed(status), `${status} ${JSON.stringify(body)}`).toBe(true);
      expect(JSON.stringify(body)).not.toContain(MARKER);
    };

    describe.each(titled(API_ROUTES))('%s', (_, route) => {
      if (isSigned(route)) {
        it('rejects callers without its own credential', async () => {
          expectNothingOf(await ask(anonymous, route), isIn(400, 401, 403, 404));
          await nothingChanged();
        });
      } else if (!isOperators(route)) {
        it('gives a foreign tenant nothing and changes nothing', async () => {
          // The caller names the memory in the labels of a start, and Agora answers 400 to a wrong label.
          // Deleting something that does not exist succeeds, also if it belongs to another tenant.
          const refusals =
            route.id === 'agoraJoin' ? isIn(400) : isRepeatable(route) ? isIn(204, 403, 404) : isIn(403, 404);
          expectNothingOf(await ask(stranger, route), namesSomething(route, belongings) ? refusals : isGood);
          await nothingChanged();
        });
      }

      if (!isSigned(route) && !['none', 'tenant'].includes(userDataOf(route.id))) {
        it('gives nothing to another user of the tenant, per the runtime headers', async () => {
          const { path, query, body } = sampleOf(route, belongings);
          const api = entitled(route).with({
            'x-greennode-agentbase-user-id': 'bob',
            'x-greennode-agentbase-session-id': 'tuesday',
          });
          expectNothingOf(await send(api, route, path, query, body), isIn(400, 403, 404));
          await nothingChanged();
        });
      }

      if (!isSigned(route) && !isOperators(route)) {
        it('gives nothing to keys of the same tenant for another memory or actor', async () => {
          const answers = await Promise.all(restricted.map((api) => ask(api, route)));
          // A key of one actor can read the memory's name and extraction settings, because it must know the memory.
          const isShared = userDataOf(route.id) === 'none' && route.method === 'GET';
          for (const [at, answer] of answers.entries()) {
            if (OF_THE_TENANT.includes(route.id) || (isShared && at === 1 && isGood(answer.status))) continue;
            expectNothingOf(answer, isIn(403, 404));
          }
          await nothingChanged();
        });
      }

      const container = containerOf(route);
      // Operators see every tenant: row-level security does not apply, so the predicate is the only protection.
      if (container !== null && !(isOperators(route) && isStripped)) {
        it(`gives nothing of a foreign ${container} to a caller of another`, async () => {
          const api = isOperators(route) ? operator : stranger;
          const answer = await ask(api, route, { ...belongings, [container]: containers[container]! });
          expectNothingOf(answer, (status) => status < 500 && status !== 401);
          if (!isOperators(route)) await nothingChanged();
          else expect([answer.status, await stack.inspector.fingerprint(ownersTenant)]).toEqual([404, before]);
        });
      }

      if (!isSigned(route)) {
        it('rejects a key without its scope', async () => {
          const answer = await ask(limited.get(route.scope!)!, route);
          expect(answer).toMatchObject(refused(route, 403, 'auth.missing_scope', 'InvalidPermission'));
        });

        it('rejects a caller without a key', async () => {
          expect(await ask(anonymous, route)).toMatchObject({ status: 401 });
        });
      }

      it('rejects a wrong type anywhere', async () => {
        const { path, query, body } = sampleOf(route, belongings);
        const of = (where: string, ...parts: [string, object, unknown]) =>
          send(entitled(route), route, ...parts).then((answer) => [where, answer] as const);
        const wrongPath = wrongPathOf(route, belongings);
        const answers = await Promise.all([
          ...wrongFields(route.body).map(([name, wrong]) =>
            of(name, path, query, { ...(body as object), [name]: wrong }),
          ),
          ...wrongFields(route.query).map(([name]) => of(name, path, { ...query, [name]: '\u0000' }, body)),
          ...(route.body === undefined ? [] : [of('(body)', path, query, [[]])]),
          ...(wrongPath === null ? [] : [of('(path)', wrongPath, query, body)]),
        ]);
        for (const [where, answer] of answers) {
          const said = `${where}: ${answer.status} ${JSON.stringify(answer.body)}`;
          expect(isSigned(route) ? [400, 401, 403, 404] : [400, 404], said).toContain(answer.status);
          const { reason, code, error } = answer.body ?? {};
          expect(isChat(route) ? error?.code : isAgoras(route) ? reason : code, said).toBeTypeOf('string');
        }
        await nothingChanged();
      });

      // Vendors' APIs, callbacks and states get new fields over time; unknown ones are accepted.
      if (!isAgoras(route) && route.id !== 'captureMemoryState') {
        it('rejects an unknown field', async () => {
          const { path, query, body } = sampleOf(route, belongings);
          const inQuery = await send(entitled(route), route, path, { ...query, unheardOf: '1' }, body);
          expect(inQuery).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
          expect(JSON.stringify(inQuery.body)).toContain('unheardOf');
          if (route.bodyType !== undefined) {
            const line = String(body).replace('{', '{"unheardOf":1,');
            const inLine = await send(owner, route, path, query, line);
            expect(inLine).toMatchObject({ status: 400, body: { code: 'import.line_invalid' } });
          } else if (route.body !== undefined && !isSigned(route)) {
            const inBody = await send(entitled(route), route, path, query, { ...(body as object), unheardOf: 1 });
            expect(inBody).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
          }
          await nothingChanged();
        });
      }

      if (route.method === 'GET') {
        it('does not read a body, however large', async () => {
          const { path, query } = sampleOf(route, belongings);
          const plain = await send(entitled(route), route, path, query);
          const search = new URLSearchParams(query);
          const status = await getWithBody(entitled(route), `${path}?${search}`, 'x'.repeat(4 * MAX_BODY_BYTES));
          expect(status).toBe(plain.status);
        });
      } else {
        it('rejects an oversized body', async () => {
          const path = pathOf(route, belongings);
          if (route.bodyType !== undefined) {
            const answer = await send(entitled(route), route, path, {}, OVERSIZED_LINE);
            expect(answer).toMatchObject({ status: 400, body: { code: 'import.line_invalid' } });
          } else {
            const raw = JSON.stringify({ filler: 'x'.repeat(MAX_BODY_BYTES) });
            const answer: Refusal = await entitled(route).request(route.method, path, { raw });
            expect(answer).toMatchObject(refused(route, 413, 'body.too_large', 'InvalidRequestBody'));
          }
          await nothingChanged();
        });
      }
    });

    /** Proves that the rejections above are meaningful. Consumes the resources, so destructive routes come last. */
    describe('works for authorised callers', () => {
      const usable = API_ROUTES.filter((route) => !isSigned(route));
      const order = (route: RouteSpec): number => {
        if (route.id === 'deleteTenant') return 2_000; // with all keys of the tenant
        if (route.method === 'DELETE') return 1_000 - route.path.length;
        if (/(stop|fail)$/.test(route.path)) return 2;
        return route.id === 'agoraLeave' ? 1 : 0;
      };
      it.each(titled([...usable].sort((a, b) => order(a) - order(b))))('%s', async (_, route) => {
        const answer = await ask(entitled(route), route);
        const { status, body } = answer;
        // 409: an agent stops once, a name is taken once.
        expect(isGood(status) || status === 409, `${status} ${JSON.stringify(body)}`).toBe(true);
        expect(differences(route.method, pathOf(route, belongings), answer), 'as the OpenAPI document says').toEqual(
          [],
        );
      });
    });
  });
};

const titled = (routes: readonly RouteSpec[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const isIn =
  (...statuses: readonly number[]) =>
  (status: number): boolean =>
    statuses.includes(status);
const isGood = (status: number): boolean => status < 300;

let chatModel: ChatModelServer;
beforeAll(async () => {
  chatModel = await startChatModel();
  chatModel.behave(repeats);
});
afterAll(() => chatModel?.close());

const settings = () => ({ MAX_BODY_BYTES: String(MAX_BODY_BYTES), CHAT_MODEL_URL: chatModel.url });

matrix('every route', { start: () => Stack.start({ worker: false, settings: settings() }), isStripped: false });

describe('row-level security alone', () => {
  let folder: string;
  const report = () => join(folder, 'stripped.jsonl');
  const start = async (): Promise<Stack> => {
    folder = await mkdtemp(join(tmpdir(), 'turnkeeper-rls-'));
    const preload = pathToFileURL(join(import.meta.dirname, 'harness', 'without-predicates.mjs')).href;
    return Stack.start({
      worker: false,
      settings: {
        ...settings(),
        ROW_LEVEL_SECURITY: 'required',
        NODE_OPTIONS: `--import ${preload}`,
        WITHOUT_PREDICATES_REPORT: report(),
      },
    });
  };

  matrix('every route without a tenant predicate', { start, isStripped: true });

  it('was the only protection: the predicates had been removed', async () => {
    const queries = (await readFile(report(), 'utf8')).trim().split('\n');
    expect(queries.length).toBeGreaterThan(25);
    expect(queries.join()).toMatch(/from sessions s/);
    expect(queries.join()).toMatch(/MemoryEntity/);
    await rm(folder, { recursive: true });
  });
});
