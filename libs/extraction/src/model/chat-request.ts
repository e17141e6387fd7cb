import { createHash } from 'node:crypto';
import type { ExtractionInput } from '@turnkeeper/application';
import { ANSWER_SCHEMA } from './answer-schema.js';
import { renderConversation } from './conversation.js';
import { strategyPrompt } from './prompts/strategy-prompts.js';
import { FORMAT_PROMPT, SYSTEM_PROMPT } from './prompts/system-prompt.js';

/** Body of `POST /chat/completions`. */
export const chatRequest = (model: string, input: ExtractionInput, useSchema: boolean): object => {
  const system = [SYSTEM_PROMPT, strategyPrompt(input.strategyType, input.customPrompt)];
  return {
    model,
    messages: [
      { role: 'system', content: (useSchema ? system : [...system, FORMAT_PROMPT]).join('\n\n') },
      { role: 'user', content: renderConversation(input.context, input.messages) },
    ],
    stream: false,
    ...(useSchema ? { response_format: { type: 'json_schema', json_schema: ANSWER_SCHEMA } } : {}),
  };
};

/** SHA-256 (hex) of all that we tell a model apart from the conversation itself. */
export const promptHash = (input: Pick<ExtractionInput, 'strategyType' | 'customPrompt'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        SYSTEM_PROMPT,
        strategyPrompt(input.strategyType, input.customPrompt),
        FORMAT_PROMPT,
        ANSWER_SCHEMA,
      ]),
    )
    .digest('hex');
