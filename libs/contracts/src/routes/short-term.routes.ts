import {
  contextQuery,
  contextView,
  exactMatchBody,
  exactMatchQuery,
  exactMatchView,
  formattedView,
} from '../http/short-term.js';
import { routesOf } from './route.js';

const route = routesOf('Short-term memory');
const memory = '/v1/memories/{memoryId}';
const actor = `${memory}/actors/{actorId}` as const;
const session = `${actor}/sessions/{sessionId}` as const;

export const getContext = route('getContext', 'GET', `${session}/context`, {
  summary: "Get a session's newest messages, oldest first.",
  scope: 'memory:read',
  query: contextQuery,
  response: contextView,
});

export const formatContext = route('formatContext', 'GET', `${session}/format`, {
  summary: "Get a session's newest messages as text: `ROLE: content`, separated by blank lines.",
  scope: 'memory:read',
  query: contextQuery,
  response: formattedView,
});

export const clearSession = route('clearSession', 'POST', `${session}/clear`, {
  summary: 'Reset a session: context and exact match no longer show earlier messages. The log keeps them.',
  scope: 'memory:write',
  status: 204,
  response: null,
});

const exactMatch = { scope: 'memory:read', query: exactMatchQuery, response: exactMatchView } as const;
/** For questions that are too long for a URL. */
const exactMatchFromBody = { scope: 'memory:read', body: exactMatchBody, response: exactMatchView } as const;

export const findAnswerInSession = route('findAnswerInSession', 'GET', `${session}/exact-match`, {
  ...exactMatch,
  summary: 'Find the answer to the same question, word for word, in this session.',
});

export const findAnswerOfActor = route('findAnswerOfActor', 'GET', `${actor}/exact-match`, {
  ...exactMatch,
  summary: 'Find the answer to the same question in all sessions of an actor.',
});

export const findAnswerInMemory = route('findAnswerInMemory', 'GET', `${memory}/exact-match`, {
  ...exactMatch,
  summary: 'Find the answer to the same question in the whole memory, for any actor.',
});

export const findAnswerInSessionFromBody = route('findAnswerInSessionFromBody', 'POST', `${session}/exact-match`, {
  ...exactMatchFromBody,
  summary: 'Find the answer to the same question in this session, with the question in a body.',
});

export const findAnswerOfActorFromBody = route('findAnswerOfActorFromBody', 'POST', `${actor}/exact-match`, {
  ...exactMatchFromBody,
  summary: 'Find the answer to the same question in all sessions of an actor, with the question in a body.',
});

export const findAnswerInMemoryFromBody = route('findAnswerInMemoryFromBody', 'POST', `${memory}/exact-match`, {
  ...exactMatchFromBody,
  summary: 'Find the answer to the same question in the whole memory, with the question in a body.',
});
