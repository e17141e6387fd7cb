import { chatCompletionBody, chatCompletionView, chatErrorView, chatHeaders, chatQuery } from '../http/chat.js';
import { routesOf } from './route.js';

const route = routesOf('Chat');

export const createChatCompletion = route('createChatCompletion', 'POST', '/v1/chat/completions', {
  summary:
    "Forward a request to the model in OpenAI's format, with what is remembered of the user, and store both turns. Streams if `stream` is true.",
  scope: 'memory:write',
  query: chatQuery,
  headers: chatHeaders,
  body: chatCompletionBody,
  response: chatCompletionView,
  refusal: chatErrorView,
});
