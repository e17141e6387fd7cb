import { cutSpan, type Span } from './spans.js';

/** A full stop after these does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m|no|approx|[a-z])\.$/i;
const END_OF_SENTENCE = /[.!?…]+["'”’)\]]*(?=\s|$)|[.!?…]+(?=\p{Extended_Pictographic})|\n+/gu;

/** The sentences of a message, each with its place in it. Punctuation stays with its sentence. */
export const sentencesOf = (content: string): Span[] => {
  const whole: Span = { text: content, start: 0, end: content.length };
  const ends: number[] = [];
  for (const match of content.matchAll(END_OF_SENTENCE)) {
    const end = match.index + match[0].length;
    const rest = content.slice(end).trimStart();
    if (
      match[0] === '.' &&
      ABBREVIATION.test(content.slice(Math.max(0, end - 12), end)) &&
      /^[\p{Ll}\p{Lu}\d]/u.test(rest)
    ) {
      // "I." and "no." do end sentences when something new begins after them.
      if (!/(?:^|\s)(?:I|no)\.$/.test(content.slice(0, end)) || /^\d/.test(rest)) continue;
    }
    if (/^(?:\.{2,}|…)/.test(match[0]) && /^\p{Ll}/u.test(rest)) continue;
    ends.push(end);
  }
  return cutSpan(whole, ends);
};

export const isQuestion = (sentence: string): boolean => /\?["'”’)\]]*\s*$/.test(sentence);
