import {
  contextQuery,
  contextView,
  exactMatchBody,
  exactMatchQuery,
  exactMatchView,
  formattedView,
} from '../http/short-term.js';
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

const answer = { tag, scope: 'memory:read', status: 200, response: exactMatchView } as const;
const exactMatch = { ...answer, method: 'GET', query: exactMatchQuery } as const;
/** For questions that are too long for a URL. */
const exactMatchFromBody = { ...answer, method: 'POST', body: exactMatchBody } as const;

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

export const findAnswerInSessionFromBody = route({
  ...exactMatchFromBody,
  id: 'findAnswerInSessionFromBody',
  path: `${session}/exact-match`,
  summary: 'Find the answer to the same question in this session, with the question in a body.',
});

export const findAnswerOfActorFromBody = route({
  ...exactMatchFromBody,
  id: 'findAnswerOfActorFromBody',
  path: `${actor}/exact-match`,
  summary: 'Find the answer to the same question in all sessions of an actor, with the question in a body.',
});

export const findAnswerInMemoryFromBody = route({
  ...exactMatchFromBody,
  id: 'findAnswerInMemoryFromBody',
  path: `${memory}/exact-match`,
  summary: 'Find the answer to the same question in the whole memory, with the question in a body.',
});
