import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeSettings, envExample, InvalidSettings, readSettings } from './define-settings.js';

const table = {
  ADDRESS: { schema: z.url('must be a URL'), about: 'Where it is. Required.', secret: true, example: 'http://host' },
  PORT: { schema: z.coerce.number().int().max(65_535, 'must be at most 65535').default(80), about: 'The port.' },
  TOKEN: { schema: z.string().min(8, 'must have 8 characters').optional(), about: 'The token.', secret: true },
} as const;
const ADDRESS = 'http://user:hunter2@host';

const problemsOf = (environment: Record<string, string>): InvalidSettings => {
  try {
    readSettings(table, environment);
  } catch (error) {
    if (error instanceof InvalidSettings) return error;
  }
  throw new Error('These settings were taken.');
};

describe('readSettings', () => {
  it('returns typed values and defaults', () => {
    expect(readSettings(table, { ADDRESS, PORT: '8080' })).toEqual({ ADDRESS, PORT: 8080, TOKEN: undefined });
    expect(readSettings(table, { ADDRESS }).PORT).toBe(80);
  });

  it('treats an empty value as unset', () => {
    expect(readSettings(table, { ADDRESS, PORT: '', TOKEN: '' })).toEqual({ ADDRESS, PORT: 80, TOKEN: undefined });
    expect(problemsOf({ ADDRESS: '' }).problems.map(({ name }) => name)).toEqual(['ADDRESS']);
  });

  it('names every invalid variable with its rule and never shows a value', () => {
    const { problems, message, stack } = problemsOf({ ADDRESS: 'hunter2', PORT: '99999', TOKEN: 'hunter2' });
    expect(problems).toEqual([
      { name: 'ADDRESS', rule: 'must be a URL' },
      { name: 'PORT', rule: 'must be at most 65535' },
      { name: 'TOKEN', rule: 'must have 8 characters' },
    ]);
    for (const { name, rule } of problems) expect(message).toContain(`${name} ${rule}`);
    expect(`${message} ${stack} ${JSON.stringify(problems)}`).not.toMatch(/hunter2|99999/);
  });
});

describe('describeSettings', () => {
  it('shows values, but for secrets only whether they are set', () => {
    const shown = describeSettings(table, readSettings(table, { ADDRESS }));
    expect(shown).toEqual({ ADDRESS: 'set', PORT: 80, TOKEN: 'unset' });
  });

  it('shows URLs without user and password, including in lists', () => {
    const servers = { SERVERS: { schema: z.string(), about: 'Servers.' } };
    const values = { SERVERS: 'nats://me:hunter2@one:4222,nats://me:hun@ter2@two:4222/x' };
    expect(describeSettings(servers, values)).toEqual({ SERVERS: 'nats://one:4222,nats://two:4222/x' });
  });
});

describe('envExample', () => {
  it('lists each setting with its meaning and default, all commented out: a copy changes nothing', () => {
    const [, ...blocks] = envExample(table).split('\n\n');
    expect(blocks.map((block) => block.trim())).toEqual([
      '# Where it is. Required.\n#ADDRESS=http://host',
      '# The port.\n#PORT=80',
      '# The token.\n#TOKEN=',
    ]);
  });
});
