import { expect, it } from 'vitest';
import { dayInWords, weekdayOf } from './days.js';

it('names a day by the clock of the one who said it', () => {
  expect(dayInWords('2026-03-04T23:30:00-08:00')).toBe('4 March 2026');
  expect(weekdayOf('2026-03-04T23:30:00-08:00')).toBe('Wednesday');
  expect([dayInWords('soon'), weekdayOf('')]).toEqual([null, null]);
});
