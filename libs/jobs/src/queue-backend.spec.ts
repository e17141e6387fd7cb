import { describe, expect, it } from 'vitest';
import { queueBackend } from './queue-backend.js';

describe('the backend of the job queue', () => {
  it.each([
    ['redis://localhost:6379', 'redis'],
    ['rediss://user:secret@cache/2', 'redis'],
    ['valkey://localhost', 'redis'],
    ['valkeys://localhost', 'redis'],
    ['postgres://localhost/jobs', 'postgres'],
    ['postgresql://localhost/jobs', 'postgres'],
  ])('of %s is %s', (url, kind) => {
    expect(queueBackend(url).kind).toBe(kind);
  });

  it('is refused for another scheme, without telling the URL', () => {
    expect(() => queueBackend('amqp://user:secret@rabbit')).toThrow(
      /^The queue's URL must begin with redis.*not amqp\.$/,
    );
  });
});
