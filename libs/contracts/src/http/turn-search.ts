import { z } from 'zod';
import { words } from './common.js';
import { eventView } from './event-views.js';

/** Maximum length of a question in characters. */
const MAX_QUERY = 10_000;

const searchFields = {
  query: words(MAX_QUERY),
  limit: z.number().int().min(1, 'must be at least 1').max(100, 'must be at most 100').default(10),
  scoreThreshold: z
    .number()
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(0)
    .describe('Omit hits below this score. 0.5 omits most turns that only share words with the query.'),
  window: z
    .number()
    .int()
    .min(0, 'must be at least 0')
    .max(10, 'must be at most 10')
    .default(0)
    .describe('Number of neighbouring turns to return on each side of a hit.'),
  explain: z.boolean().default(false).describe('Also return the components of the score.'),
};

export const searchTurnsBody = z.strictObject(searchFields);
export type SearchTurnsBody = z.infer<typeof searchTurnsBody>;

export const searchSessionTurnsBody = z.strictObject({
  ...searchFields,
  afterSequence: z
    .number()
    .int()
    .min(1, 'must be at least 1')
    .optional()
    .describe('Reject the request if the session has not reached this sequence.'),
});

/** The components of a hit's score. */
const scorePartsView = z
  .object({
    context: z.number().describe('Matching words in the turn and its neighbours.'),
    own: z.number().describe('Matching words in the turn itself.'),
    session: z.number().describe('Matching words in the whole session.'),
    answersQuestion: z.number().describe('Matching words in the question that the turn answers.'),
    date: z.number().describe('The turn is from a day that the query names.'),
    when: z.number().describe('The query asks for a time, and the turn names one.'),
    names: z.number().describe('The turn contains names or quotes.'),
    opening: z.number().describe('The turn opens its session.'),
    asks: z.number().describe('The turn is itself a question.'),
    meaning: z.number().describe('Semantic similarity; 0 without embeddings.'),
    speakerFactor: z
      .number()
      .describe('Factor for the sum of the other components; not 1 if the query names a speaker.'),
  })
  .meta({ id: 'TurnScoreParts' });

export const turnHitView = z
  .object({
    score: z.number().describe('0-1, higher is better.'),
    actorId: z.string(),
    sessionId: z.string(),
    event: eventView,
    before: z.array(eventView).describe('With `window`: the turns directly before it, in order.'),
    after: z.array(eventView).describe('With `window`: the turns directly after it, in order.'),
    explain: scorePartsView.optional(),
  })
  .meta({ id: 'TurnHit' });
