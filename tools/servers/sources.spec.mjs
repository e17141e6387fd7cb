import { describe, expect, it } from 'vitest';
import { firstSource } from './sources.mjs';

describe('the source of a server', () => {
  const asked = [];
  const source = (name, value) => [
    name,
    async () => {
      asked.push(name);
      return value;
    },
  ];
  const find = (...sources) => {
    asked.length = 0;
    return firstSource(sources);
  };

  it('is the first with a result', async () => {
    const found = await find(source('given'), source('private', '/usr/sbin/nats-server'), source('compose', true));
    expect(found).toEqual({ source: 'private', value: '/usr/sbin/nats-server' });
  });
  it('is found without trying the later ones', async () => {
    await find(source('given', 'nats://elsewhere:4222'), source('debian', 'installed'));
    expect(asked).toEqual(['given']);
  });
  it('is undefined if none has a result', async () => {
    expect(await find(source('given'), source('private'))).toBeUndefined();
    expect(asked).toEqual(['given', 'private']);
  });
});
