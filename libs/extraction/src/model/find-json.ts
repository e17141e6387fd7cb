/** JSON found in a model's text, or why there is none. */
export type FoundJson =
  { readonly kind: 'found'; readonly value: unknown } | { readonly kind: 'truncated' } | { readonly kind: 'none' };

const MOST_ANCHORS = 20;

/**
 * Finds the answer object in what a model wrote: bare, in a code fence, or between prose. Trailing commas are
 * forgiven, an object that breaks off is not. When several objects are there the last one counts: models that
 * think aloud answer at the end.
 */
export const findJson = (text: string): FoundJson => {
  const bare = parseLenient(text.trim());
  if (bare !== undefined) return { kind: 'found', value: bare };
  let truncated = false;
  for (const start of anchorsIn(text)) {
    const end = endOfValue(text, start);
    if (end === null) {
      truncated = true;
      continue;
    }
    const value = parseLenient(text.slice(start, end));
    if (value !== undefined) return { kind: 'found', value };
  }
  return { kind: truncated ? 'truncated' : 'none' };
};

/** Where an answer may begin, last first: an object that begins with one of our keys, or an array right after a code fence. */
const anchorsIn = (text: string): number[] => {
  const anchors = [...text.matchAll(/\{\s*"(?:facts|summary)"\s*:|(?<=```(?:json)?\s*)\[/gi)].map(({ index }) => index);
  return anchors.slice(-MOST_ANCHORS).reverse();
};

/** The offset behind the value that starts at `start`; null when it never ends. One pass, no recursion. */
const endOfValue = (text: string, start: number): number | null => {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return null;
};

const parseLenient = (text: string): unknown => {
  for (const attempt of [text, withoutTrailingCommas(text)]) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // the next attempt, or none
    }
  }
  return undefined;
};

/** Drops a comma before a closing bracket, outside of strings. */
const withoutTrailingCommas = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/gs, (match) => (match === ',' ? '' : match));
