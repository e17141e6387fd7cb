import { describe, expect, it } from 'vitest';
import { eventTimeOf } from './event-time.js';

/** A Friday. */
const AT = '2026-04-03T10:20:00Z';
const day = (iso: string) => ({ from: iso, to: iso });

describe('eventTimeOf', () => {
  it.each([
    // The weekday decides the year.
    ['I reserved a van for Saturday 2 May', day('2026-05-02')],
    ['I worked there on Friday, May 2', day('2025-05-02')],
    // What was arranged: the nearer one.
    ['I signed up for the harbour run, June 10', day('2026-06-10')],
    ['I booked the exam for the 3rd of December', day('2025-12-03')],
    ['I signed up for the harbour run on 10 March', day('2026-03-10')],
    ['I moved to Oslo on 10 June', day('2025-06-10')],
    ['I am selling my boat on 10 March', day('2027-03-10')],
    // "Since" and "until".
    ['I have been off sick since 3 March', { from: '2026-03-03', to: null }],
    ['Since 3 June I work in Oslo', { from: '2025-06-03', to: null }],
    ['I work in Oslo from 3 June', { from: '2026-06-03', to: null }],
    ['my limit is 2,000 euros until 30 June', { from: '2026-04-03', to: '2026-06-30' }],
    ['I stayed in Oslo until 30 March', day('2026-03-30')],
    // Several days.
    ['I want to take 8-19 June off', { from: '2026-06-08', to: '2026-06-19' }],
    ['I am in Oslo from the 8th to the 19th of June', { from: '2026-06-08', to: '2026-06-19' }],
    ['I was in Oslo March 8 to 19', { from: '2026-03-08', to: '2026-03-19' }],
    ['I was in Oslo from 28 February to 3 March', { from: '2026-02-28', to: '2026-03-03' }],
    ['I am away from May 28 until Wednesday, June 3', { from: '2026-05-28', to: '2026-06-03' }],
    ['I was in Oslo from 28 December to 3 January', { from: '2025-12-28', to: '2026-01-03' }],
    ['I was in Oslo from 28 December to 3 January 2024', { from: '2023-12-28', to: '2024-01-03' }],
    ['I am in Oslo on 28 May and 3 June', day('2026-05-28')],
    ['I was in Oslo from 3 March 2023 to 5 April 2024', { from: '2023-03-03', to: '2024-04-05' }],
    ['I moved house between 28 February and 2 March', { from: '2026-02-28', to: '2026-03-02' }],
    ['I lived in Hue from 2019 to 2021', { from: '2019-01-01', to: '2021-12-31' }],
    ['I lived in Hue from March 2019 to May 2021', { from: '2019-03-01', to: '2021-05-31' }],
    ['I have lived in Hue from March 2019', { from: '2019-03-01', to: null }],
    // Where something was moved to.
    ['my exam was moved from 28 April to 5 May', day('2026-05-05')],
    ['I rescheduled the meeting from 3 to 10 May', day('2026-05-10')],
    ['I moved from Oslo to Hue on 10 June', day('2025-06-10')],
    // What is dated is not what begins.
    ['I found a receipt from 12 May in my coat', day('2025-05-12')],
    ['my complaint from 3 March is still open', day('2026-03-03')],
    ['I still have the ticket from 3 March', day('2026-03-03')],
    ['I found a photo from March 2019', { from: '2019-03-01', to: '2019-03-31' }],
    // A day or month of last or next year.
    ['I paid the bill for 12 May last year', day('2025-05-12')],
    ['I was off sick until 30 June last year', day('2025-06-30')],
    ['I am in Oslo until 30 June next year', { from: '2026-04-03', to: '2027-06-30' }],
    ['I broke my toe last year on the 4th of July', day('2025-07-04')],
    ['I moved house on May 12th of last year', day('2025-05-12')],
    ['I was off from 3 March to 30 June last year', { from: '2025-03-03', to: '2025-06-30' }],
    ['I have been off sick since June last year', { from: '2025-06-01', to: null }],
    ['I am in Oslo until March next year', { from: '2026-04-03', to: '2027-03-31' }],
    ['I am in Oslo until March 2027', { from: '2026-04-03', to: '2027-03-31' }],
    ['I was charged twice on 3 March, 39.90 each time', day('2026-03-03')],
    ['I am going on leave from 1 September until the end of February', { from: '2026-09-01', to: '2027-02-28' }],
    ['I am in Oslo from 3 June until August', { from: '2026-06-03', to: '2026-08-31' }],
    ['my fridge broke last night and they cannot come until Monday', day('2026-04-02')],
    ['my teacher wants to see me on Monday', day('2026-04-06')],
    ['I would like to take a week off in August', { from: '2026-08-01', to: '2026-08-31' }],
    ['I am off sick from tomorrow', { from: '2026-04-04', to: null }],
    ['I worked there from last week', { from: '2026-03-23', to: null }],
    // In numbers.
    ['my check-up is on 14/05/2026', day('2026-05-14')],
    ['my check-up is on 05/14/2026', day('2026-05-14')],
    ['my check-up is on 4.5.2026', day('2026-05-04')],
    ['my check-up is on 2026-05-14', day('2026-05-14')],
    ['I am away until 14/05/2026', { from: '2026-04-03', to: '2026-05-14' }],
    ['my birthday party is on 14 May', day('2026-05-14')],
    // A year since when something goes on.
    ['I have taught maths from 2015', { from: '2015-01-01', to: null }],
    ['I worked at the harbour from 2015', { from: '2015-01-01', to: null }],
    ['I run the shop from 2027', { from: '2027-01-01', to: null }],
    ['I run the shop from 2015 on', { from: '2015-01-01', to: null }],
  ])('dates %j', (clause, expected) => {
    expect(eventTimeOf(clause, AT)).toEqual(expected);
  });

  it.each([
    'I love songs from 1980',
    'I still owe 300 euros from last year',
    'I ate the soup from yesterday',
    'I drive a van from 1998',
    'My favourite film is from 1961',
    'I found a photo from 2012',
    'I was given a coin from 1921',
  ])('does not date %j by the year of a thing', (clause) => {
    expect(eventTimeOf(clause, AT)).toBeNull();
  });

  it.each(['my check-up is on 05/06/2026', 'my birthday is on 14 May'])('leaves %j without a date', (clause) => {
    expect(eventTimeOf(clause, AT)).toBeNull();
  });

  it('dates what was done to a thing of another year', () => {
    expect(eventTimeOf('I bought a van from 1998 in 2019', AT)).toEqual({ from: '2019-01-01', to: '2019-12-31' });
  });

  it.each([
    ['I am leaving for Oslo on Monday for three weeks', { from: '2026-04-06', to: '2026-04-27' }],
    ['I am going to Oslo on 2 May for two weeks', { from: '2026-05-02', to: '2026-05-16' }],
    ['I am going to Oslo in June for two weeks', { from: '2026-06-01', to: '2026-06-30' }],
    ['I will be in Oslo for two weeks from 2 May', { from: '2026-05-02', to: '2026-05-16' }],
    ['I am staying in Oslo for two weeks', { from: '2026-04-03', to: '2026-04-17' }],
  ])('lets %j last from the day it begins', (clause, expected) => {
    expect(eventTimeOf(clause, AT)).toEqual(expected);
  });
});
