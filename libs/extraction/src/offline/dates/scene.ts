import type { EventTime } from '@turnkeeper/domain';
import { sentencesOf } from '../text/sentences.js';
import { eventTimeOf } from './event-time.js';

/** Times near enough to set the scene for what is told next. What was years ago is a story of its own. */
const SETS_SCENE =
  /\b(?:yesterday|last (?:night|week|weekend|month|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?)|this (?:week|weekend|morning|afternoon|past (?:week|weekend|month))|(?:a|two|three|four|five|few|couple of|couple) (?:days|weeks|day|week) (?:ago|back)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|over the weekend|earlier today|today|the other day)\b/i;
/** … and these do not: they look ahead, or tell of something that always is. */
const LOOKS_AHEAD =
  /\b(?:will|going to|gonna|tomorrow|next|every|each|usually|always|plan(?:s|ning)?|haven't|hope|hoping|talked|spoke|chatted|since)\b|['’]ll\b|\b(?:am|is|are|I'm|we're) \w+ing\b/i;

/**
 * The time that the sentences before a past event set for it: "Last week was wild. I volunteered at the shelter." Null
 * where none of them does, or the nearest dated one looks ahead.
 *
 * @param before what the message says before the clause
 * @param at when it was said, ISO 8601
 */
export const sceneOf = (before: string, at: string): EventTime | null => {
  for (const { text } of sentencesOf(before).toReversed()) {
    if (!SETS_SCENE.test(text)) continue;
    return LOOKS_AHEAD.test(text) ? null : eventTimeOf(text.replace(/\bon (?=\w+day\b)/i, 'last '), at);
  }
  return null;
};

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
