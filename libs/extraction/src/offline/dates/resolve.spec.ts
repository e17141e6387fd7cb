import { describe, expect, it } from 'vitest';
import { resolveDates } from './resolve.js';

/** A Wednesday. */
const AT = '2023-05-10T21:30:00Z';

describe('resolveDates', () => {
  it.each([
    // days
    ['I went hiking yesterday.', 'I went hiking (9 May 2023).'],
    ['I went hiking the day before yesterday', 'I went hiking (8 May 2023)'],
    ['I slept badly last night', 'I slept badly (9 May 2023)'],
    ['I see the dentist tomorrow morning', 'I see the dentist (11 May 2023)'],
    ['I saw her three days ago', 'I saw her (7 May 2023)'],
    ['I saw her a few days ago', 'I saw her (about 7 May 2023)'],
    ['Yesterday, I cooked.', 'On 9 May 2023, I cooked.'],
    ['Just yesterday I cooked', 'On 9 May 2023, I cooked'],
    // weekdays
    ['I ran a race last Saturday', 'I ran a race (6 May 2023)'],
    ['I met Tom on Monday', 'I met Tom (8 May 2023)'],
    ['I passed on Monday, 84 points of 100', 'I passed (8 May 2023), 84 points of 100'],
    ['I am off on Friday 12', 'I am off on Friday 12'],
    ['On Friday 12 I am off', 'On Friday 12 I am off'],
    ['I will meet Tom on Monday', 'I will meet Tom (15 May 2023)'],
    ['I am meeting Tom this Friday', 'I am meeting Tom (12 May 2023)'],
    ['I met my cousins on the 8th after my holiday', 'I met my cousins (8 May 2023) after my holiday'],
    ['I met my cousins on the 20th', 'I met my cousins (20 April 2023)'],
    ['I will meet my cousins on the 8th', 'I will meet my cousins (8 June 2023)'],
    ['I fly next Monday', 'I fly (15 May 2023)'],
    ['I fly next Friday', 'I fly next Friday (said on 10 May 2023)'],
    ['the shop is open on Friday 12 May', 'the shop is open on Friday 12 May'],
    // weeks and weekends
    ['I moved last week', 'I moved (week of 1 May 2023)'],
    ['I moved two weeks ago', 'I moved (week of 24 April 2023)'],
    ['I have been ill since last week', 'I have been ill since the week of 1 May 2023'],
    ['we went camping last weekend', 'we went camping (weekend of 6 May 2023)'],
    ['we are going camping next weekend', 'we are going camping (weekend of 20 May 2023)'],
    ['Last weekend we went camping', 'Over the weekend of 6 May 2023, we went camping'],
    ['At the weekend I went camping', 'Over the weekend of 6 May 2023, I went camping'],
    ['we went camping at the weekend', 'we went camping (weekend of 6 May 2023)'],
    ['A fortnight ago I moved', 'In the week of 24 April 2023, I moved'],
    ['I am moving in a fortnight', 'I am moving (week of 22 May 2023)'],
    ['Last week was hard, I lost my job', 'Last week (week of 1 May 2023) was hard, I lost my job'],
    // months, seasons and years
    ['I broke my arm last year in March', 'I broke my arm (March 2022)'],
    ['I broke my arm in November last year', 'I broke my arm (November 2022)'],
    ['In June of this year I move', 'In June 2023, I move'],
    ['I paid the bill for 12 May last year', 'I paid the bill for 12 May 2022'],
    ['I moved on the 3rd of March last year', 'I moved on the 3rd of March 2022'],
    ['I broke my toe last year on July 4', 'I broke my toe on July 4 2022'],
    ['Last year, on 4 July, I broke my toe', 'On 4 July 2022, I broke my toe'],
    ['I am away from 3 March to 30 June next year', 'I am away from 3 March to 30 June 2024'],
    ['I have been off sick since June last year', 'I have been off sick since June 2022'],
    ['I start next month', 'I start (June 2023)'],
    ['I moved here in March', 'I moved here (March 2023)'],
    ['I quit my job in March', 'I quit my job (March 2023)'],
    ['I sold my boat on Monday', 'I sold my boat (8 May 2023)'],
    ['I moved here in August', 'I moved here (August 2022)'],
    ['I was offered a job in Hue, starting in October', 'I was offered a job in Hue, starting (October 2023)'],
    ['I went back in March, part-time', 'I went back (March 2023), part-time'],
    ['back in March I moved', 'In March 2023, I moved'],
    ['my sister is getting married in October', 'my sister is getting married (October 2023)'],
    ['the news that came in October is exciting', 'the news that came (October 2022) is exciting'],
    ['I am going to move in August', 'I am going to move (August 2023)'],
    ['I went to Rome last summer', 'I went to Rome (summer 2022)'],
    ['I graduated last year', 'I graduated (2022)'],
    ['Ten years ago I graduated', 'Around 2013, I graduated'],
    ['A few days ago, I graduated', 'Around 7 May 2023, I graduated'],
    ['I graduated ten years ago', 'I graduated (about 2013)'],
    ['I will retire in two years', 'I will retire (about 2025)'],
    ['my birthday is today', 'my birthday is 10 May 2023'],
  ])('writes the date into %j', (clause, expected) => {
    expect(resolveDates(clause, AT)).toBe(expected);
  });

  it('takes no verb for a month', () => {
    expect(resolveDates('I may this year move house', AT)).toBe('I may (2023) move house');
  });

  it.each([
    'I may go',
    'I lived on the 4th floor',
    'I sat with her in the march',
    'I learned it in two weeks',
    'I have lived here for five years',
    'I liked last year’s party',
    'I was born on 5 May 1990',
    'I work every Monday',
    'I work at the weekend',
    'I used to row on the weekend',
    'I moved here in March 2019',
  ])('leaves %j unchanged', (clause) => {
    expect(resolveDates(clause, AT)).toBe(clause);
  });

  it('uses the day at the offset of the message, not of this machine', () => {
    expect(resolveDates('I cooked today', '2023-05-10T23:30:00-05:00')).toBe('I cooked (10 May 2023)');
  });

  it.each([
    ['2024-03-31T12:00:00Z', 'I started last month', 'I started (February 2024)'],
    ['2023-12-31T12:00:00Z', 'I start tomorrow', 'I start (1 January 2024)'],
    ['2023-01-05T12:00:00Z', 'I moved last month', 'I moved (December 2022)'],
    ['2023-11-20T12:00:00Z', 'I went to Rome last summer', 'I went to Rome (summer 2023)'],
  ])('crosses months and years: %s %s', (at, clause, expected) => {
    expect(resolveDates(clause, at)).toBe(expected);
  });

  it('leaves the words unchanged if the time is invalid', () => {
    expect(resolveDates('I cooked yesterday', 'once upon a time')).toBe('I cooked yesterday');
  });
});
