import { z } from 'zod';
import { text } from './common.js';
import { eventView } from './event-views.js';

/** Maximum length of a question in characters. */
const MAX_QUERY = 10_000;
export const searchQueryText = text(MAX_QUERY, 1).refine((value) => value.trim() !== '', 'must not be blank');

const searchFields = {
  query: searchQueryText,
  limit: z.number().int().min(1, 'must be at least 1').max(100, 'must be at most 100').default(10),
  scoreThreshold: z
    .number()
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(0)
    .describe('Hits below this score are left out. 0.5 leaves out most of what only shares words with the query.'),
  window: z
    .number()
    .int()
    .min(0, 'must be at least 0')
    .max(10, 'must be at most 10')
    .default(0)
    .describe('Turns to bring along on each side of a hit.'),
  explain: z.boolean().default(false).describe('Also tell what the score is made of.'),
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
    .describe('Refuse, rather than search, while the session does not hold this sequence.'),
});

/** The components of a hit's score. */
const scorePartsView = z
  .object({
    context: z.number().describe('Words of the turn and of those around it.'),
    own: z.number().describe('Words of the turn itself.'),
    session: z.number().describe('Words of its whole session.'),
    answersQuestion: z.number().describe('Words of the question that it follows.'),
    date: z.number().describe('It is from a day that the query names.'),
    when: z.number().describe('It says when, and the query asks for that.'),
    names: z.number().describe('It holds names or quotes.'),
    opening: z.number().describe('It opens its session.'),
    asks: z.number().describe('It asks something itself.'),
    meaning: z.number().describe('Likeness of meaning; 0 without embeddings.'),
    speakerFactor: z.number().describe('Multiplies the sum of the others when the query names its speaker.'),
  })
  .meta({ id: 'TurnScoreParts' });

export const turnHitView = z
  .object({
    score: z.number().describe('0-1, higher is nearer.'),
    actorId: z.string(),
    sessionId: z.string(),
    event: eventView,
    before: z.array(eventView).describe('With `window`: the turns right before it, in order.'),
    after: z.array(eventView).describe('With `window`: the turns right after it, in order.'),
    explain: scorePartsView.optional(),
  })
  .meta({ id: 'TurnHit' });
