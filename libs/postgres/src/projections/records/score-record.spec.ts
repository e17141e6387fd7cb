import type { RecordSource } from '@turnkeeper/domain';
import { expect, it } from 'vitest';
import { scorer } from './score-record.js';

const ALLERGY = "I'm allergic to peanuts.";
const source = (quote: string, context = false): RecordSource => ({
  ...{ eventId: quote, sequence: 1, role: 'user', quote },
  ...(context ? { context } : {}),
});

const scoreOf = (question: string, text: string, ...sources: RecordSource[]): number =>
  scorer(question, [], [])({ text, sources }, 0.9, { likeness: null, compared: 5 }).score;

it('is not raised by the sentence that a note quotes before its statement', () => {
  const said = 'Your next box comes on Thursday evening.';
  const note = [`Agent said: "${said}"`, source(said)] as const;
  const question = 'What is she allergic to?';
  const after = scoreOf(question, `After User said "${ALLERGY}", ${note[0]}`, note[1], source(ALLERGY, true));
  expect(after).toBe(scoreOf(question, ...note));
  expect(after).toBeLessThan(scoreOf(question, `User said: "${ALLERGY}"`, source(ALLERGY)));
});

it('is raised by the question that it answers', () => {
  const [asked, said] = ['Which branch do you use?', 'Leith.'];
  const question = 'Which branch does she use?';
  const answer = scoreOf(question, `Asked "${asked}", User said: "${said}"`, source(said), source(asked, true));
  expect(answer).toBeGreaterThan(scoreOf(question, `User said: "${said}"`, source(said)));
});
