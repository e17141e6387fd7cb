import { z } from 'zod';
import { count, url } from './setting-kinds.js';
import { setting } from './define-settings.js';

/** The model behind `POST /v1/chat/completions`. */
export const chatSettings = {
  CHAT_MODEL_URL: setting(
    url('http:', 'https:').optional(),
    'OpenAI-compatible endpoint to which ingest forwards /v1/chat/completions, with the memory of the user. Unset: such requests are rejected.',
    { example: 'https://api.openai.com/v1' },
  ),
  CHAT_MODEL_API_KEY: setting(
    z.string().min(1).optional(),
    'Bearer token of that endpoint, for requests without the header Turnkeeper-Model-Key.',
    { secret: true },
  ),
  CHAT_MEMORY_TOKENS: setting(
    count(800, 100, 16_000),
    'Maximum size of the memory that is added to a forwarded request, in tokens (o200k).',
  ),
  CHAT_MEMORY_MS: setting(
    count(500, 10, 60_000),
    'How long a forwarded request waits for the memory, in milliseconds. After that, it counts as unavailable.',
  ),
  CHAT_WITHOUT_MEMORY: setting(
    z.enum(['forward', 'reject']).default('forward'),
    'What happens if the memory cannot be read or the turns cannot be stored. forward: the call goes on, with a log line and the metric chat_memory_failures_total; reject: the request fails with 503.',
  ),
} as const;
