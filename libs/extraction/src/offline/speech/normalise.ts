const FILLER = new Set(['um', 'umm', 'uh', 'uhh', 'uhm', 'er', 'erm', 'hmm', 'hm', 'mmm', 'ah', 'eh']);
/** Words that are repeated on purpose. */
const DOUBLES = new Set([
  'had',
  'that',
  'very',
  'really',
  'so',
  'bye',
  'no',
  'many',
  'long',
  'far',
  'new',
  'knock',
  'bora',
]);
const LEADING = new Set([
  'so',
  'yeah',
  'yep',
  'well',
  'okay',
  'ok',
  'like',
  'right',
  'oh',
  'and',
  'but',
  'anyway',
  'then',
  'hey',
  'hi',
]);

interface Token {
  readonly text: string;
  readonly key: string;
}

/**
 * Removes disfluencies from transcribed speech: fillers, repeated words, false starts. Written text is unchanged.
 * Single pass.
 */
export const normaliseSpeech = (text: string): string => {
  const tokens = text.split(/\s+/).filter((part) => part !== '');
  const spoken: Token[] = [];
  for (const part of tokens) {
    const key = part.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
    if (FILLER.has(key)) continue;
    const last = spoken.at(-1);
    if (key !== '' && last?.key === key && !DOUBLES.has(key)) {
      spoken[spoken.length - 1] = { text: part, key };
      continue;
    }
    spoken.push({ text: part, key });
    collapsePair(spoken);
  }
  return dropAsides(spoken)
    .map((token) => token.text)
    .join(' ');
};

/** "my sister is my sister is" → "my sister is"; only pairs, which is what speech recognition repeats. */
const collapsePair = (spoken: Token[]): void => {
  const [a, b, c, d] = spoken.slice(-4);
  if (a !== undefined && d !== undefined && a.key === c?.key && b?.key === d.key && !/[.,;!?]$/.test(b.text)) {
    spoken.splice(-2);
  }
};

/** Removes "you know" and "like" used as fillers; "two dogs i mean three dogs" keeps the correction. */
const dropAsides = (spoken: readonly Token[]): Token[] => {
  const kept: Token[] = [];
  for (let index = 0; index < spoken.length; index += 1) {
    const token = spoken[index] as Token;
    const next = spoken[index + 1]?.key;
    if (kept.length === 0 && LEADING.has(token.key) && /^(?:i|i'm|i've|my|we|we're|so|yeah|um)$/.test(next ?? ''))
      continue;
    const atSeam = next === undefined || /^(?:and|but|so|i|my|we)$/.test(spoken[index + 2]?.key ?? 'and');
    if (token.key === 'you' && next === 'know' && kept.length > 0 && kept.at(-1)?.key !== 'let' && atSeam) {
      index += 1;
      continue;
    }
    if (token.key === 'i' && next === 'mean' && kept.length > 1) {
      const repaired = repair(kept, spoken.slice(index + 2));
      if (repaired !== null) return repaired;
    }
    if (token.key === 'like' && /^(?:love|hate|really|totally|work|live|went|got)$/.test(next ?? '')) continue;
    kept.push(token);
  }
  return kept;
};

/** Drops the words before "I mean" that the words after it replace. */
const repair = (before: readonly Token[], after: readonly Token[]): Token[] | null => {
  const [first, second] = after;
  const last = before.at(-1);
  if (first === undefined || last === undefined) return null;
  const same = second !== undefined && second.key === last.key;
  return same ? [...before.slice(0, -2), ...after] : null;
};

export const examples = [
  ['um so i uh i moved to to seattle last month', 'i moved to seattle last month'],
  ['yeah i work as a a nurse you know', 'i work as a nurse'],
  ['we got uh we got two dogs i mean three dogs', 'we got three dogs'],
  ['I live in Hue.', 'I live in Hue.'],
  ['I wanted to let you know I moved.', 'I wanted to let you know I moved.'],
  ['I had had enough of the very, very long talk.', 'I had had enough of the very, very long talk.'],
] as const;
