import { keepsRollingMemory, type StrategyType } from '@turnkeeper/domain';

const facts = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['text', 'sources', 'event_time', 'relation'],
    properties: {
      text: { type: 'string', description: 'One sentence in the third person.' },
      sources: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['event', 'quote'],
          properties: {
            event: { type: 'string', description: 'Id of the message, e.g. m1.' },
            quote: { type: 'string', description: 'Copied from that message, character for character.' },
          },
        },
      },
      event_time: {
        type: ['object', 'null'],
        description: 'The days it speaks of, both included; null where the words tell none.',
        additionalProperties: false,
        required: ['from', 'to'],
        properties: {
          from: { type: ['string', 'null'], description: 'YYYY-MM-DD' },
          to: { type: ['string', 'null'], description: 'YYYY-MM-DD; null while it goes on.' },
        },
      },
      relation: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'record', 'reason'],
        properties: {
          kind: { type: 'string', enum: ['new', 'sameAs', 'replaces'] },
          record: { type: ['integer', 'null'], description: 'Number of an existing record; null for new.' },
          reason: { type: 'string', description: 'A few words.' },
        },
      },
    },
  },
} as const;
const summary = { type: 'string', description: 'The summary so far with this conversation taken in.' } as const;

const schemaOf = (name: string, properties: Readonly<Record<string, object>>) => ({
  name,
  strict: true,
  schema: { type: 'object', additionalProperties: false, required: Object.keys(properties), properties },
});

/** The answer's format for the `json_schema` response format of OpenAI's chat API (strict mode). */
export const answerSchema = (type: StrategyType) =>
  keepsRollingMemory({ type }) ? schemaOf('facts_and_summary', { facts, summary }) : schemaOf('facts', { facts });
