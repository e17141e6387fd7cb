import fc from 'fast-check';

/** Words that recur in random answers, so that many answers come close to a valid one. */
export interface FuzzWords {
  /** Texts of the messages shown to the model, or parts of them. */
  readonly said: readonly string[];
  /** Names the model must not use: of other messages, namespaces or tenants. */
  readonly foreign: readonly string[];
}

/** Weighted toward the window's first message. */
const NAMES = ['m1', 'm1', 'm1', 'm2', 'c1', 'm9'];

/**
 * Answers of a maximally wrong model: fragments of valid answers in wrong places, truncation, code fences, prose and
 * noise.
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
  // Sometimes omits a key.
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
    // A number that does not occur in the messages.
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

/** A distinct word for each number. */
const inLetters = (n: number): string => String(n).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

/** Returns `count` samples, deterministic for a seed. */
export const sampleFuzzedAnswers = (words: FuzzWords, count: number, seed: number): string[] =>
  fc.sample(fuzzedAnswers(words), { numRuns: count, seed });
