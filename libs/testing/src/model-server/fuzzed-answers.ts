import fc from 'fast-check';

/** What comes up in random answers again and again, so that many come close to one that counts. */
export interface FuzzWords {
  /** Texts of the messages that the model is shown, or parts of them. */
  readonly said: readonly string[];
  /** Names that are not the model's to use: of other messages, namespaces, tenants. */
  readonly foreign: readonly string[];
}

/** The window's first message most of all. */
const NAMES = ['m1', 'm1', 'm1', 'm2', 'c1', 'm9'];

/**
 * What a model may write when it is as wrong as it can be: parts of true answers in every wrong place, cuts, fences,
 * prose and noise around them.
 */
export const fuzzedAnswers = ({ said, foreign }: FuzzWords): fc.Arbitrary<string> => {
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('__proto__', '\0', '\uD83D', 'x'.repeat(17_000), ...foreign),
  );
  const mostly = (words: readonly string[]) =>
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: noise });
  const loose = <T>(proper: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 40, arbitrary: proper }, { weight: 1, arbitrary: fc.jsonValue() });
  // Now and then a key is missing.
  const source = fc.oneof(
    { weight: 20, arbitrary: fc.record({ event: loose(mostly(NAMES)), quote: loose(mostly(said)) }) },
    { weight: 1, arbitrary: fc.record({ event: mostly(NAMES), quote: noise }, { requiredKeys: [] }) },
  );
  const sources = fc.oneof(
    { weight: 8, arbitrary: fc.array(loose(source), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  );
  const text = fc.oneof(
    mostly(said),
    fc.tuple(fc.constantFrom(...said), fc.nat({ max: 999 })).map(([words, n]) => `${words} ${inLetters(n)}`),
    // A number that nobody said.
    fc.tuple(fc.constantFrom(...said), fc.nat({ max: 999 })).map(([words, n]) => `${words} ${n}`),
  );
  const fact = fc.record(
    { text: loose(text), sources: loose(sources), namespace: noise },
    { requiredKeys: ['text', 'sources'] },
  );
  const answer = fc
    .record({ facts: loose(fc.array(loose(fact), { maxLength: 5 })), tenantId: noise }, { requiredKeys: ['facts'] })
    .map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: answer },
    { weight: 2, arbitrary: fc.tuple(noise, answer, noise).map((parts) => parts.join('\n')) },
    { weight: 1, arbitrary: fc.tuple(answer, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))) },
    { weight: 1, arbitrary: answer.map((text) => `\`\`\`json\n${text}\n\`\`\``) },
    { weight: 1, arbitrary: noise },
  );
};

/** A word of its own for each number. */
const inLetters = (n: number): string => String(n).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

/** So many of them, always the same for one seed. */
export const sampleFuzzedAnswers = (words: FuzzWords, count: number, seed: number): string[] =>
  fc.sample(fuzzedAnswers(words), { numRuns: count, seed });
