import { existsSync, readFileSync } from 'node:fs';
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
  it.each(built)('builds %s from a file and a target that exist', (_, { build }) => {
    expect(existsSync(join(workspaceRoot, build.context, build.dockerfile))).toBe(true);
    expect(stages.map(({ name }) => name)).toContain(build.target);
  });

  it.each(built)('gives %s only settings that exist, from the one place', (_, { environment }) => {
    expect(environment).toEqual(compose['x-settings']);
    expect(Object.keys(settingsTable)).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('gives valid settings when nothing is set outside', () => {
    const withDefaults = (text) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
    for (const [name, value] of Object.entries(compose['x-settings'])) {
      const given = withDefaults(value) || undefined;
      expect(settingsTable[name].schema.safeParse(given).success, name).toBe(true);
    }
  });

  it('refers to services and volumes that it defines', () => {
    for (const service of Object.values(compose.services)) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
      const volumes = (service.volumes ?? []).map((volume) => volume.split(':')[0]);
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(volumes));
    }
    const hosts = ['DATABASE_URL', 'NATS_URL', 'QUEUE_URL'].map(
      (name) => new URL(compose['x-settings'][name].replace(/\$\{.*?\}/, 'x')).hostname,
    );
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(hosts));
  });

  it('pins every image to a version', () => {
    for (const { image, build } of [...Object.values(compose.services), ...Object.values(servers.services)]) {
      if (!build) expect(image).toMatch(/:\d+\.\d+\.\d+/);
    }
  });

  it('checks the health of every server', () => {
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

  it.each(['ingest', 'worker', 'cli'])('runs %s as a numbered user that is not root', (name) => {
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

  it('compiles the apps that it starts', () => {
    const compile = stages[0].instructions.find(({ verb, text }) => verb === 'RUN' && text.includes('tsc')).text;
    for (const project of compile.match(/\S+tsconfig\S+/g))
      expect(existsSync(join(workspaceRoot, project)), project).toBe(true);
    for (const app of ['ingest', 'worker', 'cli']) expect(compile).toContain(`apps/${app}/`);
  });

  it('uses a Node that the workspace supports', () => {
    const version = /^node:(\d+)\.(\d+)/.exec(stages[0].from);
    expect([Number(version[1]), Number(version[2]) >= 12]).toEqual([22, true]);
    expect(stages.find(({ name }) => name === 'runtime').from).toBe(stages[0].from);
  });
});
