import type { AgentPlace } from '@turnkeeper/application';
import { instant, InvalidPayload, uuid } from '@turnkeeper/contracts';

/** A position in the listing, as text opaque to clients. The empty string is the end. */
export const cursorOf = (place: AgentPlace | undefined): string =>
  place === undefined ? '' : Buffer.from(`${place.startedAt} ${place.agentId}`).toString('base64url');

export const placeOf = (cursor: string): AgentPlace | undefined => {
  if (cursor === '') return undefined;
  const [startedAt, agentId, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const known = instant.safeParse(startedAt).success && uuid.safeParse(agentId).success && rest.length === 0;
  if (!known || startedAt === undefined || agentId === undefined) {
    throw new InvalidPayload('query', [{ field: 'cursor', rule: 'must be the meta.cursor of an earlier answer' }]);
  }
  return { startedAt, agentId };
};
