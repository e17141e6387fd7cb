import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from './programs.mjs';

describe('looking for a program', () => {
  let dir;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'tk-programs-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const put = (folder, name, mode = 0o755) => {
    mkdirSync(join(dir, folder), { recursive: true });
    const file = join(dir, folder, name);
    writeFileSync(file, '');
    chmodSync(file, mode);
    return file;
  };
  const find = (names) => findProgram(names, { path: join(dir, 'bin'), also: [join(dir, 'sbin')] });

  it('searches outside PATH too', () => {
    const server = put('sbin', 'nats-server');
    expect(find(['nats-server'])).toBe(server);
  });
  it('prefers the first name, wherever it is', () => {
    const redis = put('sbin', 'redis-server');
    put('bin', 'valkey-server');
    expect(find(['redis-server', 'valkey-server'])).toBe(redis);
  });
  it('uses the second name if the first is missing', () => {
    const valkey = put('bin', 'valkey-server');
    expect(find(['redis-server', 'valkey-server'])).toBe(valkey);
  });
  it('finds nothing if nothing is executable', () => expect(find(['nats-server'])).toBeUndefined());
});
