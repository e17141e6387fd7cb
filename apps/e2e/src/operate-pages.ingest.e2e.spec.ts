import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '@turnkeeper/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { blocksOf, pagesWith, runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';
import { mainOf, workspaceRoot } from './harness/workspace.js';

const pages = await pagesWith('operate', 'bash');
const queryPages = await pagesWith('operate', 'sql');

/** `sh` blocks are not run; tools/verify/operate-pages.spec.mjs requires that each says so. */
describe('the pages for operators', () => {
  let stack: Stack;
  let folder: string;
  let variables: Readonly<Record<string, string>>;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    folder = await mkdtemp(join(tmpdir(), 'operate-'));
    const turnkeeper = join(folder, 'turnkeeper');
    await writeFile(turnkeeper, `#!/bin/sh\nexec "${process.execPath}" "${mainOf('cli')}" "$@"\n`);
    await chmod(turnkeeper, 0o755);
    const { id } = await stack.api.createMemory({});
    await stack.api.append({ memoryId: id, actorId: 'ada', sessionId: 'monday' }, turn('user', 'Hello.'));
    variables = {
      PATH: `${folder}:${process.env['PATH']}`,
      DATABASE_URL: stack.settings['DATABASE_URL'] ?? '',
      MIGRATION_DATABASE_URL: stack.inspector.databaseUrl,
      URL: stack.ingests[0]!.url,
      OTHER_URL: stack.ingests[0]!.url,
      KEY: await stack.createKey({ tenant: 'operators', scopes: SCOPES }),
      MEMORY: id,
    };
  });
  afterAll(async () => {
    await stack?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('are found', () => expect(pages).toEqual(expect.arrayContaining(['backup', 'runbooks', 'tenants-and-keys'])));

  it.each(pages)('docs/operate/%s.md: its commands work as they are', async (page) => {
    // The key of the tenant whose memory is exported.
    const KEY = page === 'backup' ? (stack.api.apiKey ?? '') : variables['KEY']!;
    await runPage(page, { ...variables, KEY }, { folder: 'operate', cwd: folder });
  });

  it.each(queryPages)('docs/operate/%s.md: its queries work as they are', async (page) => {
    const text = await readFile(join(workspaceRoot, 'docs', 'operate', `${page}.md`), 'utf8');
    // One at a time, as psql sends them: some statements cannot run in the transaction that several at once would share.
    const queries = blocksOf(text, 'sql').flatMap((block) => block.split(/;\s*$/m));
    for (const query of queries.filter((part) => part.trim() !== '')) await stack.inspector.rows(query);
  });
});
