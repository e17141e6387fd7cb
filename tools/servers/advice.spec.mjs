import { describe, expect, it } from 'vitest';
import { adviceFor } from './advice.mjs';

describe('the advice for missing servers', () => {
  it('names every missing server, how to install it on each system, and the variable that replaces it', () => {
    const advice = adviceFor(['nats', 'redis']);
    for (const word of [
      'apt-get install nats-server',
      'brew install nats-server',
      'NATS_URL',
      'redis-server',
      'QUEUE_URL',
      'Docker',
    ]) {
      expect(advice).toContain(word);
    }
    expect(advice).not.toContain('DATABASE_URL');
  });
});
