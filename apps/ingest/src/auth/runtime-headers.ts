import type { FastifyRequest } from 'fastify';
import { RuntimeHeadersMissing, RuntimeUserDiffers } from './auth-errors.js';

/** What the AgentBase runtime puts on every request that an agent gets; agents pass them on (their guide, step 2). */
const USER = 'x-greennode-agentbase-user-id';
const SESSION = 'x-greennode-agentbase-session-id';

type Parts = Readonly<Record<string, unknown>>;

/**
 * Where a request carries one of the runtime's headers it must carry both, and be about that user and session and no
 * other. An actor or session in the query counts as one in the path. Nothing is ever filled in from them: a request
 * that names nobody stays a request that names nobody.
 *
 * @param required refuse requests about an actor that come without the headers
 */
export const checkRuntimeHeaders = (request: FastifyRequest, required: boolean): void => {
  const user = request.headers[USER];
  const session = request.headers[SESSION];
  const about = { ...(request.query as Parts), ...(request.params as Parts) };
  const namesActor = about['actorId'] !== undefined;
  if (user === undefined && session === undefined && !(required && namesActor)) return;
  if (typeof user !== 'string' || user === '') throw new RuntimeHeadersMissing('X-GreenNode-AgentBase-User-Id');
  if (typeof session !== 'string' || session === '') {
    throw new RuntimeHeadersMissing('X-GreenNode-AgentBase-Session-Id');
  }
  if (namesActor && !names(user, about['actorId'])) throw new RuntimeUserDiffers('actorId');
  if (about['sessionId'] !== undefined && !names(session, about['sessionId']))
    throw new RuntimeUserDiffers('sessionId');
};

/** Header values come as Latin-1; who sends UTF-8 in them means UTF-8. */
const names = (header: string, id: unknown): boolean =>
  header === id || Buffer.from(header, 'latin1').toString('utf8') === id;
