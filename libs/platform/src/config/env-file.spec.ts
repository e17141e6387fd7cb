import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettingFiles } from './env-file.js';

describe('a setting in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tk-settings-'));
    writeFileSync(join(folder, 'url'), 'postgres://a:b@c/d\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read, without the end of its line', () => {
    const environment: Record<string, string | undefined> = { DATABASE_URL_FILE: join(folder, 'url') };
    readSettingFiles(environment);
    expect(environment['DATABASE_URL']).toBe('postgres://a:b@c/d');
  });

  it('counts less than the setting itself', () => {
    const environment = { DATABASE_URL_FILE: join(folder, 'url'), DATABASE_URL: 'postgres://own' };
    readSettingFiles(environment);
    expect(environment.DATABASE_URL).toBe('postgres://own');
  });

  it('is named where its file is not there', () => {
    expect(() => readSettingFiles({ NATS_URL_FILE: join(folder, 'none') })).toThrow(/NATS_URL_FILE .*ENOENT/);
  });
});
