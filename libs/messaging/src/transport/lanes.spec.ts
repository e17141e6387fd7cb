import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.js';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe('Lanes', () => {
  it('keeps the order per key, interleaves different keys, and never exceeds the limit', async () => {
    const lanes = new Lanes(3);
    const done: string[] = [];
    let running = 0;
    let most = 0;
    for (let i = 0; i < 60; i += 1) {
      const key = String(i % 6);
      lanes.add(key, async () => {
        running += 1;
        most = Math.max(most, running);
        await soon();
        running -= 1;
        done.push(`${key}:${i}`);
      });
    }
    await lanes.idle();
    expect(most).toBe(3);
    expect(done).toHaveLength(60);
    for (let key = 0; key < 6; key += 1) {
      const places = done.filter((entry) => entry.startsWith(`${key}:`)).map((entry) => Number(entry.slice(2)));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });

  it('is idle if nothing was added', async () => {
    await new Lanes(1).idle();
  });
});
