import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { chartFolder } from './helm.mjs';

/** The arguments of the pod that the notes tell to run, which Helm prints after an installation. */
const argsOfNotes = () => {
  const [, args] = /"args":(\[[^\]]*\])/.exec(readFileSync(join(chartFolder, 'templates/NOTES.txt'), 'utf8')) ?? [];
  return JSON.parse(args ?? '[]');
};

let database;
const turnkeeper = (args) => {
  const env = { ...process.env, DATABASE_URL: database.url, QUEUE_URL: '' };
  return run(process.execPath, [join(workspaceRoot, 'apps/cli/dist/main.js'), ...args], { env });
};
beforeAll(async () => {
  database = await createTestDatabase();
  await turnkeeper(['migrate']);
}, 60_000);
afterAll(() => database?.drop());

it('the first command of the notes creates a key in a new database', async () => {
  const { code, output } = await turnkeeper(argsOfNotes());
  expect(output).toMatch(/\btk_[0-9a-f]{16}_/);
  expect(code).toBe(0);
});
