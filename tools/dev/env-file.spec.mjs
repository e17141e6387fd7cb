import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvFile, writeEnvFile } from './env-file.mjs';

describe('the env file', () => {
  it('gives a shell the exact values, and is readable by the owner only', () => {
    const dir = mkdtempSync(join(tmpdir(), 'tk-env-'));
    const file = join(dir, 'env');
    const awkward = `it's $HOME "and" \`more\``;
    writeEnvFile(file, { TURNKEEPER_API_KEY: awkward });
    const seen = execFileSync('sh', ['-c', `. "${file}"; printf %s "$TURNKEEPER_API_KEY"`], { encoding: 'utf8' });
    expect(seen).toBe(awkward);
    expect(readEnvFile(file)).toEqual({ TURNKEEPER_API_KEY: awkward });
    expect(readEnvFile(join(dir, 'none'))).toEqual({});
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(dir, { recursive: true });
  });
});
