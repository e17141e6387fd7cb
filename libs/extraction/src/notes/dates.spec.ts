import { describe, expect, it } from 'vitest';
import { timeIn } from './dates.js';
import { DE } from './languages/de.js';
import { EN } from './languages/en.js';
import { ES } from './languages/es.js';
import { VI } from './languages/vi.js';
import { ZH } from './languages/zh.js';

/** A Wednesday. */
const AT = '2026-03-04T23:30:00-05:00';

describe('the day of a sentence', () => {
  it.each([
    [EN, 'I went there yesterday', '2026-03-03', '2026-03-03'],
    [EN, "we're going to fly on Sunday", '2026-03-08', '2026-03-08'],
    [EN, 'it broke last week', '2026-02-23', '2026-03-01'],
    [EN, 'it broke twice in the past week', '2026-02-25', '2026-03-04'],
    [EN, 'please book me in for March 4th at 9:15 am', '2026-03-04', '2026-03-04'],
    [EN, 'the party is on 14 March 2026', '2026-03-14', '2026-03-14'],
    [ES, 'llegamos mañana', '2026-03-05', '2026-03-05'],
    [DE, 'ich war gestern dort', '2026-03-03', '2026-03-03'],
    [VI, 'ngày mai tôi bay', '2026-03-05', '2026-03-05'],
    [ZH, '我明天去', '2026-03-05', '2026-03-05'],
  ])('%#: is read', (lexicon, text, from, to) => {
    expect(timeIn(text, AT, lexicon)?.range).toEqual({ from, to });
  });

  it.each([
    [EN, 'I may come by'],
    [EN, 'it feels like just yesterday'],
    [EN, 'I need it for 1 day'],
    [EN, 'from the 3rd to the 7th of May'],
    [EN, 'the third of june nineteen eighty six'],
    [EN, 'not on Monday but on Friday'],
    [ES, 'la cita es el miércoles 11'],
    [EN, 'we have a spare room'],
  ])('%#: is left out where it is not certain', (lexicon, text) => {
    expect(timeIn(text, AT, lexicon)?.range ?? null).toBeNull();
  });
});
