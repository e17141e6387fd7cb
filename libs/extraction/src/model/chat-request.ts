import { createHash } from 'node:crypto';
import type { ExtractionInput } from '@turnkeeper/application';
import { answerSchema } from './answer-schema.js';
import { renderConversation } from './conversation.js';
import { type Asked, formatPrompt, PROMPT_VERSION, SYSTEM_PROMPT, taskPrompt } from './prompts/system-prompt.js';

/** What the endpoint offers. */
export interface ChatOptions {
  readonly useSchema: boolean;
  readonly setTemperature: boolean;
}

/**
 * Body of `POST /chat/completions`. What is the same in all requests comes first, then what is the same in those of a
 * strategy, so that an endpoint can cache the beginning.
 */
export const chatRequest = (
  model: string,
  input: ExtractionInput,
  { useSchema, setTemperature }: ChatOptions,
): object => {
  const system = [SYSTEM_PROMPT, taskPrompt(input)];
  return {
    model,
    messages: [
      { role: 'system', content: (useSchema ? system : [...system, formatPrompt(input)]).join('\n\n') },
      { role: 'user', content: renderConversation(input) },
    ],
    stream: false,
    ...(setTemperature ? { temperature: 0 } : {}),
    ...(useSchema ? { response_format: { type: 'json_schema', json_schema: answerSchema(input) } } : {}),
  };
};

/** SHA-256 (hex) of everything sent to the model except the conversation itself. */
export const promptHash = (input: Asked): string =>
  createHash('sha256')
    .update(
      JSON.stringify([PROMPT_VERSION, SYSTEM_PROMPT, taskPrompt(input), formatPrompt(input), answerSchema(input)]),
    )
    .digest('hex');
