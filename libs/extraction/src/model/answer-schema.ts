import { keepsRollingMemory, RECORD_CATEGORIES, RELATION_KINDS, STRENGTHS, strictSchema } from '@turnkeeper/domain';
import type { Asked } from './prompts/system-prompt.js';

const TEXT = { type: 'string' } as const;
const DAY = { type: ['string', 'null'], description: 'YYYY-MM-DD' } as const;

/** Strict mode requires every property, so an absent one is null. */
const objectOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: object) => ({ type: 'array', items });
const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });

const FACT = {
  text: { ...TEXT, description: 'In the third person.' },
  sources: listOf(
    objectOf({
      event: { ...TEXT, description: 'Id of the message, e.g. m1.' },
      quote: { ...TEXT, description: 'Copied from that message, character for character.' },
    }),
  ),
  category: oneOf(RECORD_CATEGORIES),
  subject: { type: ['string', 'null'], description: 'Null for the person with role user.' },
  attribute: orNull(
    objectOf({
      name: { ...TEXT, description: 'English, lower case with underscores.' },
      value: { ...TEXT, description: 'In its usual written form.' },
      single: { type: 'boolean', description: 'Whether a newer value takes its place.' },
    }),
  ),
  strength: orNull(oneOf(STRENGTHS)),
  event_time: orNull(objectOf({ from: DAY, to: DAY })),
  relations: listOf(
    objectOf({
      kind: oneOf(RELATION_KINDS),
      record: { type: 'integer', description: 'Number of an existing record.' },
    }),
  ),
};
const summary = { ...TEXT, description: 'The summary so far, brought up to date with this conversation.' };

/** The answer's format for the `json_schema` response format of OpenAI's chat API (strict mode). */
export const answerSchema = ({ strategyType, outputSchema }: Asked) => {
  const data = outputSchema == null ? {} : { data: strictSchema(outputSchema) };
  const facts = listOf(objectOf({ ...FACT, ...data }));
  return keepsRollingMemory({ type: strategyType })
    ? { name: 'facts_and_summary', strict: true, schema: objectOf({ facts, summary }) }
    : { name: 'facts', strict: true, schema: objectOf({ facts }) };
};
