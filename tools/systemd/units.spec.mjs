import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { settingsTable } from '../../libs/platform/src/config/settings.ts';
import { run } from '../shared/command.mjs';
import { findProgram } from '../shared/programs.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

const FOLDER = join(workspaceRoot, 'deploy', 'systemd');
const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));
const textOf = (name) => readFileSync(join(FOLDER, name), 'utf8');
const valueOf = (name, key) => new RegExp(`^${key}=(.*)$`, 'm').exec(textOf(name))?.[1];
const analyze = findProgram(['systemd-analyze']);

describe('the systemd units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(units)('%s starts a program of the build', (name) => {
    const [, app] = /\/opt\/turnkeeper\/apps\/(\w+)\/dist\/main\.js/.exec(valueOf(name, 'ExecStart') ?? '') ?? [];
    expect(['ingest', 'worker', 'cli']).toContain(app);
  });

  it.each(['turnkeeper-ingest.service', 'turnkeeper-worker.service'])('%s stops later than the shutdown', (name) => {
    const seconds = ['SHUTDOWN_DRAIN_SECONDS', 'SHUTDOWN_DEADLINE_SECONDS']
      .map((setting) => settingsTable[setting].schema.parse(undefined))
      .reduce((sum, value) => sum + value, 0);
    expect(Number(valueOf(name, 'TimeoutStopSec'))).toBeGreaterThan(seconds);
  });

  it('gives the login of the owner to the migration only', () => {
    expect(units.filter((name) => textOf(name).includes('migrate.env'))).toEqual(['turnkeeper-migrate.service']);
  });

  it.skipIf(analyze === undefined)('are accepted by systemd-analyze, which finds a planted mistake', async () => {
    const verify = (names) => run(analyze ?? '', ['verify', ...names.map((name) => join(folder, name))]);
    for (const name of units) {
      // systemd checks that the program exists.
      writeFileSync(join(folder, name), textOf(name).replaceAll('/usr/bin/node', process.execPath));
    }
    expect((await verify(units)).output).toBe('');
    writeFileSync(join(folder, 'planted.service'), '[Service]\nExecStart=/bin/true\nRestartAlways=yes\n');
    expect((await verify(['planted.service'])).output).toContain('RestartAlways');
  });
});
