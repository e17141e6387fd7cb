import { randomUUID } from 'node:crypto';
import { PATH_PARAMETERS, pathParameters, type RouteSpec } from '@turnkeeper/contracts';
import { z } from 'zod';

/** A tenant's resource, by its name in paths, queries and bodies. */
export type Belongings = Readonly<Record<string, string>>;

export interface Sample {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly format?: string;
}

/** A serialized value. */
const VALUE = { type: 'json', data: 'e30=' };

/** Values that a schema cannot express. */
const partsOf = (
  of: Belongings,
): Readonly<Record<string, { readonly query?: Record<string, string>; readonly body?: unknown }>> => ({
  appendEvents: { body: { payload: { type: 'CONVERSATIONAL', role: 'user', message: 'hello' } } },
  changeMemory: { body: { description: 'changed' } },
  // The minimum would limit all later requests.
  changeTenant: { body: { requestsPerSecond: 100_000 } },
  changeStrategy: { body: { name: 'changed' } },
  updateAgent: { body: { params: { changed: true } } },
  appendMessages: { body: { messages: [{ role: 'user', content: 'hello' }] } },
  createWebhookEndpoint: { body: { url: 'http://127.0.0.1:59999/hook', events: ['agent.history', 'agent.action'] } },
  receiveAgoraNotice: { body: {} },
  receiveZegoCallback: { body: {} },
  receiveRealtimeEvents: { body: {} },
  receiveLivekitEvents: { body: {} },
  receivePipecatMessages: { body: {} },
  importMemory: {
    body: `{"kind":"memory","format":1,"memoryId":"${randomUUID()}","name":"copy","description":"","eventExpiryDuration":1}\n{"kind":"end","events":0,"records":0}\n`,
  },
  agoraJoin: {
    body: { name: 'joined', properties: { labels: { memory_id: of['memoryId'], user_id: of['actorId'] } } },
  },
  agoraUpdate: { body: { properties: { llm: { system_messages: [{ role: 'system', content: 'Be brief.' }] } } } },
  agoraAppend: { body: { contents: [{ role: 'user', content: 'hello' }] } },
  generateFromContent: { query: { actorId: of['actorId'] ?? '' } },
  deleteRecords: { body: { namespace: of['namespace'] ?? '/none' } },
  batchGraphStore: { body: { operations: [{ op: 'get', namespace: ['notes'], key: 'one' }] } },
  batchCheckpoints: {
    body: {
      operations: [
        {
          op: 'put',
          actorId: of['actorId'],
          sessionId: of['sessionId'],
          checkpointId: of['checkpointId'],
          checkpoint: VALUE,
          metadata: VALUE,
        },
      ],
    },
  },
  putCheckpoint: {
    body: { checkpointId: of['checkpointId'], checkpoint: VALUE, metadata: VALUE },
  },
  createChatCompletion: {
    query: { memoryId: of['memoryId'] ?? '', actorId: of['actorId'] ?? '', sessionId: of['sessionId'] ?? '' },
    body: { model: 'model-1', messages: [{ role: 'user', content: 'Hello.' }] },
  },
  // A ping of the MCP server for the actor.
  callMcp: { query: { actorId: of['actorId'] ?? '' }, body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  listRecords: { query: { namespace: of['namespace'] ?? '' } },
});

/**
 * A valid request to the route, about these resources. Built from the route table, so that new routes are covered;
 * throws and names the location if the schemas are not enough.
 */
export const sampleOf = (route: RouteSpec, belongings: Belongings): Sample => {
  const parts = partsOf(belongings)[route.id] ?? {};
  const made = fromSchema(route.query, belongings) as Record<string, string> | undefined;
  const query = { ...made, ...parts.query };
  const body = 'body' in parts ? parts.body : fromSchema(route.body, belongings);
  for (const [where, schema, value] of [
    ['query', route.query, query],
    ['body', route.body, body],
  ] as const) {
    const result = schema?.safeParse(value);
    if (result?.success === false) {
      throw new Error(`${route.id}: give its ${where} in partsOf of route-samples.ts; ${result.error.message}`);
    }
  }
  return { path: pathOf(route, belongings), query, body };
};

/** The route's path with the resources filled in. */
export const pathOf = (route: RouteSpec, belongings: Belongings): string => {
  for (const name of pathParameters(route)) {
    if (belongings[name] === undefined) throw new Error(`${route.id}: nothing called ${name} is among the belongings.`);
  }
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(belongings[name] ?? ''));
};

/** The path with an invalid value; null for a path that accepts anything. */
export const wrongPathOf = (route: RouteSpec, belongings: Belongings): string | null => {
  const wrong = pathParameters(route).find((name) => !PATH_PARAMETERS[name].safeParse('not-one').success);
  const name = wrong ?? pathParameters(route)[0];
  if (name === undefined) return null;
  return pathOf(route, { ...belongings, [name]: wrong === undefined ? 'x'.repeat(300) : 'not-one' });
};

export const jsonSchemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Schema;

const fromSchema = (schema: z.ZodType | undefined, belongings: Belongings): unknown =>
  schema === undefined ? undefined : valueOf(jsonSchemaOf(schema), '', belongings);

export const valueOf = (schema: Schema, name: string, belongings: Belongings): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice !== undefined) return valueOf(choice, name, belongings);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, valueOf(schema.properties?.[key] ?? {}, key, belongings)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueOf(schema.items ?? {}, name, belongings));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return belongings[name] ?? byFormat(schema.format);
  }
};

const byFormat = (format: string | undefined): string => {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : 'sample';
};

/** Fields of a body or a query, one at a time, each with an invalid value. */
export const wrongFields = (schema: z.ZodType | undefined): readonly (readonly [name: string, wrong: unknown])[] => {
  if (schema === undefined) return [];
  const { properties, anyOf, oneOf } = jsonSchemaOf(schema);
  const fields = properties ?? (anyOf ?? oneOf)?.[0]?.properties ?? {};
  return Object.entries(fields).flatMap(([name, field]) => {
    const wrong = wrongValue(field);
    return wrong === undefined ? [] : [[name, wrong] as const];
  });
};

/** A value of another type; undefined if any value is valid. */
const wrongValue = (field: Schema): unknown => {
  const types = [field.type, ...(field.anyOf ?? []).map(({ type }) => type)].filter((type) => type !== undefined);
  if (types.length === 0 && field.enum === undefined && field.const === undefined) return undefined;
  return types.includes('object') || types.includes('array') ? 'neither-object-nor-list' : { not: 'this' };
};
