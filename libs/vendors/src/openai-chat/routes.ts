import { route } from '@turnkeeper/contracts';
import { chatCompletionBody, chatCompletionView, chatErrorView, chatHeaders, chatQuery } from './bodies.js';

export const createChatCompletion = route({
  id: 'createChatCompletion',
  method: 'POST',
  path: '/v1/chat/completions',
  tag: 'Chat',
  summary:
    "Forward a request to the model in OpenAI's format, with what is remembered of the user, and store both turns. Streams if `stream` is true.",
  scope: 'memory:write',
  userData: 'resolved',
  status: 200,
  query: chatQuery,
  headers: chatHeaders,
  body: chatCompletionBody,
  response: chatCompletionView,
  refusal: chatErrorView,
});
