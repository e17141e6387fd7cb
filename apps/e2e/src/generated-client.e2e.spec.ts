import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_GENERATORS, roundTrip } from './harness/client-generators.js';
import { Stack } from './harness/stack.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const STRICT =
  '--ignoreConfig --strict --target es2023 --module nodenext --skipLibCheck --exactOptionalPropertyTypes --types node'.split(
    ' ',
  );

const HEAD = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({
  baseUrl: process.env['URL'] ?? '',
  headers: { Authorization: \`Bearer \${process.env['KEY']}\` },
});
`;

const MISTAKE_LINE = HEAD.split('\n').length;

/** A client written from the OpenAPI document alone. Every name in it is checked against the generated types. */
const JOURNEY = `${HEAD}
const EVENTS = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events';
const SESSION = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}';
const given = <T>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const memory = given(
  await client.POST('/memory/memories', {
    body: {
      name: 'generated',
      eventExpiryDuration: 30,
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    },
  }),
);
const memoryId = memory.id;
const path = { memoryId, actorId: 'Đạt', sessionId: 'first' };
const appended = given(
  await client.POST(EVENTS, {
    params: { path, header: { 'Idempotency-Key': 'first' } },
    body: { payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I live in Hanoi.' } },
  }),
);
const again = given(
  await client.POST(EVENTS, {
    params: { path, header: { 'Idempotency-Key': 'first' } },
    body: { payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I live in Hanoi.' } },
  }),
);
const events = given(await client.GET(EVENTS, { params: { path, query: { size: 10 } } })).listData;

let caughtUp = false;
while (!caughtUp) {
  const progress = given(await client.GET('/v1/memories/{memoryId}/extraction', { params: { path: { memoryId } } }));
  caughtUp = progress.caughtUp;
  if (!caughtUp) await new Promise((resolve) => setTimeout(resolve, 50));
}
const [found] = given(
  await client.POST('/memory/memories/{memoryId}/memory-records:search', {
    params: {
      path: { memoryId },
      query: { namespace: \`/strategies/\${memory.longTermMemoryStrategies[0]?.id}/actors/Đạt\` },
    },
    body: { query: 'Hanoi', limit: 5 },
  }),
);
const record = given(
  await client.GET('/memory/memories/{memoryId}/memory-records/{recordId}', {
    params: { path: { memoryId, recordId: found?.id ?? '' } },
  }),
);
const forgotten = await client.DELETE(SESSION, { params: { path } });
const gone = await client.GET('/memory/memories/{memoryId}/memory-records/{recordId}', {
  params: { path: { memoryId, recordId: record.id } },
});
const refused = await client.POST('/memory/memories', { body: { name: 'n', eventExpiryDuration: 0 } });
console.log(
  JSON.stringify({
    sameAnswer: JSON.stringify(appended) === JSON.stringify(again),
    said: events.map((event) => event.payload.message),
    record: record.memory,
    forgotten: forgotten.response.status,
    gone: [gone.response.status, gone.error?.code],
    refused: [refused.response.status, refused.error?.code, refused.error?.issues?.[0]?.field],
  }),
);
`;

/** Mistakes that types made of the document must find. */
const MISTAKES: readonly (readonly [what: string, code: string])[] = [
  ['a path that is not there', `await client.GET('/memory/memorie', {});`],
  ['a method that is not there', `await client.PUT('/memory/memories', { body: { name: 'n' } });`],
  ['a missing field', `await client.POST('/memory/memories', { body: {} });`],
  ['a field of another type', `await client.POST('/memory/memories', { body: { name: 1 } });`],
  ['an unknown query', `await client.GET('/memory/memories', { params: { query: { pageSize: 3 } } });`],
  ['a missing id', `await client.GET('/memory/memories/{memoryId}', { params: { path: {} } });`],
  [
    'a field that no answer has',
    `const { data } = await client.GET('/memory/memories', {}); console.log(data?.listData[0]?.title);`,
  ],
];

describe('a client generated from the document', () => {
  let stack: Stack;
  let folder: string;
  beforeAll(async () => {
    stack = await Stack.start();
    const dist = join(ROOT, 'apps/e2e/dist');
    await mkdir(dist, { recursive: true });
    folder = await mkdtemp(join(dist, 'generated-client-'));
    const types = await openapiTS(new URL('/openapi.json', stack.ingests[0]!.url));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'schema.d.ts'), astToString(types));
  });
  afterAll(async () => {
    await Promise.all([stack.stop(), rm(folder, { recursive: true, force: true })]);
  });

  /** What the compiler says to a program beside the generated types; empty when it compiles. */
  const compile = async (name: string, source: string): Promise<string> => {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, source);
    return run(process.execPath, [COMPILER, ...STRICT, file], { cwd: dirname(file) }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  };

  it('compiles, and makes the journey from a conversation to its record and back to nothing', async () => {
    expect(await compile('journey', JOURNEY)).toBe('');
    const { stdout } = await run(process.execPath, [join(folder, 'journey.js')], {
      env: { URL: stack.ingests[0]!.url, KEY: stack.api.apiKey ?? '' },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      sameAnswer: true,
      said: ['I live in Hanoi.'],
      record: expect.stringContaining('Hanoi'),
      forgotten: 200,
      gone: [404, 'record.not_found'],
      refused: [400, expect.any(String), 'eventExpiryDuration'],
    });
  });

  it.each(MISTAKES)('does not compile with %s', async (what, code) => {
    expect(await compile(what.replaceAll(' ', '-'), `${HEAD}${code}`)).toMatch(
      new RegExp(`^\\S+\\.ts\\(${MISTAKE_LINE},\\d+\\): error TS2\\d+`),
    );
  });

  it.each(CLIENT_GENERATORS.map((generator) => [generator.name, generator] as const))(
    'compiles when %s writes it, and makes a round trip',
    async (_, generator) => {
      const { url } = stack.ingests[0]!;
      const document = await (await fetch(new URL('/openapi.json', url))).text();
      const made = await roundTrip(generator, { document, url, key: stack.api.apiKey ?? '' });
      await rm(made.folder, { recursive: true, force: true });
      expect(made.printed).toEqual({
        said: ['I live in Hanoi.'],
        refused: [400, 'eventExpiryDuration'],
        gone: 'memory.not_found',
      });
    },
  );
});
