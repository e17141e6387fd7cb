import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownIdentity } from '../shared/process-identity.mjs';
import { givenUrls, localSystem, withProcess } from './state.mjs';

describe('the state of the local system', () => {
  let dir;
  let system;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tk-state-'));
    system = localSystem(join(dir, 'local'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is empty at first', () => expect(system.read()).toEqual({}));

  it('stores entries one by one', () => {
    system.change({ url: 'http://127.0.0.1:8080', ready: true });
    system.change({ ready: undefined, apiKey: 'k' });
    expect(system.read()).toEqual({ url: 'http://127.0.0.1:8080', apiKey: 'k' });
  });

  it('is readable only by its owner, because it contains the key', () => {
    system.change({ apiKey: 'k' });
    expect(statSync(join(system.folder, 'state.json')).mode & 0o777).toBe(0o600);
  });

  it('counts as empty if the file is corrupt', () => {
    system.change({ ready: true });
    writeFileSync(join(system.folder, 'state.json'), '{"ready": tr');
    expect(system.read()).toEqual({});
  });

  it('distinguishes a running launcher from one whose pid was reused', () => {
    system.change({ launcher: ownIdentity() });
    expect(system.launcherRunning()).toBe(true);
    system.change({ launcher: { pid: process.pid, stamp: 'of another process' } });
    expect(system.launcherRunning()).toBe(false);
  });
});

describe('the list of processes', () => {
  const one = (name, pid) => ({ name, pid, stamp: 's', stopSignal: 'SIGTERM' });

  it('is in start order', () => {
    expect(withProcess([one('postgres', 1)], one('nats', 2))).toEqual([one('postgres', 1), one('nats', 2)]);
  });
  it('keeps the place of a restarted process', () => {
    const list = [one('postgres', 1), one('nats', 2), one('worker', 3)];
    expect(withProcess(list, one('nats', 9))).toEqual([one('postgres', 1), one('nats', 9), one('worker', 3)]);
  });
});

describe('servers from the environment', () => {
  it('are used', () => {
    const given = givenUrls({ DATABASE_URL: 'postgres://db/x', NATS_URL: '', QUEUE_URL: 'redis://r' });
    expect(given).toEqual({ database: 'postgres://db/x', nats: undefined, queue: 'redis://r' });
  });
  it('are not treated as given if they are our own from the last start', () => {
    const own = { DATABASE_URL: 'postgres://127.0.0.1:1/turnkeeper' };
    expect(givenUrls({ ...own, QUEUE_URL: 'redis://r' }, own)).toEqual({
      database: undefined,
      nats: undefined,
      queue: 'redis://r',
    });
  });
});
