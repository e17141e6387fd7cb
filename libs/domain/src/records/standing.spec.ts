import { describe, expect, it } from 'vitest';
import { newestAndStrongest, type Standing } from './standing.js';

const said = (day: string, more: Partial<Standing> = {}): Standing => ({
  saidAt: `${day}T10:00:00.000Z`,
  timesSeen: 1,
  strength: null,
  ...more,
});

describe('the order of facts without a question', () => {
  it.each<[string, Standing, Standing]>([
    ['the newer one first', said('2026-05-02'), said('2026-05-01')],
    ['one said three times before a newer one said once', said('2026-05-01', { timesSeen: 3 }), said('2026-05-14')],
    ['a much newer one before one said three times', said('2026-05-16'), said('2026-05-01', { timesSeen: 3 })],
    [
      'one said this season before an old one said a hundred times',
      said('2026-05-01'),
      said('2026-04-01', { timesSeen: 100 }),
    ],
    [
      'a strong preference before a newer moderate one',
      said('2026-05-01', { strength: 'strong' }),
      said('2026-05-07', { strength: 'moderate' }),
    ],
    [
      'a moderate preference before a newer weak one',
      said('2026-05-01', { strength: 'moderate' }),
      said('2026-05-07', { strength: 'weak' }),
    ],
    ['one whose statements are unknown by its time', said('2026-05-02', { timesSeen: 0 }), said('2026-05-01')],
  ])('%s', (_what, first, second) => {
    expect([second, first].sort(newestAndStrongest)).toEqual([first, second]);
  });
});
