/** JSON found in a model's text, or why none was found. */
export type FoundJson =
  { readonly kind: 'found'; readonly value: unknown } | { readonly kind: 'truncated' } | { readonly kind: 'none' };

const MAX_ANCHORS = 20;
const ANSWER_KEYS = ['facts', 'summary'] as const;
const FENCE = '```';

/**
 * Finds the answer object in a model's text: bare, in a code fence, in a JSON string, or surrounded by prose. Trailing
 * commas and line breaks within texts are accepted, truncated objects are not. If there are several objects the last one is used, because reasoning models
 * answer at the end. Linear time.
 */
export const findJson = (text: string): FoundJson => {
  const bare = parsed(text.trim());
  if (typeof bare === 'string') return findJson(bare);
  if (bare !== undefined) return { kind: 'found', value: bare };
  let truncated = false;
  for (const start of anchorsIn(text)) {
    const found = valueAt(text, start);
    truncated ||= found === null;
    const value = found === null ? undefined : parsed(found);
    if (value !== undefined) return { kind: 'found', value };
  }
  return { kind: truncated ? 'truncated' : 'none' };
};

/**
 * Possible starts of an answer, last first: an object that begins with one of our keys, or an array of objects at the
 * beginning or directly after a code fence. Single pass: white space is skipped once.
 */
const anchorsIn = (text: string): number[] => {
  const first = skipSpace(text, 0);
  const anchors = text[first] === '[' && text[skipSpace(text, first + 1)] === '{' ? [first] : [];
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{') {
      const next = skipSpace(text, index + 1);
      if (beginsWithKey(text, next)) anchors.push(index);
      index = next - 1;
    } else if (text.startsWith(FENCE, index)) {
      const tag = index + FENCE.length;
      const next = skipSpace(text, text.slice(tag, tag + 4).toLowerCase() === 'json' ? tag + 4 : tag);
      if (text[next] === '[') anchors.push(next);
      index = next - 1;
    }
  }
  return anchors.slice(-MAX_ANCHORS).reverse();
};

const beginsWithKey = (text: string, at: number): boolean =>
  text[at] === '"' &&
  ANSWER_KEYS.some((key) => {
    const end = at + 1 + key.length;
    return text.slice(at + 1, end).toLowerCase() === key && text[end] === '"' && text[skipSpace(text, end + 1)] === ':';
  });

const skipSpace = (text: string, from: number): number => {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
};

/** JSON white space, and the spaces that models use in prose. */
const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff || code === 0x2028;

/** The value that starts at `start`, without trailing commas; null if it is incomplete. Single pass, no recursion. */
const valueAt = (text: string, start: number): string | null => {
  const kept: string[] = [];
  let [depth, copiedTo, inString] = [0, start, false];
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return kept.join('') + text.slice(copiedTo, index + 1);
    } else if (char === ',') {
      const next = skipSpace(text, index + 1);
      if (text[next] === '}' || text[next] === ']') {
        kept.push(text.slice(copiedTo, index));
        copiedTo = index + 1;
      }
      index = next - 1;
    }
  }
  return null;
};

/** Undefined if a text is no JSON, even without the line breaks in its strings. */
const parsed = (text: string): unknown => {
  for (const attempt of [text, text.replaceAll(/[\t\n\r]/g, ' ')]) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // Try the next one.
    }
  }
  return undefined;
};
