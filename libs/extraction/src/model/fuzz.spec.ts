import { ExtractionFailed } from '@turnkeeper/application';
import { admit, type Candidate, type WindowMessage } from '@turnkeeper/domain';
import { fuzzedAnswers } from '@turnkeeper/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf } from './completion.js';
import { aliasesOf } from './conversation.js';
import { readFacts } from './read-facts.js';
import { secrets } from '../secrets/secrets.js';

const WINDOW: WindowMessage[] = ['I have a dog 🐕 called Milo.', 'We moved to Hue.', ''].map((content, index) => ({
  eventId: `event-${index + 1}`,
  sequence: index + 1,
  role: 'user',
  speaker: null,
  content,
  at: '2023-05-08T12:00:00Z',
  source: null,
}));
const aliases = aliasesOf([], WINDOW);

/** Parts of valid answers, so that many random answers are nearly valid. */
const WORDS = {
  said: [...WINDOW.map(({ content }) => content), 'I have a dog', ' a dog \uD83D', 'We moved'],
  foreign: ['event-1', 'event-9'],
};
const anyString = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...WORDS.said));
const loose = <T>(proper: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: proper }, { weight: 1, arbitrary: fc.jsonValue() });

const read = (content: string): Candidate[] | ExtractionFailed => {
  try {
    return readFacts(content, aliases).candidates;
  } catch (error) {
    if (error instanceof ExtractionFailed) return error;
    throw error;
  }
};

const assertSound = (candidates: readonly Candidate[]): void => {
  for (const { text, sources, ...rest } of candidates) {
    expect(typeof text).toBe('string');
    expect(rest).toEqual({});
    for (const { eventId, quote, ...more } of sources) {
      expect([typeof eventId, typeof quote, more]).toEqual(['string', 'string', {}]);
    }
  }
  const { records, confirmed, refused } = admit({
    candidates,
    window: WINDOW,
    known: [{ recordId: 'known', text: 'We moved', statedAt: '2023-01-01T00:00:00Z', slot: null }],
    namespace: '/own',
    secrets,
    newId: (index) => `r${index}`,
  });
  for (const { sources, namespace, text } of records) {
    expect(namespace).toBe('/own');
    expect(text).not.toMatch(/[\0\p{Cs}]/u);
    expect(sources.length).toBeGreaterThan(0);
  }
  for (const { eventId, quote, sequence } of [...records, ...confirmed].flatMap(({ sources }) => sources)) {
    const cited = WINDOW.find((message) => message.eventId === eventId);
    expect(cited?.sequence).toBe(sequence);
    expect(cited?.content).toContain(quote);
    expect(quote).not.toMatch(/[\0\p{Cs}]/u);
  }
  expect(JSON.stringify(refused)).not.toMatch(/\\u0000|\\ud[89ab][0-9a-f]{2}/i);
};

describe('ten thousand random answers', { timeout: 60_000 }, () => {
  it('give well-typed candidates or a failure with a code, and never an invalid record', () => {
    let readable = 0;
    let admitted = 0;
    fc.assert(
      fc.property(fuzzedAnswers(WORDS), (content) => {
        const outcome = read(content);
        if (outcome instanceof ExtractionFailed) {
          expect(outcome.code).toMatch(/^model\.(unreadable|truncated)_answer$/);
          expect(outcome.rawAnswer).not.toMatch(/[\0\p{Cs}]/u);
          return;
        }
        readable += 1;
        if (outcome.length > 0) admitted += 1;
        assertSound(outcome);
      }),
      { numRuns: 10_000, seed: 20_261_120 },
    );
    // Otherwise the generator would have tested only rejections.
    expect(readable).toBeGreaterThan(1_000);
    expect(admitted).toBeGreaterThan(500);
  });

  it('never cause another error if the whole body is random', () => {
    const body = fc.oneof(
      fc.json(),
      anyString,
      fc
        .record({
          choices: loose(
            fc.array(
              loose(
                fc.record({
                  message: loose(fc.record({ content: loose(anyString), refusal: loose(fc.constant(null)) })),
                  finish_reason: loose(fc.constantFrom('stop', 'length', null)),
                }),
              ),
            ),
          ),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(
        body,
        fc.constantFrom(200, 200, 200, 204, 400, 404, 429, 500, 503),
        anyString,
        (text, status, retryAfter) => {
          try {
            expect(typeof contentOf({ status, text, retryAfter }, 0)).toBe('string');
          } catch (error) {
            expect(error).toBeInstanceOf(ExtractionFailed);
          }
        },
      ),
      { numRuns: 3_000, seed: 20_261_120 },
    );
  });
});
