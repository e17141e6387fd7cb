import type { EventTime } from '@turnkeeper/domain';
import { lastSentencesOf, sentencesOf } from '../text/sentences.js';
import { eventTimeOf } from './event-time.js';
import { tenseOf } from './resolve.js';

/**
 * Times recent enough to set the scene for the next sentences. Unlike other relative dates, they are past and name a day, a
 * week or a month: events of years ago set none.
 */
const SETS_SCENE =
  /\b(?:yesterday|last (?:night|week|weekend|month|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?)|this (?:week|weekend|morning|afternoon|past (?:week|weekend|month))|(?:a|two|three|four|five|few|couple of|couple) (?:days|weeks|day|week) (?:ago|back)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|over the weekend|earlier today|today|the other day)\b/i;
/** … and times that do not set it: future or habitual. */
const LOOKS_AHEAD =
  /\b(?:will|going to|gonna|tomorrow|next|every|each|usually|always|plan(?:s|ning)?|haven't|hope|hoping|talked|spoke|chatted|since)\b|['’]ll\b|\b(?:am|is|are|I'm|we're) \w+ing\b/i;

/**
 * The time that earlier sentences set for a past event: "Last week was wild. I volunteered at the shelter." Returns
 * null if there is none, or if the nearest dated sentence refers to the future.
 *
 * @param before the part of the message before the clause
 * @param at when it was said, ISO 8601
 */
export const sceneOf = (before: string, at: string): EventTime | null => {
  for (const { text } of sentencesOf(before).toReversed()) {
    if (!SETS_SCENE.test(text)) continue;
    return LOOKS_AHEAD.test(text) ? null : eventTimeOf(text.replace(/\bon (?=\w+day\b)/i, 'last '), at);
  }
  return null;
};

const I_AM = String.raw`^(?:I|we)(?: am| are|['’]m|['’]re) (?:\w+ ){0,2}?`;
const AWAITS = new RegExp(
  `${I_AM}(?:excited|thrilled|stoked|pumped|nervous|psyched|looking forward) (?:to|about|for)\\b`,
  'i',
);
const GOES_ON = new RegExp(`${I_AM}\\w+ing\\b`, 'i');
const IS = new RegExp(I_AM, 'i');
const NEWS = /\b(?:got|received|heard|had) (?:\w+ ){0,3}news\b/i;
const BEING = /^(?:[^,]{0,30}, )?(this (?:week|weekend|month))(?:['’]s| has| is)(?: been)? /i;

/**
 * The time that earlier sentences set for what is true now or expected: an expectation is about the event planned just
 * before, news makes its content true from then on, and what goes on in a week that is described goes on in that week.
 * Returns null if there is none.
 *
 * @param clause in the first person
 * @param before the part of the message before the clause
 * @param at when it was said, ISO 8601
 */
export const presentSceneOf = (clause: string, before: string, at: string): EventTime | null => {
  if (!IS.test(clause)) return null;
  const [last = ''] = lastSentencesOf(before, 1);
  if (AWAITS.test(clause)) return tenseOf(last) === 'future' ? eventTimeOf(last, at) : null;
  if (NEWS.test(last)) {
    const from = eventTimeOf(last.replace(/^on (?=\w+day\b)/i, 'last '), at)?.from ?? null;
    return from === null ? null : { from, to: null };
  }
  if (!GOES_ON.test(clause)) return null;
  const named = sentencesOf(before).flatMap(({ text }) => BEING.exec(text)?.[1] ?? []);
  return named.length === 0 ? null : eventTimeOf(named.at(-1) ?? '', at);
};

/** Clause, what was said before it, and its time. */
export const presentExamples = [
  ["I'm so excited to meet the judges", "I'm going to a quiz this month.", { from: '2023-05-01', to: '2023-05-31' }],
  ['I am looking forward to the food', "I'm flying to Rome tomorrow.", { from: '2023-05-11', to: '2023-05-11' }],
  ["I'm thrilled to have a sister", 'I went to Rome yesterday.', null],
  ["I'm finally in the choir", 'On Monday, I got great news -', { from: '2023-05-08', to: null }],
  ["I'm in the choir", 'On Monday, I went to Rome.', null],
  ["I'm trying to sort the attic", "Hi, this week's been hectic.", { from: '2023-05-08', to: '2023-05-14' }],
  ["I'm a teacher", 'This week has been hectic.', null],
  ['I sorted the attic', 'I got great news on Monday.', null],
] as const satisfies readonly (readonly [string, string, EventTime | null])[];

export const examples = [
  ['Last week was wild -', { from: '2023-05-01', to: '2023-05-07' }],
  ['Something exciting happened last Friday.', { from: '2023-05-05', to: '2023-05-05' }],
  ['Guess what I did this week?', { from: '2023-05-08', to: '2023-05-14' }],
  ['I had an exam yesterday. It was long.', { from: '2023-05-09', to: '2023-05-09' }],
  ['I see her next Friday.', null],
  ['I moved here ten years ago.', null],
  ['I am flying to Rome on Friday.', null],
  ["We haven't talked since last week!", null],
] as const satisfies readonly (readonly [string, EventTime | null])[];
