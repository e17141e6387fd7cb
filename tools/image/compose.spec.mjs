import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsTable } from '@turnkeeper/platform';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspaceRoot } from '../shared/workspace.mjs';
import { allInstructions, commandOf, parseDockerfile } from './dockerfile.mjs';

const read = (file) => readFileSync(join(workspaceRoot, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true });
const servers = parse(read('tools/servers/compose.yml'));
const stages = parseDockerfile(read('deploy/docker/Dockerfile'));
const built = Object.entries(compose.services).filter(([, service]) => service.build);

describe('docker-compose.yml', () => {
  it.each(built)('builds %s from an existing file and target', (_, { build }) => {
    expect(existsSync(join(workspaceRoot, build.context, build.dockerfile))).toBe(true);
    expect(stages.map(({ name }) => name)).toContain(build.target);
  });

  it.each(built)('gives %s only existing settings, from one place', (_, { environment }) => {
    const others = Object.entries(environment).filter(([setting]) => !setting.startsWith('MIGRATION_'));
    expect(Object.fromEntries(others)).toEqual(compose['x-settings']);
    const names = Object.keys(environment).map((name) => (name in settingsTable ? name : name.replace(/_FILE$/, '')));
    expect(Object.keys(settingsTable)).toEqual(expect.arrayContaining(names));
  });

  it('has valid settings by default', () => {
    const withDefaults = (text) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
    for (const [name, value] of Object.entries(compose['x-settings'])) {
      const given = withDefaults(value) || undefined;
      const file = name.endsWith('_URL_FILE');
      // `passwords` writes the file.
      if (file) expect(compose.services.passwords.command[0]).toContain(` > ${given.replace('/keys/', '')}`);
      else if (`${name}_FILE` in compose['x-settings']) expect(given).toBeUndefined();
      else expect(settingsTable[name].schema.safeParse(given).success, name).toBe(true);
    }
  });

  it('gives the owner login to the command line only', () => {
    const owners = built.filter(([, { environment, volumes }]) =>
      JSON.stringify([environment, volumes]).match(/MIGRATION_DATABASE_URL|owner-keys/),
    );
    expect(owners.map(([name]) => name).sort()).toEqual(['cli', 'migrate']);
  });

  it('generates distinct passwords once; servers and services read the same ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tk-compose-'));
    for (const name of ['app', 'owner', 'postgres', 'nats', 'valkey']) mkdirSync(join(folder, name));
    const script = compose.services.passwords.command[0]
      .replaceAll('$$', '$')
      .replace('cd /keys', `cd ${folder}`)
      .replace(/^chown .*$/gm, '');
    const make = () => execFileSync('/bin/sh', ['-euc', script], { env: { PATH: process.env.PATH } });
    const text = (file) => readFileSync(join(folder, file), 'utf8');
    try {
      make();
      const first = text('app/database-url');
      make();
      expect(text('app/database-url')).toBe(first);
      const passwords = {
        owner: new URL(text('owner/database-url')).password,
        service: new URL(first).password,
        nats: new URL(text('app/nats-url')).password,
        queue: new URL(text('app/queue-url')).password,
      };
      expect(new Set(Object.values(passwords)).size).toBe(4);
      for (const password of Object.values(passwords)) expect(password).toMatch(/^[0-9a-f]{48}$/);
      expect(text('postgres/password')).toBe(passwords.owner);
      expect(text('nats/nats.conf')).toBe(`authorization { user: "turnkeeper", password: "${passwords.nats}" }\n`);
      expect(text('valkey/valkey.conf')).toBe(`requirepass "${passwords.queue}"\n`);
      expect(settingsTable.SECRETS_KEY.schema.safeParse(text('app/secrets-key').trim()).success).toBe(true);
      expect(statSync(join(folder, 'app/secrets-key')).mode & 0o077).toBe(0);
      const hosts = ['database-url', 'nats-url', 'queue-url'].map((name) => new URL(text(`app/${name}`)).hostname);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(hosts));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refers only to services and volumes it defines', () => {
    for (const service of Object.values(compose.services)) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
      const volumes = (service.volumes ?? []).map((volume) => volume.split(':')[0]);
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(volumes));
    }
  });

  it('pins every image to a version', () => {
    for (const { image, build } of [...Object.values(compose.services), ...Object.values(servers.services)]) {
      if (!build) expect(image).toMatch(/:\d+\.\d+\.\d+/);
    }
  });

  it('has a health check for every server', () => {
    for (const name of ['postgres', 'nats', 'valkey'])
      expect(compose.services[name].healthcheck?.test, name).toBeDefined();
  });

  it('runs the same images as the servers of npm start', () => {
    expect(servers.services.postgres.image).toBe(compose.services.postgres.image);
    expect(servers.services.nats.image).toBe(compose.services.nats.image);
    expect(servers.services.redis.image).toBe(compose.services.valkey.image);
  });
});

describe('the Dockerfile', () => {
  it.each(['ingest', 'worker', 'cli'])('starts %s from code that the workspace builds', (name) => {
    const file = commandOf(stages, name).at(-1);
    expect(existsSync(join(workspaceRoot, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(true);
  });

  it.each(['ingest', 'worker', 'cli'])('runs %s as a numeric non-root user', (name) => {
    const user = allInstructions(stages, name).findLast(({ verb }) => verb === 'USER');
    expect(user.text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it.each([
    ['ingest', 'INGEST_PORT'],
    ['worker', 'WORKER_PORT'],
  ])('exposes and probes the default port of %s', (name, setting) => {
    const port = settingsTable[setting].schema.parse(undefined);
    const texts = Object.fromEntries(allInstructions(stages, name).map(({ verb, text }) => [verb, text]));
    expect(texts.EXPOSE).toBe(String(port));
    expect(texts.HEALTHCHECK).toContain(`:${port}/readyz`);
  });

  it('compiles the apps it starts', () => {
    const compile = stages[0].instructions.find(({ verb, text }) => verb === 'RUN' && text.includes('tsc'))?.text ?? '';
    for (const project of compile.match(/\S+tsconfig\S+/g) ?? ['no project'])
      expect(existsSync(join(workspaceRoot, project)), project).toBe(true);
    for (const app of ['ingest', 'worker', 'cli']) expect(compile).toContain(`apps/${app}/`);
  });

  it('uses a supported Node version', () => {
    const [, major, minor] = /^node:(\d+)\.(\d+)/.exec(stages[0].from) ?? [];
    expect([Number(major), Number(minor) >= 11]).toEqual([24, true]);
    expect(stages.find(({ name }) => name === 'runtime')?.from).toBe(stages[0].from);
  });
});
