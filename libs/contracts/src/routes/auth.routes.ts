import {
  authConfigView,
  callerView,
  issuedTokenView,
  issueTokenBody,
  TOKEN_PATH,
  tokenErrorView,
} from '../http/auth-views.js';
import { route, type RouteSpec } from './route.js';

const common = { method: 'GET', tag: 'Sign-in', scope: null, status: 200 } as const;

/** Routes for a client that does not know yet what its key may do. They need no scope. */
export const AUTH_ROUTES: readonly RouteSpec[] = [
  route({
    ...common,
    id: 'getAuthConfig',
    path: '/v1/auth/config',
    summary: 'Get how a console signs users in. Public.',
    credential: 'none',
    response: authConfigView,
  }),
  route({
    ...common,
    id: 'getCaller',
    path: '/v1/auth/caller',
    summary: "Get the caller's tenant, its scopes, and the memory and actor that its key is limited to.",
    credential: 'any',
    response: callerView,
  }),
  route({
    ...common,
    method: 'POST',
    id: 'issueToken',
    path: TOKEN_PATH,
    summary:
      'Exchange an API key, sent as `Basic` with its id and secret, for a bearer token of two hours. Forms are accepted too.',
    credential: 'any',
    body: issueTokenBody,
    response: issuedTokenView,
    refusal: tokenErrorView,
  }),
];
