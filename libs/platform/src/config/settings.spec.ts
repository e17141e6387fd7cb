import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSettings, envExample } from './define-settings.js';
import { loadSettings, settingsTable } from './settings.js';

const DATABASE_URL = 'postgres://turnkeeper:hunter2@localhost/turnkeeper';
const committed = readFileSync(join(import.meta.dirname, '../../../../.env.example'), 'utf8');

describe('settings', () => {
  it('match .env.example (`npm run env-example` writes it)', () => {
    expect(committed).toBe(envExample(settingsTable));
  });

  it('are valid with .env.example, which contains only defaults', () => {
    const given = committed
      .split('\n')
      .filter((line) => /^#[A-Z]/.test(line))
      .map((line) => line.slice(1).split(/=(.*)/s).slice(0, 2) as [string, string])
      .filter(
        ([name]) => settingsTable[name as keyof typeof settingsTable].schema.safeParse(undefined).data !== undefined,
      );
    expect(loadSettings({ ...Object.fromEntries(given), DATABASE_URL })).toEqual(loadSettings({ DATABASE_URL }));
  });

  it('require only a database', () => {
    expect(() => loadSettings({})).toThrow(/DATABASE_URL/);
    expect(loadSettings({ DATABASE_URL })).toMatchObject({ DATABASE_URL, INGEST_PORT: 8080 });
  });

  it('keep passwords and keys out of the log', () => {
    const settings = loadSettings({
      DATABASE_URL,
      QUEUE_URL: 'redis://:hunter2@localhost',
      NATS_URL: 'nats://user:hunter2@localhost',
      LLM_BASE_URL: 'https://user:hunter2@llm.example.com/v1',
      LLM_API_KEY: 'hunter2',
    });
    expect(JSON.stringify(describeSettings(settingsTable, settings))).not.toContain('hunter2');
  });

  it('let three of ingest, worker and migrate each connect to a Postgres on its defaults', () => {
    const MAX_CONNECTIONS = 100;
    const RESERVED_FOR_SUPERUSERS = 3;
    const migrate = 1;
    const process = settingsTable.DATABASE_POOL_SIZE.schema.parse(undefined);
    expect(3 * (2 * process + migrate)).toBeLessThanOrEqual(MAX_CONNECTIONS - RESERVED_FOR_SUPERUSERS);
  });

  it('accept several NATS servers, and Valkey URLs', () => {
    const NATS_URL = 'nats://one:4222, tls://two:4222';
    expect(loadSettings({ DATABASE_URL, NATS_URL, QUEUE_URL: 'valkeys://cache:6379' })).toMatchObject({ NATS_URL });
    expect(() => loadSettings({ DATABASE_URL, NATS_URL: 'nats://one,two' })).toThrow(/NATS_URL must be a URL/);
  });

  it('accept a list', () => {
    const settings = loadSettings({ DATABASE_URL, WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16, fd12::/48' });
    expect(settings.WEBHOOK_ALLOW_CIDRS).toEqual(['10.20.0.0/16', 'fd12::/48']);
    const proxies = loadSettings({ DATABASE_URL, TRUSTED_PROXIES: '10.0.0.7, fd12::/48, 10.0.0.0/32' });
    expect(proxies.TRUSTED_PROXIES).toEqual(['10.0.0.7', 'fd12::/48', '10.0.0.0/32']);
  });

  it.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['QUEUE_URL', 'localhost:6379'],
    ['NATS_STREAM', 'two words'],
    ['NATS_SUBJECT_PREFIX', 'a.b'],
    ['QUEUE_PREFIX', 'a:b'],
    ['INGEST_PORT', '65536'],
    ['EXTRACTION_TURN_INTERVAL', '2.5'],
    ['WEBHOOK_ALLOW_PRIVATE_ADDRESSES', 'yes'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8,intranet'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0'],
    ['HISTORY_LINK_SECRET', 'too short'],
    ['LOG_LEVEL', 'loud'],
  ])('reject an invalid %s', (name, value) => {
    expect(() => loadSettings({ DATABASE_URL, [name]: value })).toThrow(new RegExp(`stop the start: ${name} must `));
  });
});
