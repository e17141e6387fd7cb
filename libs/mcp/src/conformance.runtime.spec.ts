import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMcpConformance } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConformanceServer } from './testing/conformance-server.js';

/** Checked by ingest before the transport, and run against it in the end-to-end tests. */
const OF_INGEST = ['dns-rebinding-protection'];

/** Scenarios that a revision requires, except these. */
const REVISIONS = {
  '2026-07-28': OF_INGEST,
  '2025-11-25': [
    ...OF_INGEST,
    // Without sessions, the server cannot send messages of its own accord in this revision.
    ...['tools-call-with-logging', 'tools-call-with-progress'],
    ...['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ...['resources-subscribe', 'resources-unsubscribe', 'server-sse-multiple-streams'],
  ],
};

let server: Awaited<ReturnType<typeof startConformanceServer>>;
let folder: string;
beforeAll(async () => {
  server = await startConformanceServer();
  folder = await mkdtemp(join(tmpdir(), 'turnkeeper-mcp-'));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

it.concurrent.each(Object.entries(REVISIONS))(
  'passes every scenario that the revision %s requires, except the named ones',
  async (revision, excepted) => {
    const baseline = join(folder, `${revision}.yml`);
    await writeFile(baseline, `server:\n${excepted.map((name) => `  - ${name}\n`).join('')}`);
    // Fails if a scenario outside the list fails, and if one in the list passes.
    const args = ['--requirements', revision, '--expected-failures', baseline];
    const { code, output } = await runMcpConformance(server.url, args, folder);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Total: \d{2,} passed/);
  },
);
