import { describe, expect, it } from 'vitest';
import { queueBackend } from './queue-backend.js';

describe('queueBackend', () => {
  it.each([
    ['redis://localhost:6379', 'redis'],
    ['rediss://user:secret@cache/2', 'redis'],
    ['valkey://localhost', 'redis'],
    ['valkeys://localhost', 'redis'],
    ['postgres://localhost/jobs', 'postgres'],
    ['postgresql://localhost/jobs', 'postgres'],
  ])('maps %s to %s', (url, kind) => {
    expect(queueBackend(url).kind).toBe(kind);
  });

  it('throws for another scheme, without the URL in the message', () => {
    expect(() => queueBackend('amqp://user:secret@rabbit')).toThrow(
      /^The queue's URL must begin with redis.*not amqp\.$/,
    );
  });
});
