import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleOf, PACKAGES, requireBuilt } from './pack.mjs';

const MAX_BYTES = 15_000;

it('bundles the client for browsers: one file below 15 kB gzip, without imports', async () => {
  const [file, ...rest] = await bundleOf('client', 'browser', true);
  expect(rest).toEqual([]);
  expect([...file.imports, ...file.dynamicImports]).toEqual([]);
  expect(file.code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  const bytes = gzipSync(file.code).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(MAX_BYTES);
}, 60_000);

it('says what to do if a package is not built', async () => {
  const root = await mkdtemp(join(tmpdir(), 'turnkeeper-unbuilt-'));
  try {
    for (const name of PACKAGES.slice(1)) await mkdir(join(root, 'libs', name, 'dist'), { recursive: true });
    expect(() => requireBuilt(root)).toThrow('Not built: libs/client, apps/cli. Run npm run build first.');
  } finally {
    await rm(root, { recursive: true });
  }
});
