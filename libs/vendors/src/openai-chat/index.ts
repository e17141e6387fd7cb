import type { Vendor } from '../vendor.js';
import { chatErrors } from './errors.js';
import { createChatCompletion } from './routes.js';

/** OpenAI's chat completions, which many platforms take as the URL of a model. */
export const openaiChat = {
  name: 'openai-chat',
  api: {
    routes: [createChatCompletion],
    errors: chatErrors,
    tag: "A chat model with memory: OpenAI's chat completions in front of any model.",
  },
} as const satisfies Vendor;
