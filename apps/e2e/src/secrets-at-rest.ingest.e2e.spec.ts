import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startApp } from './harness/child-process.js';
import { Stack } from './harness/stack.js';

const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const SECRET = `whsec_${Buffer.from('a secret of thirty-two letters..').toString('base64')}`;
const TABLES = ['webhook_endpoints', 'connectors', 'vendor_apps', 'signing_keys'];

describe('secrets at rest', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false, settings: { SECRETS_KEY: keyOf('1') } });
  });
  afterAll(() => stack?.stop());

  const seal = async (settings: Record<string, string>) => {
    const { code, output } = await runCli(['secrets', 'seal', '--json'], stack.inspector.databaseUrl, settings);
    const { tables } = JSON.parse(output) as { tables: { table: string; rewritten: number; unreadable: number }[] };
    const sum = (count: 'rewritten' | 'unreadable') => tables.reduce((total, table) => total + table[count], 0);
    return { code, rewritten: sum('rewritten'), unreadable: sum('unreadable') };
  };
  const stored = async (): Promise<string> => {
    const texts = TABLES.map((table) => `select row_to_json(t)::text as text from ${table} t`);
    const rows = await stack.inspector.rows<{ text: string }>(texts.join(' union all '));
    return rows.map(({ text }) => text).join('\n');
  };

  it('are encrypted with default settings, including the installation’s keys', async () => {
    await stack.api.createEndpoint('http://127.0.0.1:9999/hook', { secret: SECRET });
    const text = await stored();
    expect(text).not.toContain(SECRET.slice('whsec_'.length));
    expect(text.match(/enc:v1:/g)).toHaveLength(3);
  });

  it('are re-encrypted under a new key by one command, which is idempotent', async () => {
    const rotated = { SECRETS_KEY: keyOf('2'), SECRETS_OLD_KEYS: keyOf('1') };
    expect(await seal(rotated)).toEqual({ code: 0, rewritten: 3, unreadable: 0 });
    expect(await seal(rotated)).toEqual({ code: 0, rewritten: 0, unreadable: 0 });
    expect(await seal({ SECRETS_KEY: keyOf('3') })).toEqual({ code: 3, rewritten: 0, unreadable: 3 });
    expect(await runCli(['secrets', 'seal'], stack.inspector.databaseUrl)).toMatchObject({
      code: 1,
      output: expect.stringContaining('SECRETS_KEY is required'),
    });
  });

  it('stop services that have another key, naming the setting', async () => {
    await Promise.all(
      (['ingest', 'worker'] as const).map(async (app) => {
        const child = startApp(app, [], { ...stack.settings, SECRETS_KEY: keyOf('4') });
        expect(await child.exited).toEqual({ code: 1, signal: null });
        expect(child.output()).toContain('SECRETS_OLD_KEYS');
        expect(child.output()).not.toContain(keyOf('4'));
      }),
    );
  });
});
