import 'reflect-metadata';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '@turnkeeper/platform';
import { ProblemFilter } from '../http/problem.filter.js';
import { APP } from '../composition.js';
import { ConsoleFiles } from './console-files.js';
import { ConsoleController } from './console.controller.js';

const HTML = '<script type="module" nonce="__CSP_NONCE__" src="/console/assets/main-abc.js"></script>';

describe('the console', () => {
  let folder: string;
  let app: NestFastifyApplication;

  const serve = async (files: ConsoleFiles | null): Promise<void> => {
    @Module({ controllers: [ConsoleController], providers: [{ provide: APP, useValue: { consoleFiles: files } }] })
    class Served {}
    app = await NestFactory.create<NestFastifyApplication>(Served, new FastifyAdapter(), { logger: false });
    app.useGlobalFilters(new ProblemFilter(createLogger('ingest', 'silent')));
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  };
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tk-console-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), HTML);
    writeFileSync(join(folder, 'assets', 'main-abc.js'), 'start();');
    writeFileSync(join(folder, 'secret.js'), 'not an asset');
  });
  afterEach(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('answers each request for a page with a nonce of its own, and allows nothing inline or from elsewhere', async () => {
    await serve(ConsoleFiles.open(folder, null));
    const nonces = new Set<string>();
    for (const url of ['/console', '/console/memories', '/console/memories/1/actors/a%2Fb']) {
      const { statusCode, headers, body } = await get(url);
      expect(statusCode, url).toBe(200);
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
      expect(body).toContain(`nonce="${nonce}"`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('http');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
    expect([...nonces].every((nonce) => nonce.length >= 22)).toBe(true);
  });

  it('lets the page reach the issuer that users sign in with', async () => {
    await serve(ConsoleFiles.open(folder, 'https://login.example.com'));
    const { headers } = await get('/console');
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://login.example.com;");
  });

  it('serves assets compressed and for ever', async () => {
    await serve(ConsoleFiles.open(folder, null));
    const { headers, body } = await get('/console/assets/main-abc.js');
    expect(body).toBe('start();');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const known = { 'if-none-match': String(headers.etag) };
    expect((await get('/console/assets/main-abc.js', known)).statusCode).toBe(304);
    const compressed = await get('/console/assets/main-abc.js', { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
  });

  it('serves no other file', async () => {
    await serve(ConsoleFiles.open(folder, null));
    for (const name of ['none.js', '..%2Fsecret.js', '..%2Findex.html', '__proto__', 'constructor']) {
      expect((await get(`/console/assets/${name}`)).statusCode, name).toBe(404);
    }
  });

  it('is not there if it is off or was not built', async () => {
    expect(ConsoleFiles.open(join(folder, 'none'), null)).toBeNull();
    await serve(null);
    for (const url of ['/console', '/console/memories', '/console/assets/main-abc.js']) {
      expect((await get(url)).statusCode, url).toBe(404);
    }
  });
});
