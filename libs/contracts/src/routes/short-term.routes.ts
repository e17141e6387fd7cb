import { contextQuery, contextView, exactMatchQuery, exactMatchView, formattedView } from '../http/short-term.js';
import { route } from './route.js';

const tag = 'Short-term memory';
const memory = '/v1/memories/{memoryId}';
const actor = `${memory}/actors/{actorId}` as const;
const session = `${actor}/sessions/{sessionId}` as const;

export const getContext = route({
  id: 'getContext',
  method: 'GET',
  path: `${session}/context`,
  tag,
  summary: "Get a session's newest messages, oldest first.",
  scope: 'memory:read',
  query: contextQuery,
  status: 200,
  response: contextView,
});

export const formatContext = route({
  id: 'formatContext',
  method: 'GET',
  path: `${session}/format`,
  tag,
  summary: "Get a session's newest messages as text: `ROLE: content`, separated by blank lines.",
  scope: 'memory:read',
  query: contextQuery,
  status: 200,
  response: formattedView,
});

export const clearSession = route({
  id: 'clearSession',
  method: 'POST',
  path: `${session}/clear`,
  tag,
  summary: 'Reset a session: context and exact match no longer show earlier messages. The log keeps them.',
  scope: 'memory:write',
  status: 204,
  response: null,
});

const exactMatch = {
  method: 'GET',
  tag,
  scope: 'memory:read',
  query: exactMatchQuery,
  status: 200,
  response: exactMatchView,
} as const;

export const findAnswerInSession = route({
  ...exactMatch,
  id: 'findAnswerInSession',
  path: `${session}/exact-match`,
  summary: 'Find the answer to the same question, word for word, in this session.',
});

export const findAnswerOfActor = route({
  ...exactMatch,
  id: 'findAnswerOfActor',
  path: `${actor}/exact-match`,
  summary: 'Find the answer to the same question in all sessions of an actor.',
});

export const findAnswerInMemory = route({
  ...exactMatch,
  id: 'findAnswerInMemory',
  path: `${memory}/exact-match`,
  summary: 'Find the answer to the same question in the whole memory, for any actor.',
});
