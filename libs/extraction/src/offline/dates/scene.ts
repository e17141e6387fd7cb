import type { EventTime } from '@turnkeeper/domain';
import { sentencesOf } from '../text/sentences.js';
import { eventTimeOf } from './event-time.js';

/** Times recent enough to set the scene for the next sentences. Events of years ago do not. */
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
