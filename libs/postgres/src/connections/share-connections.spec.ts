import { expect, it } from 'vitest';
import { shareConnections } from './share-connections.js';

it.each([
  ['ingest', 1, 1],
  ['ingest', 8, 1],
  ['worker', 1, 0],
] as const)(
  'the pools of %s with %i lane(s) and the relay have as many connections as the setting says',
  (name, lanes, relay) => {
    for (let total = lanes + 1 + relay + 4; total <= 200; total += 1) {
      const shares = Object.values(shareConnections(name, total, lanes));
      expect(shares.reduce((sum, share) => sum + share, relay)).toBe(total);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }
  },
);

it('divides by use', () => {
  expect(shareConnections('ingest', 16)).toEqual({ lanes: 2, rows: 5, log: 3, systemRows: 3, systemLog: 2 });
  expect(shareConnections('worker', 16)).toEqual({ lanes: 2, rows: 4, log: 3, systemRows: 4, systemLog: 3 });
});

it('rejects fewer connections than pools', () => {
  expect(() => shareConnections('ingest', 10, 8)).toThrow('DATABASE_POOL_SIZE must be at least 14');
});
