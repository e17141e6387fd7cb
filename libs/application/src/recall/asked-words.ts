/** Longer messages are searched for by their start and end. */
const MOST = 1_000;
const HALF = MOST / 2;

/**
 * The words of a message to search for: all of a short one, and whole words from the start and the end of a long one. That
 * is where people ask; with everything between them, the question's words would hardly count (docs/quality.md).
 */
export const askedWords = (message: string): string => {
  if (message.length <= MOST) return message;
  const text = message.replace(/\s+/gu, ' ').trim();
  if (text.length <= MOST) return text;
  const start = text.slice(0, HALF);
  const end = text.slice(1 - HALF);
  const space = start.lastIndexOf(' ');
  return `${space < 0 ? start : start.slice(0, space)} ${end.slice(end.indexOf(' ') + 1)}`.toWellFormed();
};
