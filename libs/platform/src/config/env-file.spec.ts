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

  it('is read without the trailing newline', () => {
    const environment: Record<string, string | undefined> = { DATABASE_URL_FILE: join(folder, 'url') };
    readSettingFiles(environment);
    expect(environment['DATABASE_URL']).toBe('postgres://a:b@c/d');
  });

  it('is overridden by the setting itself', () => {
    const environment = { DATABASE_URL_FILE: join(folder, 'url'), DATABASE_URL: 'postgres://own' };
    readSettingFiles(environment);
    expect(environment.DATABASE_URL).toBe('postgres://own');
  });

  it('is named if its file does not exist', () => {
    expect(() => readSettingFiles({ NATS_URL_FILE: join(folder, 'none') })).toThrow(/NATS_URL_FILE .*ENOENT/);
  });
});
