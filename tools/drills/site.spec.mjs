import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scratchSystem } from '../dev/scratch-system.mjs';
import { ownIdentity, stampOf } from '../shared/process-identity.mjs';
import { Site } from './site.mjs';

/** As the drill recognizes a Postgres: its command names the data folder, which has its pid. */
const startLikePostgres = async (data) => {
  mkdirSync(data, { recursive: true });
  const script = `process.on('SIGQUIT', () => process.exit()); console.log('ready'); setInterval(() => {}, 1000)`;
  const server = spawn(process.execPath, ['-e', script, data]);
  await once(server.stdout, 'data');
  writeFileSync(join(data, 'postmaster.pid'), `${server.pid}\n`);
  return server;
};

describe('a drill', () => {
  const name = `site-spec-${process.pid}`;
  const { folder, change } = scratchSystem(name);
  let site;
  let server;
  beforeEach(async () => {
    site = new Site(name);
    server = await startLikePostgres(join(folder, 'postgres', 'one'));
  });
  afterEach(() => {
    server.kill('SIGKILL');
    site.system.removeData();
    rmSync(folder, { recursive: true, force: true });
  });

  it('that does not get its folder leaves the servers of the run that has it alone', async () => {
    change({ launcher: ownIdentity() });
    await expect(site.begin([])).rejects.toThrow('Another run');
    await site.stop();
    expect(stampOf(server.pid)).toBeDefined();
  });

  it('ends the servers that a killed run left in its folder', async () => {
    await site.begin([]);
    expect(stampOf(server.pid)).toBeUndefined();
  });
});
