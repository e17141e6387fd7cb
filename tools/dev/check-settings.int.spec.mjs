import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { checkSettings } from './check-settings.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tk-settings-'));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('passes the settings of a plain start', async () => {
  await checkSettings(folder);
});

it('names every setting that the services would refuse, without its value', async () => {
  vi.stubEnv('EXTRACTION_QUIET_SECONDS', 'abc');
  vi.stubEnv('INGEST_PORT', 'secret');
  const error = await checkSettings(folder).catch((caught) => caught);
  expect(error.message).toMatch(/^These settings cannot be used:\n {2}INGEST_PORT .*\n {2}EXTRACTION_QUIET_SECONDS /);
  expect(error.message).not.toMatch(/abc|secret/);
});
