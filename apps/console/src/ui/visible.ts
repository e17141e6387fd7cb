/** A piece of stored text: shown as it is, or the name of a character that would be invisible or reorder the text. */
export type Piece = { readonly text: string } | { readonly code: string };

/**
 * Characters that hide or reorder text: C0 and C1 controls other than tab and newline, bidirectional marks, overrides
 * and isolates, zero-width characters, byte order marks, tags and lone surrogates.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** Splits stored text so that no character can hide or reorder what the reader sees. */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match[0] === '\r' && text[match.index + 1] === '\n') continue;
    if (isJoinerInEmoji(text, match.index, match[0])) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    const point = match[0].codePointAt(0) ?? 0;
    pieces.push({ code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
};

/** A zero-width joiner between two pictures makes one picture, as in families and flags. */
const isJoinerInEmoji = (text: string, index: number, character: string): boolean =>
  character === '\u200d' &&
  /\p{Extended_Pictographic}\ufe0f?$/u.test(text.slice(Math.max(0, index - 4), index)) &&
  /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));

/** Splits a text at the quotes in it. Overlapping quotes are one. */
export const markQuotes = (text: string, quotes: readonly string[]): { text: string; marked: boolean }[] => {
  const ranges = quotes
    .filter((quote) => quote !== '')
    .map((quote) => ({ from: text.indexOf(quote), length: quote.length }))
    .filter(({ from }) => from >= 0)
    .map(({ from, length }) => ({ from, to: from + length }))
    .sort((a, b) => a.from - b.from);
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { from, to } of ranges) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    if (start > at) parts.push({ text: text.slice(at, start), marked: false });
    parts.push({ text: text.slice(start, to), marked: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
};
