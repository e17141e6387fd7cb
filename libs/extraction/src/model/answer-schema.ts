/** The shape of an answer, as the `json_schema` response format of OpenAI's chat API wants it (strict mode). */
export const ANSWER_SCHEMA = {
  name: 'facts',
  strict: true,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['facts'],
    properties: {
      facts: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['text', 'sources'],
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
          },
        },
      },
    },
  },
} as const;
