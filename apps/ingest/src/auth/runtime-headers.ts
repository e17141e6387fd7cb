import type { FastifyRequest } from 'fastify';
import { RuntimeHeadersMissing, RuntimeUserDiffers } from './auth-errors.js';

/** What the AgentBase runtime puts on every request that an agent gets; agents pass them on (their guide, step 2). */
const USER = 'x-greennode-agentbase-user-id';
const SESSION = 'x-greennode-agentbase-session-id';

type Parts = Readonly<Record<string, unknown>>;

/**
 * Where a request carries one of the runtime's headers it must carry both, and be about that user and session and no
 * other. An actor or session in the query or in the body counts as one in the path. Nothing is ever filled in from them:
 * a request that names nobody stays a request that names nobody.
 *
 * @param required refuse requests about an actor that come without the headers
 */
export const checkRuntimeHeaders = (request: FastifyRequest, required: boolean): void => {
  const user = request.headers[USER];
  const session = request.headers[SESSION];
  if (user === undefined && session === undefined && !required) return;
  const places = [request.params, request.query, request.body].filter(isParts);
  const named = (id: 'actorId' | 'sessionId') =>
    places.map((parts) => parts[id]).filter((value) => value !== undefined);
  const namesActor = named('actorId').length > 0;
  if (user === undefined && session === undefined && !namesActor) return;
  if (typeof user !== 'string' || user === '') throw new RuntimeHeadersMissing('X-GreenNode-AgentBase-User-Id');
  if (typeof session !== 'string' || session === '') {
    throw new RuntimeHeadersMissing('X-GreenNode-AgentBase-Session-Id');
  }
  if (named('actorId').some((id) => !names(user, id))) throw new RuntimeUserDiffers('actorId');
  if (named('sessionId').some((id) => !names(session, id))) throw new RuntimeUserDiffers('sessionId');
};

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** Header values come as Latin-1; who sends UTF-8 in them means UTF-8. */
const names = (header: string, id: unknown): boolean =>
  header === id || Buffer.from(header, 'latin1').toString('utf8') === id;
