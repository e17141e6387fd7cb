import type { ApiErrors } from '../vendor.js';
import { createChatCompletion } from './routes.js';

/** OpenAI's `type` by status; clients choose their error class by the status itself. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** An error in OpenAI's format. */
export const chatError = (
  status: number,
  { code, message, param = null }: { readonly code: string; readonly message: string; readonly param?: string | null },
): object => ({
  error: { message, type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), param, code },
});

/** Errors of the chat route, so that clients of OpenAI's API show them as they show the model's own. */
export const chatErrors: ApiErrors = {
  prefixes: [createChatCompletion.path],
  answer: ({ status, code, title, detail = title, field, next }) => ({
    status,
    body: chatError(status, {
      code,
      message: [detail, next].filter((part) => typeof part === 'string').join(' '),
      param: typeof field === 'string' ? field : null,
    }),
  }),
};
