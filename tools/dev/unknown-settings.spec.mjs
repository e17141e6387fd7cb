import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unknownSettings } from './unknown-settings.mjs';

let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnkeeper-env-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('names what is misspelt in .env, and no setting, file of a setting or variable of Compose', async () => {
  const lines = ['INGEST_PRT=1', '#LLM_MODLE=x', 'INGEST_PORT=8080', 'LLM_API_KEY_FILE=/key', 'INGEST_PUBLISH=8080'];
  await writeFile(join(folder, '.env'), lines.join('\n'));
  expect(unknownSettings(folder)).toEqual(['INGEST_PRT']);
});

it('names nothing without .env', () => expect(unknownSettings(folder)).toEqual([]));
