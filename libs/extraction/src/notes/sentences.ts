/** A part of a message: `content.slice(start, end) === text`. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A full stop after these does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|sra|vs|etc|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m|no|nr|str|bzw|approx|\p{L})\.$/iu;
const LONGEST_ABBREVIATION = 12;
const DAY_OF_MONTH = /(?<!\d)\d{1,2}\. (?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)/iu;
const ENDING = /[。！？]+[”’」』）]*|[.!?…]+["'”’)\]]*|\n+/gu;
/** Speech recognition may return a monologue without full stops. */
const MAX_SENTENCE_LENGTH = 600;

/** The sentences of a message with their positions, without surrounding white space. Punctuation belongs to its sentence. */
export const sentencesOf = (content: string): Span[] => {
  const ends: number[] = [];
  for (const match of content.matchAll(ENDING)) {
    const end = match.index + match[0].length;
    if (endsSentence(match[0], content, end)) ends.push(end);
  }
  return [...ends, content.length].flatMap((end, index) => cutLong(content, ends[index - 1] ?? 0, end));
};

export const spanOf = (content: string, from: number, to: number): Span | null => {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(content.charAt(start))) start += 1;
  while (end > start && /\s/.test(content.charAt(end - 1))) end -= 1;
  return start === end ? null : { text: content.slice(start, end), start, end };
};

const endsSentence = (mark: string, content: string, end: number): boolean => {
  const next = content.charAt(end);
  if (next === '' || mark.startsWith('\n') || /^[。！？]/.test(mark)) return true;
  if (!/\s/.test(next)) return false;
  // "zum 1. Juli"
  if (mark === '.' && DAY_OF_MONTH.test(content.slice(Math.max(0, end - 4), end + 5))) return false;
  if (/^(?:\.{2,}|…)/.test(mark)) return !/^\s*\p{Ll}/u.test(content.slice(end, end + 10));
  return mark !== '.' || !ABBREVIATION.test(content.slice(Math.max(0, end - LONGEST_ABBREVIATION), end));
};

const cutLong = (content: string, from: number, to: number): Span[] => {
  const spans: Span[] = [];
  let start = from;
  while (to - start > MAX_SENTENCE_LENGTH) {
    const space = content.lastIndexOf(' ', start + MAX_SENTENCE_LENGTH);
    const end = space > start ? space : wholeCharacter(content, start + MAX_SENTENCE_LENGTH);
    const part = spanOf(content, start, end);
    if (part !== null) spans.push(part);
    start = end;
  }
  const last = spanOf(content, start, to);
  return last === null ? spans : [...spans, last];
};

/** A cut never splits a surrogate pair. */
const wholeCharacter = (content: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(content.charAt(at)) ? at + 1 : at;

export const isQuestion = (sentence: string): boolean => /[?？]["'”’)\]」』]*$/.test(sentence);
