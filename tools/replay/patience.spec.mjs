import { describe, expect, it } from 'vitest';
import { ApiError } from '../shared/api.mjs';
import { patiently } from './patience.mjs';

describe('retrying', () => {
  const pause = async () => {};
  const failing = (times, error) => async () => {
    times -= 1;
    if (times >= 0) throw error;
    return 'done';
  };

  it.each([
    ['a connection that breaks', new TypeError('fetch failed')],
    ['a server that is starting', new ApiError('GET', '/', 503, {})],
    ['a limit', new ApiError('GET', '/', 429, {})],
  ])('outlasts %s', async (_, error) => expect(await patiently(failing(3, error), { pause })).toBe('done'));

  it('does not retry a rejection', async () => {
    const refusal = new ApiError('POST', '/', 422, { code: 'payload.invalid' });
    await expect(patiently(failing(1, refusal), { pause })).rejects.toBe(refusal);
  });

  it('ends', async () => {
    let clock = 0;
    const slow = async (ms) => void (clock += ms);
    const always = failing(Infinity, new TypeError('fetch failed'));
    await expect(patiently(always, { pause: slow, now: () => clock, forMs: 10_000 })).rejects.toThrow('fetch failed');
  });
});
