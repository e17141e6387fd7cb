import { cutSpan, type Span } from './spans.js';

/** A full stop after these does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m|no|approx|[a-z])\.$/i;
/** … unless a new sentence starts after "So did I." or "He said no.". */
const WHOLE_WORD = /(?:^|\s)(?:I|no)\.$/;
const LONGEST_ABBREVIATION = 12;
/** No look-ahead: it would run at every dot of a text with 100,000 dots. */
const ENDING = /[。！？]+[”’」』）]*|[.!?…]+["'”’)\]]*|\n+|\p{Emoji_Presentation}+/gu;
/** Speech recognition may return a monologue without full stops; it is split so that every rule stays cheap. */
const MAX_SENTENCE_LENGTH = 1_000;

/** The sentences of a message with their positions. Punctuation belongs to its sentence. */
export const sentencesOf = (content: string): Span[] => {
  const ends: number[] = [];
  for (const match of content.matchAll(ENDING)) {
    const end = match.index + match[0].length;
    if (endsSentence(match[0], content, end)) ends.push(end);
  }
  return cutSpan({ text: content, start: 0, end: content.length }, ends).flatMap(cutLong);
};

/** Long enough for the last sentences of most texts. */
const END_LENGTH = 150;

/** The last sentences of a text, without reading all of it: the text before each clause of a message is asked for. */
export const lastSentencesOf = (text: string, count: number): string[] => {
  const all = sentencesOf(text.slice(-END_LENGTH));
  // Whether a sentence ends near the cut depends on what was cut off.
  const whole = all.filter((_, at) => (all[at - 1]?.end ?? 0) > LONGEST_ABBREVIATION);
  return (whole.length < count ? sentencesOf(text) : whole).slice(-count).map((sentence) => sentence.text);
};

const endsSentence = (mark: string, content: string, end: number): boolean => {
  const next = content.charAt(end);
  if (next === '' || mark.startsWith('\n')) return true;
  // "So happy 🎉 We moved": an emoji ends a sentence before a capital letter.
  if (/^\p{Emoji_Presentation}/u.test(mark))
    return (
      /[\p{L}\p{N}]\s?$/u.test(content.slice(0, end - mark.length).slice(-2)) &&
      /^\s(?:I\b|\p{Lu}\p{Ll})/u.test(content.slice(end, end + 3))
    );
  // Chinese and Japanese put no space after a sentence.
  if (/^[。！？]/.test(mark)) return true;
  if (!/\s/.test(next)) return /\p{Extended_Pictographic}/u.test(content.slice(end, end + 2));
  const begins = content.slice(end, end + 10).trimStart();
  if (/^(?:\.{2,}|…)/.test(mark)) return !/^\p{Ll}/u.test(begins);
  const word = content.slice(Math.max(0, end - LONGEST_ABBREVIATION), end);
  if (mark !== '.' || !ABBREVIATION.test(word)) return true;
  return WHOLE_WORD.test(word) && !/^\d/.test(begins);
};

const cutLong = (sentence: Span): Span[] => {
  const cuts: number[] = [];
  for (let from = 0; sentence.text.length - from > MAX_SENTENCE_LENGTH;) {
    const space = sentence.text.lastIndexOf(' ', from + MAX_SENTENCE_LENGTH);
    from = space > from ? space : from + MAX_SENTENCE_LENGTH;
    cuts.push(from);
  }
  return cuts.length === 0 ? [sentence] : cutSpan(sentence, cuts);
};

export const isQuestion = (sentence: string): boolean => /[?？]["'”’)\]」』]*$/.test(sentence);
