import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The generators have a separate folder, because only tests need them. */
const FOLDER = join(ROOT, 'tools/openapi-clients');
const COMPILER = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const OPTIONS = '--ignoreConfig --strict --target es2023 --module nodenext --skipLibCheck --lib es2023,dom'.split(' ');

export interface ClientGenerator {
  readonly name: string;
  readonly program: string;
  readonly args: (document: string) => readonly string[];
  /**
   * A program next to the generated client. It creates a memory, appends a message, reads it, sends a memory without a
   * valid expiry and deletes the memory; it prints what it got.
   */
  readonly journey: string;
}

const EVENT = `{ payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I live in Hanoi.' } }`;
/** Shared by the journeys: what is printed. */
const PRINT = `console.log(JSON.stringify({ said, refused, gone }));`;

export const CLIENT_GENERATORS: readonly ClientGenerator[] = [
  {
    name: '@hey-api/openapi-ts',
    program: '@hey-api/openapi-ts/bin/run.js',
    args: (document) => ['-i', document, '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file'],
    journey: `
      import { client } from './client/client.gen';
      import * as api from './client/sdk.gen';
      const main = async () => {
        client.setConfig({ baseUrl: process.env.URL ?? '', auth: process.env.KEY ?? '' });
        const memory = await api.createMemory({ body: { name: 'generated' }, throwOnError: true });
        const path = { memoryId: memory.data.id, actorId: 'Đạt', sessionId: 'first' };
        await api.appendEvents({ path, body: ${EVENT}, throwOnError: true });
        const events = await api.listEvents({ path, query: { size: 10 }, throwOnError: true });
        const said = events.data.listData.map((event) => event.payload.message);
        const wrong = await api.createMemory({ body: { name: 'n', eventExpiryDuration: 0 } });
        const refused = [wrong.response?.status, wrong.error?.issues?.[0]?.field];
        await api.deleteMemory({ path, throwOnError: true });
        const gone = (await api.getMemory({ path })).error?.code;
        ${PRINT}
      };
      void main();`,
  },
  {
    name: 'oazapfts',
    program: 'oazapfts/dist/cli.js',
    args: (document) => [document, 'client.ts'],
    journey: `
      import * as api from './client';
      const main = async () => {
        api.defaults.baseUrl = process.env.URL ?? '';
        api.defaults.headers = { authorization: \`Bearer \${process.env.KEY}\` };
        const memory = await api.createMemory({ name: 'generated' });
        if (memory.status !== 200) throw new Error(memory.data.detail);
        const { id } = memory.data;
        await api.appendEvents(id, 'Đạt', 'first', ${EVENT});
        const events = await api.listEvents(id, 'Đạt', 'first', { size: 10 });
        if (events.status !== 200) throw new Error(events.data.detail);
        const said = events.data.listData.map((event) => event.payload.message);
        const wrong = await api.createMemory({ name: 'n', eventExpiryDuration: 0 });
        const refused = wrong.status === 200 ? [200] : [wrong.status, wrong.data.issues?.[0]?.field];
        await api.deleteMemory(id);
        const found = await api.getMemory(id);
        const gone = found.status === 404 ? found.data.code : found.status;
        ${PRINT}
      };
      void main();`,
  },
];

/** Installs the generators unless they are there. */
const install = async (): Promise<void> => {
  if (existsSync(join(FOLDER, 'node_modules/oazapfts'))) return;
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
};

/** Generates a client into a separate folder, compiles it with its program and runs it. Resolves to its output. */
export const roundTrip = async (
  { program, args, journey }: ClientGenerator,
  { document, url, key }: { readonly document: string; readonly url: string; readonly key: string },
): Promise<{ readonly folder: string; readonly printed: unknown }> => {
  await install();
  await mkdir(join(FOLDER, 'tmp'), { recursive: true });
  const folder = await mkdtemp(join(FOLDER, 'tmp/client-'));
  await writeFile(join(folder, 'openapi.json'), document);
  await writeFile(join(folder, 'journey.ts'), `declare const process: { env: Record<string, string> };\n${journey}`);
  await run(process.execPath, [join(FOLDER, 'node_modules', program), ...args('openapi.json')], { cwd: folder });
  await run(process.execPath, [COMPILER, ...OPTIONS, 'journey.ts'], { cwd: folder }).catch((error: unknown) => {
    throw new Error(`The client does not compile: ${(error as { stdout: string }).stdout}`);
  });
  const { stdout } = await run(process.execPath, ['journey.js'], { cwd: folder, env: { URL: url, KEY: key } });
  return { folder, printed: JSON.parse(stdout) };
};
