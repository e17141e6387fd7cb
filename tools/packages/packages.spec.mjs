import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleOf } from './pack.mjs';

const MOST_BYTES = 15_000;

it('bundles the client for browsers: one file below 15 kB gzip, without imports', async () => {
  const [file, ...rest] = await bundleOf('client', 'browser', true);
  expect(rest).toEqual([]);
  expect([...file.imports, ...file.dynamicImports]).toEqual([]);
  expect(file.code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  const bytes = gzipSync(file.code).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
}, 60_000);
