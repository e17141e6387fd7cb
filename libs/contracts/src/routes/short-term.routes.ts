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
  summary: 'Gives the newest messages of a session, oldest first.',
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
  summary: 'Gives the newest messages of a session as text: `ROLE: content`, a blank line between.',
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
  summary: 'Begins a session anew: context and exact match no longer show what was said before. The log keeps it.',
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
  summary: 'Finds the answer to a question that was asked in this session in exactly these words.',
});

export const findAnswerOfActor = route({
  ...exactMatch,
  id: 'findAnswerOfActor',
  path: `${actor}/exact-match`,
  summary: 'The same in all sessions of an actor.',
});

export const findAnswerInMemory = route({
  ...exactMatch,
  id: 'findAnswerInMemory',
  path: `${memory}/exact-match`,
  summary: 'The same in the whole memory, whoever asked.',
});
